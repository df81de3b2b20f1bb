/* SPDX-License-Identifier: MIT */
/* The words of a paper's queries: ":walkers" stands for the rows of walkers.yaml. */
#include "memsweep/reproduce/paper.h"

#include <stdio.h>
#include <string.h>

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

/* Length of a quoted text, an inner quote being two of its kind. */
static size_t quoted_length(const char *s)
{
    size_t size = 1;
    while (s[size] && s[size] != s[0])
        size++;
    return s[size] ? size + 1 : size;
}

int msw_paper_fill(const char *sql, msw_word_fn use, void *context, msw_text *out)
{
    for (const char *s = sql; *s;) {
        size_t size = *s == '\'' || *s == '"' ? quoted_length(s) : 1;
        size_t word = *s == ':' ? strspn(s + 1, LETTERS) : 0;
        if (!word)
            msw_text_add_bytes(out, s, size);
        else if (use(context, s + 1, word, out))
            return -1;
        s += size + word;
    }
    return 0;
}

static msw_paper_sweep *find(const msw_paper *paper, const char *word, size_t size)
{
    for (size_t i = 0; i < paper->sweep_count; i++)
        if (strlen(paper->sweeps[i].word) == size &&
            strncmp(paper->sweeps[i].word, word, size) == 0)
            return &paper->sweeps[i];
    return NULL;
}

msw_paper_sweep *msw_paper_find_sweep(const msw_paper *paper, const char *word, size_t size,
                                      msw_err *err)
{
    enum { SHOWN = 64 };
    msw_paper_sweep *sweep = find(paper, word, size);
    if (sweep)
        return sweep;
    const char *names[SHOWN + 1] = {NULL};
    char wrong[64];
    snprintf(wrong, sizeof wrong, "%.*s", (int)size, word);
    for (size_t i = 0; i < paper->sweep_count && i < SHOWN; i++)
        names[i] = paper->sweeps[i].word;
    const char *best = msw_nearest(wrong, names, sizeof *names);
    msw_fail(err, "no sweep %s.yaml in %s%s%s%s", wrong, paper->folder,
             best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
    return NULL;
}

bool msw_paper_lists(const char *list, const char *name)
{
    for (const char *at = list; at && *at;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, ",");
        if (size && strncmp(at, name, size) == 0 && !name[size])
            return true;
        at += size;
    }
    return !list;
}
