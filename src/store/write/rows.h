/* SPDX-License-Identifier: MIT */
/* Rows on their way in: what the writer remembers, spans, prepared statements. */
#ifndef MSW_STORE_WRITE_ROWS_H
#define MSW_STORE_WRITE_ROWS_H

#include "store/catalogue/catalogue.h"
#include "store/write/keyset.h"

#include <sqlite3.h>

/* In msw_session.unanswered: the point has got its answer since. */
#define MSW_ANSWERED UINT32_MAX

/* A run of points whose rows follow each other. */
typedef struct msw_span {
    uint64_t point, row, count;
} msw_span;

/* One point and its row. */
typedef struct msw_link {
    uint32_t point, row;
} msw_link;

typedef struct msw_links {
    msw_link *list;
    size_t count, capacity;
} msw_links;

int msw_links_add(msw_links *links, uint64_t point, uint64_t row, msw_err *err);

/* Sorts by point, then row. */
void msw_links_sort(msw_links *links);

/* First entry with this row or a later one, in a list sorted by row. Returns its index. */
size_t msw_links_first(const msw_links *links, uint64_t row);

/* What the writer knows about the sweep it writes. */
typedef struct msw_session {
    int64_t sweep; /* 0: none */
    uint64_t points;
    uint64_t *done;        /* bit per point: has a row */
    msw_keyset unanswered; /* point (as msw_keyset_number) -> row to be replaced */
    msw_links damaged;     /* points whose rows are damaged or lost: to be computed again */
    msw_links aliases;     /* sorted by `row`, which here is the first equal point */
} msw_session;

/* Writes spans of one sweep. */
typedef struct msw_span_writer {
    int64_t sweep;
    sqlite3_stmt *insert, *grow;
    msw_span tail; /* the last span written, which the next rows may continue */
} msw_span_writer;

/* The checksum of the row that a statement has bound: one term per column of the layout, and their
 * sum. What stays bound keeps its term. */
typedef struct msw_bound_sum {
    uint64_t *terms;
    const char **texts; /* the name that is bound, where it is one that stays as it is */
    uint8_t key[16];    /* that is bound */
    uint64_t sum;
} msw_bound_sum;

/* How a column of the layout is covered. */
typedef struct msw_covered {
    uint64_t seed;
    double neutral; /* a parameter's value that has no term; NaN: none */
} msw_covered;

/* Prepared statements and fill of the file rows go to. */
typedef struct msw_writer {
    msw_store_columns layout;
    sqlite3_stmt *insert, *replace, *run_count;
    sqlite3_stmt *attempt;  /* of a program; else NULL */
    sqlite3_stmt **details; /* one per detail table */
    size_t detail_count;
    msw_covered *covered; /* per column of the layout */
    msw_bound_sum insert_sum, replace_sum;
    msw_span_writer spans;
    uint64_t next_row;
} msw_writer;

/* The rows of a mechanism as the last merge left them, for the next one. */
typedef struct msw_merged {
    char *mechanism; /* NULL: nothing is known */
    msw_keyset keys; /* row * 2 + whether it is an answer */
    uint64_t next_row;
} msw_merged;

void msw_merged_free(msw_merged *merged);

static inline bool msw_bit(const uint64_t *bits, uint64_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static inline void msw_bit_set(uint64_t *bits, uint64_t i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void msw_bit_clear(uint64_t *bits, uint64_t i)
{
    bits[i / 64] &= ~((uint64_t)1 << (i % 64));
}

int msw_session_load(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err);
void msw_session_free(msw_session *session);

/* Records that a bit for each of this many points did not fit into memory. Returns -1. */
int msw_session_fail_memory(uint64_t points, msw_err *err);

int msw_writer_open(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err);
void msw_writer_close(msw_writer *writer);

/* What a row is bound from. */
typedef struct msw_bind {
    const msw_plan *plan;
    const msw_store_columns *layout;
    const msw_batch *batch;
    int64_t run;
    const msw_covered *covered;
    const uint64_t *details; /* per row of the batch: what its details add; NULL: there are none */
} msw_bind;

/* A statement and the checksum of what it has bound. */
typedef struct msw_bind_target {
    sqlite3_stmt *stmt;
    msw_bound_sum *sum;
} msw_bind_target;

/* Binds what all rows of a run share; it stays bound from row to row. */
void msw_bind_constants(const msw_bind *bind, msw_bind_target to);

/* Binds row `i` of the batch under a row id. `before` is the row of the same batch that was bound
 * to the statement last (SIZE_MAX: none): most parameters do not change from row to row, and what
 * is bound stays bound. */
void msw_bind_row(const msw_bind *bind, msw_bind_target to, uint64_t id, size_t i, size_t before);

/* Makes room for a layout, finds out how the file covers it. Returns 0, or -1. */
int msw_cover_layout(msw_store *store, msw_writer *writer, msw_err *err);
void msw_cover_free(msw_writer *writer);

/* What the details of a batch add to the checksums of its rows, and each record's own checksum, in
 * the order of the records. Both are NULL where there are none. Returns 0, or -1. */
int msw_cover_details(const msw_plan *plan, const msw_batch *batch, uint64_t **rows,
                      uint64_t **records, msw_err *err);

int msw_span_open(msw_store *store, int64_t sweep, msw_span_writer *writer, msw_err *err);
void msw_span_close(msw_span_writer *writer);

/* Finds the span that rows from `next_row` on may continue. */
int msw_span_resume(msw_store *store, msw_span_writer *writer, uint64_t next_row, msw_err *err);

/* Puts points and their rows into spans (sorts `links` by point). */
int msw_span_write(msw_store *store, msw_span_writer *writer, msw_links *links, msw_err *err);

/* Inserts all of `batch` and commits. `session` is the one of the main file even when `store` is
 * its shard. Returns 0, or -1 with store->rc set and nothing changed. */
int msw_write_batch(msw_store *store, msw_session *session, const msw_plan *plan, int64_t run,
                    const msw_batch *batch, msw_err *err);

#endif
