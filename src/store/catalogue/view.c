/* SPDX-License-Identifier: MIT */
/* One view per sweep: its own rows in the order of the plan, under the names a user knows. */
#include "store/catalogue/catalogue.h"
#include "store/catalogue/names.h"
#include "store/state.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define POINT "(s.first_point + (p.id - s.first_row))"

/* An alias can stand for several workloads or replicates of the plan, so these two come from
 * the point's number and not from the row. */
static void add_places(const msw_view_shape *shape, msw_text *out)
{
    uint64_t replicates = shape->replicates ? shape->replicates : 1;
    uint64_t per_workload = shape->points / (shape->workload_count ? shape->workload_count : 1);
    per_workload = per_workload ? per_workload : 1;
    msw_text_add(out, POINT " AS point, (" POINT " %% %" PRIu64 ") / %" PRIu64 " AS design_index, ",
                 per_workload, replicates);
    if (shape->workload_count == 1) {
        msw_text_add(out, "p.workload AS workload, ");
    } else {
        msw_text_add(out, "CASE " POINT " / %" PRIu64, per_workload);
        for (size_t i = 0; i < shape->workload_count; i++) {
            msw_text_add(out, " WHEN %zu THEN ", i);
            msw_text_add_sql_string(out, shape->workloads[i]);
        }
        msw_text_add(out, " END AS workload, ");
    }
    msw_text_add(out, "p.fidelity AS fidelity, " POINT " %% %" PRIu64 " AS replicate", replicates);
}

static void add_rows(const msw_view_shape *shape, const char *schema, const char *spans,
                     msw_text *out)
{
    msw_text_add(out, "SELECT ");
    add_places(shape, out);
    for (size_t i = 0; i < shape->count; i++) {
        msw_text_add(out, ", p.");
        msw_sql_add_column(out, shape->columns[i]);
        msw_text_add(out, " AS ");
        msw_sql_add_column(out, shape->columns[i]);
    }
    /* CROSS JOIN keeps the spans outside: rows then come in the order of the plan, unsorted. */
    msw_text_add(out,
                 ", p.id AS row_id FROM %s AS s CROSS JOIN %s%s AS p ON p.id BETWEEN "
                 "s.first_row AND s.first_row + s.point_count - 1 WHERE s.sweep = (SELECT id FROM "
                 "%smsw_sweep WHERE digest = ",
                 spans, schema, shape->table, schema);
    msw_text_add_sql_string(out, shape->digest);
    msw_text_add(out, ")");
}

/* Why a point of a sweep at fidelity auto ran in full, and its state. */
static void add_choices(const msw_view_shape *shape, const char *schema, msw_text *out)
{
    static const char *const NAMES[] = {"role", "round", "margin", "state"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        msw_text_add(out, i == 3 ? ", ifnull((" : ", (");
        msw_text_add(out, "SELECT c.%s FROM %smsw_choice AS c WHERE c.sweep = ", NAMES[i], schema);
        msw_text_add(out, "(SELECT id FROM %smsw_sweep WHERE digest = ", schema);
        msw_text_add_sql_string(out, shape->digest);
        msw_text_add(out, ") AND c.chosen = q.point)%s AS %s", i == 3 ? ", 'closed form')" : "",
                     NAMES[i]);
    }
}

void msw_view_print(const msw_view_shape *shape, const char *schema, const char *spans,
                    msw_text *out)
{
    if (!shape->derived_count && !shape->chosen) {
        add_rows(shape, schema, spans, out);
        return;
    }
    msw_text_add(out, "SELECT q.*");
    if (shape->chosen)
        add_choices(shape, schema, out);
    for (size_t i = 0; i < shape->derived_count; i++) {
        msw_text_add(out, ", (%s) AS ", shape->derived[i].text);
        msw_text_add_sql_name(out, shape->derived[i].name);
    }
    msw_text_add(out, " FROM (");
    add_rows(shape, schema, spans, out);
    msw_text_add(out, ") AS q");
}

static bool is_place(const msw_store_column *column)
{
    return column->role == MSW_ROLE_ENGINE &&
           (column->value == MSW_ENGINE_WORKLOAD || column->value == MSW_ENGINE_FIDELITY ||
            column->value == MSW_ENGINE_REPLICATE);
}

static void list_columns(const msw_store_columns *layout, msw_view_shape *shape)
{
    static const msw_role ORDER[] = {MSW_ROLE_PARAM, MSW_ROLE_METRIC, MSW_ROLE_HALF_WIDTH,
                                     MSW_ROLE_ENGINE};
    for (size_t role = 0; role < sizeof ORDER / sizeof *ORDER; role++)
        for (size_t i = 0; i < layout->count; i++)
            if (layout->columns[i].role == ORDER[role] && !is_place(&layout->columns[i]))
                shape->columns[shape->count++] = layout->columns[i].name;
}

