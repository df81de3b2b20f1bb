/* SPDX-License-Identifier: MIT */
/* Answers what is known of the errors of one answer, as the columns of a sweep's view do. */
#include "cli/eval/eval.h"

#include "memsweep/sweep/errors.h"

#include <math.h>
#include <stdio.h>

static bool is_judged(const msw_plan *plan, const msw_row *row)
{
    return plan->fidelity == MSW_ANALYTIC && row->status == MSW_OK && !row->doubt;
}

bool cli_answer_interval(const msw_plan *plan, const msw_batch *batch, size_t row, size_t metric,
                         double *low, double *high)
{
    const msw_row *head = &batch->rows[row];
    double value = cli_answer_metric(batch, row, metric);
    const msw_error_range *range =
        plan->errors && is_judged(plan, head) && head->stratum && value > 0
            ? msw_errors_range(plan->errors, head->stratum - 1, (int)metric)
            : NULL;
    *low = range ? value * range->low : NAN;
    *high = range ? value * range->high : NAN;
    return range != NULL;
}

const char *cli_answer_errors(const msw_plan *plan, const msw_batch *batch, size_t row,
                              char text[CLI_ERRORS_TEXT])
{
    const msw_row *head = &batch->rows[row];
    if (!is_judged(plan, head))
        return NULL;
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
    return false;
}
