/* Merging rows: those whose key has an answer here are only linked; an answer takes the place of a
 * row here that is none; all others are new. */
#include "store/merge.h"

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

/* Decides what becomes of one row of the other file. */
static int map_row(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    uint32_t *value, answer = (uint32_t)sqlite3_column_int(row, 2);
    uint64_t there = (uint64_t)sqlite3_column_int64(row, 0);
    if (there > merge->row_count)
        return msw_fail_kind(err, MSW_ERR_IO, "rows out of order: damaged");
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

static int each_row(msw_merge *merge, const char *where, uint64_t first,
                    int (*each)(msw_merge *, sqlite3_stmt *, msw_err *), msw_err *err)
{
    char *sql = msw_strfmt("SELECT id, key, status IN ('ok', 'infeasible') FROM %s.points_%s "
                           "WHERE id >= %" PRIu64 " ORDER BY id",
                           where, merge->mechanism, first);
    int result = sql ? msw_merge_each(merge, sql, NULL, each, err) : msw_fail_memory(err);
    free(sql);
    return result;
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
    merge->keeps = merge->whole =
        !taken && !different && merge->runs_shift && !merge->run_shift && merge->row_count;
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
    if (result || can_keep(merge, err) ||
        each_row(merge, "main", merge->first_new, remember_here, err))
        return -1;
    merge->next_new = merge->first_new;
    return each_row(merge, "other", 1, map_row, err);
}

int msw_merge_rows(msw_merge *merge, msw_err *err)
{
    return map_rows(merge, err) || msw_merge_conflicts(merge, err) || msw_merge_copy(merge, err)
               ? -1
               : 0;
}
