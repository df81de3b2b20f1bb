/* SPDX-License-Identifier: MIT */
/* Reads `derive`, `subject_to` and `objectives`: columns made of others, the limits a design has
 * to keep, and what is better. */
#include "sweep/loader.h"

#include "memsweep/base/sort.h"
#include "memsweep/base/text.h"
#include "memsweep/base/vec.h"
#include "memsweep/expr/expr.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    EXPANDED_MAX = 65536,
    COLUMNS_MAX = 2048,
    VIEW_MAX = 2000, /* columns of a table, view or answer in SQLite as it comes */
    VIEW_OTHERS =
        40, /* point, workload, status and others that every view has, with room to grow */
    TEXT_MAX = 4 << 20
};

/* The columns of a row as expressions see them. */
typedef struct columns {
    msw_expr_name names[COLUMNS_MAX];
    size_t count;
} columns;

static void add_column(columns *c, const char *name, msw_expr_type type)
{
    if (c->count < COLUMNS_MAX)
        c->names[c->count++] = (msw_expr_name){name, type};
}

static columns *collect(msw_loader *l)
{
    const msw_plan *plan = l->plan;
    columns *c = msw_arena_take(&l->arena, sizeof *c);
    if (!c) {
        msw_loader_memory(l);
        return NULL;
    }
    c->count = 0;
    for (size_t i = 0; i < plan->schema.count; i++)
        add_column(c, plan->schema.params[i]->name, msw_param_type(plan->schema.params[i]));
    for (const msw_metric *m = plan->mech->metrics; m->name; m++) {
        add_column(c, m->name, MSW_EXPR_REAL);
        if (m->kind == MSW_MAXIMUM)
            continue; /* it has no half-width */
        size_t size = strlen(m->name) + sizeof "_hw";
        char *half = msw_arena_take(&l->arena, size);
        if (half && snprintf(half, size, "%s_hw", m->name) > 0)
            add_column(c, half, MSW_EXPR_REAL);
    }
    return c;
}

static bool is_column(const columns *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcasecmp(c->names[i].name, name) == 0)
            return true;
    return false;
}

/* The expanded text of an earlier derived column, or NULL. */
static const char *earlier(const msw_loader *l, const char *word, size_t size)
{
    for (size_t i = 0; i < l->plan->view.derived_count; i++) {
        const char *name = l->plan->view.derived[i].name;
        if (strlen(name) == size && strncasecmp(name, word, size) == 0)
            return l->expanded[i];
    }
    return NULL;
}

/* Replaces the names of earlier derived columns by what they stand for, in parentheses. */
static void expand(const msw_loader *l, const char *text, msw_text *out)
{
    for (msw_expr_word w = {0}; *(text += w.size) && out->size <= EXPANDED_MAX;) {
        w = msw_expr_next(text);
        const char *known = w.name_size ? earlier(l, w.name, w.name_size) : NULL;
        if (known)
            msw_text_add(out, "(%s)", known);
        else
            msw_text_add_bytes(out, text, w.size);
    }
}

static bool check_name(msw_loader *l, const columns *c, const msw_node *key)
{
    msw_err err = {0};
    if (msw_name_check(key->text, &err))
        msw_loader_fail(l, &err, key, "derive: %s", err.text);
    else if (is_column(c, key->text))
        msw_loader_say(l, key, "derive: '%s' is a parameter or metric already", key->text);
    else
        return true;
    return false;
}

/* A unit is a word for heads and axes: "GB/s", "nJ s". */
static const char *read_unit(msw_loader *l, const msw_node *node)
{
    enum { UNIT_MAX = 32 };
    const char *unit = node ? msw_loader_word(l, node, "unit") : NULL;
    if (!unit)
        return NULL;
    bool plain = *unit && strlen(unit) <= UNIT_MAX;
    for (const char *c = unit; *c && plain; c++)
        plain = isalnum((unsigned char)*c) || strchr("/%^*-. _", *c);
    if (!plain)
        msw_loader_say(l, node,
                       "derive: a unit has at most %d letters, digits and signs of / %% ^ * - .",
                       UNIT_MAX);
    return plain ? unit : NULL;
}

static void keep(msw_loader *l, const msw_node *key, const msw_text *expanded, const msw_text *sql,
                 const char *unit)
{
    msw_plan *plan = l->plan;
    msw_derived *d = &plan->view.derived[plan->view.derived_count];
    l->expanded[plan->view.derived_count] = msw_loader_copy(l, msw_text_str(expanded));
    *d = (msw_derived){msw_strdup(key->text), msw_strdup(msw_text_str(sql)),
                       unit ? msw_strdup(unit) : NULL};
    plan->view.derived_count++;
    if (!d->name || !d->text || (unit && !d->unit) || !l->expanded[plan->view.derived_count - 1])
        msw_loader_memory(l);
}