void msw_view_select(const msw_plan *plan, const msw_store_columns *layout, msw_text *out)
{
    const char **workloads = calloc(plan->workload_count + 1, sizeof *workloads);
    msw_view_shape shape = {.table = layout->table,
                            .points = plan->points,
                            .replicates = plan->replicates,
                            .workload_count = plan->workload_count,
                            .workloads = workloads,
                            .columns = calloc(layout->count + 1, sizeof *shape.columns),
                            .derived_count = plan->view.derived_count,
                            .derived = plan->view.derived};
    if (workloads && shape.columns) {
        for (size_t i = 0; i < plan->workload_count; i++)
            workloads[i] = plan->workloads[i].name;
        msw_digest_text(plan->digest, shape.digest);
        list_columns(layout, &shape);
        msw_view_print(&shape, "", "msw_span", out);
    } else {
        out->failed = true;
    }
    free(workloads);
    free(shape.columns);
}

int msw_view_check_word(const char *name, msw_err *err)
{
    const char *taken = msw_sweep_name_taken(name);
    if (taken)
        return msw_fail(err,
                        "a sweep cannot be called '%s': names that start with %s belong to the "
                        "file's own tables",
                        name, taken);
    if (!*name || strpbrk(name, "@\"`[]") || strlen(name) > 200)
        return msw_fail(
            err, "a sweep cannot be called '%s': 1 to 200 characters, none of @ \" ` [ ]", name);
    return 0;
}

int msw_view_check_name(msw_store *store, const char *name, msw_err *err)
{
    if (msw_view_check_word(name, err))
        return -1;
    int64_t clashes = 0;
    if (msw_sql_integer(store,
                        "SELECT count(*) FROM main.sqlite_master WHERE lower(name) = lower(?1) AND "
                        "NOT (type = 'view' AND name = ?1 AND EXISTS(SELECT 1 FROM main.msw_sweep "
                        "WHERE name = ?1))",
                        name, &clashes, err))
        return -1;
    return clashes ? msw_fail(err,
                              "a sweep cannot be called '%s': the file has something else of that "
                              "name (SQL does not distinguish upper from lower case)",
                              name)
                   : 0;
}

/* The stored view is for other programs: what is written is made from checked names. Appends from
 * the name on. */
static int print_view(msw_store *store, const char *name, int64_t sweep, msw_text *sql,
                      msw_err *err)
{
    msw_view_shape shape;
    if (msw_view_shape_load(store, "main", sweep, &shape, err))
        return -1;
    msw_text_add_sql_name(sql, name);
    msw_text_add(sql, " AS ");
    msw_view_print(&shape, "", "msw_span", sql);
    msw_view_shape_free(&shape);
    return 0;
}

static int create_view(msw_store *store, const char *name, int64_t sweep, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "DROP VIEW IF EXISTS main.");
    msw_text_add_sql_name(&sql, name);
    msw_text_add(&sql, "; CREATE VIEW main.");
    if (print_view(store, name, sweep, &sql, err)) {
        msw_text_free(&sql);
        return -1;
    }
    if (msw_sql_exec_text(store, &sql, err) == 0)
        return 0;
    /* SQLite looks at what it drops. */
    if (store->rc == SQLITE_ERROR)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: the stored view \"%s\" cannot be replaced (%s): drop it with "
                             "sqlite3",
                             store->path, name, sqlite3_errmsg(store->db));
    return -1;
}

static int drop_view(msw_store *store, const char *name, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "DROP VIEW IF EXISTS main.");
    msw_text_add_sql_name(&sql, name);
    return msw_sql_exec_text(store, &sql, err);
}

/* NAME@FIDELITY or NAME@DIGEST: as it is called, made beside NAME (`always`), or dropped. */
static int create_other(msw_store *store, const msw_sweep_name *n, char *name, bool always,
                        msw_err *err)
{
    int result = 0;
    if (!name)
        return msw_fail_memory(err);
    if (always)
        result = create_view(store, name, n->id, err);
    else if (strcmp(name, n->called) != 0)
        result = drop_view(store, name, err);
    free(name);
    return result;
}

static int create_one(msw_store *store, const msw_names *names, const msw_sweep_name *n,
                      msw_err *err)
{
    bool both = n->best && n->head && msw_names_several(names, n->name);
    if (create_other(store, n, msw_strfmt("%s@%.8s", n->name, n->digest), false, err) ||
        create_view(store, n->called, n->id, err))
        return -1;
    return both ? create_other(store, n, msw_strfmt("%s@%s", n->name, n->fidelity), true, err) : 0;
}

