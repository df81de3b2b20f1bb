/* SPDX-License-Identifier: MIT */
/* Columns made of others, and the limits a design has to keep, of an imported table. */
#include "results/import/import.h"

#include "memsweep/expr/expr.h"
#include "memsweep/results/grouping.h"

#include "memsweep/base/text_check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a row as expressions see them; half-widths have names of their own. */
typedef struct scope {
    msw_import *m;
    msw_expr_name *names;
    char (*half)[IMPORT_NAME + 4];
    size_t count;
    msw_text limits;
} scope;

static int open_scope(scope *s, msw_import *m)
{
    *s = (scope){.m = m};
    s->names = calloc(m->input_count + 2 * m->output_count + 1, sizeof *s->names);
    s->half = calloc(m->output_count + 1, sizeof *s->half);
    if (!s->names || !s->half)
        return msw_fail_memory(m->err);
    for (size_t i = 0; i < m->input_count; i++)
        s->names[s->count++] =
            (msw_expr_name){m->inputs[i].name, msw_param_type(&m->external->params[i])};
    for (size_t i = 0; i < m->output_count; i++) {
        snprintf(s->half[i], sizeof *s->half, "%s_hw", m->outputs[i].name);
        s->names[s->count++] = (msw_expr_name){m->outputs[i].name, MSW_EXPR_REAL};
        s->names[s->count++] = (msw_expr_name){s->half[i], MSW_EXPR_REAL};
    }
    return 0;
}

static void close_scope(scope *s)
{
    free(s->names);
    free(s->half);
    msw_text_free(&s->limits);
}

static bool is_taken(const scope *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < s->m->plan.derived_count; i++)
        if (strcmp(s->m->plan.derived[i].name, name) == 0)
            return true;
    return false;
}

static int keep(scope *s, const char *name, const msw_text *sql)
{
    msw_derived *d = &s->m->plan.derived[s->m->plan.derived_count++];
    *d = (msw_derived){msw_strdup(name), msw_strdup(msw_text_str(sql))};
    return d->name && d->text && !sql->failed ? 0 : msw_fail_memory(s->m->err);
}

/* Takes " min" or " max" off the end of an expression. */
static msw_goal take_goal(char *text)
{
    size_t size = strlen(text);
    if (size < 5 || !isspace((unsigned char)text[size - 4]))
        return MSW_GOAL_NONE;
    msw_goal goal = strcmp(text + size - 3, "min") == 0   ? MSW_GOAL_LOWER
                    : strcmp(text + size - 3, "max") == 0 ? MSW_GOAL_HIGHER
                                                          : MSW_GOAL_NONE;
    if (goal != MSW_GOAL_NONE)
        text[size - 4] = '\0';
    return goal;
}

/* "name = expression", with a goal or without one. */
static int derive_parts(scope *s, char *name, char *text)
{
    msw_plan *plan = &s->m->plan;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_goal goal = take_goal(text);
    if (msw_name_check(name, s->m->err))
        return msw_fail_prefix(s->m->err, "--derive: ");
    if (is_taken(s, name))
        return msw_fail(s->m->err, "--derive: there is a column '%s' already", name);
    int rc = msw_expr_splice(s->names, s->count, text, &sql, s->m->err)
                 ? msw_fail_prefix(s->m->err, "--derive: %s: ", name)
                 : keep(s, name, &sql);
    if (rc == 0 && goal != MSW_GOAL_NONE)
        plan->objectives[plan->objective_count++] =
            (msw_objective){plan->derived[plan->derived_count - 1].name, goal};
    msw_text_free(&sql);
    return rc;
}

static int derive_one(void *context, const char *part, size_t size)
{
    scope *s = context;
    const char *equals = memchr(part, '=', size);
    if (s->m->plan.derived_count == IMPORT_DERIVED)
        return msw_fail(s->m->err, "--derive: more than %d columns", IMPORT_DERIVED);
    if (!equals || equals == part)
        return msw_fail(s->m->err, "--derive: '%.*s': write 'NAME = expression, ...'",
                        (int)(size < 80 ? size : 80), part);
    size_t end = (size_t)(equals - part);
    while (end && isspace((unsigned char)part[end - 1]))
        end--;
    char *name = msw_strfmt("%.*s", (int)end, part);
    char *text = msw_strfmt("%.*s", (int)(size - (size_t)(equals + 1 - part)), equals + 1);
    int rc = name && text ? derive_parts(s, name, text) : msw_fail_memory(s->m->err);
    free(name);
    free(text);
    return rc;
}

static int limit_one(void *context, const char *part, size_t size)
{
    scope *s = context;
    msw_text sql = MSW_TEXT_EMPTY;
    char *text = msw_strfmt("%.*s", (int)size, part);
    int rc = !text ? msw_fail_memory(s->m->err)
             : msw_expr_splice(s->names, s->count, text, &sql, s->m->err)
                 ? msw_fail_prefix(s->m->err, "--subject-to: ")
                 : 0;
    if (rc == 0)
        rc = msw_text_check(&sql, s->m->err);
    if (rc == 0)
        msw_text_add(&s->limits, "(%s) AND ", msw_text_str(&sql));
    msw_text_free(&sql);
    free(text);
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const msw_derived *)a)->name, ((const msw_derived *)b)->name);
}

static int derive_all(scope *s)
{
    msw_plan *plan = &s->m->plan;
    const msw_import_ask *ask = &s->m->ask;
    if (msw_list_each(ask->derive ? ask->derive : "", derive_one, s) ||
        msw_list_each(ask->limits ? ask->limits : "", limit_one, s))
        return -1;
    if (s->limits.size) {
        msw_text_add(&s->limits, "1");
        if (is_taken(s, MSW_LIMITS_NAME))
            return msw_fail(s->m->err, "--subject-to: there is a column '%s' already",
                            MSW_LIMITS_NAME);
        if (keep(s, MSW_LIMITS_NAME, &s->limits))
            return -1;
    }
    qsort(plan->derived, plan->derived_count, sizeof *plan->derived, by_name);
    return 0;
}

int import_derive(msw_import *m)
{
    scope s;
    if (!m->ask.derive && !m->ask.limits)
        return 0;
    m->plan.derived = calloc(IMPORT_DERIVED + 2, sizeof *m->plan.derived);
    int rc = m->plan.derived ? open_scope(&s, m) : msw_fail_memory(m->err);
    if (m->plan.derived) {
        rc = rc ? rc : derive_all(&s);
        close_scope(&s);
    }
    return rc;
}
