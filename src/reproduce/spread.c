/* Every claim over samples of the parameters nobody knows. */
#include "memsweep/reproduce/paper.h"

#include <math.h>
#include <stdlib.h>

static uint64_t design_points(const msw_plan *plan)
{
    return plan->points / plan->workload_count / (plan->replicates ? plan->replicates : 1);
}

static int cross_all(msw_paper *p, msw_plan **plans)
{
    for (size_t i = 0; i < p->sweep_count; i++)
        if (p->sweeps[i].plan && msw_paper_cross(p, &p->sweeps[i], &plans[i]))
            return -1;
    return 0;
}

/* The samples are a plan of their own, at the fidelity that was asked for. */
static int divide(msw_paper *p, msw_store *store, const msw_paper_sweep *sweep)
{
    const char *fidelity = p->ask->fidelity ? p->ask->fidelity : "analytic";
    char *name = msw_strfmt("%s@%s", sweep->plan->name, fidelity);
    int result =
        name ? msw_store_divide(store, name, sweep->word, design_points(sweep->plan), p->err)
             : msw_fail_memory(p->err);
    free(name);
    return result;
}

static int divide_all(msw_paper *p, msw_store *store)
{
    for (size_t i = 0; i < p->sweep_count; i++)
        if (p->sweeps[i].plan && divide(p, store, &p->sweeps[i]))
            return -1;
    return 0;
}

static int ask_claim(msw_paper *p, msw_store *store, size_t claim)
{
    msw_spread *s = &p->spread;
    for (size_t i = 0; i < s->samples; i++) {
        msw_claim_answer answer = {.value = NAN, .half_width = NAN};
        int rc = msw_paper_value(p, store, &p->claims.list[claim], (long)i, &answer);
        s->values[claim * s->samples + i] = answer.value;
        s->verdicts[claim * s->samples + i] = answer.verdict;
        free(answer.shown);
        if (rc)
            return -1;
    }
    return 0;
}

static int ask_all(msw_paper *p, const char *file)
{
    msw_spread *s = &p->spread;
    msw_store *store = NULL;
    s->values = calloc(p->claims.count * s->samples, sizeof *s->values);
    s->verdicts = calloc(p->claims.count * s->samples, sizeof *s->verdicts);
    int rc = s->values && s->verdicts ? 0 : msw_fail_memory(p->err);
    if (rc == 0)
        rc = msw_store_open(file, MSW_STORE_READ, false, &p->context->log, &store, p->err) ||
                     divide_all(p, store)
                 ? -1
                 : 0;
    for (size_t i = 0; rc == 0 && i < p->claims.count; i++)
        if (p->answers[i].wanted)
            rc = ask_claim(p, store, i);
    msw_store_close(store, NULL);
    return rc;
}

int msw_paper_spread(msw_paper *p)
{
    msw_plan **plans = calloc(p->sweep_count + 1, sizeof *plans);
    char *file = msw_paper_database(p, "-unknowns");
    int rc = !plans || !file         ? msw_fail_memory(p->err)
             : msw_paper_unknowns(p) ? -1
             : cross_all(p, plans)   ? -1
                                     : msw_paper_run(p, file, plans, p->sweep_count);
    if (rc == 0 && !p->interrupted)
        rc = ask_all(p, file);
    for (size_t i = 0; plans && i < p->sweep_count; i++)
        msw_plan_free(plans[i]);
    free(plans);
    free(file);
    return rc;
}

void msw_spread_free(msw_spread *s)
{
    for (size_t u = 0; u < s->unknown_count; u++)
        free(s->unknowns[u].values);
    free(s->unknowns);
    free(s->values);
    free(s->verdicts);
}
