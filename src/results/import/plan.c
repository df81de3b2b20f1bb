/* SPDX-License-Identifier: MIT */
/* Makes the plan of an imported table: its mechanism, columns made of others, the limits that a
 * design has to keep, and the keys of its rows. */
#include "results/import/import.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/sort.h"
#include "memsweep/base/text_check.h"
#include "memsweep/expr/expr.h"
#include "memsweep/results/grouping.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers with more values than this are a range (results/factors.c). */
enum { FEW_LEVELS = 16, LEVELS_SHOWN = 256 };

/* ---- the mechanism ---- */

static int declare_input(msw_external *e, const import_column *c, msw_param *p)
{
    p->name = msw_external_text(e, c->name);
    p->unit = msw_external_text(e, c->text ? "" : c->unit);
    p->doc = msw_external_text(e, c->title);
    p->kind = c->text ? MSW_CHOICE : c->whole ? MSW_INTEGER : MSW_REAL;
    p->min = c->text ? 0 : c->from;
    p->max = c->text ? 0 : c->to;
    p->scale = c->log ? MSW_LOG : MSW_LINEAR;
    if (!p->name || !p->unit || !p->doc)
        return -1;
    if (!c->text)
        return 0;
    msw_choice *choices = msw_external_choices(e, p, c->labels.count);
    for (size_t i = 0; choices && i < c->labels.count; i++) {
        choices[i] = (msw_choice){msw_external_text(e, c->labels.entries[i].text), ""};
        if (!choices[i].name)
            return -1;
    }
    return choices ? 0 : -1;
}

static int declare_output(msw_external *e, const import_column *c, msw_metric *metric)
{
    metric->name = msw_external_text(e, c->name);
    metric->unit = msw_external_text(e, c->unit);
    metric->doc = msw_external_text(e, c->title);
    metric->goal = c->goal;
    return metric->name && metric->unit && metric->doc ? 0 : -1;
}

static int declare(msw_import *m)
{
    msw_external *e = m->external = msw_external_new(m->input_count, m->output_count);
    bool failed = !e;
    for (size_t i = 0; i < m->input_count && !failed; i++)
        failed = declare_input(e, &m->inputs[i], &e->params[i]) != 0;
    for (size_t i = 0; i < m->output_count && !failed; i++)
        failed = declare_output(e, &m->outputs[i], &e->metrics[i]) != 0;
    return failed ? msw_fail_memory(m->err) : msw_external_finish(e, m->err);
}

/* ---- keys ---- */

/* By their texts: the number of a word depends on the rows before it. */
static msw_digest add_cell(msw_digest all, const import_column *c, size_t row)
{
    if (c->text)
        return msw_hash_pair(all, msw_hash_string(c->labels.entries[(size_t)c->cells[row]].text));
    double value = isnan(c->cells[row]) ? HUGE_VAL : c->cells[row];
    return msw_hash_pair(all, msw_hash_bytes(&value, sizeof value));
}

/* Everything in the row counts: a table is not a model that would give the same answer again. */
static msw_digest row_key(const msw_import *m, msw_digest model, size_t row)
{
    msw_digest all = model;
    const char *workload = m->plan.workloads[m->workload_of[row]].name;
    all = msw_hash_pair(all, msw_hash_string(workload));
    all = msw_hash_pair(all, msw_hash_bytes(&m->replicate_of[row], sizeof *m->replicate_of));
    for (size_t i = 0; i < m->input_count; i++)
        all = add_cell(all, &m->inputs[i], row);
    for (size_t i = 0; i < m->output_count; i++) {
        const import_column *c = &m->outputs[i];
        all = add_cell(all, c, row);
        if (c->halves && !isnan(c->halves[row]))
            all = msw_hash_pair(all, msw_hash_bytes(&c->halves[row], sizeof(double)));
    }
    return all;
}

static int make_keys(msw_import *m)
{
    m->key = malloc((m->rows + 1) * sizeof *m->key);
    if (!m->key)
        return msw_fail_memory(m->err);
    msw_digest model = msw_hash_pair(msw_hash_string(m->external->mech.name),
                                     msw_hash_string(msw_fidelity_name(m->fidelity)));
    for (size_t r = 0; r < m->rows; r++)
        m->key[r] = row_key(m, model, r);
    return 0;
}

/* Of all rows, in the order of the plan: the order of lines does not count in a grid. */
static msw_digest content(const msw_import *m)
{
    msw_digest all = {0};
    for (uint64_t p = 0; p < m->plan.points; p++)
        if (m->row_of[p] != SIZE_MAX) {
            all = msw_hash_pair(all, msw_hash_bytes(&p, sizeof p));
            all = msw_hash_pair(all, m->key[m->row_of[p]]);
        }
    return all;
}

