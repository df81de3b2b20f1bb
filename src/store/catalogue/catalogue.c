/* SPDX-License-Identifier: MIT */
/* Reads and writes the catalogue of a file: its sweeps and columns. */
#include "store/catalogue/catalogue.h"
#include "store/catalogue/names.h"
#include "store/state.h"
#include "store/sum/sum.h"

#include "memsweep/base/quote.h"
#include "memsweep/sweep/versions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMN_VALUES                                                                              \
    " INTO msw_column(table_name, name, role, type, unit, kind, goal, minimum, maximum,"           \
    " default_value, doc, source, reference, neutral, checksum) VALUES(?1, ?2, ?3, ?4, ?5, ?6,"    \
    " ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, msw_sum_of('table_name', ?1, 'name', ?2, 'role', ?3,"   \
    " 'type', ?4, 'unit', ?5, 'kind', ?6, 'goal', ?7, 'minimum', ?8, 'maximum', ?9,"               \
    " 'default_value', ?10, 'doc', ?11, 'source', ?12, 'reference', ?13, 'neutral', ?14))"

#define SWEEP_INSERT                                                                               \
    "INSERT INTO msw_sweep(name, digest, is_current, mechanism, mechanism_version, fidelity,"      \
    " design, points, replicates, seed, objectives, versions, canonical, view_sql, created, id)"   \
    " VALUES(?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"                           \
    " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?14)"

static const char *goal_name(msw_goal goal)
{
    static const char *const NAMES[] = {"", "lower", "higher"};
    return NAMES[goal];
}

/* The text has to stay until the statement has run: a copy would need memory, and a NULL would
 * are there when there is none. */
static void bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
    sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

/* As rows hold it. */
static void bind_neutral(sqlite3_stmt *stmt, const msw_param *param)
{
    double neutral = msw_param_neutral(param);
    if (isnan(neutral))
        return;
    if (param->kind == MSW_CHOICE)
        bind_text(stmt, 14, param->choices[(size_t)neutral].name);
    else
        sqlite3_bind_double(stmt, 14, neutral);
}

static void bind_param(sqlite3_stmt *stmt, const msw_param *param, char text[MSW_PARAM_TEXT])
{
    bind_neutral(stmt, param);
    bind_text(stmt, 6, msw_kind_name(param->kind));
    bind_text(stmt, 10, msw_param_print(param, param->def, text));
    bind_text(stmt, 12, msw_source_name(param->source));
    bind_text(stmt, 13, param->reference);
    if (param->kind == MSW_CHOICE || param->kind == MSW_FLAG)
        return;
    sqlite3_bind_double(stmt, 8, param->min);
    sqlite3_bind_double(stmt, 9, param->max);
}

static void bind_metric(sqlite3_stmt *stmt, const msw_metric *metric)
{
    bind_text(stmt, 6, msw_metric_kind_name(metric->kind));
    bind_text(stmt, 7, goal_name(metric->goal));
    sqlite3_bind_double(stmt, 8, metric->min);
    sqlite3_bind_double(stmt, 9, metric->max);
}

static int put_column(msw_store *store, sqlite3_stmt *stmt, const char *table,
                      const msw_store_column *column, msw_err *err)
{
    static const char *const ROLES[] = {"engine",     "parameter", "metric",
                                        "half-width", "derived",   "detail"};
    char def[MSW_PARAM_TEXT];
    sqlite3_clear_bindings(stmt);
    bind_text(stmt, 1, table);
    bind_text(stmt, 2, column->name);
    bind_text(stmt, 3, ROLES[column->role]);
    bind_text(stmt, 4, column->type);
    bind_text(stmt, 5, column->unit);
    bind_text(stmt, 11, column->doc);
    if (column->param)
        bind_param(stmt, column->param, def);
    else if (column->role == MSW_ROLE_METRIC)
        bind_metric(stmt, column->metric);
    return msw_sql_run(store, stmt, err);
}

/* Derived columns belong to one sweep, so their place is its digest. */
static int put_derived(msw_store *store, sqlite3_stmt *stmt, const msw_plan *plan, msw_err *err)
{
    char digest[MSW_DIGEST_TEXT];
    msw_digest_text(plan->digest, digest);
    for (size_t i = 0; i < plan->view.derived_count; i++) {
        msw_store_column column = {.role = MSW_ROLE_DERIVED,
                                   .name = plan->view.derived[i].name,
                                   .type = "",
                                   .unit =
                                       plan->view.derived[i].unit ? plan->view.derived[i].unit : "",
                                   .doc = plan->view.derived[i].text};
        if (put_column(store, stmt, digest, &column, err))
            return -1;
    }
    return 0;
}

