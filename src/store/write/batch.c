/* SPDX-License-Identifier: MIT */
/* Is a batch that came as a message one that can be written? Whoever reads it goes by the numbers
 * in it: offsets of reasons, sizes of details, numbers of points, workloads, metrics. */
#include "memsweep/store/batch.h"
#include "memsweep/base/vec.h"

#include "store/catalogue/catalogue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A whole number from 0 to below `end`; NaN is not one. */
static bool is_below(double value, size_t end)
{
    return value >= 0 && value < (double)end && value == (double)(size_t)value;
}

static bool is_row_sound(const msw_batch *batch, const msw_row *row)
{
    return row->reason <= batch->text_size && row->doubt <= batch->text_size &&
           row->attempts <= batch->text_size && row->status < MSW_STATUS_COUNT &&
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

/* Whether reasons, details and metrics lie within what is there, as in every batch that was filled
 * here: unpacking asks. Returns the verdict. */
static bool msw_batch_is_sound(const msw_batch *batch)
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

/* What a packed batch starts with. */
typedef struct batch_head {
    uint64_t count, params, metrics, text_size, detail_size;
    double seconds;
} batch_head;

static size_t width(const msw_batch *batch)
{
    return batch->params + 2 * batch->metrics;
}

/* Rows and values share one capacity, which changes only when both have grown. */
static int widen_rows(msw_batch *batch, size_t needed)
{
    size_t for_rows = batch->capacity, for_values = batch->capacity;
    size_t row_bytes = width(batch) * sizeof(double);
    if (msw_vec_reserve(&batch->rows, &for_rows, needed, sizeof *batch->rows, NULL) ||
        msw_vec_reserve(&batch->values, &for_values, needed, row_bytes ? row_bytes : 1, NULL))
        return -1;
    batch->capacity = for_rows;
    return 0;
}

msw_batch *msw_batch_new(size_t capacity, size_t params, size_t metrics)
{
    msw_batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return NULL;
    batch->params = params;
    batch->metrics = metrics;
    if (widen_rows(batch, capacity ? capacity : 1)) {
        msw_batch_free(batch);
        return NULL;
    }
    return batch;
}

void msw_batch_free(msw_batch *batch)
{
    if (!batch)
        return;
    free(batch->rows);
    free(batch->values);
    free(batch->text);
    free(batch->details);
    free(batch);
}

void msw_batch_clear(msw_batch *batch)
{
    batch->count = batch->text_size = batch->detail_size = 0;
    batch->seconds = 0;
}

double *msw_batch_values(const msw_batch *batch, size_t i)
{
    return batch->values + i * width(batch);
}

msw_row *msw_batch_add(msw_batch *batch)
{
    if (widen_rows(batch, batch->count + 1))
        return NULL;
    double *values = msw_batch_values(batch, batch->count);
    for (size_t i = 0; i < width(batch); i++)
        values[i] = NAN;
    msw_row *row = &batch->rows[batch->count++];
    *row = (msw_row){.bound_by = -1};
    return row;
}

static int add_text(msw_batch *batch, const char *text, uint32_t *place)
{
    size_t size = strlen(text) + 1;
    if (size == 1)
        return 0;
    if (msw_vec_reserve(&batch->text, &batch->text_capacity, batch->text_size + size, 1, NULL))
        return -1;
    memcpy(batch->text + batch->text_size, text, size);
    *place = (uint32_t)batch->text_size + 1;
    batch->text_size += size;
    return 0;
}

int msw_batch_reason(msw_batch *batch, const char *text)
{
    return add_text(batch, text, &batch->rows[batch->count - 1].reason);
}

int msw_batch_doubt(msw_batch *batch, const char *text)
{
    return add_text(batch, text, &batch->rows[batch->count - 1].doubt);
}

int msw_batch_attempts(msw_batch *batch, const char *text)
{
    return add_text(batch, text, &batch->rows[batch->count - 1].attempts);
}

static const char *text_at(const msw_batch *batch, uint32_t place)
{
    return place ? batch->text + place - 1 : "";
}

const char *msw_batch_reason_text(const msw_batch *batch, size_t i)
{
    return text_at(batch, batch->rows[i].reason);
}

const char *msw_batch_doubt_text(const msw_batch *batch, size_t i)
{
    return text_at(batch, batch->rows[i].doubt);
}

const char *msw_batch_attempts_text(const msw_batch *batch, size_t i)
{
    return text_at(batch, batch->rows[i].attempts);
}

int msw_batch_detail(msw_batch *batch, size_t table, const double *values, size_t count)
{
    size_t needed = batch->detail_size + MSW_DETAIL_HEAD + count;
    if (msw_vec_reserve(&batch->details, &batch->detail_capacity, needed, sizeof *batch->details,
                        NULL))
        return -1;
    double *out = batch->details + batch->detail_size;
    out[MSW_DETAIL_ROW] = (double)(batch->count - 1);
    out[MSW_DETAIL_TABLE] = (double)table;
    out[MSW_DETAIL_WIDTH] = (double)count;
    memcpy(out + MSW_DETAIL_HEAD, values, count * sizeof *out);
    batch->detail_size = needed;
    return 0;
}

int msw_batch_details(msw_batch *batch, const msw_detail_row *first, const size_t *widths)
{
    for (const msw_detail_row *row = first; row; row = row->next)
        if (msw_batch_detail(batch, row->detail, row->values, widths[row->detail]))
            return -1;
    return 0;
}

/* Reasons, doubts and attempts are places in the text of their batch, so they move by the text that
 * is there already. */
static void append_rows(msw_batch *to, const msw_batch *from)
{
    msw_row *rows = to->rows + to->count;
    memcpy(rows, from->rows, from->count * sizeof *rows);
    for (size_t i = 0; i < from->count; i++) {
        rows[i].reason += rows[i].reason ? (uint32_t)to->text_size : 0;
        rows[i].doubt += rows[i].doubt ? (uint32_t)to->text_size : 0;
        rows[i].attempts += rows[i].attempts ? (uint32_t)to->text_size : 0;
    }
    memcpy(msw_batch_values(to, to->count), from->values,
           from->count * width(from) * sizeof *from->values);
}

static void append_details(msw_batch *to, const msw_batch *from)
{
    double *out = to->details + to->detail_size;
    memcpy(out, from->details, from->detail_size * sizeof *out);
    for (size_t at = 0; at < from->detail_size;
         at += MSW_DETAIL_HEAD + (size_t)out[at + MSW_DETAIL_WIDTH])
        out[at + MSW_DETAIL_ROW] += (double)to->count;
}

int msw_batch_append(msw_batch *to, const msw_batch *from, msw_err *err)
{
    if (to->params != from->params || to->metrics != from->metrics)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "batches of different width");
    if (widen_rows(to, to->count + from->count) ||
        msw_vec_reserve(&to->text, &to->text_capacity, to->text_size + from->text_size, 1, NULL) ||
        msw_vec_reserve(&to->details, &to->detail_capacity, to->detail_size + from->detail_size,
                        sizeof *to->details, NULL))
        return msw_fail_memory(err);
    if (from->count)
        append_rows(to, from);
    if (from->text_size)
        memcpy(to->text + to->text_size, from->text, from->text_size);
    if (from->detail_size)
        append_details(to, from);
    to->count += from->count;
    to->text_size += from->text_size;
    to->detail_size += from->detail_size;
    to->seconds += from->seconds;
    return 0;
}

