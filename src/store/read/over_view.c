/* SPDX-License-Identifier: MIT */
/* The view of a sweep over its workloads: one row per design (and replicate), made of the rows of
 * its workloads. A design has a value only where every workload has one: its worst case, or its
 * mean, would else be one of other workloads than its neighbours'. */
#include "store/read/view.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/stated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECIDED_BY "decided_by"

typedef struct printer {
    const msw_over *over;
    const msw_view *base;
    const msw_objective *objectives;
    size_t objective_count, workloads; /* that a whole row is made of */
    char *weight;                      /* an expression */
    msw_text *sql;
} printer;

static bool has_column(const msw_view *view, const char *name)
{
    for (size_t i = 0; i < view->count; i++)
        if (strcmp(view->columns[i].name, name) == 0)
            return true;
    return false;
}

static bool ends_with(const char *name, const char *end)
{
    size_t size = strlen(name), tail = strlen(end);
    return size > tail && strcmp(name + size - tail, end) == 0;
}

/* The goal that a sweep sets for a column overrides the one of its mechanism. */
static msw_goal goal_of(const printer *p, const msw_view_column *column)
{
    for (size_t i = 0; i < p->objective_count; i++)
        if (strcmp(p->objectives[i].name, column->name) == 0)
            return p->objectives[i].goal;
    return column->goal;
}

/* ---- one column ---- */

/* The value all workloads agree on. */
static void add_agreed(const printer *p, const char *name)
{
    msw_text_add(p->sql, "CASE WHEN min(");
    msw_sql_add_column(p->sql, name);
    msw_text_add(p->sql, ") = max(");
    msw_sql_add_column(p->sql, name);
    msw_text_add(p->sql, ") AND count(");
    msw_sql_add_column(p->sql, name);
    msw_text_add(p->sql, ") = count(*) THEN min(");
    msw_sql_add_column(p->sql, name);
    msw_text_add(p->sql, ") END");
}

static void open_case(const printer *p, const char *name)
{
    msw_text_add(p->sql, "CASE WHEN count(");
    msw_sql_add_column(p->sql, name);
    msw_text_add(p->sql, ") = %zu THEN ", p->workloads);
}

static void add_worst(const printer *p, const msw_view_column *column, msw_goal goal)
{
    open_case(p, column->name);
    msw_text_add(p->sql, "%s(", goal == MSW_GOAL_HIGHER ? "min" : "max");
    msw_sql_add_column(p->sql, column->name);
    msw_text_add(p->sql, ") END");
}

static void add_mean(const printer *p, const msw_view_column *column)
{
    open_case(p, column->name);
    msw_text_add(p->sql, "%s(", p->over->by == MSW_BY_GEOMEAN ? "msw_geomean" : "msw_mean");
    msw_sql_add_column(p->sql, column->name);
    msw_text_add(p->sql, ", 0, %s) END", p->weight);
}

/* A column that is no number has no mean. */
static void add_value(const printer *p, const msw_view_column *column)
{
    msw_goal goal = goal_of(p, column);
    bool text = column->type == MSW_EXPR_TEXT || strcmp(column->name, MSW_BOUND_RESOURCE) == 0 ||
                strcmp(column->name, MSW_STATED_COLUMN) == 0;
    if (!text && p->over->by != MSW_BY_WORST)
        add_mean(p, column);
    else if (!text && goal != MSW_GOAL_NONE)
        add_worst(p, column, goal);
    else
        add_agreed(p, column->name);
}

/* The worst lies between the worst of the better ends and the worst of the worse ends: the wider
 * side is the half-width. */
static void add_worst_half(const printer *p, const char *value, const char *half, msw_goal goal)
{
    const char *take = goal == MSW_GOAL_HIGHER ? "min" : "max";
    msw_text_add(p->sql, "max(abs(%s(%s + %s) - %s(%s)), abs(%s(%s - %s) - %s(%s)))", take, value,
                 half, take, value, take, value, half, take, value);
}

static void add_half(const printer *p, const msw_view_column *column)
{
    char *name = msw_strfmt("%.*s", (int)(strlen(column->name) - strlen("_hw")), column->name);
    const msw_view_column *of = NULL;
    for (size_t i = 0; name && i < p->base->count; i++)
        if (strcmp(p->base->columns[i].name, name) == 0)
            of = &p->base->columns[i];
    msw_goal goal = of ? goal_of(p, of) : MSW_GOAL_NONE;
    if (!of || (p->over->by == MSW_BY_WORST && goal == MSW_GOAL_NONE)) {
        msw_text_add(p->sql, "NULL");
    } else {
        open_case(p, column->name);
        if (p->over->by == MSW_BY_WORST)
            add_worst_half(p, name, column->name, goal);
        else
            msw_text_add(p->sql, "%s(%s, %s, %s)",
                         p->over->by == MSW_BY_GEOMEAN ? "msw_geomean_hw" : "msw_mean_hw", name,
                         column->name, p->weight);
        msw_text_add(p->sql, " END");
    }
    free(name);
}

