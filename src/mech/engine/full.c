/* SPDX-License-Identifier: MIT */
/* Evaluates at `full` (every unit, in order) and finishes metrics: from exact totals to those
 * that follow from them. */
#include "mech/engine/evaluate.h"

#include <math.h>

int msw_mech_bound_resource(const msw_metric_map *map, const double *metrics)
{
    int best = -1;
    for (int i = map->least_first; i < map->least_end; i++)
        if (metrics[i] > (best < 0 ? 0 : metrics[best]))
            best = i;
    return best;
}

static void finish_bounds(const msw_task *task, double *metrics)
{
    const msw_metric_map *map = task->map;
    task->mech->bounds(task, metrics);
    int best = msw_mech_bound_resource(map, metrics);
    double cycles = metrics[map->entries[map->share].num];
    metrics[map->share] = cycles > 0 && best >= 0 ? metrics[best] / cycles : NAN;
}

void msw_finish_metrics(const msw_task *task, const double *const *reference_totals,
                        double *metrics)
{
    const msw_metric_map *map = task->map;
    for (size_t m = 0; m < map->metric_count; m++) {
        msw_metric_kind kind = task->mech->metrics[m].kind;
        if (kind != MSW_RATIO && kind != MSW_PAIRED)
            continue;
        const double *below =
            kind == MSW_PAIRED ? reference_totals[map->entries[m].reference] : metrics;
        double den = below[map->entries[m].den];
        metrics[m] = den != 0 ? metrics[map->entries[m].num] / den : NAN;
    }
    if (map->derived && task->mech->derive)
        task->mech->derive(task, metrics);
    if (task->mech->price)
        task->mech->price(task->config, metrics);
    if (map->share >= 0)
        finish_bounds(task, metrics);
}

void msw_finish_exact(const msw_task *task, const msw_references *references, double *metrics)
{
    const double *totals[MSW_METRICS_MAX];
    for (size_t r = 0; r < references->count; r++)
        totals[r] = references->units[r]->totals;
    msw_finish_metrics(task, totals, metrics);
}

int msw_finish_details(const msw_task *task, const msw_unit_set *set, msw_err *err)
{
    return task->details && task->mech->finish ? task->mech->finish(task, set->state, err) : 0;
}

int msw_evaluate_full(const msw_task *task, const msw_references *references, msw_answer *answer,
                      msw_err *err)
{
    msw_unit_set set;
    msw_totals sums = {0};
    if (msw_units_init(task, &set, err))
        return -1;
    int rc = msw_units_full(task, &set, &sums, err);
    if (rc == 0)
        rc = msw_finish_details(task, &set, err);
    if (rc)
        return rc;
    size_t width = task->map->metric_count;
    for (size_t i = 0; i < width; i++) {
        msw_metric_kind kind = task->mech->metrics[i].kind;
        if (kind == MSW_TOTAL || kind == MSW_MAXIMUM)
            answer->metrics[i] = sums.totals[i];
        answer->half_widths[i] = 0;
    }
    answer->measured = answer->units = sums.units;
    answer->events = sums.events;
    msw_finish_quantiles(task, sums.histograms, answer->metrics);
    msw_finish_exact(task, references, answer->metrics);
    return 0;
}
