/* SPDX-License-Identifier: MIT */
/* Counts the rows that a query leaves out: beyond the limits of the sweep, doubtful, outside what
 * is stated, of unknown errors. */
#include "memsweep/base/quote.h"
#include "memsweep/expr/expr.h"
#include "memsweep/mech/mechanism.h"
#include "memsweep/mech/stated.h"
#include "memsweep/sweep/errors.h"
#include "store/read/view.h"
#include "store/state.h"

#include <stdlib.h>
#include <string.h>

#define COUNT_ROWS "msw_count_left_out"

static const char *const REASONS[] = {MSW_UNKNOWN_OWN, MSW_UNKNOWN_LARGER, MSW_UNKNOWN_FEW,
                                      MSW_UNKNOWN_NONE, MSW_UNKNOWN_EARLIER};
enum { REASONS_COUNT = sizeof REASONS / sizeof *REASONS, ARGUMENTS = 6, METRICS_MOST = 62 };

/* What is asked of the rows: columns that a view need not have are NULL. */
typedef struct asking {
    const msw_query *query;
    msw_shown shown;
    bool errors;
    msw_left_out *count;
    uint64_t each[REASONS_COUNT];
    /* metrics whose errors are asked for, and those that lack them, bit by bit */
    size_t metric_count;
    const char *metrics[METRICS_MOST];
    bool learned[METRICS_MOST]; /* there are bounds, for some rows */
    uint64_t lacking;
} asking;

/* ---- metrics that are shown ---- */