/* ---- the engine's own columns ---- */

static void add_status(const printer *p)
{
    msw_text_add(p->sql,
                 "CASE WHEN sum(status = 'infeasible') > 0 THEN 'infeasible' WHEN "
                 "sum(status <> 'ok') > 0 THEN max(CASE WHEN status <> 'ok' THEN status END) WHEN "
                 "count(*) < %zu THEN 'missing' ELSE 'ok' END",
                 p->workloads);
}

static void add_reason(const printer *p)
{
    msw_text_add(p->sql,
                 "CASE WHEN sum(status <> 'ok') > 0 THEN min(CASE WHEN status <> 'ok' THEN "
                 "workload || ': ' || coalesce(reason, status) END) WHEN count(*) < %zu THEN "
                 "(%zu - count(*)) || ' of %zu workloads have no row' END",
                 p->workloads, p->workloads, p->workloads);
}

/* That of a workload is that of the design. */
static void add_doubt(const printer *p)
{
    msw_text_add(p->sql, "min(workload || ': ' || " MSW_DOUBT_NAME ")");
}

static void add_workload(const printer *p)
{
    static const char *const NAMES[] = {"worst", "mean", "geomean", "weighted mean"};
    char text[64];
    snprintf(text, sizeof text, "%s of %zu", NAMES[p->over->by], p->workloads);
    msw_text_add_sql_string(p->sql, text);
}

static bool add_engine(const printer *p, const msw_view_column *column)
{
    static const char *const SMALLEST[] = {"point", "design_index", "replicate", "row_id"};
    static const char *const SUMS[] = {"units_measured", "units_total", "events", "cost_us"};
    const char *name = column->name;
    for (size_t i = 0; i < sizeof SMALLEST / sizeof *SMALLEST; i++)
        if (strcmp(name, SMALLEST[i]) == 0)
            return msw_text_add(p->sql, "min(%s)", name), true;
    for (size_t i = 0; i < sizeof SUMS / sizeof *SUMS; i++)
        if (strcmp(name, SUMS[i]) == 0)
            return msw_text_add(p->sql, "sum(%s)", name), true;
    if (strcmp(name, "workload") == 0)
        return add_workload(p), true;
    if (strcmp(name, "status") == 0)
        return add_status(p), true;
    if (strcmp(name, "reason") == 0)
        return add_reason(p), true;
    if (msw_view_is_doubt(column))
        return add_doubt(p), true;
    return false;
}

/* A limit holds for a design where it holds for each of its workloads. */
static void add_limits(const printer *p)
{
    open_case(p, MSW_LIMITS_NAME);
    msw_text_add(p->sql, "min(" MSW_LIMITS_NAME ") END");
}

static void add_column(const printer *p, const msw_view_column *column)
{
    bool number = strcmp(column->role, "metric") == 0 || strcmp(column->role, "derived") == 0;
    if (strcmp(column->name, MSW_LIMITS_NAME) == 0)
        add_limits(p);
    else if (strcmp(column->role, "half-width") == 0 && ends_with(column->name, "_hw"))
        add_half(p, column);
    else if (number)
        add_value(p, column);
    else if (!add_engine(p, column))
        add_agreed(p, column->name);
    msw_text_add(p->sql, " AS ");
    msw_sql_add_column(p->sql, column->name);
}

/* ---- the view ---- */

/* The workload that decides on the first objective, the first by name where several do. */
static void add_decided_by(const printer *p)
{
    const msw_objective *first = p->objectives;
    if (p->over->by != MSW_BY_WORST || !p->objective_count || has_column(p->base, DECIDED_BY))
        return;
    msw_text_add(p->sql, ", ");
    open_case(p, first->name);
    msw_text_add(p->sql, "%s(", first->goal == MSW_GOAL_HIGHER ? "msw_which_min" : "msw_which_max");
    msw_sql_add_column(p->sql, first->name);
    msw_text_add(p->sql, ", workload) END AS " DECIDED_BY);
}