/* Either an expression alone, or {expr: ..., unit: ...}. */
static void derive_one(msw_loader *l, const columns *c, const msw_node *key, const msw_node *node)
{
    static const char *const KEYS[] = {"expr", "unit", NULL};
    bool named = check_name(l, c, key);
    const char *unit = NULL;
    if (node->kind == MSW_NODE_MAP) {
        msw_loader_check_keys(l, node, KEYS);
        unit = read_unit(l, msw_node_get(node, "unit"));
        const msw_node *expr = msw_node_get(node, "expr");
        if (!expr) {
            msw_loader_say(l, node, "derive: '%s' has no 'expr'", key->text);
            return;
        }
        node = expr;
    }
    const char *written = msw_loader_word(l, node, "derive");
    const char *text = named && written ? msw_loader_clean(l, node, "derive", written) : NULL;
    if (!text)
        return;
    msw_text expanded = MSW_TEXT_EMPTY, sql = MSW_TEXT_EMPTY;
    msw_err err = {0};
    expand(l, text, &expanded);
    if (expanded.failed)
        msw_loader_memory(l);
    else if (expanded.size > EXPANDED_MAX)
        msw_loader_say(l, node, "derive: longer than %d characters once its parts are written out",
                       EXPANDED_MAX);
    else if (msw_expr_splice(c->names, c->count, msw_text_str(&expanded), &sql, &err))
        msw_loader_fail(l, &err, node, "derive: %s", err.text);
    else
        keep(l, key, &expanded, &sql, unit);
    msw_text_free(&expanded);
    msw_text_free(&sql);
}

/* Every derived column is one of the sweep's view: what SQLite cannot show is not planned. */
static bool check_count(msw_loader *l, const columns *c, const msw_node *derive)
{
    size_t taken = c->count + VIEW_OTHERS, room = taken < VIEW_MAX ? VIEW_MAX - taken : 0;
    if (derive->count <= room)
        return true;
    msw_loader_say(l, derive,
                   "derive: %zu columns, at most %zu are possible (a table has up to %d columns, "
                   "and parameters, metrics and half-widths take %zu)",
                   derive->count, room, VIEW_MAX, taken);
    return false;
}

static void check_text(msw_loader *l, const msw_node *derive)
{
    size_t all = 0;
    for (size_t i = 0; i < l->plan->view.derived_count; i++)
        all += l->plan->view.derived[i].text ? strlen(l->plan->view.derived[i].text) : 0;
    if (all > TEXT_MAX)
        msw_loader_say(l, derive,
                       "derive: all columns together are longer than %d MiB once their parts are "
                       "written out",
                       TEXT_MAX >> 20);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const msw_derived *)a)->name, ((const msw_derived *)b)->name);
}

/* ---- limits ---- */

/* One condition, checked by itself so that a message names its place. */
static void add_limit(msw_loader *l, const columns *c, const msw_node *node, msw_text *all)
{
    const char *written = msw_loader_word(l, node, "subject_to");
    const char *text = written ? msw_loader_clean(l, node, "subject_to", written) : NULL;
    msw_text expanded = MSW_TEXT_EMPTY, sql = MSW_TEXT_EMPTY;
    msw_err err = {0};
    if (!text)
        return;
    expand(l, text, &expanded);
    if (expanded.failed)
        msw_loader_memory(l);
    else if (msw_expr_splice(c->names, c->count, msw_text_str(&expanded), &sql, &err))
        msw_loader_fail(l, &err, node, "subject_to: %s", err.text);
    else
        msw_text_add(all, "%s(%s)", all->size ? " AND " : "", msw_text_str(&sql));
    msw_text_free(&expanded);
    all->failed = all->failed || sql.failed;
    msw_text_free(&sql);
}

/* Limits are one more derived column: every reader of rows finds it there. */
static void derive_limits(msw_loader *l, const columns *c, const msw_node *limits)
{
    msw_plan *plan = l->plan;
    msw_text all = MSW_TEXT_EMPTY;
    if (limits->kind == MSW_NODE_LIST)
        for (size_t i = 0; i < limits->count; i++)
            add_limit(l, c, limits->items[i], &all);
    else
        add_limit(l, c, limits, &all);
    for (size_t i = 0; i < plan->view.derived_count; i++)
        if (strcasecmp(plan->view.derived[i].name, MSW_LIMITS_NAME) == 0) {
            msw_loader_say(l, limits, "subject_to: 'derive' has a column '%s' already",
                           plan->view.derived[i].name);
            msw_text_clear(&all);
        }
    if (all.size) {
        msw_derived *d = &plan->view.derived[plan->view.derived_count++];
        *d = (msw_derived){.name = msw_strdup(MSW_LIMITS_NAME),
                           .text = msw_strfmt("%s AND 1", msw_text_str(&all))};
        if (!d->name || !d->text || all.failed)
            msw_loader_memory(l);
    }
    msw_text_free(&all);
}

