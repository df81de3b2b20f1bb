/* Is a batch that came as a message one that can be written? Whoever reads it goes by the numbers
 * in it: offsets of reasons, sizes of details, numbers of points, workloads, metrics. */
#include "memsweep/store/batch.h"

#include "store/catalogue/columns.h"

enum { DETAIL_HEAD = 3 }; /* see batch.c */

/* A whole number from 0 to below `end`; NaN is none. */
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
        if (left < DETAIL_HEAD || !is_below(record[0], batch->count) || record[0] < last ||
            !is_below(record[2], left - DETAIL_HEAD + 1))
            return false;
        last = record[0];
        at += DETAIL_HEAD + (size_t)record[2];
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

static size_t width_of(const msw_detail *detail)
{
    size_t width = 0;
    while (detail->columns[width])
        width++;
    return width;
}

static bool are_details_of(const msw_batch *batch, const msw_mech *mech)
{
    size_t count = 0;
    while (mech->details && mech->details[count].name)
        count++;
    for (size_t at = 0; at < batch->detail_size;) {
        const double *record = batch->details + at;
        if (!is_below(record[1], count) ||
            (size_t)record[2] != width_of(&mech->details[(size_t)record[1]]))
            return false;
        at += DETAIL_HEAD + (size_t)record[2];
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
