/* SPDX-License-Identifier: MIT */
/* Merging rows: those whose key has an answer here are only linked; an answer takes the place of a
 * row here that is none; all others are new. */
#include "store/merge/merge.h"

#include <inttypes.h>
#include <stdlib.h>

static msw_digest row_key(sqlite3_stmt *row)
{
    const uint8_t *bytes = sqlite3_column_blob(row, 1);
    return sqlite3_column_bytes(row, 1) == 16 ? msw_digest_load(bytes) : (msw_digest){0};
}

static int remember_here(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    uint32_t *value, answer = (uint32_t)sqlite3_column_int(row, 2);
    int64_t id = sqlite3_column_int64(row, 0);
    if (id <= 0 || id > INT32_MAX)
        return msw_fail(err, "more than %" PRId32 " rows cannot be merged", INT32_MAX);
    if (msw_keyset_add(&merge->keys, row_key(row), &value, err))
        return -1;
    if (!*value || (answer && !(*value & 1)))
        *value = (uint32_t)id << 1 | answer;
    merge->first_new = (uint64_t)id + 1;
    return 0;
}

enum { MAP_COLUMNS = 3 }; /* id, key, answer; behind them what SQL has to check */

static int check_there(msw_merge *merge, sqlite3_stmt *row, msw_soundness *verdict, msw_err *err)
{
    if (!merge->checker.direct)
        return msw_checker_row(&merge->checker, row, MAP_COLUMNS, verdict, err);
    return msw_checker_id(&merge->checker, (uint64_t)sqlite3_column_int64(row, 0), verdict, err) < 0
               ? -1
               : 0;
}

/* Decides what becomes of one row of the other file. */
static int map_row(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    uint32_t *value, answer = (uint32_t)sqlite3_column_int(row, 2);
    uint64_t there = (uint64_t)sqlite3_column_int64(row, 0);
    msw_soundness verdict;
    if (there > merge->row_count)
        return msw_fail_kind(err, MSW_ERR_IO, "rows out of order: damaged");
    if (merge->wanted && !msw_bit(merge->wanted, there))
        return 0;
    if (check_there(merge, row, &verdict, err))
        return -1;
    if (verdict == MSW_ROW_DAMAGED) {
        merge->whole = false;
        merge->damaged++;
        return 0;
    }
    if (msw_keyset_add(&merge->keys, row_key(row), &value, err))
        return -1;
    merge->whole = merge->whole && !*value;
    if (!*value) {
        uint64_t here = merge->keeps ? there : merge->next_new;
        if (here > INT32_MAX)
            return msw_fail(err, "more than %" PRId32 " rows cannot be merged", INT32_MAX);
        merge->next_new = here < merge->next_new ? merge->next_new : here + 1;
        *value = (uint32_t)here << 1 | answer;
        merge->added++;
    } else if (answer && !(*value & 1)) {
        *value |= 1;
        if (msw_links_add(&merge->replaced, there, *value >> 1, err))
            return -1;
    } else if (answer && msw_links_add(&merge->shared, there, *value >> 1, err)) {
        return -1;
    }
    merge->rows[there] = *value >> 1;
    return 0;
}

#define MAPPED "SELECT id, key, status IN ('ok', 'infeasible')"

static int remember_rows_here(msw_merge *merge, msw_err *err)
{
    char *sql = msw_strfmt(MAPPED " FROM main.points_%s WHERE id >= %" PRIu64 " ORDER BY id",
                           merge->mechanism, merge->first_new);
    int result = sql ? msw_merge_each(merge, sql, NULL, remember_here, err) : msw_fail_memory(err);
    free(sql);
    return result;
}

static int map_checked(msw_merge *merge, msw_err *err)
{
    sqlite3_stmt *rows = NULL;
    msw_checker *checker = &merge->checker;
    char *sql = msw_strfmt(MAPPED "%s%s FROM other.points_%s WHERE id >= 1 ORDER BY id",
                           checker->direct ? "" : ", ", checker->direct ? "" : checker->columns,
                           merge->mechanism);
    int got = sql ? msw_sql_prepare(merge->store, sql, &rows, err) : msw_fail_memory(err);
    if (got == 0 && !checker->direct)
        got = msw_checker_bind(checker, rows, err);
    while (got >= 0 && (got = msw_sql_step(merge->store, rows, err)) > 0)
        if (map_row(merge, rows, err))
            got = -1;
    sqlite3_finalize(rows);
    free(sql);
    return got;
}

