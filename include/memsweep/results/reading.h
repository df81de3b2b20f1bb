/* SPDX-License-Identifier: MIT */
/* reading: rows of a database that a user names. */
#ifndef MEMSWEEP_RESULTS_READING_H
#define MEMSWEEP_RESULTS_READING_H

#include "memsweep/base/context.h"

#include "memsweep/store/store.h"

/* Opens the database a word means. Returns 0, or -1. */
int msw_open_database(const msw_context *context, const char *word, msw_store_mode mode,
                      msw_store **store, msw_err *err);

/* Says that there is no database of that name: where it was looked for, what is there. Returns -1.
 */
int msw_fail_database(const msw_context *context, const char *word, msw_err *err);

/* Reads the rows of a query from it. Returns 0, or -1. */
int msw_read_rows(const msw_context *context, const char *word, const msw_query *query,
                  msw_table *table, msw_err *err);

/* The same block by block, as msw_store_read_blocks. Returns 0, or -1. */
int msw_read_blocks(const msw_context *context, const char *word, const msw_query *query,
                    msw_block_fn take, void *taker, msw_err *err);

/* The same with one line for rows that are alike in all metrics (distinct.h). Returns 0, or -1. */
int msw_read_distinct(const msw_context *context, const char *word, const msw_query *query,
                      msw_table *table, msw_err *err);

/* Appends to a note how many rows were left out for their doubt, unless none were. */
void msw_doubtful_note(uint64_t count, msw_text *out);

/* The same of how many rows of the closed form are not covered by what its mechanism states. */
void msw_outside_note(uint64_t count, msw_text *out);

/* The same of rows of the closed form whose errors nobody knows, with the reason of most. */
void msw_unknown_note(const msw_left_out *count, msw_text *out);

/* Appends the half-width of a metric's interval as an expression over the columns of a sweep's
 * view, where these have an interval of its errors: the larger side, or where a row has none
 * `unknown`. Returns false where they have none. */
bool msw_error_half(const msw_table *columns, const char *metric, const char *unknown,
                    msw_text *out);

/* Appends the half-width of a metric or a derived column as an expression over the columns of a
 * sweep's view: its own, or how far the expression that it is moves when the metrics in it do.
 * Where a row's errors are not known: NULL, or (`unknown_is_all`) as large as the value. Returns
 * false where nothing says how exact it is. */
bool msw_half_width_add(const msw_table *columns, const char *canonical, const char *name,
                        bool unknown_is_all, msw_text *out);

/* Takes the engine's own bookkeeping (run, key, cost, ...) out of a table. Returns the names of
 * what was taken out, for a note. */
const char *msw_drop_bookkeeping(msw_table *table);

/* Whether a column is such bookkeeping, and whether it holds half-widths. */
bool msw_is_bookkeeping(const char *column);
bool msw_is_half_width(const char *column);

#endif
