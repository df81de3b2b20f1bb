/* SPDX-License-Identifier: MIT */
/* Merges rows: those whose key has an answer here are only linked; an answer takes the place of a
 * row here that is none; all others are new, and are copied all at once where they keep their
 * numbers, else in runs of neighbours.
 *
 * Two files may answer the same point; answers of one model version are equal but for the last
 * bits of another machine's arithmetic. Where they are further apart somebody has to say which
 * counts. */
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

/* Compares merge->shared; pairs that differ are refused, or listed to be replaced. */
static int msw_merge_conflicts(msw_merge *merge, msw_err *err)
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

#define DETAIL_TABLES                                                                              \
    "SELECT m.name, (SELECT group_concat('\"' || name || '\"', ', ') FROM "                        \
    "pragma_table_info(m.name, 'other') WHERE name <> 'row_id') FROM other.sqlite_master AS m "    \
    "WHERE " MSW_DETAIL_OF("other")

/* Rows to be replaced had details too: these are deleted first. */
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

static int copy_details(msw_merge *merge, msw_err *err)
{
    return msw_merge_each(merge, DETAIL_TABLES, merge->mechanism, copy_detail, err);
}

/* The run here that a row there belongs to; looking it up for each row costs a tenth. */
static void add_run_here(const msw_merge *merge, msw_text *sql)
{
    if (merge->runs_shift)
        msw_text_add(sql, "run + %" PRId64, merge->run_shift);
    else
        msw_text_add(sql, "(SELECT here FROM temp.merge_run WHERE there = run)");
}

/* Copies the run of rows from `point` there to `row` here, by INSERT or REPLACE. */
static int copy_run(msw_merge *merge, const char *how, msw_err *err)
{
    const msw_span *run = &merge->run;
    msw_text sql = MSW_TEXT_EMPTY;
    if (!run->count)
        return 0;
    msw_text_add(&sql,
                 "%s INTO main.points_%s(id, run%s) SELECT %" PRIu64 " + (id - %" PRIu64 "), ", how,
                 merge->mechanism, merge->columns, run->row, run->point);
    add_run_here(merge, &sql);
    msw_text_add(&sql, "%s FROM other.points_%s WHERE id BETWEEN %" PRIu64 " AND %" PRIu64,
                 merge->values, merge->mechanism, run->point, run->point + run->count - 1);
    MSW_TRY(msw_sql_exec_text(merge->store, &sql, err));
    return copy_details(merge, err);
}

/* New ids were given in the order of the rows there, so the next one due marks the row it was given
 * to; others with that id are repetitions. */
static int copy_new(msw_merge *merge, msw_err *err)
{
    uint64_t due = merge->first_new;
    merge->run = (msw_span){0};
    for (uint64_t there = 1; there <= merge->row_count; there++) {
        due = merge->keeps ? there : due;
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

/* Between tables declared alike SQLite copies such records without taking them apart. */
static int copy_whole(msw_merge *merge, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    uint64_t first = merge->first_there;
    msw_text_add(&sql, "INSERT INTO main.points_%s SELECT * FROM other.points_%s", merge->mechanism,
                 merge->mechanism);
    merge->run = (msw_span){first, first, merge->row_count - first + 1};
    MSW_TRY(msw_sql_exec_text(merge->store, &sql, err));
    return copy_details(merge, err);
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

static int msw_merge_copy(msw_merge *merge, msw_err *err)
{
    if (merge->whole)
        return copy_whole(merge, err);
    MSW_TRY(copy_new(merge, err));
    return copy_replaced(merge, err);
}

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

enum { MAP_COLUMNS = 3 }; /* id, key, answer; behind them what is checked */

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
    if (msw_checker_row(&merge->checker, row, MAP_COLUMNS, &verdict, err))
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
    char *sql = msw_strfmt(MAPPED ", %s FROM other.points_%s WHERE id >= 1 ORDER BY id",
                           checker->columns, merge->mechanism);
    int got = sql ? msw_sql_prepare(merge->store, sql, &rows, err) : msw_fail_memory(err);
    if (got == 0)
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
