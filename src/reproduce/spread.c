/* SPDX-License-Identifier: MIT */
/* Every claim over samples of the parameters nobody knows. */
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdlib.h>

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
        if (p->sweeps[i].sampled && msw_spread_points(s, &p->sweeps[i]) &&
            is_used(p, s, &p->sweeps[i]) && msw_paper_cross(p, s, part, &p->sweeps[i], &plans[i]))
            return -1;
    return 0;
}

/* The samples are a plan of their own. */
static int divide(msw_paper *p, const msw_spread *s, msw_store *store, const msw_paper_sweep *sweep,
                  const msw_plan *samples)
{
    char *name = msw_store_called(store, samples, p->err);
    int result =
        name ? msw_store_divide(store, name, sweep->word, msw_spread_points(s, sweep), p->err) : -1;
    free(name);
    return result;
}

static int divide_all(msw_paper *p, const msw_spread *s, msw_store *store,
                      const msw_paper_plan *plans)
{
    for (size_t i = 0; i < p->sweep_count; i++)
        if (plans[i].plan && divide(p, s, store, &p->sweeps[i], plans[i].plan))
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
    int rc = msw_store_open(file, MSW_STORE_READ, false, &p->context->log, &store, p->err) ||
                     divide_all(p, s, store, plans)
                 ? -1
                 : 0;
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
