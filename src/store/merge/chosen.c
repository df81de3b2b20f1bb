/* SPDX-License-Identifier: MIT */
/* Which sweeps of the other file take part: all of them, or one with its rows and their runs. */
#include "memsweep/base/quote.h"
#include "store/merge/merge.h"

#include <inttypes.h>
#include <stdlib.h>

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
