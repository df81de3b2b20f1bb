/* SPDX-License-Identifier: MIT */
/* Asks the limits of a sweep of rows that are in no database. */
#include "run/estimate/tried.h"

#include "memsweep/expr/expr.h"
#include "memsweep/sweep/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct msw_tried {
    const msw_plan *plan;
    msw_limits limits;
    msw_expr_host *host;
    msw_expr *sides[2 * MSW_LIMITS_MOST];
};

static const char *limits_of(const msw_plan *plan)
{
    for (size_t i = 0; i < plan->view.derived_count; i++)
        if (strcmp(plan->view.derived[i].name, MSW_LIMITS_NAME) == 0)
            return plan->view.derived[i].text;
    return NULL;
}

/* Parameters and metrics, as they follow each other in a row. */
static int open_host(msw_tried *t, msw_err *err)
{
    const msw_schema *schema = &t->plan->schema;
    const msw_metric *metrics = t->plan->mech->metrics;
    size_t count = schema->count, width = msw_metrics_count(metrics);
    msw_expr_name *names = calloc(count + width + 1, sizeof *names);
    if (!names)
        return msw_fail_memory(err);
    for (size_t i = 0; i < count; i++)
        names[i] = (msw_expr_name){schema->params[i]->name, msw_param_type(schema->params[i])};
    for (size_t m = 0; m < width; m++)
        names[count + m] = (msw_expr_name){metrics[m].name, MSW_EXPR_REAL};
    int rc = msw_expr_host_new(names, count + width, &t->host, err);
    free(names);
    return rc;
}

/* A limit may be about what only a database has, such as a half-width: then nothing is said. */
static bool compile(msw_tried *t)
{
    msw_err err = {0};
    for (size_t i = 0; i < t->limits.count; i++)
        if (msw_expr_new(t->host, t->limits.list[i].left, &t->sides[2 * i], &err) ||
            msw_expr_new(t->host, t->limits.list[i].right, &t->sides[2 * i + 1], &err))
            return false;
    return t->limits.count > 0;
}

int msw_tried_new(const msw_plan *plan, msw_tried **tried, msw_err *err)
{
    const char *text = limits_of(plan);
    *tried = NULL;
    if (!text)
        return 0;
    msw_tried *t = calloc(1, sizeof *t);
    if (!t)
        return msw_fail_memory(err);
    t->plan = plan;
    int rc = msw_limits_read(text, &t->limits, err);
    if (rc == 0)
        rc = open_host(t, err);
    if (rc == 0 && compile(t))
        *tried = t;
    else
        msw_tried_free(t);
    return rc;
}

void msw_tried_free(msw_tried *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < 2 * t->limits.count; i++)
        msw_expr_free(t->sides[i]);
    msw_expr_host_free(t->host);
    msw_limits_free(&t->limits);
    free(t);
}

static void bind(const msw_tried *t, msw_expr *expr, size_t k, size_t name, const msw_batch *batch)
{
    const double *values = msw_batch_values(batch, 0);
    const msw_schema *schema = &t->plan->schema;
    double value = values[name];
    if (isnan(value))
        msw_expr_bind_null(expr, k);
    else if (name < batch->params && schema->params[name]->kind == MSW_CHOICE)
        msw_expr_bind_text(expr, k, schema->params[name]->choices[(size_t)value].name);
    else
        msw_expr_bind_real(expr, k, value);
}

static int evaluate(const msw_tried *t, msw_expr *expr, const msw_batch *batch, double *value,
                    msw_err *err)
{
    const int *names;
    msw_expr_value result;
    size_t count = msw_expr_used(expr, &names);
    for (size_t k = 0; k < count; k++)
        bind(t, expr, k, (size_t)names[k], batch);
    MSW_TRY(msw_expr_eval(expr, &result, err));
    bool number = result.type == MSW_EXPR_INTEGER || result.type == MSW_EXPR_REAL;
    *value = number ? result.real : NAN;
    return 0;
}

int msw_tried_add(msw_tried *t, const msw_batch *batch, msw_err *err)
{
    double sides[2 * MSW_LIMITS_MOST];
    const msw_row *row = &batch->rows[0];
    if (row->status != MSW_OK || row->doubt)
        return 0;
    for (size_t i = 0; i < 2 * t->limits.count; i++)
        MSW_TRY(evaluate(t, t->sides[i], batch, &sides[i], err));
    uint64_t design = row->index / t->plan->replicates % t->plan->design.state.count;
    return msw_limits_add(&t->limits, row->workload, design, sides, err);
}

static void add_settings(const msw_plan *plan, const msw_point *point, msw_text *out)
{
    char text[MSW_PARAM_TEXT];
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++) {
            size_t p = plan->space.factors[f].targets[t];
            const msw_param *param = plan->schema.params[p];
            msw_text_add(
                out, "%s%s = %s", out->size ? ", " : "", param->name,
                msw_param_print(param, msw_schema_get(&plan->schema, p, point->block), text));
        }
}

int msw_tried_note(const msw_tried *t, msw_text *out, msw_err *err)
{
    const msw_plan *plan = t->plan;
    const msw_limit_design *nearest = msw_limits_nearest(&t->limits);
    const char *names[MSW_LIMITS_WORKLOADS] = {NULL};
    msw_text settings = MSW_TEXT_EMPTY;
    msw_pointer *pointer = NULL;
    msw_point point;
    if (!nearest)
        return 0;
    for (size_t w = 0; w < plan->workload_count && w < MSW_LIMITS_WORKLOADS; w++)
        names[w] = plan->workloads[w].name;
    MSW_TRY(msw_pointer_new(plan, &pointer, err));
    int rc = msw_pointer_at(pointer, nearest->design * plan->replicates, false, &point, err);
    if (rc == 0) {
        add_settings(plan, &point, &settings);
        msw_limits_note(&t->limits, nearest, names, msw_text_str(&settings), out);
    }
    msw_pointer_free(pointer);
    msw_text_free(&settings);
    return rc;
}
