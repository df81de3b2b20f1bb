/* SPDX-License-Identifier: MIT */
/* From exact totals to the metrics that follow from them. */
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
