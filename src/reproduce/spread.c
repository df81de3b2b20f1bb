/* SPDX-License-Identifier: MIT */
/* Answers every claim over samples of the parameters nobody knows; the samples in which most
 * claims pass are computed again with the cycle model. */
#include "memsweep/base/sort.h"
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_asked(const msw_paper *p, const msw_spread *s, size_t claim)
{
    if (s->asks && !s->asks[claim])
        return false;
    return p->answers[claim].wanted && msw_claim_spreads(p, &p->claims.list[claim]) &&
           msw_claim_answers_at(&p->claims.list[claim], s->fidelity);
}

/* A sweep that a claim is looked through for. */
typedef struct seeking {
    const msw_paper *paper;
    const msw_paper_sweep *sweep;
    bool found;
} seeking;

static int note_sweep(void *context, const char *word, size_t size, msw_text *out)
{
    seeking *k = context;
    (void)out;
    const msw_paper_sweep *sweep = msw_paper_find_sweep(k->paper, word, size, k->paper->err);
    k->found = k->found || sweep == k->sweep;
    return sweep ? 0 : -1;
}

bool msw_paper_reads(const msw_paper *p, const msw_claim *claim, const msw_paper_sweep *sweep)
{
    seeking k = {p, sweep, false};
    msw_text ignored = MSW_TEXT_EMPTY;
    msw_paper_fill(claim->sql, note_sweep, &k, &ignored);
    msw_text_free(&ignored);
    return k.found;
}

/* Whether a claim that is asked takes its value from a sweep. */
static bool is_used(const msw_paper *p, const msw_spread *s, const msw_paper_sweep *sweep)
{
    for (size_t i = 0; i < p->claims.count; i++)
        if (is_asked(p, s, i) && msw_paper_reads(p, &p->claims.list[i], sweep))
            return true;
    return false;
}

static int cross_all(msw_paper *p, const msw_spread *s, msw_samples part, msw_paper_plan *plans)
{
    for (size_t i = 0; i < p->sweep_count; i++)
        if (p->sweeps[i].sampled && is_used(p, s, &p->sweeps[i]) &&
            msw_paper_cross(p, s, part, &p->sweeps[i], &plans[i]))
            return -1;
    return 0;
}

/* The samples are a plan of their own. */
static int divide(msw_paper *p, msw_store *store, const msw_paper_sweep *sweep,
                  const msw_plan *samples)
{
    char *name = msw_store_called(store, samples, p->err);
    int result = name ? msw_store_divide(store, name, sweep->word,
                                         msw_paper_design_points(sweep->plan), p->err)
                      : -1;
    free(name);
    return result;
}

static int divide_all(msw_paper *p, msw_store *store, const msw_paper_plan *plans)
{
    for (size_t i = 0; i < p->sweep_count; i++)
        if (plans[i].plan && divide(p, store, &p->sweeps[i], plans[i].plan))
            return -1;
    return 0;
}

typedef struct asking {
    msw_spread *spread;
    size_t claim, first;
} asking;

static void keep(void *context, size_t sample, const msw_claim_answer *answer)
{
    const asking *a = context;
    size_t at = a->claim * a->spread->samples + a->first + sample;
    a->spread->values[at] = answer->value;
    a->spread->verdicts[at] = answer->weight != MSW_HOLLOW ? answer->verdict : MSW_NO_VERDICT;
}

/* Conditions may come after what they decide, so they are looked at last. */
static void apply_conditions(const msw_paper *p, msw_spread *s, msw_samples part)
{
    for (size_t i = 0; i < p->claims.count; i++)
        for (size_t k = part.first; k < part.first + part.count; k++) {
            msw_judgement *verdict = &s->verdicts[i * s->samples + k];
            if (msw_is_judged(*verdict) &&
                msw_claim_unmet(p, &p->claims.list[i], s->values + k, s->samples))
                *verdict = MSW_NOT_COMPARABLE;
        }
}

static int ask_all(msw_paper *p, msw_spread *s, msw_samples part, const char *file,
                   const msw_paper_plan *plans)
{
    msw_store *store = NULL;
    int rc = msw_store_open(file, MSW_STORE_READ, false, &p->context->log, &store, p->err);
    if (rc == 0)
        rc = divide_all(p, store, plans);
    for (size_t i = 0; rc == 0 && i < p->claims.count; i++) {
        asking a = {s, i, part.first};
        if (is_asked(p, s, i))
            rc = msw_paper_values(p, store, &p->claims.list[i], part.count, keep, &a);
    }
    if (rc == 0)
        apply_conditions(p, s, part);
    msw_store_close(store, NULL);
    return rc;
}

static int answer_part(msw_paper *p, msw_spread *s, msw_samples part, const char *file)
{
    msw_paper_plan *plans = calloc(p->sweep_count + 1, sizeof *plans);
    int rc = !plans                         ? msw_fail_memory(p->err)
             : cross_all(p, s, part, plans) ? -1
                                            : msw_paper_run(p, file, plans, p->sweep_count);
    if (rc == 0 && !p->interrupted)
        rc = ask_all(p, s, part, file, plans);
    for (size_t i = 0; plans && i < p->sweep_count; i++) {
        msw_plan_free(plans[i].plan);
        msw_origin_free(&plans[i].origin);
    }
    free(plans);
    return rc;
}

int msw_spread_answer(msw_paper *p, msw_spread *s)
{
    char *file = msw_paper_database(p, s->suffix);
    size_t most = msw_paper_part(p, s);
    size_t cells = p->claims.count * s->samples;
    s->values = calloc(cells + 1, sizeof *s->values);
    s->verdicts = calloc(cells + 1, sizeof *s->verdicts);
    int rc = file && s->values && s->verdicts ? 0 : msw_fail_memory(p->err);
    for (size_t i = 0; rc == 0 && i < cells; i++)
        s->values[i] = NAN; /* of what is not asked */
    for (size_t first = 0; rc == 0 && !p->interrupted && first < s->samples; first += most) {
        size_t left = s->samples - first;
        rc = answer_part(p, s, (msw_samples){first, left < most ? left : most}, file);
    }
    free(file);
    return rc;
}

bool msw_claim_seeks(const msw_paper *p, size_t claim)
{
    const msw_claim_answer *a = &p->answers[claim];
    return a->wanted && msw_is_judged(a->verdict) && !*p->claims.list[claim].depends &&
           msw_claim_answers_at(&p->claims.list[claim], p->spread.fidelity);
}

size_t msw_spread_passing(const msw_paper *p, const msw_spread *s, size_t sample)
{
    size_t passed = 0;
    for (size_t i = 0; i < p->claims.count; i++)
        passed += msw_claim_seeks(p, i) && s->verdicts[i * s->samples + sample] == MSW_PASS;
    return passed;
}

void msw_spread_free(msw_spread *s)
{
    for (size_t u = 0; u < s->unknown_count; u++)
        free(s->unknowns[u].values);
    free(s->unknowns);
    free(s->values);
    free(s->verdicts);
    free(s->origin);
    free(s->positions);
}

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
        msw_sort(list, s->samples, sizeof *list, by_passing);
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