static int put_details(msw_store *store, sqlite3_stmt *stmt, const msw_mech *mech, msw_err *err)
{
    for (const msw_detail *detail = mech->details; detail && detail->name; detail++) {
        char *table = msw_strfmt("detail_%s_%s", mech->name, detail->name);
        if (!table)
            return msw_fail_memory(err);
        int result = 0;
        for (size_t i = 0; detail->columns[i] && result == 0; i++) {
            char *name = msw_strdup(detail->columns[i]);
            msw_store_column column = {.role = MSW_ROLE_DETAIL,
                                       .name = name,
                                       .type = "REAL",
                                       .unit = detail->units[i],
                                       .doc = detail->doc};
            result = name ? put_column(store, stmt, table, &column, err) : msw_fail_memory(err);
            free(name);
        }
        free(table);
        if (result)
            return -1;
    }
    return 0;
}

static int put_columns(msw_store *store, sqlite3_stmt *stmt, const msw_plan *plan,
                       const msw_store_columns *layout, msw_err *err)
{
    for (size_t i = 0; i < layout->count; i++)
        if (put_column(store, stmt, layout->table, &layout->columns[i], err))
            return -1;
    for (const msw_store_column *column = msw_view_columns; column->name; column++)
        if (put_column(store, stmt, "view", column, err))
            return -1;
    const msw_store_column *choices = plan->part == MSW_PART_AUTO ? msw_choice_columns : NULL;
    for (; choices && choices->name; choices++)
        if (put_column(store, stmt, "view", choices, err))
            return -1;
    MSW_TRY(put_derived(store, stmt, plan, err));
    return put_details(store, stmt, plan->mech, err);
}

/* Explains every column of a plan; what is known already is renewed only when `fresh`. */
static int explain_columns(msw_store *store, const msw_plan *plan, const msw_store_columns *layout,
                           bool fresh, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    if (msw_catalogue_mend(store, layout, err))
        return -1;
    /* A sweep that is there already must not dirty the file when nothing is new. */
    if (msw_sql_prepare(
            store, fresh ? "INSERT OR REPLACE" COLUMN_VALUES : "INSERT OR IGNORE" COLUMN_VALUES,
            &stmt, err))
        return -1;
    int result = put_columns(store, stmt, plan, layout, err);
    sqlite3_finalize(stmt);
    return result;
}

static void add_objectives(const msw_plan *plan, msw_text *out)
{
    msw_text_add(out, "[");
    for (size_t i = 0; i < plan->view.objective_count; i++) {
        msw_text_add(out, "%s{\"name\": ", i ? ", " : "");
        msw_text_add_json(out, plan->view.objectives[i].name);
        msw_text_add(out, ", \"goal\": ");
        msw_text_add_json(out, goal_name(plan->view.objectives[i].goal));
        msw_text_add(out, "}");
    }
    msw_text_add(out, "]");
}

static void bind_plan(sqlite3_stmt *stmt, const msw_plan *plan, char digest[MSW_DIGEST_TEXT])
{
    bind_text(stmt, 1, plan->name);
    bind_text(stmt, 2, msw_digest_text(plan->digest, digest));
    bind_text(stmt, 3, plan->mech->name);
    sqlite3_bind_int(stmt, 4, msw_mech_version(plan->mech, plan->fidelity));
    bind_text(stmt, 5, msw_plan_fidelity(plan));
    bind_text(stmt, 6, plan->design.kind->name);
    sqlite3_bind_int64(stmt, 7, (sqlite3_int64)plan->points);
    sqlite3_bind_int64(stmt, 8, (sqlite3_int64)plan->replicates);
    sqlite3_bind_int64(stmt, 9, (sqlite3_int64)plan->seed);
    bind_text(stmt, 12, plan->canonical);
}

/* A sweep whose record was damaged comes with its id and gets it again, so that rows which refer to
 * it stay valid. */
static int insert_sweep(msw_store *store, const msw_plan *plan, const msw_store_columns *layout,
                        int64_t *id, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char digest[MSW_DIGEST_TEXT];
    msw_text objectives = MSW_TEXT_EMPTY, versions = MSW_TEXT_EMPTY, view = MSW_TEXT_EMPTY;
    add_objectives(plan, &objectives);
    msw_plan_versions(plan, &versions);
    msw_view_select(plan, layout, &view);
    int result = objectives.failed || versions.failed || view.failed
                     ? msw_fail_memory(err)
                     : msw_sql_prepare(store, SWEEP_INSERT, &stmt, err);
    if (result == 0) {
        bind_plan(stmt, plan, digest);
        bind_text(stmt, 10, msw_text_str(&objectives));
        bind_text(stmt, 11, msw_text_str(&versions));
        bind_text(stmt, 13, msw_text_str(&view));
        if (*id)
            sqlite3_bind_int64(stmt, 14, *id);
        result = msw_sql_run(store, stmt, err);
        *id = sqlite3_last_insert_rowid(store->db);
        if (result == 0)
            result = msw_sum_seal(store, "msw_sweep", *id, err);
    }
    sqlite3_finalize(stmt);
    msw_text_free(&objectives);
    msw_text_free(&versions);
    msw_text_free(&view);
    return result;
}