size_t msw_batch_packed_size(const msw_batch *batch)
{
    return sizeof(batch_head) + batch->count * (sizeof(msw_row) + width(batch) * sizeof(double)) +
           batch->detail_size * sizeof(double) + batch->text_size;
}

static char *put(char *out, const void *data, size_t size)
{
    if (size)
        memcpy(out, data, size);
    return out + size;
}

/* All ranks run the same program, so structs travel as they are in memory. */
void msw_batch_pack(const msw_batch *batch, void *buffer)
{
    batch_head head = {batch->count,     batch->params,      batch->metrics,
                       batch->text_size, batch->detail_size, batch->seconds};
    char *out = put(buffer, &head, sizeof head);
    out = put(out, batch->rows, batch->count * sizeof *batch->rows);
    out = put(out, batch->values, batch->count * width(batch) * sizeof(double));
    out = put(out, batch->details, batch->detail_size * sizeof(double));
    put(out, batch->text, batch->text_size);
}

static const char *take(const char *in, void *data, size_t size)
{
    if (size)
        memcpy(data, in, size);
    return in + size;
}

static void unpack_into(msw_batch *batch, const batch_head *head, const char *in)
{
    batch->count = head->count;
    batch->text_size = head->text_size;
    batch->detail_size = head->detail_size;
    batch->seconds = head->seconds;
    in = take(in, batch->rows, batch->count * sizeof *batch->rows);
    in = take(in, batch->values, batch->count * width(batch) * sizeof(double));
    in = take(in, batch->details, batch->detail_size * sizeof(double));
    take(in, batch->text, batch->text_size);
}

/* Sizes are compared in double first so that a damaged head cannot overflow the exact sum. */
static int head_fits(const batch_head *head, size_t size)
{
    double row = sizeof(msw_row) + 8.0 * ((double)head->params + 2.0 * (double)head->metrics);
    double bytes = sizeof *head + (double)head->count * row + 8.0 * (double)head->detail_size +
                   (double)head->text_size;
    return bytes == (double)size;
}

int msw_batch_unpack(const void *buffer, size_t size, msw_batch **batch, msw_err *err)
{
    batch_head head;
    if (size < sizeof head)
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "a batch of %zu bytes is cut short", size);
    const char *in = take(buffer, &head, sizeof head);
    if (!head_fits(&head, size) || (!head.count && (head.params > size || head.metrics > size)))
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "a batch of %zu bytes is damaged", size);
    msw_batch *fresh = msw_batch_new(head.count, head.params, head.metrics);
    if (!fresh || msw_vec_reserve(&fresh->text, &fresh->text_capacity, head.text_size, 1, NULL) ||
        msw_vec_reserve(&fresh->details, &fresh->detail_capacity, head.detail_size, sizeof(double),
                        NULL)) {
        msw_batch_free(fresh);
        return msw_fail_memory(err);
    }
    unpack_into(fresh, &head, in);
    if (!msw_batch_is_sound(fresh)) {
        msw_batch_free(fresh);
        return msw_fail_kind(err, MSW_ERR_INTERNAL, "a batch of %zu bytes is damaged", size);
    }
    *batch = fresh;
    return 0;
}
