/* SPDX-License-Identifier: MIT */
/* Metrics other than the primary one that the number of units must serve. */
#include "mech/engine/evaluate.h"

#include <math.h>

bool msw_metric_wanted(const msw_task *task, size_t metric)
{
    return (int)metric == task->map->primary ||
           (task->sampling.metrics[metric / 64] >> metric % 64 & 1) != 0;
}

static bool is_served_here(const msw_task *task, size_t metric)
{
    msw_metric_kind kind = task->mech->metrics[metric].kind;
    return msw_metric_wanted(task, metric) && (kind == MSW_QUANTILE || kind == MSW_DERIVED);
}

static double square(double x)
{
    return x * x;
}

/* How many times as many units bring the widest of these intervals to the target. */
static double find_factor(const msw_task *task, const msw_answer *pilot)
{
    double factor = 1;
    for (size_t m = 0; m < task->map->metric_count; m++) {
        double goal = task->sampling.target * fabs(pilot->metrics[m]);
        if (is_served_here(task, m) && pilot->half_widths[m] > goal)
            factor = fmax(factor, square(pilot->half_widths[m] / goal));
    }
    return factor;
}

int msw_units_serve(const msw_task *task, const msw_unit_set *set, const msw_references *references,
                    uint64_t *wanted, msw_err *err)
{
    msw_answer pilot = {0};
    bool any = false;
    for (size_t m = 0; m < task->map->metric_count; m++)
        any |= is_served_here(task, m);
    if (!any)
        return 0;
    pilot.metrics = msw_arena_zero(task->arena, task->map->metric_count, sizeof(double));
    pilot.half_widths = msw_arena_zero(task->arena, task->map->metric_count, sizeof(double));
    if (!pilot.metrics || !pilot.half_widths)
        return msw_fail_memory(err);
    if (msw_estimate(task, set, references, &pilot, err))
        return -1;
    double factor = find_factor(task, &pilot);
    for (size_t h = 0; h < set->stratum_count; h++) {
        double units = (double)set->strata[h].units;
        double more = ceil(factor * (double)set->strata[h].measured);
        uint64_t n = more < units ? (uint64_t)more : set->strata[h].units;
        wanted[h] = wanted[h] > n ? wanted[h] : n;
    }
    return 0;
}
