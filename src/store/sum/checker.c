/* SPDX-License-Identifier: MIT */
/* Rows of one mechanism against their checksums. */
#include "store/sum/sum.h"

#include "store/state.h"

#include "memsweep/base/search.h"
#include "memsweep/base/vec.h"

#include <inttypes.h>
#include <stdlib.h>

static int prepare(msw_store *store, sqlite3_stmt **stmt, msw_err *err, char *sql)
{
    int rc = sql ? msw_sql_prepare(store, sql, stmt, err) : msw_fail_memory(err);
    free(sql);
    return rc;
}

enum { DETAIL_ROW, DETAIL_SUM, DETAIL_PARTS };

static int prepare_detail(msw_store *store, const char *schema, const char *table,
                          struct msw_checked_detail *d, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "SELECT row_id, %s, ", d->sums.sum < 0 ? "NULL" : MSW_SUM_COLUMN);
    d->width = DETAIL_PARTS + msw_sums_sql(&d->sums, "?9", &sql);
    msw_text_add(&sql, " FROM %s.%s WHERE row_id >= ?1 ORDER BY row_id", schema, table);
    int rc = sql.failed ? msw_fail_memory(err)
                        : msw_sql_prepare(store, msw_text_str(&sql), &d->rows, err);
    msw_text_free(&sql);
    if (rc == 0 && sqlite3_bind_pointer(d->rows, 9, d->sums.columns, MSW_SUM_POINTER, NULL))
        rc = msw_sql_fail(store, err);
    return rc;
}

static int add_detail(msw_checker *checker, const char *schema, const char *table, msw_err *err)
{
    MSW_TRY(
        msw_vec_extend(&checker->details, checker->detail_count, sizeof *checker->details, err));
    struct msw_checked_detail *d = &checker->details[checker->detail_count];
    *d = (struct msw_checked_detail){0};
    if (msw_sums_load(checker->store, schema, table, &d->sums, err))
        return -1;
    checker->detail_count++;
    return prepare_detail(checker->store, schema, table, d, err);
}

static int add_details(msw_checker *checker, const char *schema, const char *mechanism,
                       msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int got = prepare(checker->store, &stmt, err,
                      msw_strfmt("SELECT m.name FROM %s.sqlite_master AS m WHERE " MSW_DETAIL_OF(
                                     "%s") " ORDER BY m.name",
                                 schema, schema));
    if (got == 0)
        sqlite3_bind_text(stmt, 1, mechanism, -1, SQLITE_STATIC);
    while (got >= 0 && (got = msw_sql_step(checker->store, stmt, err)) > 0)
        if (add_detail(checker, schema, msw_sql_text(stmt, 0), err))
            got = -1;
    sqlite3_finalize(stmt);
    return got;
}

/* Where things are in checker->columns; the parts of the sum come last. */
enum { ID, RUN, SUM, PARTS };

/* A file without checksums has rows that are not covered: no need of reading them. */
static int list_columns(msw_checker *checker, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    bool sum = checker->points.sum >= 0;
    msw_text_add(&sql, "id, run%s", sum ? ", " MSW_SUM_COLUMN ", " : "");
    checker->width = sum ? PARTS + msw_sums_sql(&checker->points, "?9", &sql) : SUM;
    checker->columns = msw_strdup(msw_text_str(&sql));
    bool failed = sql.failed || !checker->columns;
    msw_text_free(&sql);
    return failed ? msw_fail_memory(err) : 0;
}

int msw_checker_bind(const msw_checker *checker, sqlite3_stmt *stmt, msw_err *err)
{
    if (checker->points.sum < 0 ||
        sqlite3_bind_pointer(stmt, 9, checker->points.columns, MSW_SUM_POINTER, NULL) == SQLITE_OK)
        return 0;
    return msw_sql_fail(checker->store, err);
}