static int create_all(msw_store *store, const msw_names *names, msw_err *err)
{
    for (size_t i = 0; i < names->count; i++)
        if (create_one(store, names, &names->list[i], err))
            return -1;
    return 0;
}

static int mark_current(msw_store *store, int64_t id, const char *name, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql,
                 "UPDATE main.msw_sweep SET is_current = (id = %" PRId64
                 "), checksum = msw_sum_swap(checksum, 'is_current', is_current, id = %" PRId64
                 ") WHERE name = ",
                 id, id);
    msw_text_add_sql_string(&sql, name);
    return msw_sql_exec_text(store, &sql, err);
}

/* `*name` gets what a query for number `id` gives, NULL: nothing. */
static int name_of(msw_store *store, const char *sql, int64_t id, char **name, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    *name = NULL;
    if (msw_sql_prepare(store, sql, &stmt, err))
        return -1;
    sqlite3_bind_int64(stmt, 1, id);
    int got = msw_sql_step(store, stmt, err);
    if (got > 0)
        *name = msw_strdup(msw_sql_text(stmt, 0));
    sqlite3_finalize(stmt);
    if (got > 0 && !*name)
        return msw_fail_memory(err);
    return got < 0 ? -1 : 0;
}

int msw_view_point(msw_store *store, int64_t id, msw_err *err)
{
    msw_names names = {0};
    char *name = NULL;
    int result = name_of(store, "SELECT name FROM main.msw_sweep WHERE id = ?1", id, &name, err);
    if (result == 0 && name) {
        result = mark_current(store, id, name, err);
        if (result == 0)
            result = msw_names_load(store, name, &names, err);
        if (result == 0)
            result = create_all(store, &names, err);
    }
    msw_names_free(&names);
    free(name);
    return result;
}

int msw_view_renew(msw_store *store, int64_t run, msw_err *err)
{
    msw_names names = {0};
    char *name = NULL;
    int result = name_of(store,
                         "SELECT s.name FROM main.msw_run AS r JOIN main.msw_sweep AS s ON s.id = "
                         "r.sweep WHERE r.id = ?1",
                         run, &name, err);
    if (result == 0 && name)
        result = msw_names_load(store, name, &names, err);
    if (result == 0 && name && msw_names_several(&names, name))
        result = create_all(store, &names, err);
    msw_names_free(&names);
    free(name);
    return result;
}

/* Whether a view is one of a sweep: it is called as that, or as that and more behind an @. */
static bool is_view_of(const char *view, const char *name)
{
    size_t size = strlen(name);
    return strncmp(view, name, size) == 0 && (!view[size] || view[size] == '@');
}

/* A name may have moved to another plan since the view was made (a run that was killed), so that of
 * any plan of the name will do. A sweep whose record cannot be read has no view to compare with. */
static int compare(msw_store *store, const msw_names *names, const char *view, const char *text,
                   bool *wrong, msw_err *err)
{
    static const char HEAD[] = "CREATE VIEW ";
    bool any = false, same = false;
    for (size_t i = 0; i < names->count && !same; i++) {
        msw_text sql = MSW_TEXT_EMPTY;
        if (!is_view_of(view, names->list[i].name))
            continue;
        msw_text_add(&sql, HEAD);
        bool made = print_view(store, view, names->list[i].id, &sql, NULL) == 0;
        any = any || made;
        same = made && strcmp(msw_text_str(&sql), text) == 0;
        bool failed = sql.failed;
        msw_text_free(&sql);
        if (failed)
            return msw_fail_memory(err);
    }
    *wrong = any && !same;
    return 0;
}

int msw_views_check(msw_store *store, const char *name,
                    void (*tell)(void *context, const char *view), void *context, msw_err *err)
{
    msw_names names;
    sqlite3_stmt *stmt = NULL;
    if (msw_names_load(store, name, &names, err))
        return -1;
    int got = msw_sql_prepare(
        store, "SELECT name, sql FROM main.sqlite_master WHERE type = 'view' ORDER BY name", &stmt,
        err);
    while (got >= 0 && (got = msw_sql_step(store, stmt, err)) > 0) {
        bool wrong = false;
        got = compare(store, &names, msw_sql_text(stmt, 0), msw_sql_text(stmt, 1), &wrong, err);
        if (got == 0 && wrong)
            tell(context, msw_sql_text(stmt, 0));
    }
    sqlite3_finalize(stmt);
    msw_names_free(&names);
    return got < 0 ? -1 : 0;
}
