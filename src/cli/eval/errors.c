/* SPDX-License-Identifier: MIT */
/* Answers what is known of the errors of one answer, as the columns of a sweep's view do. */
#include "cli/eval/eval.h"

#include "memsweep/sweep/errors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_judged(const msw_plan *plan, const msw_row *row)
{
    return plan->fidelity == MSW_ANALYTIC && row->status == MSW_OK && !row->doubt;
}

const msw_own_error *cli_answer_own(const msw_plan *plan, const msw_batch *batch, size_t row,
                                    size_t metric)
{
    uint32_t workload = batch->rows[row].workload;
    for (size_t i = 0; i < plan->own_count; i++)
        if (plan->own[i].metric == (int)metric &&
            plan->own[i].version == plan->mech->version_closed &&
            strcmp(plan->own[i].workload, plan->workloads[workload].name) == 0)
            return &plan->own[i];
    return NULL;
}

static bool table_range(const msw_plan *plan, const msw_row *head, size_t metric, double *low,
                        double *high)
{
    const msw_error_range *range =
        plan->errors && head->stratum
            ? msw_errors_range(plan->errors, head->stratum - 1, (int)metric)
            : NULL;
    *low = range ? range->low : NAN;
    *high = range ? range->high : NAN;
    return range != NULL;
}

bool cli_answer_interval(const msw_plan *plan, const msw_batch *batch, size_t row, size_t metric,
                         double *low, double *high)
{
    const msw_own_error *own = cli_answer_own(plan, batch, row, metric);
    double value = cli_answer_metric(batch, row, metric);
    bool known = own || table_range(plan, &batch->rows[row], metric, low, high);
    if (own) {
        *low = own->low;
        *high = own->high;
    }
    known = known && is_judged(plan, &batch->rows[row]) && value > 0;
    *low = known ? value * *low : NAN;
    *high = known ? value * *high : NAN;
    return known;
}

const char *cli_answer_errors(const msw_plan *plan, const msw_batch *batch, size_t row,
                              char text[CLI_ERRORS_TEXT])
{
    const msw_row *head = &batch->rows[row];
    if (!is_judged(plan, head))
        return NULL;
    int total = msw_errors_total(plan->mech);
    if (total >= 0 && cli_answer_own(plan, batch, row, (size_t)total))
        return MSW_ERRORS_OWN_POINTS;
    if (msw_errors_are_known(plan->errors, head->stratum))
        return "table";
    snprintf(text, CLI_ERRORS_TEXT, MSW_ERRORS_UNKNOWN "%s",
             msw_errors_why(plan->errors, head->stratum));
    return text;
}

/* The run's cycles and the primary metric always do. */
bool cli_answer_has_interval(const msw_plan *plan, size_t metric)
{
    const msw_mech *mech = plan->mech;
    int m = (int)metric;
    if (plan->fidelity != MSW_ANALYTIC || !msw_errors_has(mech, m))
        return false;
    if (m == msw_errors_total(mech) || m == msw_metrics_find(mech->metrics, mech->primary))
        return true;
    for (size_t r = 0; plan->errors && r < plan->errors->range_count; r++)
        if (plan->errors->ranges[r].metric == m)
            return true;
    for (size_t i = 0; i < plan->own_count; i++)
        if (plan->own[i].metric == m)
            return true;
    return false;
}
