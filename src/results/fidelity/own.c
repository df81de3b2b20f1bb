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

/* Below so many pairs no order statistic holds a tail of 5 %. */
enum { FEWEST = 19 };
#define TAIL ((1 - MSW_ERRORS_CONFIDENCE) / 2)

typedef struct owning {
    const msw_agree_options *ask;
    const msw_agree_match *match;
    double *errors;
    msw_text name; /* of the workload */
    msw_text *out;
    size_t made, few; /* workloads with intervals, and with too few pairs */
} owning;

static bool is_of(owning *o, const msw_agree_pair *pair, const char *workload)
{
    msw_text_clear(&o->name);
    msw_agree_text(o->match->candidates, pair->candidate, MSW_AGREE_WORKLOAD, &o->name);
    return strcmp(msw_text_str(&o->name), workload) == 0;
}

static size_t gather(owning *o, const char *workload, size_t metric)
{
    size_t column = MSW_AGREE_METRIC + MSW_AGREE_PER_METRIC * metric, n = 0;
    for (size_t i = 0; i < o->match->n; i++) {
        const msw_agree_pair *pair = &o->match->pairs[i];
        double closed = msw_agree_value(o->match->candidates, pair->candidate, column);
        double full = msw_agree_value(o->match->references, pair->reference, column);
        if (closed > 0 && full > 0 && is_of(o, pair, workload))
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
        if (metric < 0 || !msw_errors_has(o->ask->mech, metric))
            continue;
        size_t n = gather(o, workload, m);
        if (n >= FEWEST)
            write_own(o, workload, o->ask->metrics[m], n);
        o->made += metric == total && n >= FEWEST;
        o->few += metric == total && n < FEWEST;
    }
}

static bool is_new(owning *o, size_t pair, const char *workload)
{
    for (size_t i = 0; i < pair; i++)
        if (is_of(o, &o->match->pairs[i], workload))
            return false;
    return true;
}

static int own_all(owning *o, msw_err *err)
{
    for (size_t i = 0; i < o->match->n; i++) {
        msw_text_clear(&o->name);
        msw_agree_text(o->match->candidates, o->match->pairs[i].candidate, MSW_AGREE_WORKLOAD,
                       &o->name);
        char *workload = msw_strdup(msw_text_str(&o->name));
        if (!workload)
            return msw_fail_memory(err);
        if (is_new(o, i, workload))
            own_workload(o, workload);
        free(workload);
    }
    return o->made ? 0
                   : msw_fail(err,
                              "at least %d points of a workload have to be answered by the closed "
                              "form as it is today (version %d) and in full",
                              FEWEST, o->ask->mech->version_closed);
}

int msw_agree_own(const msw_agree_options *ask, const msw_agree_match *match, msw_text *out,
                  msw_err *err)
{
    owning o = {.ask = ask, .match = match, .out = out, .name = MSW_TEXT_EMPTY};
    o.errors = malloc((match->n + 1) * sizeof *o.errors);
    int rc = o.errors ? own_all(&o, err) : msw_fail_memory(err);
    free(o.errors);
    msw_text_free(&o.name);
    return rc;
}