static int open_tables(msw_checker *checker, const char *schema, const char *mechanism,
                       const char *table, msw_err *err)
{
    msw_store *store = checker->store;
    MSW_TRY(msw_sums_load(store, schema, table, &checker->points, err));
    MSW_TRY(msw_old_runs_load(store, schema, &checker->old, err));
    MSW_TRY(list_columns(checker, err));
    MSW_TRY(prepare(
        store, &checker->one, err,
        msw_strfmt("SELECT %s, status FROM %s.%s WHERE id = ?1", checker->columns, schema, table)));
    MSW_TRY(prepare(store, &checker->some, err,
                    msw_strfmt("SELECT %s, status FROM %s.%s WHERE id BETWEEN ?1 AND ?2 "
                               "ORDER BY id",
                               checker->columns, schema, table)));
    MSW_TRY(msw_checker_bind(checker, checker->one, err));
    MSW_TRY(msw_checker_bind(checker, checker->some, err));
    MSW_TRY(add_details(checker, schema, mechanism, err));
    return 0;
}

int msw_checker_open(msw_store *store, const char *schema, const char *mechanism,
                     msw_checker *checker, msw_err *err)
{
    *checker = (msw_checker){.store = store};
    char *table = msw_strfmt("points_%s", mechanism);
    int rc = table ? open_tables(checker, schema, mechanism, table, err) : msw_fail_memory(err);
    free(table);
    if (rc)
        msw_checker_close(checker);
    return rc;
}

void msw_checker_close(msw_checker *checker)
{
    sqlite3_finalize(checker->one);
    sqlite3_finalize(checker->some);
    for (size_t i = 0; i < checker->detail_count; i++) {
        sqlite3_finalize(checker->details[i].rows);
        msw_sums_free(&checker->details[i].sums);
    }
    free(checker->details);
    free(checker->columns);
    msw_old_runs_free(&checker->old);
    msw_sums_free(&checker->points);
    *checker = (msw_checker){0};
}

static int next_detail(msw_checker *checker, struct msw_checked_detail *d, msw_err *err)
{
    int got = msw_sql_step(checker->store, d->rows, err);
    d->more = got > 0;
    return got < 0 ? -1 : 0;
}

/* Rows come in the order of their numbers, mostly: their details are read along with them, which
 * spares a search in each table for each row. Moves to the first record of a row or of one behind.
 */
static int find_details(msw_checker *checker, struct msw_checked_detail *d, int64_t id,
                        msw_err *err)
{
    enum { SKIPPED = 16 }; /* records that are passed faster than one is searched */
    int skipped = 0;
    bool again = !d->started || id < d->from;
    while (!again && d->more && sqlite3_column_int64(d->rows, DETAIL_ROW) < id) {
        again = ++skipped > SKIPPED;
        if (!again && next_detail(checker, d, err))
            return -1;
    }
    d->from = id;
    if (!again)
        return 0;
    d->started = true;
    sqlite3_reset(d->rows);
    sqlite3_bind_int64(d->rows, 1, id);
    return next_detail(checker, d, err);
}

static uint64_t add_parts(sqlite3_stmt *row, int first, int end)
{
    uint64_t sum = 0;
    for (int i = first; i < end; i++)
        sum += (uint64_t)sqlite3_column_int64(row, i);
    return sum;
}

/* Adds what the details of a row give; one that is wrong by itself shows there, too. */
static int add_rows(msw_checker *checker, struct msw_checked_detail *d, int64_t id, uint64_t *sum,
                    msw_err *err)
{
    if (find_details(checker, d, id, err))
        return -1;
    while (d->more && sqlite3_column_int64(d->rows, DETAIL_ROW) == id) {
        uint64_t own = add_parts(d->rows, DETAIL_PARTS, d->width);
        *sum += msw_sum_integer(d->sums.seed, (int64_t)own);
        if (msw_sums_verdict(d->rows, DETAIL_SUM, own) == MSW_ROW_DAMAGED)
            *sum += 1;
        if (next_detail(checker, d, err))
            return -1;
    }
    d->from = id < INT64_MAX ? id + 1 : id;
    return 0;
}

static bool is_old(const msw_old_runs *old, int64_t run)
{
    size_t at = msw_lower_bound_i64(old->list, old->count, run);
    return at < old->count && old->list[at] == run;
}

/* A row without a checksum whose run gave checksums has lost it. */
static bool may_lack(const msw_checker *checker, sqlite3_stmt *row, int first)
{
    const msw_old_runs *old = &checker->old;
    int64_t run = sqlite3_column_int64(row, first + RUN);
    return !old->newer || is_old(old, run);
}

