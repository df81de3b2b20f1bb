/* SPDX-License-Identifier: MIT */
/* The views our own commands read from: temporary ones, made afresh from checked names. They hide
 * stored views of the same name, which are never run. */
#include "store/catalogue/catalogue.h"
#include "store/catalogue/names.h"
#include "store/state.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/vec.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/stated.h"
#include "memsweep/sweep/keep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void msw_made_views_free(msw_made_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        free(views->list[i].name);
        free(views->list[i].digest);
    }
    free(views->list);
    *views = (msw_made_views){0};
}

static msw_made_view *find_made(msw_made_views *views, const char *name)
{
    for (size_t i = 0; i < views->count; i++)
        if (strcmp(views->list[i].name, name) == 0)
            return &views->list[i];
    return NULL;
}

/* Remembers that a view is made, or made of another sweep now. */
static int remember(msw_made_views *views, const char *name, const char *digest, msw_err *err)
{
    msw_made_view *view = find_made(views, name);
    char *copy = msw_strdup(digest), *called = view ? NULL : msw_strdup(name);
    if (!copy || (!view && !called) ||
        msw_vec_extend(&views->list, views->count, sizeof *views->list, NULL)) {
        free(copy);
        free(called);
        return msw_fail_memory(err);
    }
    view = find_made(views, name);
    if (view)
        free(view->digest);
    else
        views->list[views->count++].name = called;
    find_made(views, name)->digest = copy;
    return 0;
}

static void add_view(msw_text *sql, const char *name)
{
    msw_text_add(sql, "DROP VIEW IF EXISTS temp.");
    msw_text_add_sql_name(sql, name);
    msw_text_add(sql, "; CREATE TEMP VIEW ");
    msw_text_add_sql_name(sql, name);
    msw_text_add(sql, " AS ");
}

/* ---- rows outside what their mechanism states ---- */

static bool shows(const msw_view_shape *shape, const char *name)
{
    bool found = strcmp(name, "workload") == 0;
    for (size_t i = 0; i < shape->count; i++)
        found = found || strcmp(shape->columns[i], name) == 0;
    return found;
}

static bool is_derived(const msw_view_shape *shape, const char *name)
{
    for (size_t i = 0; i < shape->derived_count; i++)
        if (strcmp(shape->derived[i].name, name) == 0)
            return true;
    return false;
}

/* A file of an older version need not have every parameter of today's statements, and a sweep may
 * have a derived column of this name: then nothing is said. */
static bool can_say(const msw_view_shape *shape, const msw_mech *mech)
{
    for (const msw_param *p = mech->params; p->name; p++)
        if (!shows(shape, p->name))
            return false;
    return !shows(shape, MSW_STATED_COLUMN) && !is_derived(shape, MSW_STATED_COLUMN);
}

/* The condition is the record's, never text of the file. Other fidelities need none. */
static int add_stated(const msw_view_shape *shape, msw_text *sql, msw_err *err)
{
    static const char TABLE[] = "points_";
    const msw_mech *mech = msw_mech_find(shape->table + strlen(TABLE));
    msw_text condition = MSW_TEXT_EMPTY;
    int result = 0;
    if (shape->analytic && mech && can_say(shape, mech))
        result = msw_stated_all(mech, &condition, err);
    if (result == 0 && condition.size)
        msw_text_add(sql, ", (%s) AS " MSW_STATED_COLUMN, msw_text_str(&condition));
    sql->failed = sql->failed || condition.failed;
    msw_text_free(&condition);
    return result;
}

/* ---- which resource a row came nearest to ---- */

/* The name of the largest bound, without its prefix; NULL where a row has none. */
static void add_resource(const msw_view_shape *shape, msw_text *sql)
{
    static const char TABLE[] = "points_";
    const msw_mech *mech = msw_mech_find(shape->table + strlen(TABLE));
    msw_text list = MSW_TEXT_EMPTY, cases = MSW_TEXT_EMPTY;
    bool all = mech && mech->bounds && !shows(shape, MSW_BOUND_RESOURCE) &&
               !is_derived(shape, MSW_BOUND_RESOURCE);
    for (const msw_metric *m = mech ? mech->metrics : NULL; all && m->name; m++) {
        if (!m->least)
            continue;
        all = shows(shape, m->name);
        msw_text_add(&list, ", %s", m->name);
        msw_text_add(&cases, " WHEN %s THEN ", m->name);
        msw_text_add_sql_string(&cases, m->name + strlen(MSW_LEAST_PREFIX));
    }
    if (all)
        msw_text_add(sql, ", CASE nullif(max(0%s), 0)%s END AS " MSW_BOUND_RESOURCE,
                     msw_text_str(&list), msw_text_str(&cases));
    sql->failed = sql->failed || list.failed;
    msw_text_free(&list);
    sql->failed = sql->failed || cases.failed;
    msw_text_free(&cases);
}

/* A table from before there were doubts says nothing of its rows. */
static void add_no_doubt(const msw_view_shape *shape, msw_text *sql)
{
    if (!shows(shape, MSW_DOUBT_NAME) && !is_derived(shape, MSW_DOUBT_NAME))
        msw_text_add(sql, ", NULL AS " MSW_DOUBT_NAME);
}

