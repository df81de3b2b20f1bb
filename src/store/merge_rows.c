/* Merging rows: those whose key has an answer here are only linked; an answer takes the place of a
 * row here that is none; all others are copied, in whole runs. */
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
    if (!*value) {
        uint64_t here = merge->next_new++;
        if (here > INT32_MAX)
            return msw_fail(err, "more than %" PRId32 " rows cannot be merged", INT32_MAX);
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

static int map_rows(msw_merge *merge, msw_err *err)
{
    int64_t last = 0;
    char *sql = msw_strfmt("SELECT max(id) FROM other.points_%s", merge->mechanism);
    int result = sql ? msw_sql_integer(merge->store, sql, NULL, &last, err) : msw_fail_memory(err);
    free(sql);
    if (result)
        return -1;
    merge->row_count = (uint64_t)last;
    merge->rows = calloc((size_t)last + 2, sizeof *merge->rows);
    if (!merge->rows)
        return msw_fail_memory(err);
    if (each_row(merge, "main", merge->first_new, remember_here, err))
        return -1;
    merge->next_new = merge->first_new;
    return each_row(merge, "other", 1, map_row, err);
}

#define DETAIL_TABLES                                                                              \
    "SELECT m.name, (SELECT group_concat(name, ', ') FROM pragma_table_info(m.name, 'other') "     \
    "WHERE"                                                                                        \
    " name <> 'row_id') FROM other.sqlite_master AS m WHERE m.type = 'table' AND"                  \
    " substr(m.name, 1, length(?1) + 8) = 'detail_' || ?1 || '_'"

static int copy_detail(msw_merge *merge, sqlite3_stmt *row, msw_err *err)
{
    const msw_span *run = &merge->run;
    const char *table = msw_sql_text(row, 0);
    const char *columns = msw_sql_text(row, 1);
    uint64_t last = run->point + run->count - 1;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql,
                 "DELETE FROM main.%s WHERE row_id BETWEEN %" PRIu64 " AND %" PRIu64
                 "; INSERT INTO main.%s(row_id, %s) SELECT %" PRIu64 " + (row_id - %" PRIu64
                 "), %s FROM other.%s WHERE row_id BETWEEN %" PRIu64 " AND %" PRIu64,
                 table, run->row, run->row + run->count - 1, table, columns, run->row, run->point,
                 columns, table, run->point, last);
    return msw_sql_exec_text(merge->store, &sql, err);
}

/* Copies the run of rows from `point` there to `row` here, by INSERT or REPLACE. */
static int copy_run(msw_merge *merge, const char *how, msw_err *err)
{
    const msw_span *run = &merge->run;
    msw_text sql = MSW_TEXT_EMPTY;
    if (!run->count)
        return 0;
    msw_text_add(&sql,
                 "%s INTO main.points_%s(id, run%s) SELECT %" PRIu64 " + (id - %" PRIu64
                 "), (SELECT here FROM temp.merge_run WHERE there = run)%s FROM other.points_%s "
                 "WHERE id BETWEEN %" PRIu64 " AND %" PRIu64,
                 how, merge->mechanism, merge->columns, run->row, run->point, merge->columns,
                 merge->mechanism, run->point, run->point + run->count - 1);
    return msw_sql_exec_text(merge->store, &sql, err) ||
                   msw_merge_each(merge, DETAIL_TABLES, merge->mechanism, copy_detail, err)
               ? -1
               : 0;
}

/* New ids were given in the order of the rows there, so the next one due marks the row it was given
 * to; others with that id are repetitions. */
static int copy_new(msw_merge *merge, msw_err *err)
{
    uint64_t due = merge->first_new;
    merge->run = (msw_span){0};
    for (uint64_t there = 1; there <= merge->row_count; there++) {
        if (merge->rows[there] != due)
            continue;
        if (merge->run.point + merge->run.count == there) {
            merge->run.count++;
        } else {
            if (copy_run(merge, "INSERT", err))
                return -1;
            merge->run = (msw_span){there, due, 1};
        }
        due++;
    }
    return copy_run(merge, "INSERT", err);
}

static int copy_replaced(msw_merge *merge, msw_err *err)
{
    for (size_t i = 0; i < merge->replaced.count; i++) {
        merge->run = (msw_span){merge->replaced.list[i].point, merge->replaced.list[i].row, 1};
        if (copy_run(merge, "REPLACE", err))
            return -1;
    }
    return 0;
}

int msw_merge_rows(msw_merge *merge, msw_err *err)
{
    return map_rows(merge, err) || msw_merge_conflicts(merge, err) || copy_new(merge, err) ||
                   copy_replaced(merge, err)
               ? -1
               : 0;
}
