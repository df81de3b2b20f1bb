/* SPDX-License-Identifier: MIT */
/* Merges membership: finds the sweeps of the other file that take part (all of them, or one with
 * its rows and their runs), and gives points that have no row here yet the row theirs became. */
#include "store/merge/merge.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int msw_merge_each(msw_merge *merge, const char *sql, const char *text,
                   int (*each)(msw_merge *, sqlite3_stmt *, msw_err *), msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(merge->store, sql, &stmt, err))
        return -1;
    if (text)
        sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
    int got;
    while ((got = msw_sql_step(merge->store, stmt, err)) > 0)
        if (each(merge, stmt, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(stmt);
    return got;
}

#define ALL_SWEEPS                                                                                 \
    "CREATE TEMP TABLE merge_sweep(id INTEGER PRIMARY KEY, digest TEXT, mechanism TEXT); INSERT "  \
    "INTO temp.merge_sweep SELECT id, digest, mechanism FROM other.msw_sweep"

#define RAN                                                                                        \
    "CREATE TEMP TABLE merge_ran(run INTEGER PRIMARY KEY); INSERT INTO temp.merge_ran SELECT "     \
    "DISTINCT p.run FROM temp.merge_sweep AS w JOIN other.msw_span AS s ON s.sweep = w.id JOIN "   \
    "other.points_%s AS p ON p.id BETWEEN s.first_row AND s.first_row + s.point_count - 1"

static int list_runs(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, RAN, msw_sql_text(row, 0));
    return msw_sql_exec_text(merge->store, &sql, err);
}

static int keep_one(msw_merge *merge, msw_err *err)
{
    int64_t found = 0;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "DELETE FROM temp.merge_sweep WHERE digest <> ");
    msw_text_add_sql_string(&sql, merge->only);
    if (msw_sql_exec_text(merge->store, &sql, err) ||
        msw_sql_integer(merge->store, "SELECT count(*) FROM temp.merge_sweep", NULL, &found, err))
        return -1;
    if (!found)
        return msw_fail_kind(err, MSW_ERR_IO, "it holds no sweep with the digest %s", merge->only);
    return msw_merge_each(merge, "SELECT mechanism FROM temp.merge_sweep", NULL, list_runs, err);
}

int msw_merge_choose(msw_merge *merge, msw_err *err)
{
    if (msw_sql_exec(merge->store, ALL_SWEEPS, err))
        return -1;
    return merge->only ? keep_one(merge, err) : 0;
}

static int want_span(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    uint64_t first = (uint64_t)sqlite3_column_int64(row, 0);
    uint64_t count = (uint64_t)sqlite3_column_int64(row, 1);
    if (!first || first > merge->row_count || count > merge->row_count - first + 1)
        return msw_fail_kind(err, MSW_ERR_IO, "a span of rows that are not there: damaged");
    for (uint64_t i = 0; i < count; i++)
        msw_bit_set(merge->wanted, first + i);
    return 0;
}

int msw_merge_want(msw_merge *merge, msw_err *err)
{
    if (!merge->only)
        return 0;
    merge->wanted = calloc(merge->row_count / 64 + 1, sizeof *merge->wanted);
    if (!merge->wanted)
        return msw_fail_memory(err);
    return msw_merge_each(merge,
                          "SELECT s.first_row, s.point_count FROM temp.merge_sweep AS w JOIN "
                          "other.msw_span AS s ON s.sweep = w.id",
                          NULL, want_span, err);
}

/* One sweep while its spans are merged. */
typedef struct joining {
    msw_merge *merge;
    int64_t here, there; /* its id in both files */
    uint64_t points;
    uint64_t *done;
    msw_links links;
} joining;

/* A damaged span is ignored: the next run links its points by their keys. */
static int add_sound(joining *j, const char *where, msw_text *sql, msw_err *err)
{
    if (strcmp(where, "other") == 0 && !j->merge->sums)
        return 0;
    msw_text_add(sql, " AND NOT (");
    int rc = msw_sum_damaged(j->merge->store, where, "msw_span", sql, err);
    msw_text_add(sql, ")");
    return rc;
}

