/* SPDX-License-Identifier: MIT */
/* The shape of a stored sweep's view. Which columns it shows is in the text of the stored view
 * alone (a later version widens the table, not the sweep): their names are picked out of it, and no
 * other word of that text is used. */
#include "store/state.h"

#include "memsweep/base/vec.h"
#include "memsweep/sweep/keep.h"
#include "memsweep/sweep/recorded.h"
#include "store/catalogue/catalogue.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What a shape that was read owns. */
typedef struct owned {
    msw_recorded recorded;
    msw_expr_name *names; /* columns, for the checks of expressions */
} owned;

/* ---- columns ---- */

static size_t skip_quoted(const char *s)
{
    const char *end = strchr(s + 1, *s);
    return end ? (size_t)(end - s) + 1 : strlen(s);
}

/* Reads ", p.NAME AS " at `s`. Returns its size, or 0. */
static size_t column_at(const char *s, const char **name, size_t *size)
{
    static const char HEAD[] = ", p.";
    if (strncmp(s, HEAD, strlen(HEAD)) != 0)
        return 0;
    bool quoted = s[strlen(HEAD)] == '"';
    *name = s + strlen(HEAD) + quoted;
    *size = strcspn(*name, "\" ,");
    const char *behind = *name + *size + quoted;
    return strncmp(behind, " AS ", 4) == 0 ? (size_t)(behind - s) : 0;
}

static bool is_listed(const msw_view_shape *shape, const char *name)
{
    for (size_t i = 0; i < shape->count; i++)
        if (strcmp(shape->columns[i], name) == 0)
            return true;
    return false;
}

static int keep_column(msw_view_shape *shape, char *name, msw_err *err)
{
    MSW_TRY(msw_vec_extend(&shape->columns, shape->count, sizeof *shape->columns, err));
    shape->columns[shape->count++] = name;
    return 0;
}

/* Takes a name the view shows: it has to be one the table declares. */
static int add_column(msw_view_shape *shape, const msw_declared *table, const char *start,
                      size_t size, msw_err *err)
{
    static const char *const PLACES[] = {"id", "workload", "fidelity", "replicate"};
    char *name = msw_strfmt("%.*s", (int)size, start);
    if (!name)
        return msw_fail_memory(err);
    const msw_declared_column *known = msw_declared_find(table, name);
    bool place = is_listed(shape, name);
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
        place = place || strcmp(name, PLACES[i]) == 0;
    int result = 0;
    if (!known || strcmp(known->name, name) != 0)
        result = msw_fail_kind(err, MSW_ERR_IO,
                               "its view shows a column '%.60s' that table %s has "
                               "not: the file was changed by another program",
                               name, table->table);
    else if (!place && (result = keep_column(shape, name, err)) == 0)
        return 0;
    free(name);
    return result;
}

/* A view that was stored before there was a later column does not list it; its table may have it.
 */
static int add_later(msw_view_shape *shape, const msw_declared *table, const msw_recorded *recorded,
                     msw_err *err)
{
    for (const msw_store_column *c = msw_engine_columns; c->name; c++) {
        const char *type = msw_later_column(c->name);
        const msw_declared_column *known = type ? msw_declared_find(table, c->name) : NULL;
        if (!known || strcmp(known->name, c->name) != 0 || strcmp(known->type, type) != 0)
            continue;
        bool taken = false;
        for (size_t i = 0; i < recorded->derived_count; i++)
            taken = taken || strcasecmp(recorded->derived[i].name, c->name) == 0;
        if (!taken && add_column(shape, table, c->name, strlen(c->name), err))
            return -1;
    }
    return 0;
}

static int pick_columns(msw_view_shape *shape, const msw_declared *table, const char *view,
                        msw_err *err)
{
    const char *name;
    size_t size;
    while (*view) {
        size_t step = column_at(view, &name, &size);
        if (step && add_column(shape, table, name, size, err))
            return -1;
        if (!step)
            step = *view == '\'' || *view == '"' ? skip_quoted(view) : 1;
        view += step;
    }
    return is_listed(shape, "status")
               ? 0
               : msw_fail_kind(err, MSW_ERR_IO,
                               "the text of its view is not one that memsweep writes: the file was "
                               "changed by another program");
}

