/* SPDX-License-Identifier: MIT */
/* Is a batch that came as a message one that can be written? Whoever reads it goes by the numbers
 * in it: offsets of reasons, sizes of details, numbers of points, workloads, metrics. */
#include "memsweep/store/batch.h"

#include "store/catalogue/columns.h"

/* A whole number from 0 to below `end`; NaN is not one. */
static bool is_below(double value, size_t end)
{
    return value >= 0 && value < (double)end && value == (double)(size_t)value;
}

static bool is_row_sound(const msw_batch *batch, const msw_row *row)
{
    return row->reason <= batch->text_size && row->status < MSW_STATUS_COUNT &&
           row->bound_by >= -1 && row->bound_by < (int64_t)batch->metrics;
}

/* Records of a row follow each other, each of them within what is there. */
static bool are_details_sound(const msw_batch *batch)
{
    double last = 0;
    for (size_t at = 0; at < batch->detail_size;) {
        size_t left = batch->detail_size - at;
        const double *record = batch->details + at;
        if (left < MSW_DETAIL_HEAD || !is_below(record[MSW_DETAIL_ROW], batch->count) ||
            record[MSW_DETAIL_ROW] < last ||
            !is_below(record[MSW_DETAIL_WIDTH], left - MSW_DETAIL_HEAD + 1))
            return false;
        last = record[MSW_DETAIL_ROW];
        at += MSW_DETAIL_HEAD + (size_t)record[MSW_DETAIL_WIDTH];
    }
    return true;
}

bool msw_batch_is_sound(const msw_batch *batch)
{
    if (batch->text_size && batch->text[batch->text_size - 1] != '\0')
        return false;
    for (size_t i = 0; i < batch->count; i++)
        if (!is_row_sound(batch, &batch->rows[i]))
            return false;
    return are_details_sound(batch);
}

static bool are_details_of(const msw_batch *batch, const msw_mech *mech)
{
    size_t count = msw_detail_count(mech->details);
    for (size_t at = 0; at < batch->detail_size;) {
        const double *record = batch->details + at;
        if (!is_below(record[MSW_DETAIL_TABLE], count) ||
            (size_t)record[MSW_DETAIL_WIDTH] !=
                msw_detail_width(&mech->details[(size_t)record[MSW_DETAIL_TABLE]]))
            return false;
        at += MSW_DETAIL_HEAD + (size_t)record[MSW_DETAIL_WIDTH];
    }
    return true;
}

bool msw_batch_is_of(const msw_batch *batch, const msw_plan *plan)
{
    if (batch->params != plan->schema.count || batch->metrics != msw_plan_metrics(plan))
        return false;
    for (size_t i = 0; i < batch->count; i++)
        if (batch->rows[i].index >= plan->points || batch->rows[i].workload >= plan->workload_count)
            return false;
    return are_details_of(batch, plan->mech);
}