static void add_named(const printer *p)
{
    msw_text_add(p->sql, " WHERE workload IN (");
    for (size_t i = 0; i < p->over->count; i++) {
        msw_text_add(p->sql, i ? ", " : "");
        msw_text_add_sql_string(p->sql, p->over->names[i]);
    }
    msw_text_add(p->sql, ")");
}

/* All rows of the designs chosen: what is made of the others would be thrown away. */
static void add_chosen(const printer *p)
{
    msw_text_add(p->sql, p->over->count ? " AND " : " WHERE ");
    msw_text_add(p->sql, "design_index IN (SELECT design_index FROM temp.");
    msw_text_add_sql_name(p->sql, p->base->name);
    msw_text_add(p->sql, " WHERE point IN (SELECT first_point FROM temp.msw_chosen))");
}

static void print_view(const printer *p, const char *name, bool chosen)
{
    msw_text *sql = p->sql;
    msw_text_add(sql, "DROP VIEW IF EXISTS temp.");
    msw_text_add_sql_name(sql, name);
    msw_text_add(sql, "; CREATE TEMP VIEW ");
    msw_text_add_sql_name(sql, name);
    msw_text_add(sql, " AS SELECT ");
    for (size_t i = 0; i < p->base->count; i++) {
        msw_text_add(sql, i ? ", " : "");
        add_column(p, &p->base->columns[i]);
        if (strcmp(p->base->columns[i].name, "workload") == 0)
            add_decided_by(p);
    }
    msw_text_add(sql, " FROM temp.");
    msw_text_add_sql_name(sql, p->base->name);
    if (p->over->count)
        add_named(p);
    if (chosen)
        add_chosen(p);
    msw_text_add(sql, " GROUP BY temp.");
    msw_text_add_sql_name(sql, p->base->name);
    msw_text_add(sql, ".design_index, temp.");
    msw_text_add_sql_name(sql, p->base->name);
    msw_text_add(sql, ".replicate; ");
}

/* The view, and the one of chosen designs. Returns 0, or -1 without memory. */
static int print_views(const printer *p, const char *name)
{
    char *chosen = msw_over_chosen_name(name);
    if (!chosen)
        return -1;
    print_view(p, name, false);
    print_view(p, chosen, true);
    free(chosen);
    return 0;
}

char *msw_over_chosen_name(const char *name)
{
    return msw_strfmt("%s, chosen", name);
}

/* The weight of a row's workload. */
static char *weight_of(const msw_over *over)
{
    msw_text text = MSW_TEXT_EMPTY;
    if (!over->count)
        return msw_strdup("1");
    msw_text_add(&text, "CASE workload");
    for (size_t i = 0; i < over->count; i++) {
        msw_text_add(&text, " WHEN ");
        msw_text_add_sql_string(&text, over->names[i]);
        msw_text_add(&text, " THEN ");
        msw_text_add_double(&text, over->weights[i]);
    }
    msw_text_add(&text, " END");
    char *copy = text.failed ? NULL : msw_strdup(msw_text_str(&text));
    msw_text_free(&text);
    return copy;
}

static int make(msw_store *store, const msw_over *over, size_t workloads, const msw_view *base,
                const char *name, msw_err *err)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_sweep_info info = {0};
    printer p = {.over = over,
                 .base = base,
                 .workloads = over->count ? over->count : workloads,
                 .weight = weight_of(over),
                 .sql = &sql};
    int result = p.weight ? msw_sweep_info_read(store, base->sweep, &info, err) : -1;
    p.objectives = info.objectives;
    p.objective_count = info.objective_count;
    if (result == 0 && print_views(&p, name))
        result = msw_fail_memory(err);
    result = result ? result : msw_sql_exec_text(store, &sql, err);
    if (!p.weight)
        result = msw_fail_memory(err);
    msw_sweep_info_free(&info);
    free(p.weight);
    return result;
}

int msw_over_make(msw_store *store, const char *at, msw_view *base, char **name, msw_err *err)
{
    msw_view_shape shape;
    msw_over over;
    if (msw_view_shape_load(store, "main", base->sweep, &shape, err))
        return -1;
    int result = msw_over_read(at, shape.workloads, shape.workload_count, &over, err);
    *name = result ? NULL : msw_strfmt("%s%s", base->name, at);
    if (result == 0)
        result = *name ? make(store, &over, shape.workload_count, base, *name, err)
                       : msw_fail_memory(err);
    msw_over_free(&over);
    msw_view_shape_free(&shape);
    return result;
}