static int each_span(joining *j, const char *where, int64_t sweep,
                     int (*each)(joining *, const msw_span *, msw_err *), msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(
        &sql, "SELECT first_point, first_row, point_count FROM %s.msw_span WHERE sweep = %" PRId64,
        where, sweep);
    int got = add_sound(j, where, &sql, err);
    msw_text_add(&sql, " ORDER BY first_point");
    if (got == 0)
        got = sql.failed ? msw_fail_memory(err)
                         : msw_sql_prepare(j->merge->store, msw_text_str(&sql), &stmt, err);
    msw_text_free(&sql);
    while (got >= 0 && (got = msw_sql_step(j->merge->store, stmt, err)) > 0) {
        msw_span span = {(uint64_t)sqlite3_column_int64(stmt, 0),
                         (uint64_t)sqlite3_column_int64(stmt, 1),
                         (uint64_t)sqlite3_column_int64(stmt, 2)};
        if (span.point >= j->points || span.count > j->points - span.point)
            got = msw_fail_kind(err, MSW_ERR_IO, "a span outside of its sweep: damaged");
        else if (each(j, &span, err))
            got = -1;
    }
    sqlite3_finalize(stmt);
    return got;
}

static int mark_here(joining *j, const msw_span *span, msw_err *err)
{
    (void)err;
    for (uint64_t i = 0; i < span->count; i++)
        msw_bit_set(j->done, span->point + i);
    return 0;
}

static int link_there(joining *j, const msw_span *span, msw_err *err)
{
    for (uint64_t i = 0; i < span->count; i++) {
        uint64_t point = span->point + i, row = span->row + i;
        uint32_t here = row <= j->merge->row_count ? j->merge->rows[row] : 0;
        if (here && !msw_bit(j->done, point) && msw_links_add(&j->links, point, here, err))
            return -1;
    }
    return 0;
}

static int drop_damaged(joining *j, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "DELETE FROM main.msw_span WHERE sweep = %" PRId64 " AND ", j->here);
    if (msw_sum_damaged(j->merge->store, "main", "msw_span", &sql, err)) {
        msw_text_free(&sql);
        return -1;
    }
    return msw_sql_exec_text(j->merge->store, &sql, err);
}

/* Points that have a row here keep it. The others get the rows that were copied, found by the map
 * from rows there to rows here. */
static int join(joining *j, msw_err *err)
{
    msw_store *store = j->merge->store;
    msw_span_writer writer;
    if (drop_damaged(j, err) || each_span(j, "main", j->here, mark_here, err) ||
        each_span(j, "other", j->there, link_there, err) ||
        msw_span_open(store, j->here, &writer, err))
        return -1;
    int result = msw_span_resume(store, &writer, j->merge->first_new, err);
    if (result == 0)
        result = msw_span_write(store, &writer, &j->links, err);
    msw_span_close(&writer);
    return result;
}

static int merge_sweep(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    joining j = {.merge = merge,
                 .here = sqlite3_column_int64(row, 0),
                 .there = sqlite3_column_int64(row, 1),
                 .points = (uint64_t)sqlite3_column_int64(row, 2)};
    j.done = calloc(j.points / 64 + 1, sizeof *j.done);
    int result = j.done ? join(&j, err) : msw_fail_memory(err);
    free(j.done);
    free(j.links.list);
    return result;
}

int msw_merge_spans(msw_merge *merge, msw_err *err)
{
    return msw_merge_each(merge,
                          "SELECT m.id, o.id, m.points FROM main.msw_sweep AS m JOIN "
                          "other.msw_sweep AS o ON o.digest = m.digest WHERE m.mechanism = ?1",
                          merge->mechanism, merge_sweep, err);
}
