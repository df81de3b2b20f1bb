/* Rows of one mechanism against their checksums. */
#include "store/sum/sum.h"

#include "store/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int prepare(msw_store *store, sqlite3_stmt **stmt, msw_err *err, char *sql)
{
    int rc = sql ? msw_sql_prepare(store, sql, stmt, err) : msw_fail_memory(err);
    free(sql);
    return rc;
}

static int add_detail(msw_checker *checker, const char *schema, const char *table, msw_err *err)
{
    struct msw_checked_detail *list =
        realloc(checker->details, (checker->detail_count + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(err);
    checker->details = list;
    struct msw_checked_detail *d = &list[checker->detail_count];
    *d = (struct msw_checked_detail){0};
    if (msw_sums_load(checker->store, schema, table, &d->sums, err))
        return -1;
    checker->detail_count++;
    return prepare(checker->store, &d->rows, err,
                   msw_strfmt("SELECT * FROM %s.%s WHERE row_id = ?1", schema, table));
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

static int open_tables(msw_checker *checker, const char *schema, const char *mechanism,
                       const char *table, msw_err *err)
{
    msw_store *store = checker->store;
    return msw_sums_load(store, schema, table, &checker->points, err) ||
                   msw_old_runs_load(store, schema, &checker->old, err) ||
                   prepare(store, &checker->one, err,
                           msw_strfmt("SELECT * FROM %s.%s WHERE id = ?1", schema, table)) ||
                   prepare(store, &checker->some, err,
                           msw_strfmt("SELECT * FROM %s.%s WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
                                      schema, table)) ||
                   add_details(checker, schema, mechanism, err)
               ? -1
               : 0;
}

int msw_checker_open(msw_store *store, const char *schema, const char *mechanism,
                     msw_checker *checker, msw_err *err)
{
    *checker = (msw_checker){.store = store};
    char *table = msw_strfmt("points_%s", mechanism);
    int rc = table ? open_tables(checker, schema, mechanism, table, err) : msw_fail_memory(err);
    free(table);
    for (size_t i = 0; rc == 0 && i < checker->points.count; i++)
        if (strcmp(checker->points.columns[i].name, "run") == 0)
            checker->run = (int)i;
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
    msw_old_runs_free(&checker->old);
    msw_sums_free(&checker->points);
    *checker = (msw_checker){0};
}

/* Adds what the details of a row give; one that is wrong by itself shows there, too. */
static int add_rows(msw_checker *checker, struct msw_checked_detail *d, int64_t id, uint64_t *sum,
                    msw_err *err)
{
    int got;
    sqlite3_bind_int64(d->rows, 1, id);
    while ((got = msw_sql_step(checker->store, d->rows, err)) > 0) {
        uint64_t own = msw_sums_row(&d->sums, d->rows, 0);
        *sum += msw_sum_integer(d->sums.seed, (int64_t)own);
        if (msw_sums_verdict(&d->sums, d->rows, 0, own) == MSW_ROW_DAMAGED)
            *sum += 1;
    }
    sqlite3_reset(d->rows);
    return got;
}

static int by_number(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A row without a checksum whose run gave checksums has lost it. */
static bool may_lack(const msw_checker *checker, sqlite3_stmt *row, int first)
{
    const msw_old_runs *old = &checker->old;
    int64_t run = sqlite3_column_int64(row, first + checker->run);
    return !old->newer ||
           (old->count && bsearch(&run, old->list, old->count, sizeof run, by_number));
}

int msw_checker_row(msw_checker *checker, sqlite3_stmt *row, int first, msw_soundness *verdict,
                    msw_err *err)
{
    const msw_sums *points = &checker->points;
    if (points->sum < 0) {
        *verdict = may_lack(checker, row, first) ? MSW_ROW_UNCOVERED : MSW_ROW_DAMAGED;
        return 0;
    }
    int64_t id = sqlite3_column_int64(row, first + points->id);
    uint64_t sum = msw_sums_row(points, row, first);
    for (size_t i = 0; i < checker->detail_count; i++)
        if (add_rows(checker, &checker->details[i], id, &sum, err))
            return -1;
    *verdict = msw_sums_verdict(points, row, first, sum);
    if (*verdict == MSW_ROW_UNCOVERED && !may_lack(checker, row, first))
        *verdict = MSW_ROW_DAMAGED;
    return 0;
}

int msw_checker_id(msw_checker *checker, uint64_t id, msw_soundness *verdict, msw_err *err)
{
    sqlite3_bind_int64(checker->one, 1, (sqlite3_int64)id);
    int got = msw_sql_step(checker->store, checker->one, err);
    if (got > 0 && msw_checker_row(checker, checker->one, 0, verdict, err))
        got = -1;
    sqlite3_reset(checker->one);
    return got;
}

static int report_lost(uint64_t first, uint64_t end, msw_checked_fn each, void *context,
                       msw_err *err)
{
    for (uint64_t id = first; id < end; id++)
        if (each(context, id, NULL, MSW_ROW_DAMAGED, err))
            return -1;
    return 0;
}

static int step_through(msw_checker *checker, uint64_t first, uint64_t count, msw_checked_fn each,
                        void *context, msw_err *err)
{
    uint64_t due = first;
    int got;
    while ((got = msw_sql_step(checker->store, checker->some, err)) > 0) {
        uint64_t id = (uint64_t)sqlite3_column_int64(checker->some, checker->points.id);
        msw_soundness verdict;
        if (id < due || id - first >= count)
            continue; /* numbers out of order: what is due counts as lost */
        if (report_lost(due, id, each, context, err) ||
            msw_checker_row(checker, checker->some, 0, &verdict, err) ||
            each(context, id, checker->some, verdict, err))
            return -1;
        due = id + 1;
    }
    return got < 0 ? -1 : report_lost(due, first + count, each, context, err);
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