/* ---- derived columns ---- */

static bool is_engine(const char *name)
{
    for (const msw_store_column *column = msw_engine_columns; column->name; column++)
        if (strcmp(column->name, name) == 0)
            return true;
    return false;
}

static msw_expr_type type_of(const char *type)
{
    if (strcmp(type, "REAL") == 0)
        return MSW_EXPR_REAL;
    return strcmp(type, "INTEGER") == 0 ? MSW_EXPR_INTEGER : MSW_EXPR_TEXT;
}

static int list_names(const msw_view_shape *shape, const msw_declared *table, owned *o,
                      size_t *count, msw_err *err)
{
    o->names = calloc(shape->count + 1, sizeof *o->names);
    if (!o->names)
        return msw_fail_memory(err);
    *count = 0;
    for (size_t i = 0; i < shape->count; i++)
        if (!is_engine(shape->columns[i]))
            o->names[(*count)++] = (msw_expr_name){
                shape->columns[i], type_of(msw_declared_find(table, shape->columns[i])->type)};
    return 0;
}

static int check_derived(msw_expr_host *host, msw_derived *derived, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    char *checked = NULL;
    int result = msw_name_is_plain(derived->name)
                     ? msw_expr_check_spliced(host, derived->text, &sql, err)
                     : msw_fail(err, "'%.60s' is no name", derived->name);
    if (result == 0 && (sql.failed || !(checked = msw_strdup(msw_text_str(&sql)))))
        result = msw_fail_memory(err);
    if (result == 0) {
        free(derived->text);
        derived->text = checked;
    }
    msw_text_free(&sql);
    return result ? msw_fail_prefix(err,
                                    "its derived column %.60s, as the file has it: ", derived->name)
                  : 0;
}

/* Every expression passes through the reader that checks those of sweep files. */
static int check_all_derived(const msw_view_shape *shape, const msw_declared *table, owned *o,
                             msw_err *err)
{
    msw_expr_host *host = NULL;
    size_t count = 0;
    if (!o->recorded.derived_count)
        return 0;
    if (list_names(shape, table, o, &count, err) || msw_expr_host_new(o->names, count, &host, err))
        return -1;
    int result = 0;
    for (size_t i = 0; i < o->recorded.derived_count && result == 0; i++)
        result = check_derived(host, &o->recorded.derived[i], err);
    msw_expr_host_free(host);
    return result;
}

/* ---- one sweep ---- */

static int read_table(msw_store *store, const char *schema, const char *name, msw_declared *table,
                      msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    char *sql =
        msw_strfmt("SELECT sql FROM %s.sqlite_master WHERE type = 'table' AND name = ?1", schema);
    int got = sql ? msw_sql_prepare(store, sql, &stmt, err) : msw_fail_memory(err);
    free(sql);
    if (got == 0) {
        sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
        got = msw_sql_step(store, stmt, err);
    }
    int result = got > 0    ? msw_declared_read(msw_sql_text(stmt, 0), table, err)
                 : got == 0 ? msw_fail_kind(err, MSW_ERR_IO, "there is no table %s", name)
                            : -1;
    sqlite3_finalize(stmt);
    return result;
}

/* The row comes from a file that anybody may have written: a name or a digest becomes part of a
 * statement only after it was checked to be plain. */
