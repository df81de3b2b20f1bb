/* batch: finished rows on their way from where they were computed to the store.
 *
 * One contiguous block of memory per batch: it crosses threads and ranks as it is. */
#ifndef MEMSWEEP_BATCH_H
#define MEMSWEEP_BATCH_H

#include "memsweep/mech.h"

#include <stddef.h>
#include <stdint.h>

enum { MSW_REASON_BYTES = 160 };

/* Fixed part of a row; `values` of the batch hold the variable part. */
typedef struct msw_row {
    uint64_t index; /* in the plan */
    msw_digest key;
    uint64_t measured, units, events;
    uint32_t cost_us;   /* wall time of the evaluation, for estimates; not part of any digest */
    int32_t bound_by;   /* metric index, or -1 */
    uint16_t workload;  /* in the plan */
    uint8_t status;     /* msw_status */
    uint8_t has_reason; /* index of its text + 1 is in `reason` when not 0 */
    uint32_t reason;    /* offset in the batch's text */
} msw_row;

typedef struct msw_batch {
    size_t capacity, count;
    size_t params, metrics; /* widths */
    msw_row *rows;
    double *values; /* capacity x (params + 2 * metrics): parameters, metrics, half-widths */
    char *text;     /* reasons, zero-terminated, one after the other */
    size_t text_size, text_capacity;
    double *details; /* packed: row number in the batch, detail table, values...; see batch.c */
    size_t detail_size, detail_capacity;
    double seconds; /* work in it, for adapting sizes */
} msw_batch;

/* Makes an empty batch. Returns it, or NULL when memory runs out. */
msw_batch *msw_batch_new(size_t capacity, size_t params, size_t metrics);
void msw_batch_free(msw_batch *batch);

/* Forgets the rows, keeps the memory. */
void msw_batch_clear(msw_batch *batch);

/* Values of row `i`: parameters, then metrics, then half-widths. */
double *msw_batch_values(msw_batch *batch, size_t i);

/* Attaches a reason to the last row. Returns 0, or -1 when memory ran out. */
int msw_batch_reason(msw_batch *batch, const char *text);

/* Reads row i's reason. Returns "" when there is none. */
const char *msw_batch_reason_text(const msw_batch *batch, size_t i);

/* Copies a point's detail rows behind the last row; `widths` is the number of values of each
 * detail table. Returns 0, or -1. */
int msw_batch_details(msw_batch *batch, const msw_detail_row *first, const size_t *widths);

#endif
