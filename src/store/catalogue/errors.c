/* SPDX-License-Identifier: MIT */
#include "store/catalogue/catalogue.h"
#include "store/catalogue/names.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/vec.h"
#include "memsweep/sweep/errors.h"
#include "store/state.h"
#include "store/sum/sum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- keeping ---- */

static int insert(msw_store *store, const char *text, int64_t sweep, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "INSERT INTO main.msw_analysis(sweep, kind, settings, result, created) "
                        "VALUES(?1, '" MSW_ERRORS_KIND
                        "', '{}', ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                        &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, sweep);
    sqlite3_bind_text(stmt, 2, text, -1, SQLITE_STATIC);
    int rc = msw_sql_run(store, stmt, err);
    sqlite3_finalize(stmt);
    return rc ? -1 : msw_sum_seal(store, "msw_analysis", sqlite3_last_insert_rowid(store->db), err);
}

int msw_errors_keep(msw_store *store, const msw_plan *plan, int64_t sweep, msw_err *err)
{
    int64_t there = 0;
    if (!plan->errors || !plan->errors->current)
        return 0;
    MSW_TRY(msw_sql_integer(store,
                            "SELECT EXISTS(SELECT 1 FROM main.msw_analysis WHERE kind = "
                            "'" MSW_ERRORS_KIND "' AND result = ?1)",
                            plan->errors->text, &there, err));
    return there ? 0 : insert(store, plan->errors->text, sweep, err);
}

/* ---- reading ---- */

typedef struct tables {
    const msw_mech *mech;
    size_t count;
    msw_errors **list;
    size_t own_count;
    msw_own_error *own;
} tables;

static void free_tables(tables *t)
{
    for (size_t i = 0; i < t->count; i++)
        msw_errors_free(t->list[i]);
    free(t->list);
    free(t->own);
}

/* What cannot be read is as if it were not there: rows then say that they have no table. */
static int take(tables *t, sqlite3_stmt *row, msw_err *err)
{
    const char *text = msw_sql_text(row, 1);
    msw_errors *errors = NULL;
    if (strcmp(msw_sql_text(row, 0), MSW_ERRORS_OWN) == 0)
        return msw_own_errors_parse(text, t->mech, &t->own, &t->own_count, err);
    if (msw_errors_parse(text, strlen(text), &errors, NULL))
        return 0;
    int rc =
        errors->mech == t->mech ? msw_vec_extend(&t->list, t->count, sizeof *t->list, err) : -2;
    if (rc == 0)
        t->list[t->count++] = errors;
    else
        msw_errors_free(errors);
    return rc == -1 ? -1 : 0;
}

/* Later records come first: a point is judged by the first that knows it. */
static int load_tables(msw_store *store, tables *t, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_sql_prepare(store,
                        "SELECT a.kind, a.result FROM main.msw_analysis AS a JOIN main.msw_sweep "
                        "AS s ON s.id = a.sweep WHERE a.kind IN ('" MSW_ERRORS_KIND
                        "', '" MSW_ERRORS_OWN "') AND s.mechanism = ?1 ORDER BY a.id DESC",
                        &stmt, err))
        return -1;
    sqlite3_bind_text(stmt, 1, t->mech->name, -1, SQLITE_STATIC);
    int got;
    while ((got = msw_sql_step(store, stmt, err)) > 0)
        if (take(t, stmt, err)) {
            got = -1;
            break;
        }
    sqlite3_finalize(stmt);
    return got;
}

int msw_store_own_errors(msw_store *store, msw_plan *plan, msw_err *err)
{
    tables t = {.mech = plan->mech};
    int rc = load_tables(store, &t, err);
    if (rc == 0) {
        free(plan->own);
        plan->own = t.own;
        plan->own_count = t.own_count;
        t.own = NULL;
    }
    free_tables(&t);
    return rc;
}

/* ---- columns ---- */

static bool shows(const msw_view_shape *shape, const char *name)
{
    for (size_t i = 0; i < shape->count; i++)
        if (strcmp(shape->columns[i], name) == 0)
            return true;
    for (size_t i = 0; i < shape->derived_count; i++)
        if (strcmp(shape->derived[i].name, name) == 0)
            return true;
    return false;
}

static void add_own_condition(const msw_own_error *own, msw_text *sql)
{
    msw_text_add(sql, " WHEN version = %d AND workload = ", own->version);
    msw_text_add_sql_string(sql, own->workload);
    msw_text_add(sql, " THEN ");
}

/* The factor of a metric on one side, as a CASE over the row. Returns whether there is any. */
static bool add_factor(const tables *t, int metric, bool high, msw_text *sql)
{
    bool any = false;
    msw_text_add(sql, "CASE");
    for (size_t i = 0; i < t->own_count; i++)
        if (t->own[i].metric == metric) {
            add_own_condition(&t->own[i], sql);
            msw_text_add_double(sql, high ? t->own[i].high : t->own[i].low);
            any = true;
        }
    for (size_t i = 0; i < t->count; i++)
        for (size_t r = 0; r < t->list[i]->range_count; r++) {
            const msw_error_range *range = &t->list[i]->ranges[r];
            if (range->metric != metric)
                continue;
            msw_text_add(sql, " WHEN " MSW_STRATUM_COLUMN " = %" PRIu32 " THEN ",
                         msw_errors_code(t->list[i], range->stratum));
            msw_text_add_double(sql, high ? range->high : range->low);
            any = true;
        }
    msw_text_add(sql, " END");
    return any;
}