static int fill(msw_store *store, const char *schema, sqlite3_stmt *row, msw_view_shape *shape,
                msw_err *err)
{
    owned *o = shape->owned = calloc(1, sizeof *o);
    msw_declared table = {0};
    shape->table = msw_strfmt("points_%s", msw_sql_text(row, 0));
    if (!o || !shape->table)
        return msw_fail_memory(err);
    msw_text_fit(shape->digest, sizeof shape->digest, msw_sql_text(row, 1));
    shape->points = (uint64_t)sqlite3_column_int64(row, 2);
    shape->replicates = (uint64_t)sqlite3_column_int64(row, 3);
    shape->analytic = strcmp(msw_sql_text(row, 7), "analytic") == 0 ||
                      strcmp(msw_sql_text(row, 7), "auto-analytic") == 0;
    int64_t choices = 0;
    if (strcmp(msw_sql_text(row, 7), "auto") == 0 && strcmp(schema, "main") == 0 &&
        msw_sql_integer(store, MSW_CHOICES_THERE("main"), NULL, &choices, err))
        return -1;
    shape->chosen = choices > 0;
    int result = !msw_name_is_plain(shape->table) || strspn(shape->digest, "0123456789abcdef") != 32
                     ? msw_fail_kind(err, MSW_ERR_IO, "its mechanism or digest is not valid")
                     : 0;
    if (result == 0)
        result = read_table(store, schema, shape->table, &table, err) ||
                 pick_columns(shape, &table, msw_sql_text(row, 5), err) ||
                 msw_recorded_read(msw_sql_text(row, 4), &o->recorded, err) ||
                 add_later(shape, &table, &o->recorded, err) ||
                 check_all_derived(shape, &table, o, err);
    msw_declared_free(&table);
    shape->workload_count = o->recorded.workload_count;
    shape->workloads = (const char *const *)o->recorded.workloads;
    shape->derived_count = o->recorded.derived_count;
    shape->derived = o->recorded.derived;
    return result;
}

/* Metrics that the rows of a sweep do not hold are no columns of it. */
static void drop_metrics(const char *canonical, msw_view_shape *shape)
{
    bool some = strstr(canonical, "\nkeep: {") != NULL;
    const msw_mech *mech = some ? msw_mech_find(shape->table + strlen("points_")) : NULL;
    size_t kept = 0;
    if (!mech)
        return;
    for (size_t i = 0; i < shape->count; i++) {
        char *name = shape->columns[i];
        size_t size = strlen(name), whole = size;
        if (size > 3 && strcmp(name + size - 3, "_hw") == 0)
            whole = size - 3;
        bool metric = false;
        for (const msw_metric *m = mech->metrics; m->name && !metric; m++)
            metric = strlen(m->name) == whole && strncmp(m->name, name, whole) == 0;
        if (metric && !msw_keep_has_metric(canonical, name, whole))
            free(name);
        else
            shape->columns[kept++] = name;
    }
    shape->count = kept;
}

int msw_view_shape_load(msw_store *store, const char *schema, int64_t sweep, msw_view_shape *shape,
                        msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    *shape = (msw_view_shape){.sweep = sweep};
    char *sql = msw_strfmt("SELECT mechanism, digest, points, replicates, canonical, view_sql, "
                           "name, fidelity FROM %s.msw_sweep WHERE id = ?1",
                           schema);
    int got = sql ? msw_sql_prepare(store, sql, &stmt, err) : msw_fail_memory(err);
    free(sql);
    if (got == 0) {
        sqlite3_bind_int64(stmt, 1, sweep);
        got = msw_sql_step(store, stmt, err);
    }
    msw_keep_text kept = msw_keep_of_text(got > 0 ? msw_sql_text(stmt, 4) : NULL);
    shape->keeps_some = kept.chosen;
    shape->draw = kept.draw;
    int result = got > 0    ? fill(store, schema, stmt, shape, err)
                 : got == 0 ? msw_fail_kind(err, MSW_ERR_IO, "there is no such sweep")
                            : -1;
    if (result == 0)
        drop_metrics(msw_sql_text(stmt, 4), shape);
    if (result) {
        if (got > 0 && err && err->kind != MSW_ERR_INTERNAL)
            err->kind = MSW_ERR_IO; /* the file is wrong, not the user */
        msw_fail_prefix(err, "sweep '%s': ", got > 0 ? msw_sql_text(stmt, 6) : "");
        if (strcmp(schema, "main") == 0)
            msw_fail_prefix(err, "%s: ", store->path);
        msw_view_shape_free(shape);
    }
    sqlite3_finalize(stmt);
    return result ? -1 : 0;
}

void msw_view_shape_free(msw_view_shape *shape)
{
    owned *o = shape->owned;
    if (o) {
        msw_recorded_free(&o->recorded);
        free(o->names);
    }
    for (size_t i = 0; i < shape->count; i++)
        free(shape->columns[i]);
    free(shape->columns);
    free(shape->table);
    free(o);
    *shape = (msw_view_shape){0};
}