static int compare(msw_checker *checker, sqlite3_stmt *row, int first, msw_soundness *verdict,
                   msw_err *err)
{
    int64_t id = sqlite3_column_int64(row, first + ID);
    uint64_t sum = add_parts(row, first + PARTS, first + checker->width);
    for (size_t i = 0; i < checker->detail_count; i++)
        if (add_rows(checker, &checker->details[i], id, &sum, err))
            return -1;
    *verdict = msw_sums_verdict(row, first + SUM, sum);
    return 0;
}

/* Details that are read along stop at a record whose number is damaged: those of rows behind it are
 * then searched for. */
int msw_checker_row(msw_checker *checker, sqlite3_stmt *row, int first, msw_soundness *verdict,
                    msw_err *err)
{
    const msw_sums *points = &checker->points;
    if (points->sum < 0) {
        *verdict = may_lack(checker, row, first) ? MSW_ROW_UNCOVERED : MSW_ROW_DAMAGED;
        return 0;
    }
    if (compare(checker, row, first, verdict, err))
        return -1;
    if (*verdict == MSW_ROW_DAMAGED && checker->detail_count) {
        for (size_t i = 0; i < checker->detail_count; i++)
            checker->details[i].started = false;
        if (compare(checker, row, first, verdict, err))
            return -1;
    }
    if (*verdict == MSW_ROW_UNCOVERED && !may_lack(checker, row, first))
        *verdict = MSW_ROW_DAMAGED;
    return 0;
}

int msw_checker_id(msw_checker *checker, uint64_t id, msw_soundness *verdict, msw_err *err)
{
    *verdict = MSW_ROW_SOUND;
    sqlite3_bind_int64(checker->one, 1, (sqlite3_int64)id);
    int got = msw_sql_step(checker->store, checker->one, err);
    if (got > 0 && msw_checker_row(checker, checker->one, 0, verdict, err))
        got = -1;
    sqlite3_reset(checker->one);
    return got;
}

/* Rows that a scan in order did not meet: behind a damaged number the scan may pass sound ones,
 * which a search finds. */
static int search_each(msw_checker *checker, uint64_t first, uint64_t end, msw_checked_fn each,
                       void *context, msw_err *err)
{
    int got = 0;
    for (uint64_t id = first; id < end && got >= 0; id++) {
        msw_soundness verdict = MSW_ROW_DAMAGED;
        sqlite3_bind_int64(checker->one, 1, (sqlite3_int64)id);
        got = msw_sql_step(checker->store, checker->one, err);
        if (got > 0 && msw_checker_row(checker, checker->one, 0, &verdict, err))
            got = -1;
        const char *status = got > 0 ? msw_sql_text(checker->one, checker->width) : NULL;
        if (got >= 0 && each(context, id, status, verdict, err))
            got = -1;
        sqlite3_reset(checker->one);
    }
    return got < 0 ? -1 : 0;
}

static int step_through(msw_checker *checker, uint64_t first, uint64_t count, msw_checked_fn each,
                        void *context, msw_err *err)
{
    uint64_t due = first;
    int got;
    while ((got = msw_sql_step(checker->store, checker->some, err)) > 0) {
        uint64_t id = (uint64_t)sqlite3_column_int64(checker->some, ID);
        msw_soundness verdict;
        if (id < due || id - first >= count)
            continue; /* numbers out of order */
        if (search_each(checker, due, id, each, context, err) ||
            msw_checker_row(checker, checker->some, 0, &verdict, err) ||
            each(context, id, msw_sql_text(checker->some, checker->width), verdict, err))
            return -1;
        due = id + 1;
    }
    return got < 0 ? -1 : search_each(checker, due, first + count, each, context, err);
}

int msw_checker_span(msw_checker *checker, uint64_t first, uint64_t count, msw_checked_fn each,
                     void *context, msw_err *err)
{
    if (!count)
        return 0;
    sqlite3_bind_int64(checker->some, 1, (sqlite3_int64)first);
    sqlite3_bind_int64(checker->some, 2, (sqlite3_int64)(first + count - 1));
    int rc = step_through(checker, first, count, each, context, err);
    sqlite3_reset(checker->some);
    return rc;
}
