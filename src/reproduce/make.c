/* SPDX-License-Identifier: MIT */
/* From the name of a paper to its answers, figures and page. */
#include "memsweep/reproduce/paper.h"

#include <string.h>

/* A paper is called like its folder. */
static int find(msw_paper *p, const char *word)
{
    p->folder = msw_paper_folder(p->context, word, p->err);
    if (!p->folder)
        return -1;
    p->name = msw_strdup(strrchr(p->folder, '/') + 1);
    return p->name ? 0 : msw_fail_memory(p->err);
}

int msw_paper_make(msw_paper *p, const char *word)
{
    if (find(p, word) || msw_paper_open(p) || msw_paper_answer(p))
        return -1;
    if (p->interrupted)
        return 0;
    if (p->ask->samples && (msw_paper_spread(p) || (!p->interrupted && msw_paper_confirm(p))))
        return -1;
    return p->interrupted || (msw_paper_draw(p) == 0 && msw_paper_page(p) == 0) ? 0 : -1;
}

bool msw_paper_passes(const msw_paper *p)
{
    for (size_t i = 0; i < p->claims.count; i++)
        if (p->answers[i].verdict == MSW_MISS || p->answers[i].verdict == MSW_UNCLEAR)
            return false;
    return true;
}