/* Whether a row is of the sample of a sweep that keeps some of its rows. */
static void add_sampled(const msw_view_shape *shape, msw_text *sql)
{
    if (shape->keeps_some && !shows(shape, MSW_SAMPLED_COLUMN) &&
        !is_derived(shape, MSW_SAMPLED_COLUMN))
        msw_text_add(sql,
                     ", msw_sampled(point, %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64
                     ") AS " MSW_SAMPLED_COLUMN,
                     shape->draw.seed, shape->points, shape->draw.sample, shape->draw.together);
}

int msw_view_add_said(msw_store *store, const msw_view_shape *shape, msw_text *sql, msw_err *err)
{
    add_no_doubt(shape, sql);
    add_resource(shape, sql);
    add_sampled(shape, sql);
    MSW_TRY(add_stated(shape, sql, err));
    return msw_errors_add_columns(store, shape, sql, err);
}

/* ---- the views ---- */

/* Two views, the inner one called `name@`: tables of the file are then never read in the name of a
 * view that the file may hold, by which users_sql.c distinguishes ours from a stored one. */
static int create(msw_store *store, const char *name, const msw_view_shape *shape, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    char *inner = msw_strfmt("%s@", name);
    if (!inner)
        return msw_fail_memory(err);
    add_view(&sql, inner);
    msw_view_print(shape, "main.", "main.msw_span", &sql);
    msw_text_add(&sql, "; ");
    add_view(&sql, name);
    msw_text_add(&sql, "SELECT *");
    int result = msw_view_add_said(store, shape, &sql, err);
    msw_text_add(&sql, " FROM temp.");
    msw_text_add_sql_name(&sql, inner);
    free(inner);
    if (result == 0)
        return msw_sql_exec_text(store, &sql, err);
    msw_text_free(&sql);
    return -1;
}

static int make(msw_store *store, const char *name, const char *digest, int64_t sweep, msw_err *err)
{
    const msw_made_view *made = find_made(&store->views, name);
    msw_view_shape shape;
    if (made && strcmp(made->digest, digest) == 0)
        return 0;
    if (msw_view_check_word(name, NULL) && !strchr(name, '@'))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: no sweep can be called '%s'", store->path, name);
    if (msw_view_shape_load(store, "main", sweep, &shape, err))
        return -1;
    int result = create(store, name, &shape, err);
    if (result == 0)
        result = remember(&store->views, name, digest, err);
    msw_view_shape_free(&shape);
    return result;
}

int msw_view_make(msw_store *store, const msw_sweep_name *sweep, msw_err *err)
{
    return make(store, sweep->called, sweep->digest, sweep->id, err);
}

/* What another try, or more room, would mend. What is wrong with one sweep of the file leaves the
 * others readable. */
static bool is_passing(const msw_store *store, const msw_err *why)
{
    switch (store->rc) {
    case SQLITE_IOERR:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_CANTOPEN:
    case SQLITE_PROTOCOL:
        return true;
    default:
        return msw_err_is_memory(why);
    }
}

/* Whether a statement has a name in it, in any case. A quote in a name may be written in two ways.
 */
static bool is_named(const char *sql, const char *name)
{
    size_t size = strlen(name);
    if (!sql || strchr(name, '\''))
        return true;
    for (; *sql; sql++)
        if (strncasecmp(sql, name, size) == 0)
            return true;
    return false;
}

/* Makes a view where it can be made. Returns 0, or -1 for what passes. */
static int make_if_sound(msw_store *store, const char *name, const msw_sweep_name *n, msw_err *err)
{
    msw_err why = {0};
    store->rc = SQLITE_OK;
    if (make(store, name, n->digest, n->id, &why) == 0 || !is_passing(store, &why))
        return 0;
    *err = why;
    return -1;
}

/* The same of another name, which it frees, where a statement has it. */
static int make_as(msw_store *store, const char *sql, const msw_sweep_name *n, char *alias,
                   msw_err *err)
{
    int result = !alias                 ? msw_fail_memory(err)
                 : is_named(sql, alias) ? make_if_sound(store, alias, n, err)
                                        : 0;
    free(alias);
    return result;
}

/* Its other names: NAME@fidelity of the one that NAME means, and the digits of its digest. */
static int make_aliases(msw_store *store, const char *sql, const msw_sweep_name *n, msw_err *err)
{
    if (n->best && n->head &&
        make_as(store, sql, n, msw_strfmt("%s@%s", n->name, n->fidelity), err))
        return -1;
    return n->head ? make_as(store, sql, n, msw_strfmt("%s@%.8s", n->name, n->digest), err) : 0;
}

/* A sweep is called as its name, or as that and more. */
static int make_named(msw_store *store, const char *sql, const msw_sweep_name *n, msw_err *err)
{
    if (!is_named(sql, n->name))
        return 0;
    MSW_TRY(is_named(sql, n->called) && make_if_sound(store, n->called, n, err));
    MSW_TRY(make_aliases(store, sql, n, err));
    return 0;
}

int msw_view_make_named(msw_store *store, const char *sql, msw_err *err)
{
    msw_names names;
    if (msw_names_load(store, NULL, &names, err))
        return -1;
    int result = 0;
    for (size_t i = 0; result == 0 && i < names.count; i++)
        result = make_named(store, sql, &names.list[i], err);
    msw_names_free(&names);
    return result;
}
