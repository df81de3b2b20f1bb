/* SPDX-License-Identifier: MIT */
/* Asks all claims of a paper: runs its sweeps, computes numbers and verdicts from the rows, and
 * says what the verdicts are worth. */
#include "memsweep/base/text_check.h"
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdlib.h>

/* ---- rows to ask ---- */

static int run_sweeps(msw_paper *p, const char *file)
{
    msw_paper_plan *plans = calloc(p->sweep_count + 1, sizeof *plans);
    if (!plans)
        return msw_fail_memory(p->err);
    for (size_t i = 0; i < p->sweep_count; i++)
        plans[i] = (msw_paper_plan){p->sweeps[i].plan, p->sweeps[i].origin};
    int rc = msw_paper_run(p, file, plans, p->sweep_count);
    free(plans);
    return rc;
}

static int ask_one(msw_paper *p, msw_store *store, const msw_claim *claim, msw_claim_answer *answer)
{
    if (msw_claim_answers_at(claim, p->ask->fidelity))
        return msw_paper_value(p, store, claim, answer);
    answer->shown = msw_strfmt("no answer at %s, only at %s", p->ask->fidelity, claim->fidelities);
    return answer->shown ? 0 : msw_fail_memory(p->err);
}

/* ---- conditions ---- */

/* Takes the verdict back and says why. */
static int set_apart(msw_paper *p, const msw_claim *condition, msw_claim_answer *answer)
{
    const msw_claim_answer *found = &p->answers[condition - p->claims.list];
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add(&text, "%s%snot comparable: %s", answer->shown ? answer->shown : "",
                 answer->shown ? "; " : "", condition->quantity);
    if (found->shown)
        msw_text_add(&text, ": %s", found->shown);
    free(answer->shown);
    answer->shown = msw_text_check(&text, p->err) ? NULL : msw_strdup(msw_text_str(&text));
    answer->verdict = MSW_NOT_COMPARABLE;
    msw_text_free(&text);
    return answer->shown ? 0 : msw_fail_memory(p->err);
}

static int apply_conditions(msw_paper *p)
{
    double *values = calloc(p->claims.count, sizeof *values);
    int rc = values ? 0 : msw_fail_memory(p->err);
    for (size_t i = 0; rc == 0 && i < p->claims.count; i++)
        values[i] = p->answers[i].value;
    for (size_t i = 0; rc == 0 && i < p->claims.count; i++) {
        msw_claim_answer *a = &p->answers[i];
        const msw_claim *unmet = msw_claim_unmet(p, &p->claims.list[i], values, 1);
        if (a->wanted && unmet && msw_is_judged(a->verdict))
            rc = set_apart(p, unmet, a);
    }
    free(values);
    return rc;
}

/* ---- all of them ---- */

/* The lowest fidelity of the rows that a claim is asked of; full where none changes it. */
static msw_fidelity lowest_fidelity(const msw_paper *p, const msw_claim *claim)
{
    msw_fidelity lowest = MSW_FULL;
    if (msw_claim_is_alike(p, claim))
        return lowest;
    for (size_t i = 0; i < p->sweep_count; i++) {
        const msw_paper_sweep *s = &p->sweeps[i];
        if (s->plan && msw_paper_reads(p, claim, s) && s->plan->fidelity < lowest)
            lowest = s->plan->fidelity;
    }
    return lowest;
}

/* A calibration compares numbers, whatever verdicts are worth. */
static int weigh_all(msw_paper *p, msw_store *store)
{
    if (p->ask->calibrates)
        return 0;
    MSW_TRY(msw_paper_try_trivial(p, store));
    for (size_t i = 0; i < p->claims.count; i++) {
        const msw_claim *claim = &p->claims.list[i];
        if (p->answers[i].wanted && msw_is_judged(p->answers[i].verdict))
            p->answers[i].weight =
                msw_answer_weight(claim, &p->answers[i], lowest_fidelity(p, claim));
    }
    return 0;
}

static int ask_all(msw_paper *p, msw_store *store)
{
    for (size_t i = 0; i < p->claims.count; i++)
        if (p->answers[i].wanted && ask_one(p, store, &p->claims.list[i], &p->answers[i]))
            return -1;
    MSW_TRY(apply_conditions(p));
    return weigh_all(p, store);
}

/* The database may know a plan by another name: that of another paper, or from before. */
static int name_sweeps(msw_paper *p, msw_store *store)
{
    for (size_t i = 0; i < p->sweep_count; i++) {
        msw_paper_sweep *s = &p->sweeps[i];
        if (!s->plan)
            continue;
        free(s->called); /* of an earlier call */
        if (!(s->called = msw_store_called(store, s->plan, p->err)))
            return -1;
    }
    return 0;
}

int msw_paper_answer(msw_paper *p)
{
    msw_store *store = NULL;
    char *file = msw_paper_database(p, "");
    int rc = !file ? msw_fail_memory(p->err) : run_sweeps(p, file);
    if (rc == 0 && !p->interrupted) {
        rc = msw_store_open(file, MSW_STORE_READ, false, &p->context->log, &store, p->err);
        if (rc == 0)
            rc = name_sweeps(p, store);
        if (rc == 0)
            rc = ask_all(p, store);
    }
    msw_store_close(store, NULL);
    free(file);
    return rc;
}
