/* SPDX-License-Identifier: MIT */
/* Two files may answer the same point; answers of one model version are equal but for the last bits
 * of another machine's arithmetic. Where they are further apart somebody has to say which counts.
 */
#include "store/merge/merge.h"

#include <inttypes.h>
#include <stdlib.h>

/* Relative distance that counts as equal. */
#define TOLERANCE "1e-9"

/* True when a metric of the rows o and m differs. */
#define DIFFERS                                                                                    \
    "(o.\"%s\" IS NOT m.\"%s\" AND (o.\"%s\" IS NULL OR m.\"%s\" IS NULL OR abs(o.\"%s\" - "       \
    "m.\"%s\") > " TOLERANCE " * max(abs(o.\"%s\"), abs(m.\"%s\"))))"

static int add_column(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    const char *n = msw_sql_text(row, 0);
    (void)err;
    msw_text_add(&merge->differs, " WHEN " DIFFERS " THEN '%s'", n, n, n, n, n, n, n, n, n);
    return 0;
}

static int list_pairs(msw_merge *merge, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_exec(merge->store,
                     "CREATE TEMP TABLE IF NOT EXISTS merge_shared(there INTEGER PRIMARY KEY, here "
                     "INTEGER); DELETE FROM temp.merge_shared",
                     err) ||
        msw_sql_prepare(merge->store, "INSERT INTO temp.merge_shared VALUES(?1, ?2)", &stmt, err))
        return -1;
    int result = 0;
    for (size_t i = 0; i < merge->shared.count && result == 0; i++) {
        sqlite3_bind_int64(stmt, 1, (sqlite3_int64)merge->shared.list[i].point);
        sqlite3_bind_int64(stmt, 2, (sqlite3_int64)merge->shared.list[i].row);
        result = msw_sql_run(merge->store, stmt, err);
    }
    sqlite3_finalize(stmt);
    return result;
}

static int refuse(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "two answers for the point with key %.12s: %s is %s in row %s of %s, but "
                         "%s in row %s of %s: say which file counts",
                         msw_sql_text(row, 0), merge->column, msw_sql_text(row, 4),
                         msw_sql_text(row, 2), merge->store->path, msw_sql_text(row, 3),
                         msw_sql_text(row, 1), merge->path);
}

/* One pair of rows that differ: there, here, and in which column. */
static int each_conflict(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    int64_t there = sqlite3_column_int64(row, 0), here = sqlite3_column_int64(row, 1);
    if (merge->rule == MSW_MERGE_REPLACE)
        return msw_links_add(&merge->replaced, (uint64_t)there, (uint64_t)here, err);
    merge->column = msw_sql_text(row, 2);
    char *sql =
        msw_strfmt("SELECT lower(hex(o.key)), o.id, m.id, ifnull(o.\"%s\", 'nothing'), "
                   "ifnull(m.\"%s\", 'nothing') FROM other.points_%s AS o, main.points_%s AS m "
                   "WHERE o.id = %" PRId64 " AND m.id = %" PRId64,
                   merge->column, merge->column, merge->mechanism, merge->mechanism, there, here);
    int result = sql ? msw_merge_each(merge, sql, NULL, refuse, err) : msw_fail_memory(err);
    free(sql);
    return result;
}

static int compare(msw_merge *merge, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql,
                 "SELECT there, here, name FROM (SELECT s.there, s.here, CASE%s END AS name FROM "
                 "temp.merge_shared AS s JOIN other.points_%s AS o ON o.id = s.there JOIN "
                 "main.points_%s AS m ON m.id = s.here) WHERE name IS NOT NULL",
                 msw_text_str(&merge->differs), merge->mechanism, merge->mechanism);
    int result = sql.failed ? msw_fail_memory(err)
                            : msw_merge_each(merge, msw_text_str(&sql), NULL, each_conflict, err);
    msw_text_free(&sql);
    return result;
}

int msw_merge_conflicts(msw_merge *merge, msw_err *err)
{
    if (!merge->shared.count || merge->rule == MSW_MERGE_KEEP)
        return 0;
    int result =
        list_pairs(merge, err) ||
        msw_merge_each(merge,
                       "SELECT name FROM other.msw_column WHERE table_name = 'points_' || ?1 AND "
                       "role = 'metric' AND name IN (SELECT name FROM "
                       "pragma_table_info('points_' || ?1, 'other'))",
                       merge->mechanism, add_column, err);
    if (result == 0 && merge->differs.size)
        result = compare(merge, err);
    msw_text_free(&merge->differs);
    merge->differs = MSW_TEXT_EMPTY;
    return result ? -1 : 0;
}