/* `*shown`: it is what its bare name shows, and the view for other programs is there. */
static int find_sweep(msw_store *store, const msw_plan *plan, int64_t *id, int64_t *shown,
                      msw_err *err)
{
    char digest[MSW_DIGEST_TEXT];
    msw_digest_text(plan->digest, digest);
    MSW_TRY(msw_sql_integer(store, "SELECT id FROM msw_sweep WHERE digest = ?1", digest, id, err));
    return msw_sql_integer(store,
                           "SELECT is_current AND EXISTS(SELECT 1 FROM sqlite_master WHERE "
                           "type = 'view' AND name = s.name) AND (NOT EXISTS(SELECT 1 FROM "
                           "msw_sweep WHERE name = s.name AND fidelity <> s.fidelity) OR "
                           "EXISTS(SELECT 1 FROM sqlite_master WHERE type = 'view' AND name "
                           "= s.name || '@' || s.fidelity)) FROM msw_sweep AS s WHERE "
                           "digest = ?1",
                           digest, shown, err);
}

int msw_choices_make(msw_store *store, msw_err *err)
{
    int64_t there = 0;
    MSW_TRY(msw_sql_integer(store, MSW_CHOICES_THERE("main"), NULL, &there, err));
    MSW_TRY(!there && msw_sql_exec(store, msw_schema_choice_table, err));
    return 0;
}

int msw_attempts_make(msw_store *store, msw_err *err)
{
    int64_t there = 0;
    MSW_TRY(msw_sql_integer(store, MSW_ATTEMPTS_THERE("main"), NULL, &there, err));
    MSW_TRY(!there && msw_sql_exec(store, msw_schema_attempt_table, err));
    return 0;
}

int msw_inputs_make(msw_store *store, msw_err *err)
{
    int64_t there = 0;
    MSW_TRY(msw_sql_integer(store, MSW_INPUTS_THERE("main"), NULL, &there, err));
    MSW_TRY(!there && msw_sql_exec(store, msw_schema_input_table, err));
    MSW_TRY(!there && msw_sql_exec(store, msw_schema_source_table, err));
    return 0;
}

static void note_wrong(void *context, const char *view)
{
    (void)view;
    *(bool *)context = true;
}

static int add_sweep(msw_store *store, const msw_plan *plan, const msw_store_columns *layout,
                     int64_t *id, msw_err *err)
{
    int64_t shown = 0;
    bool damaged = false, wrong = false;
    *id = 0;
    if (find_sweep(store, plan, id, &shown, err) ||
        (*id && msw_catalogue_drop_damaged(store, *id, &damaged, err)))
        return -1;
    bool fresh = *id == 0 || damaged;
    shown = damaged ? 0 : shown;
    if ((fresh && !damaged && msw_view_check_name(store, plan->name, err)) ||
        msw_tables_ensure(store, plan, layout, err) ||
        (plan->part == MSW_PART_AUTO && msw_choices_make(store, err)) ||
        (plan->program && msw_attempts_make(store, err)) ||
        explain_columns(store, plan, layout, fresh, err) ||
        (fresh && insert_sweep(store, plan, layout, id, err)) ||
        msw_errors_keep(store, plan, *id, err))
        return -1;
    MSW_TRY(shown && msw_views_check(store, plan->name, note_wrong, &wrong, err));
    return shown && !wrong ? 0 : msw_view_point(store, *id, err);
}

int msw_store_check_size(const msw_plan *plan, msw_err *err)
{
    if (plan->points <= MSW_STORE_POINTS_MAX)
        return 0;
    return msw_fail(err,
                    "sweep %s: %" PRIu64 " points, at most %" PRIu32
                    " are possible in a file; take fewer levels, draw points with random, lhs or "
                    "sobol, or cut the sweep into several",
                    plan->name, plan->points, MSW_STORE_POINTS_MAX);
}

int msw_store_add_sweep(msw_store *store, const msw_plan *plan, int64_t *sweep_id, msw_err *err)
{
    msw_store_columns layout;
    if (msw_store_check_size(plan, err) || msw_store_columns_init(&layout, plan, err))
        return -1;
    int result = msw_sql_begin(store, err);
    if (result == 0)
        result = msw_sql_end(store, add_sweep(store, plan, &layout, sweep_id, err), err);
    msw_store_columns_free(&layout);
    return result;
}
