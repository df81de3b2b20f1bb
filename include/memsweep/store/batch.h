/* SPDX-License-Identifier: MIT */
/* batch: finished rows on their way from where they were computed to the store.
 *
 * A batch is filled by one thread, packed into one message between ranks, and copied into the
 * store, which keeps the rows until they are committed. */
#ifndef MEMSWEEP_STORE_BATCH_H
#define MEMSWEEP_STORE_BATCH_H

#include "memsweep/mech/engine.h"
#include "memsweep/sweep/sweep.h"

#include <stddef.h>
#include <stdint.h>

/* Fixed part of a row; `values` of the batch hold the variable part. */
typedef struct msw_row {
    uint64_t index; /* in the plan */
    msw_digest key;
    uint64_t measured, units, events;
    uint64_t cost_us;  /* wall time of the evaluation, for estimates; not part of any digest */
    int32_t bound_by;  /* metric index, or -1 */
    uint32_t workload; /* in the plan */
    uint32_t reason;   /* offset in the batch's text + 1; 0: none */
    uint32_t doubt;    /* the same of why an ok answer is not to be trusted */
    uint32_t status;   /* msw_status */
    uint32_t stratum;  /* of its errors (sweep/errors.h) + 1; 0: none */
    uint32_t attempts; /* the same as `reason` of how its program ran, a line each; 0: none did */
    uint32_t unused;
} msw_row;

/* A record of details: the row's number in the batch, the number of its detail table, how many
 * values it has, and these from MSW_DETAIL_HEAD on. */
enum { MSW_DETAIL_ROW, MSW_DETAIL_TABLE, MSW_DETAIL_WIDTH, MSW_DETAIL_HEAD };

typedef struct msw_batch {
    size_t capacity, count;
    size_t params, metrics; /* widths */
    msw_row *rows;
    double *values; /* capacity x (params + 2 * metrics): parameters, metrics, half-widths */
    char *text;     /* reasons and doubts, zero-terminated, one after the other */
    size_t text_size, text_capacity;
    double *details; /* records, one after the other */
    size_t detail_size, detail_capacity;
    double seconds; /* work in it, for adapting sizes */
} msw_batch;

/* Makes an empty batch with room for `capacity` rows. Returns it, or NULL when memory runs out. */
msw_batch *msw_batch_new(size_t capacity, size_t params, size_t metrics);

/* Frees a batch; NULL is fine. */
void msw_batch_free(msw_batch *batch);

/* Forgets the rows, keeps the memory. */
void msw_batch_clear(msw_batch *batch);

/* Adds a zeroed row (bound_by -1) whose values are NaN, making room where needed. Returns it, valid
 * until the next add, or NULL when memory runs out. */
msw_row *msw_batch_add(msw_batch *batch);

/* Values of row `i`: parameters, then metrics, then half-widths. */
double *msw_batch_values(const msw_batch *batch, size_t i);

/* Attaches a reason to the last row; an empty one is none. Returns 0, or -1 when memory ran out. */
int msw_batch_reason(msw_batch *batch, const char *text);

/* The same of a doubt. */
int msw_batch_doubt(msw_batch *batch, const char *text);

/* The same of the attempts of a program: MSW_ATTEMPT_FIELDS texts a line, tabs between them. */
enum { MSW_ATTEMPT_FIELDS = 8 };
int msw_batch_attempts(msw_batch *batch, const char *text);

/* Reads row i's attempts. Returns "" when there are none. */
const char *msw_batch_attempts_text(const msw_batch *batch, size_t i);

/* Reads row i's doubt. Returns "" when there is none. */
const char *msw_batch_doubt_text(const msw_batch *batch, size_t i);

/* Reads row i's reason. Returns "" when there is none. */
const char *msw_batch_reason_text(const msw_batch *batch, size_t i);

/* Copies a point's detail rows behind the last row; `widths` is the number of values of each
 * detail table. Returns 0, or -1 when memory ran out. */
int msw_batch_details(msw_batch *batch, const msw_detail_row *first, const size_t *widths);

/* The same of one record. */
int msw_batch_detail(msw_batch *batch, size_t table, const double *values, size_t count);

/* Copies all rows of `from` (same widths) to the end of `to`. Returns 0, or -1 with `to` as it was.
 */
int msw_batch_append(msw_batch *to, const msw_batch *from, msw_err *err);

/* Bytes a batch takes as one message. Returns the size. */
size_t msw_batch_packed_size(const msw_batch *batch);

/* Writes the message into `buffer` (msw_batch_packed_size bytes). */
void msw_batch_pack(const msw_batch *batch, void *buffer);

/* Reads a message made by the same build. Returns 0 and a new batch, or -1 with `err` when the
 * message is damaged or memory ran out. */
int msw_batch_unpack(const void *buffer, size_t size, msw_batch **batch, msw_err *err);

/* Whether a sound batch can be written as rows of a plan. Returns the verdict. */
bool msw_batch_is_of(const msw_batch *batch, const msw_plan *plan);

#endif