/* ---- the canonical text ---- */

static void add_digest(msw_text *out, msw_digest digest)
{
    char text[MSW_DIGEST_TEXT];
    msw_text_add(out, "%s", msw_digest_text(digest, text));
}

static void add_design(const msw_import *m, msw_text *out)
{
    size_t d = m->input_count;
    msw_text_add(out, "design: {kind: %s, version: %d", m->design, m->plan.design.kind->version);
    if (strcmp(m->design, "saltelli") == 0)
        msw_text_add(out, ", base_rows: %" PRIu64 ", second_order: %s",
                     m->designs / (m->second_order ? 2 * d + 2 : d + 2),
                     m->second_order ? "on" : "off");
    else if (strcmp(m->design, "morris") == 0)
        msw_text_add(out, ", trajectories: %" PRIu64, m->designs / (d + 1));
    else if (strcmp(m->design, "grid") != 0)
        msw_text_add(out, ", points: %" PRIu64, m->designs);
    msw_text_add(out, "}\ntable: {rows: %zu, digest: ", m->rows);
    add_digest(out, content(m));
    msw_text_add(out, "}\n");
}

static void add_levels(const import_column *c, const msw_param *p, msw_text *out)
{
    char text[MSW_PARAM_TEXT];
    if (c->level_count > LEVELS_SHOWN) {
        msw_text_add(out, "levels: %zu", c->level_count);
        return;
    }
    for (size_t l = 0; l < c->level_count; l++) {
        msw_text_add(out, l ? ", " : "values: [");
        if (c->text)
            msw_text_add_json(out, c->labels.entries[(size_t)c->levels[l]].text);
        else
            msw_text_add(out, "%s", msw_param_print(p, c->levels[l], text));
    }
    msw_text_add(out, "]");
}

static void add_range(const import_column *c, const msw_param *p, msw_text *out)
{
    char text[MSW_PARAM_TEXT];
    msw_text_add(out, "from: %s", msw_param_print(p, c->from, text));
    msw_text_add(out, ", to: %s, scale: %s", msw_param_print(p, c->to, text),
                 c->log ? "log" : "linear");
}

/* Values that were drawn from a range are written as a range, unless there are few of them; the
 * design list has neither ranges nor values here. */
static void add_factor(const msw_import *m, size_t i, msw_text *out)
{
    const import_column *c = &m->inputs[i];
    bool list = strcmp(m->design, "list") == 0;
    bool grid = strcmp(m->design, "grid") == 0;
    msw_text_add(out, "  %s: {", c->name);
    if (!c->text && (c->ranged || (!grid && !list && c->level_count > FEW_LEVELS)))
        add_range(c, &m->external->params[i], out);
    else if (!list)
        add_levels(c, &m->external->params[i], out);
    msw_text_add(out, "}\n");
}

static void add_rest(const msw_import *m, msw_text *out)
{
    msw_text_add(out, "workloads:\n");
    for (size_t w = 0; w < m->plan.workload_count; w++) {
        msw_text_add(out, "  - {name: ");
        msw_text_add_json(out, m->plan.workloads[w].name);
        msw_text_add(out, "}\n");
    }
    msw_text_add(out, "vary:\n");
    for (size_t i = 0; i < m->input_count; i++)
        if (import_in_order(m) || m->inputs[i].level_count > 1)
            add_factor(m, i, out);
    msw_text_add(out, "derive:\n");
    for (size_t i = 0; i < m->plan.view.derived_count; i++) {
        msw_text_add(out, "  %s: ", m->plan.view.derived[i].name);
        msw_text_add_json(out, m->plan.view.derived[i].text);
        msw_text_add(out, "\n");
    }
    msw_text_add(out, "objectives:\n");
    for (size_t i = 0; i < m->plan.view.objective_count; i++)
        msw_text_add(out, "  - {%s: %s}\n",
                     m->plan.view.objectives[i].goal == MSW_GOAL_LOWER ? "minimize" : "maximize",
                     m->plan.view.objectives[i].name);
}

static int write_text(msw_import *m)
{
    msw_text body = MSW_TEXT_EMPTY;
    msw_text_add(&body,
                 "mechanism: {name: %s, version: 1}\nfidelity: %s\nsampling: {confidence: "
                 "0.95}\nseed: 0\nreplicates: %" PRIu64 "\n",
                 m->external->mech.name, msw_fidelity_name(m->fidelity), m->replicates);
    add_design(m, &body);
    msw_external_print(m->external, &body);
    add_rest(m, &body);
    m->plan.digest = msw_hash_bytes(msw_text_str(&body), body.size);
    m->plan.canonical = body.failed ? NULL : msw_strfmt("sweep: %s\n%s", m->ask.sweep, body.data);
    msw_text_free(&body);
    return m->plan.canonical ? 0 : msw_fail_memory(m->err);
}