static int find_column(const msw_view *view, const char *name)
{
    for (size_t i = 0; i < view->count; i++)
        if (strcmp(view->columns[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int list_metrics(msw_store *store, asking *a, const msw_view *view, msw_err *err)
{
    msw_sweep_info info = {0};
    MSW_TRY(msw_sweep_info_read(store, view->sweep, &info, err));
    const msw_mech *mech = msw_mech_find(info.mechanism);
    const char *asked = a->query->columns;
    for (int m = 0; mech && mech->metrics[m].name && a->metric_count < METRICS_MOST; m++) {
        char *low = msw_strfmt("%s_low", mech->metrics[m].name);
        int column = find_column(view, mech->metrics[m].name);
        if (low && column >= 0 && msw_errors_has(mech, m) &&
            (!asked || msw_expr_mentions(asked, mech->metrics[m].name))) {
            a->learned[a->metric_count] = find_column(view, low) >= 0;
            a->metrics[a->metric_count++] = view->columns[column].name;
        }
        free(low);
    }
    msw_sweep_info_free(&info);
    return 0;
}

/* A ratio says nothing of an answer of 0. */
static void add_lacking(const asking *a, msw_text *columns)
{
    for (size_t i = 0; i < a->metric_count; i++)
        msw_text_add(columns, " | (coalesce(%s > 0%s%s%s, 0) << %zu)", a->metrics[i],
                     a->learned[i] ? " AND " : "", a->learned[i] ? a->metrics[i] : "",
                     a->learned[i] ? "_low IS NULL" : "", i);
}

/* As many names as there is room for. */
static void name_lacking(const asking *a)
{
    static const char MORE[] = ", ...";
    char *out = a->count->metrics;
    size_t room = sizeof a->count->metrics - sizeof MORE;
    msw_text names = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < a->metric_count; i++) {
        size_t size = names.size;
        if (a->lacking >> i & 1)
            msw_text_add(&names, "%s%s", size ? ", " : "", a->metrics[i]);
        if (names.size < room)
            msw_text_fit(out, room, msw_text_str(&names));
    }
    if (names.size >= room)
        memcpy(out + strlen(out), MORE, sizeof MORE);
    msw_text_free(&names);
}

/* ---- an aggregate function: one pass, and one call for each row ---- */

static void count_errors(asking *a, const char *from, uint64_t lacking)
{
    static const char HEAD[] = MSW_ERRORS_UNKNOWN;
    a->count->judged++;
    if (strncmp(from, HEAD, strlen(HEAD)) != 0) {
        a->count->lacking += lacking > 0;
        a->lacking |= lacking;
        return;
    }
    a->count->unknown++;
    for (size_t r = 0; r < REASONS_COUNT; r++)
        a->each[r] += strcmp(from + strlen(HEAD), REASONS[r]) == 0;
}

/* (errors_from, within the limits, has a doubt, is stated, metrics that lack errors, who counts: no
 * number of a user's) */
static void step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    asking *a = argc == ARGUMENTS ? sqlite3_value_pointer(argv[ARGUMENTS - 1], COUNT_ROWS) : NULL;
    (void)context;
    if (!a)
        return;
    const char *from = (const char *)sqlite3_value_text(argv[0]);
    if (a->shown.limits && sqlite3_value_type(argv[1]) != SQLITE_NULL &&
        !sqlite3_value_int(argv[1])) {
        a->count->beyond++;
        return;
    }
    bool doubtful = a->shown.doubts && sqlite3_value_int(argv[2]);
    a->count->doubtful += doubtful;
    a->count->outside += a->shown.stated && !doubtful &&
                         sqlite3_value_type(argv[3]) != SQLITE_NULL && !sqlite3_value_int(argv[3]);
    if (from)
        count_errors(a, from, (uint64_t)sqlite3_value_int64(argv[4]));
}

static void finish(sqlite3_context *context)
{
    sqlite3_result_null(context);
}

static const char *used(bool is, const char *expression)
{
    return is ? expression : "NULL";
}

static int print_count(const asking *a, const msw_view *view, msw_text *sql, msw_err *err)
{
    msw_text columns = MSW_TEXT_EMPTY;
    msw_query rows = {.filter = a->query->filter};
    if (a->query->limit > 0)
        rows = *a->query; /* only a limit of the user's own decides here what is shown */
    msw_text_add(&columns, "%s AS e, %s AS l, %s AS d, %s AS s, 0",
                 used(a->errors, MSW_ERRORS_COLUMN), used(a->shown.limits, MSW_LIMITS_NAME),
                 used(a->shown.doubts, MSW_DOUBT_NAME " IS NOT NULL"),
                 used(a->shown.stated, MSW_STATED_COLUMN));
    add_lacking(a, &columns);
    msw_text_add(&columns, " AS u");
    rows.columns = msw_text_str(&columns);
    rows.no_rows = false;
    msw_text_add(sql, "SELECT " COUNT_ROWS "(e, l, d, s, u, ?1) FROM (");
    int rc = columns.failed ? msw_fail_memory(err) : msw_query_select(&rows, view, sql, err);
    msw_text_add(sql, ")");
    msw_text_free(&columns);
    MSW_TRY(rc);
    return msw_text_check(sql, err);
}

static int prepare(msw_store *store, asking *a, const msw_view *view, sqlite3_stmt **stmt,
                   msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    int rc = print_count(a, view, &sql, err);
    if (rc == 0 && sqlite3_create_function_v2(store->db, COUNT_ROWS, ARGUMENTS, SQLITE_UTF8, NULL,
                                              NULL, step, finish, NULL) != SQLITE_OK)
        rc = msw_sql_fail(store, err);
    if (rc == 0)
        rc = msw_users_prepare(store, msw_text_str(&sql), stmt, err);
    if (rc == 0 && sqlite3_bind_pointer(*stmt, 1, a, COUNT_ROWS, NULL) != SQLITE_OK)
        rc = msw_sql_fail(store, err);
    msw_text_free(&sql);
    return rc;
}

static void name_reason(const asking *a)
{
    uint64_t most = 0;
    for (size_t r = 0; r < REASONS_COUNT; r++) {
        if (a->each[r] > most)
            msw_text_fit(a->count->why, sizeof a->count->why, REASONS[r]);
        most = a->each[r] > most ? a->each[r] : most;
    }
}

static int count_rows(msw_store *store, asking *a, const msw_view *view, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    int rc = prepare(store, a, view, &stmt, err);
    if (rc == 0 && sqlite3_step(stmt) != SQLITE_ROW)
        rc = msw_sql_fail_query(store, err);
    sqlite3_finalize(stmt);
    name_reason(a);
    return rc;
}

static int count_all(msw_store *store, const msw_query *query, bool others, msw_left_out *count,
                     msw_err *err)
{
    msw_view view;
    *count = (msw_left_out){0};
    if (query->sql)
        return 0;
    MSW_TRY(msw_view_load(store, query->sweep, false, &view, err));
    asking a = {.query = query, .shown = msw_query_shown(query, &view), .count = count};
    a.shown.doubts &= others;
    a.shown.stated &= others;
    for (size_t i = 0; i < view.count; i++)
        a.errors |= strcmp(view.columns[i].name, MSW_ERRORS_COLUMN) == 0;
    int rc = a.errors && !view.over ? list_metrics(store, &a, &view, err) : 0;
    bool any = a.errors || a.shown.limits || a.shown.doubts || a.shown.stated;
    if (rc == 0 && any)
        rc = count_rows(store, &a, &view, err);
    name_lacking(&a);
    msw_view_free(&view);
    return rc;
}

int msw_store_errors_unknown(msw_store *store, const msw_query *query, msw_left_out *count,
                             msw_err *err)
{
    return count_all(store, query, false, count, err);
}

int msw_store_left_out(msw_store *store, const msw_query *query, msw_left_out *count, msw_err *err)
{
    return count_all(store, query, query->within_limits || query->trusted, count, err);
}

/* Reads chosen rows of a sweep. In a view every row is looked for in every span, so that many rows
 * of a sweep with many spans would take their product: each chosen row is made a span of its own
 * instead, in a temporary table that replaces msw_span in the SELECT of the view. */

int msw_chosen_insert(msw_store *store, int64_t sweep, const msw_row_id *rows, size_t count,
                      msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_exec(store, "DELETE FROM temp.msw_chosen", err) ||
        msw_sql_prepare(store, "INSERT OR IGNORE INTO temp.msw_chosen VALUES(?1, ?2, ?3, 1)", &stmt,
                        err))
        return -1;
    int result = 0;
    sqlite3_bind_int64(stmt, 1, sweep);
    for (size_t i = 0; i < count && result == 0; i++) {
        sqlite3_bind_int64(stmt, 2, (sqlite3_int64)rows[i].point);
        sqlite3_bind_int64(stmt, 3, (sqlite3_int64)rows[i].row);
        result = msw_sql_run(store, stmt, err);
    }
    sqlite3_finalize(stmt);
    return result;
}

/* A view over workloads has one row per design, called by its first point. */
static void choose_designs(const msw_view *view, msw_text *source)
{
    char *name = msw_over_chosen_name(view->name);
    msw_text_add(source, "SELECT * FROM temp.");
    if (name)
        msw_text_add_sql_name(source, name);
    else
        source->failed = true;
    free(name);
    msw_text_add(source, " WHERE point IN (SELECT first_point FROM temp.msw_chosen)");
}

static int choose_rows(msw_store *store, const msw_view *view, msw_text *source, msw_err *err)
{
    msw_view_shape shape;
    MSW_TRY(msw_view_shape_load(store, "main", view->sweep, &shape, err));
    msw_text_add(source, "SELECT *");
    int result = msw_view_add_said(store, &shape, source, err);
    msw_text_add(source, " FROM (");
    msw_view_print(&shape, "main.", "temp.msw_chosen", source);
    msw_text_add(source, ")");
    msw_view_shape_free(&shape);
    return result;
}

int msw_chosen_source(msw_store *store, msw_view *view, msw_err *err)
{
    msw_text source = MSW_TEXT_EMPTY;
    int result = msw_sql_exec(store,
                              "CREATE TEMP TABLE IF NOT EXISTS msw_chosen(sweep, first_point, "
                              "first_row, point_count, PRIMARY KEY(sweep, first_point)) WITHOUT "
                              "ROWID",
                              err);
    if (result == 0 && view->over)
        choose_designs(view, &source);
    else if (result == 0)
        result = choose_rows(store, view, &source, err);
    if (result == 0) {
        view->source = source.failed ? NULL : msw_strdup(msw_text_str(&source));
        result = view->source ? 0 : msw_fail_memory(err);
    }
    msw_text_free(&source);
    return result;
}
