/* SPDX-License-Identifier: MIT */
/* The samples in which most claims pass, computed again with the cycle model. */
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which ---- */

typedef struct ranked {
    size_t sample, passing;
} ranked;

/* Most first; of equals the one drawn first. */
static int by_passing(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->passing != y->passing)
        return x->passing < y->passing ? 1 : -1;
    return (x->sample > y->sample) - (x->sample < y->sample);
}

static ranked *rank(const msw_paper *p)
{
    const msw_spread *s = &p->spread;
    ranked *list = calloc(s->samples, sizeof *list);
    for (size_t k = 0; list && k < s->samples; k++)
        list[k] = (ranked){k, msw_spread_passing(p, s, k)};
    if (list)
        qsort(list, s->samples, sizeof *list, by_passing);
    return list;
}

/* ---- a spread of them ---- */

static int copy_unknowns(const msw_spread *from, msw_spread *to)
{
    to->unknowns = calloc(from->unknown_count, sizeof *to->unknowns);
    if (!to->unknowns)
        return -1;
    for (size_t u = 0; u < from->unknown_count; u++) {
        msw_unknown *mine = &to->unknowns[to->unknown_count++];
        *mine = from->unknowns[u];
        mine->values = calloc(to->samples, sizeof *mine->values);
        if (!mine->values)
            return -1;
        for (size_t k = 0; k < to->samples; k++)
            mine->values[k] = from->unknowns[u].values[to->origin[k]];
    }
    return 0;
}

static int choose(msw_paper *p, size_t count)
{
    msw_spread *chosen = &p->confirmed;
    ranked *list = rank(p);
    *chosen = (msw_spread){.fidelity = "full",
                           .suffix = "-unknowns",
                           .samples = count,
                           .conditional = p->spread.conditional};
    chosen->origin = calloc(count, sizeof *chosen->origin);
    int rc = list && chosen->origin ? 0 : -1;
    for (size_t k = 0; rc == 0 && k < count; k++)
        chosen->origin[k] = list[k].sample;
    if (rc == 0)
        rc = copy_unknowns(&p->spread, chosen);
    free(list);
    return rc ? msw_fail_memory(p->err) : 0;
}

int msw_paper_confirm(msw_paper *p)
{
    size_t count = (size_t)p->ask->confirm, samples = p->spread.samples;
    count = count < samples ? count : samples;
    if (count == 0 || strcmp(p->spread.fidelity, "full") == 0)
        return 0;
    MSW_TRY(choose(p, count));
    return msw_spread_answer(p, &p->confirmed);
}

/* ---- the page ---- */

static void add_value(const msw_unknown *u, size_t sample, msw_text *out)
{
    char text[MSW_PARAM_TEXT];
    if (u->param->kind == MSW_REAL)
        msw_text_add(out, " %.3g |", u->values[sample]);
    else
        msw_text_add(out, " %s |", msw_param_print(u->param, u->values[sample], text));
}

static void add_head(const msw_spread *s, const char *screened, msw_text *out)
{
    msw_text_add(out, "| sample | %s | full |", screened);
    for (size_t u = 0; u < s->unknown_count; u++)
        msw_text_add(out, " %s |", s->unknowns[u].param->name);
    msw_text_add(out, "\n| --- | --- | --- |");
    for (size_t u = 0; u < s->unknown_count; u++)
        msw_text_add(out, " --- |");
    msw_text_add(out, "\n");
}

static bool passes_anywhere(const msw_spread *s, size_t claim)
{
    for (size_t k = 0; k < s->samples; k++)
        if (s->verdicts[claim * s->samples + k] == MSW_PASS)
            return true;
    return false;
}

static void add_never(const msw_paper *p, msw_text *out)
{
    const char *before = "In none of them passes: ";
    for (size_t i = 0; i < p->claims.count; i++) {
        const msw_claim *claim = &p->claims.list[i];
        if (!msw_claim_seeks(p, i) || passes_anywhere(&p->confirmed, i))
            continue;
        msw_text_add(out, "%s`%s`", before, claim->id);
        before = ", ";
    }
    if (*before == ',')
        msw_text_add(out, ".\n\n");
}

void msw_confirm_page(const msw_paper *p, msw_text *out)
{
    const msw_spread *s = &p->confirmed;
    if (s->samples == 0)
        return;
    msw_text_add(
        out, "The %zu samples with most passes, computed at full (passes at each fidelity):\n\n",
        s->samples);
    add_head(s, p->spread.fidelity, out);
    for (size_t k = 0; k < s->samples; k++) {
        msw_text_add(out, "| %zu | %zu | %zu |", s->origin[k],
                     msw_spread_passing(p, &p->spread, s->origin[k]), msw_spread_passing(p, s, k));
        for (size_t u = 0; u < s->unknown_count; u++)
            add_value(&s->unknowns[u], k, out);
        msw_text_add(out, "\n");
    }
    msw_text_add(out, "\n");
    add_never(p, out);
}