/* ---- the step ---- */

static void derive_all(msw_loader *l, const columns *c, const msw_node *derive)
{
    if (!derive || !msw_loader_is(l, derive, MSW_NODE_MAP, "derive") || !check_count(l, c, derive))
        return;
    for (size_t i = 0; i < derive->count; i++)
        derive_one(l, c, derive->keys[i], derive->items[i]);
    check_text(l, derive);
}

void msw_step_derive(msw_loader *l)
{
    const msw_node *derive = msw_loader_top(l, "derive"), *limits = msw_loader_top(l, "subject_to");
    if (!l->ready || (!derive && !limits))
        return;
    size_t room = (derive && derive->kind == MSW_NODE_MAP ? derive->count : 0) + 2;
    l->plan->view.derived = calloc(room, sizeof *l->plan->view.derived);
    l->expanded = msw_arena_zero(&l->arena, room, sizeof *l->expanded);
    const columns *c = collect(l);
    if (!l->plan->view.derived || !l->expanded || !c) {
        msw_loader_memory(l);
        return;
    }
    derive_all(l, c, derive);
    if (limits)
        derive_limits(l, c, limits);
    msw_sort(l->plan->view.derived, l->plan->view.derived_count, sizeof *l->plan->view.derived,
             by_name);
}

static const char *find_column(const msw_loader *l, const char *name)
{
    const msw_plan *plan = l->plan;
    int metric = msw_metrics_find(plan->mech->metrics, name);
    if (metric >= 0)
        return plan->mech->metrics[metric].name;
    for (size_t i = 0; i < plan->view.derived_count; i++)
        if (strcmp(plan->view.derived[i].name, name) == 0)
            return name;
    int param = msw_schema_find(&plan->schema, name);
    return param >= 0 ? plan->schema.params[param]->name : NULL;
}

static void unknown_column(msw_loader *l, const msw_node *node)
{
    /* A derived column that is wrong itself has been reported already. */
    const msw_node *derive = msw_loader_top(l, "derive");
    if (derive && msw_node_find(derive, node->text) < derive->count)
        return;
    const msw_metric *metrics = l->plan->mech->metrics;
    const char *nearest = msw_schema_nearest(&l->plan->schema, node->text);
    if (nearest && !msw_nearest(node->text, &metrics->name, sizeof *metrics))
        msw_loader_say(l, node, "unknown objective '%s', did you mean '%s'?", node->text, nearest);
    else
        msw_loader_unknown(l, node, "objective", &metrics->name, sizeof *metrics);
}

static void add_objective(msw_loader *l, const msw_node *node, msw_goal goal)
{
    msw_plan *plan = l->plan;
    const char *word = msw_loader_word(l, node, "objective");
    const char *name = word ? find_column(l, word) : NULL;
    if (word && !name)
        unknown_column(l, node);
    for (size_t i = 0; name && i < plan->view.objective_count; i++)
        if (strcmp(plan->view.objectives[i].name, name) == 0) {
            msw_loader_say(l, node, "objective '%s' is listed twice", name);
            return;
        }
    if (!name)
        return;
    char *copy = NULL;
    if (!msw_vec_extend(&plan->view.objectives, plan->view.objective_count,
                        sizeof *plan->view.objectives, NULL))
        copy = msw_strdup(name);
    if (copy)
        plan->view.objectives[plan->view.objective_count++] = (msw_objective){copy, goal};
    else
        msw_loader_memory(l);
}

static void add_objectives(msw_loader *l, const msw_node *map, const char *key, msw_goal goal)
{
    const msw_node *node = msw_node_get(map, key);
    if (node && node->kind == MSW_NODE_LIST)
        for (size_t i = 0; i < node->count; i++)
            add_objective(l, node->items[i], goal);
    else if (node)
        add_objective(l, node, goal);
}

void msw_step_objectives(msw_loader *l)
{
    static const char *const KEYS[] = {"minimize", "maximize", NULL};
    const msw_node *map = msw_loader_top(l, "objectives");
    if (!l->ready || !map || !msw_loader_is(l, map, MSW_NODE_MAP, "objectives"))
        return;
    msw_loader_check_keys(l, map, KEYS);
    add_objectives(l, map, "minimize", MSW_GOAL_LOWER);
    add_objectives(l, map, "maximize", MSW_GOAL_HIGHER);
}