/* ---- the plan ---- */

static int name_workloads(msw_import *m)
{
    msw_plan *plan = &m->plan;
    plan->workload_count = m->workload.cells ? m->workload.labels.count : 1;
    plan->workloads = calloc(plan->workload_count + 1, sizeof *plan->workloads);
    plan->workload_frontend = calloc(plan->workload_count + 1, sizeof *plan->workload_frontend);
    bool failed = !plan->workloads || !plan->workload_frontend;
    for (size_t w = 0; w < plan->workload_count && !failed; w++) {
        const char *name = m->workload.cells ? m->workload.labels.entries[w].text : m->ask.sweep;
        failed = !(plan->workloads[w].name = msw_strdup(name));
    }
    return failed ? msw_fail_memory(m->err) : 0;
}

static int list_objectives(msw_import *m)
{
    msw_plan *plan = &m->plan;
    plan->view.objectives = calloc(m->output_count + IMPORT_DERIVED, sizeof *plan->view.objectives);
    if (!plan->view.objectives)
        return msw_fail_memory(m->err);
    for (size_t i = 0; i < m->output_count; i++)
        if (m->outputs[i].goal != MSW_GOAL_NONE)
            plan->view.objectives[plan->view.objective_count++] =
                (msw_objective){m->outputs[i].name, m->outputs[i].goal};
    return 0;
}

int import_plan(msw_import *m)
{
    msw_plan *plan = &m->plan;
    if (declare(m))
        return -1;
    const msw_param *tables[] = {m->external->params};
    const size_t sizes[] = {m->external->mech.config_size};
    plan->mech = &m->external->mech;
    plan->fidelity = m->fidelity;
    plan->replicates = m->replicates;
    plan->design.kind = msw_design_find(m->design);
    if (msw_schema_init(&plan->schema, tables, sizes, 1, m->err) || name_workloads(m) ||
        list_objectives(m) || import_derive(m))
        return -1;
    plan->points = plan->workload_count * m->designs * m->replicates;
    plan->name = msw_strdup(m->ask.sweep);
    if (!plan->name)
        return msw_fail_memory(m->err);
    MSW_TRY(make_keys(m));
    return write_text(m);
}

void import_plan_free(msw_import *m)
{
    msw_plan *plan = &m->plan;
    for (size_t w = 0; plan->workloads && w < plan->workload_count; w++)
        free(plan->workloads[w].name);
    free(plan->workloads);
    free(plan->workload_frontend);
    for (size_t i = 0; i < plan->view.derived_count; i++) {
        free(plan->view.derived[i].name);
        free(plan->view.derived[i].text);
    }
    free(plan->view.derived);
    free(plan->view.objectives); /* their names are the columns' */
    free(plan->name);
    free(plan->canonical);
    msw_schema_free(&plan->schema);
    msw_external_free(m->external);
    free(m->key);
}

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
    for (size_t i = 0; i < s->m->plan.view.derived_count; i++)
        if (strcmp(s->m->plan.view.derived[i].name, name) == 0)
            return true;
    return false;
}

static int keep(scope *s, const char *name, const msw_text *sql)
{
    msw_derived *d = &s->m->plan.view.derived[s->m->plan.view.derived_count++];
    *d = (msw_derived){.name = msw_strdup(name), .text = msw_strdup(msw_text_str(sql))};
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
        plan->view.objectives[plan->view.objective_count++] =
            (msw_objective){plan->view.derived[plan->view.derived_count - 1].name, goal};
    msw_text_free(&sql);
    return rc;
}

static int derive_one(void *context, const char *part, size_t size)
{
    scope *s = context;
    const char *equals = memchr(part, '=', size);
    if (s->m->plan.view.derived_count == IMPORT_DERIVED)
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
    msw_sort(plan->view.derived, plan->view.derived_count, sizeof *plan->view.derived, by_name);
    return 0;
}

int import_derive(msw_import *m)
{
    scope s;
    if (!m->ask.derive && !m->ask.limits)
        return 0;
    m->plan.view.derived = calloc(IMPORT_DERIVED + 2, sizeof *m->plan.view.derived);
    int rc = m->plan.view.derived ? open_scope(&s, m) : msw_fail_memory(m->err);
    if (m->plan.view.derived) {
        rc = rc ? rc : derive_all(&s);
        close_scope(&s);
    }
    return rc;
}
