/* SPDX-License-Identifier: MIT */
/* `full`: every unit, in order. */
#include "mech/engine/evaluate.h"

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