/* Columns that are there whether a table knows the metric or not. */
static bool is_wanted(const msw_mech *mech, int metric)
{
    return metric == msw_errors_total(mech) ||
           strcmp(mech->metrics[metric].name, mech->primary) == 0;
}

/* A ratio says nothing of an answer of 0. Metrics with a goal are never below 0. */
static void add_side(const tables *t, int metric, bool high, const char *column, msw_text *sql)
{
    const char *name = t->mech->metrics[metric].name;
    msw_text factor = MSW_TEXT_EMPTY;
    bool any = add_factor(t, metric, high, &factor);
    if (any)
        msw_text_add(sql,
                     ", CASE WHEN status = 'ok' AND " MSW_DOUBT_NAME
                     " IS NULL AND %s > 0 THEN %s * %s END AS ",
                     name, name, msw_text_str(&factor));
    else if (is_wanted(t->mech, metric))
        msw_text_add(sql, ", NULL AS ");
    if (any || is_wanted(t->mech, metric))
        msw_text_add_sql_name(sql, column);
    sql->failed = sql->failed || factor.failed;
    msw_text_free(&factor);
}

static void add_metric(const tables *t, const msw_view_shape *shape, int metric, msw_text *sql)
{
    static const char *const SIDES[] = {"low", "high"};
    const char *name = t->mech->metrics[metric].name;
    for (int side = 0; side < 2 && shows(shape, name); side++) {
        char *column = msw_strfmt("%s_%s", name, SIDES[side]);
        if (column && !shows(shape, column))
            add_side(t, metric, side, column, sql);
        sql->failed = sql->failed || !column;
        free(column);
    }
}

/* Strata that no leaf is, as SQL has them. */
#define OWN     "0"
#define LARGER  "1"
#define EARLIER "2"
_Static_assert(MSW_STRATUM_OWN == 0 && MSW_STRATUM_LARGER == 1 && MSW_STRATUM_EARLIER == 2,
               "as above");

static void add_reason(const char *condition, const char *reason, msw_text *sql)
{
    msw_text_add(sql, " WHEN " MSW_STRATUM_COLUMN "%s THEN ", condition);
    msw_text_add_sql_string(sql, reason);
}

/* Where the interval of the run's cycles is from. */
static void add_from(const tables *t, msw_text *sql)
{
    int total = msw_errors_total(t->mech);
    msw_text_add(sql, ", CASE WHEN status <> 'ok' OR " MSW_DOUBT_NAME " IS NOT NULL THEN NULL");
    for (size_t i = 0; i < t->own_count; i++)
        if (t->own[i].metric == total) {
            add_own_condition(&t->own[i], sql);
            msw_text_add(sql, "'" MSW_ERRORS_OWN_POINTS "'");
        }
    msw_text_add(sql, " WHEN " MSW_STRATUM_COLUMN " IN (-1");
    for (size_t i = 0; i < t->count; i++)
        for (size_t r = 0; r < t->list[i]->range_count; r++)
            if (t->list[i]->ranges[r].metric == total)
                msw_text_add(sql, ", %" PRIu32,
                             msw_errors_code(t->list[i], t->list[i]->ranges[r].stratum));
    msw_text_add(sql, ") THEN 'table'");
    add_reason(" IS NULL", MSW_ERRORS_UNKNOWN MSW_UNKNOWN_NONE, sql);
    add_reason(" = " EARLIER, MSW_ERRORS_UNKNOWN MSW_UNKNOWN_EARLIER, sql);
    add_reason(" % 256 = " OWN, MSW_ERRORS_UNKNOWN MSW_UNKNOWN_OWN, sql);
    add_reason(" % 256 = " LARGER, MSW_ERRORS_UNKNOWN MSW_UNKNOWN_LARGER, sql);
    msw_text_add(sql, " ELSE '" MSW_ERRORS_UNKNOWN MSW_UNKNOWN_FEW "' END AS " MSW_ERRORS_COLUMN);
}

int msw_errors_add_columns(msw_store *store, const msw_view_shape *shape, msw_text *sql,
                           msw_err *err)
{
    static const char TABLE[] = "points_";
    tables t = {.mech = msw_mech_find(shape->table + strlen(TABLE))};
    if (!t.mech || !shape->analytic || !shows(shape, MSW_STRATUM_COLUMN) ||
        shows(shape, MSW_ERRORS_COLUMN) || !shows(shape, "version") ||
        !shows(shape, MSW_DOUBT_NAME))
        return 0;
    int rc = load_tables(store, &t, err);
    for (int m = 0; rc == 0 && t.mech->metrics[m].name; m++)
        if (msw_errors_has(t.mech, m))
            add_metric(&t, shape, m, sql);
    if (rc == 0)
        add_from(&t, sql);
    free_tables(&t);
    return rc;
}