/* Tables of the mechanism that are not declared alike in both files. */
#define OTHER_TABLES                                                                               \
    "SELECT count(*) FROM other.sqlite_master AS o WHERE type = 'table' AND (name = 'points_' || " \
    "?1 OR substr(name, 1, length(?1) + 8) = 'detail_' || ?1 || '_') AND NOT EXISTS(SELECT 1 "     \
    "FROM main.sqlite_master AS m WHERE m.name = o.name AND m.sql = o.sql)"

/* Whether the ids there and the numbers of their runs are free here, which shards see to. */
static int can_keep(msw_merge *merge, msw_err *err)
{
    int64_t taken = 0, different = 0;
    char *sql =
        msw_strfmt("SELECT count(*) FROM main.points_%s WHERE id BETWEEN %" PRIu64 " AND %" PRIu64,
                   merge->mechanism, merge->first_there, merge->row_count);
    int result = sql ? msw_sql_integer(merge->store, sql, NULL, &taken, err) : msw_fail_memory(err);
    free(sql);
    if (result == 0)
        result = msw_sql_integer(merge->store, OTHER_TABLES, merge->mechanism, &different, err);
    merge->keeps = merge->whole = !taken && !different && merge->runs_shift && !merge->run_shift &&
                                  merge->row_count && !merge->only;
    return result;
}

static int find_ids(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    int64_t first = sqlite3_column_int64(row, 0), last = sqlite3_column_int64(row, 1);
    if (first < 0 || last < 0)
        return msw_fail_kind(err, MSW_ERR_IO, "rows with negative numbers: damaged");
    if (last > INT32_MAX)
        return msw_fail_kind(err, MSW_ERR_IO, "more than %" PRId32 " rows cannot be merged",
                             INT32_MAX);
    merge->first_there = (uint64_t)first;
    merge->row_count = (uint64_t)last;
    merge->rows = calloc((size_t)last + 2, sizeof *merge->rows);
    return merge->rows ? 0 : msw_fail_memory(err);
}

static int map_rows(msw_merge *merge, msw_err *err)
{
    /* Two queries: SQLite jumps to an end of a table for one of them alone. */
    char *sql = msw_strfmt("SELECT (SELECT min(id) FROM other.points_%s), (SELECT max(id) FROM "
                           "other.points_%s)",
                           merge->mechanism, merge->mechanism);
    int result = sql ? msw_merge_each(merge, sql, NULL, find_ids, err) : msw_fail_memory(err);
    free(sql);
    if (result || msw_merge_want(merge, err) || can_keep(merge, err) ||
        remember_rows_here(merge, err))
        return -1;
    merge->next_new = merge->first_new;
    if (msw_checker_open(merge->store, "other", merge->mechanism, &merge->checker, err))
        return -1;
    result = map_checked(merge, err);
    msw_checker_close(&merge->checker);
    return result;
}

/* A row here that is damaged gives way to the one there. */
static int judge_shared(msw_merge *merge, msw_checker *here, msw_err *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < merge->shared.count; i++) {
        msw_link link = merge->shared.list[i];
        msw_soundness verdict;
        int got = msw_checker_id(here, link.row, &verdict, err);
        if (got < 0)
            return -1;
        bool damaged = got > 0 && verdict == MSW_ROW_DAMAGED;
        if (damaged && msw_links_add(&merge->replaced, link.point, link.row, err))
            return -1;
        if (!damaged)
            merge->shared.list[kept++] = link;
    }
    merge->shared.count = kept;
    return 0;
}

static int check_shared(msw_merge *merge, msw_err *err)
{
    msw_checker here;
    if (!merge->shared.count)
        return 0;
    if (msw_checker_open(merge->store, "main", merge->mechanism, &here, err))
        return -1;
    int rc = judge_shared(merge, &here, err);
    msw_checker_close(&here);
    return rc;
}

int msw_merge_rows(msw_merge *merge, msw_err *err)
{
    MSW_TRY(map_rows(merge, err));
    MSW_TRY(check_shared(merge, err));
    MSW_TRY(msw_merge_conflicts(merge, err));
    return msw_merge_copy(merge, err);
}
