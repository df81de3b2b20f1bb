/* SPDX-License-Identifier: MIT */
/* Errors of the closed form on a user's own points, workload by workload: all that a stream of
 * theirs needs to have intervals. */
#include "memsweep/results/fidelity.h"

#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"
#include "memsweep/sweep/errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAIL ((1 - MSW_ERRORS_CONFIDENCE) / 2)

typedef struct owning {
    const msw_agree_options *ask;
    const msw_agree_match *match;
    double *errors;
    msw_text *out;
    bool *made; /* whether a workload has enough pairs */
} owning;

static const msw_column *workloads_of(const msw_agree_side *side, size_t sweep)
{
    return &side->sweeps[sweep].table.columns[side->workload];
}

static bool is_of(const owning *o, const msw_agree_row *row, const char *workload)
{
    const msw_column *names = workloads_of(o->match->candidates, row->sweep);
    return strcmp(names->labels[(size_t)names->values[row->row]], workload) == 0;
}

static size_t gather(owning *o, const char *workload, size_t metric)
{
    int own = o->match->candidates->metric[metric][MSW_AGREE_VALUE],
        other = o->match->references->metric[metric][MSW_AGREE_VALUE];
    size_t n = 0;
    for (size_t i = 0; i < o->match->n; i++) {
        const msw_agree_pair *pair = &o->match->pairs[i];
        double closed = msw_agree_value(o->match->candidates, pair->candidate, own);
        double full = msw_agree_value(o->match->references, pair->reference, other);
        if (closed > 0 && full > 0 && is_of(o, pair->candidate, workload))
            o->errors[n++] = msw_math_log(full / closed);
    }
    msw_sort_f64(o->errors, n);
    return n;
}

/* The order statistics between which the next of n + 1 exchangeable errors lies. Rounded outwards
 * by what six digits lose. */
static void write_own(owning *o, const char *workload, const char *metric, size_t n)
{
    size_t below = (size_t)floor((double)(n + 1) * TAIL + 1e-9);
    double low = o->errors[below - 1] - 1e-5, high = o->errors[n - below] + 1e-5;
    msw_text_add(o->out, "own\t%s\t%d\t%s\t%.6g\t%.6g\t%zu\n", workload,
                 o->ask->mech->version_closed, metric, msw_math_exp(low), msw_math_exp(high), n);
}

static void own_workload(owning *o, const char *workload)
{
    int total = msw_errors_total(o->ask->mech);
    for (size_t m = 0; m < o->ask->metric_count; m++) {
        int metric = msw_metrics_find(o->ask->mech->metrics, o->ask->metrics[m]);
        if (metric < 0 || !msw_errors_has(o->ask->mech, metric) ||
            o->match->candidates->metric[m][MSW_AGREE_VALUE] < 0)
            continue;
        size_t n = gather(o, workload, m);
        if (n >= MSW_AGREE_OWN_FEWEST)
            write_own(o, workload, o->ask->metrics[m], n);
        *o->made |= metric == total && n >= MSW_AGREE_OWN_FEWEST;
    }
}

static bool is_new(const msw_agree_side *side, size_t sweep, const char *workload)
{
    for (size_t t = 0; t < sweep; t++)
        for (size_t l = 0; l < workloads_of(side, t)->label_count; l++)
            if (strcmp(workloads_of(side, t)->labels[l], workload) == 0)
                return false;
    return true;
}

static void own_all(owning *o)
{
    const msw_agree_side *side = o->match->candidates;
    for (size_t t = 0; t < side->sweep_count; t++)
        for (size_t l = 0; l < workloads_of(side, t)->label_count; l++) {
            const char *workload = workloads_of(side, t)->labels[l];
            if (is_new(side, t, workload))
                own_workload(o, workload);
        }
}

int msw_agree_own(const msw_agree_options *ask, const msw_agree_match *match, msw_text *out,
                  bool *made, msw_err *err)
{
    owning o = {.ask = ask, .match = match, .out = out, .made = made};
    o.errors = malloc((match->n + 1) * sizeof *o.errors);
    if (!o.errors)
        return msw_fail_memory(err);
    own_all(&o);
    free(o.errors);
    return 0;
}
