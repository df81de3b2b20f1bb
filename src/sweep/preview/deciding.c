/* SPDX-License-Identifier: MIT */
/* The columns that decide what is kept of a sweep, evaluated point by point: objectives and limits.
 */
#include "memsweep/sweep/keep.h"

#include "memsweep/sweep/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct column {
    double sign;       /* -1: larger is better */
    int param, metric; /* or -1 */
    msw_expr *expr;    /* NULL: one of both */
} column;

struct msw_deciding {
    const msw_plan *plan;
    size_t metrics;
    msw_expr_host *host;
    char **halves; /* names of half-widths */
    column *objectives;
    msw_expr *within, *excludes[MSW_LIMITS_MOST]; /* limits: all, and those of the config alone */
    size_t exclude_count;
    bool prices; /* some are of metrics that the config alone decides */
    double *priced;
};

static int open_host(msw_deciding *d, msw_err *err)
{
    const msw_plan *plan = d->plan;
    size_t params = plan->schema.count;
    msw_expr_name *names = calloc(params + 2 * d->metrics + 1, sizeof *names);
    d->halves = calloc(d->metrics + 1, sizeof *d->halves);
    int rc = names && d->halves ? 0 : msw_fail_memory(err);
    for (size_t i = 0; rc == 0 && i < params; i++)
        names[i] =
            (msw_expr_name){plan->schema.params[i]->name, msw_param_type(plan->schema.params[i])};
    for (size_t m = 0; rc == 0 && m < d->metrics; m++) {
        d->halves[m] = msw_strfmt("%s_hw", plan->mech->metrics[m].name);
        names[params + m] = (msw_expr_name){plan->mech->metrics[m].name, MSW_EXPR_REAL};
        names[params + d->metrics + m] = (msw_expr_name){d->halves[m], MSW_EXPR_REAL};
        rc = d->halves[m] ? 0 : msw_fail_memory(err);
    }
    if (rc == 0)
        rc = msw_expr_host_new(names, params + 2 * d->metrics, &d->host, err);
    free(names);
    return rc;
}

static const char *derived_text(const msw_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->view.derived_count; i++)
        if (strcmp(plan->view.derived[i].name, name) == 0)
            return plan->view.derived[i].text;
    return NULL;
}

static int open_column(msw_deciding *d, const msw_objective *objective, column *c, msw_err *err)
{
    const msw_plan *plan = d->plan;
    const char *text = derived_text(plan, objective->name);
    *c = (column){objective->goal == MSW_GOAL_HIGHER ? -1 : 1, -1,
                  msw_metrics_find(plan->mech->metrics, objective->name), NULL};
    if (text)
        return msw_expr_new(d->host, text, &c->expr, err);
    for (size_t i = 0; c->metric < 0 && c->param < 0 && i < plan->schema.count; i++)
        if (strcmp(plan->schema.params[i]->name, objective->name) == 0)
            c->param = (int)i;
    return c->metric >= 0 || c->param >= 0
               ? 0
               : msw_fail_kind(err, MSW_ERR_INTERNAL, "no column '%s'", objective->name);
}

/* Whether an expression is of parameters, and of metrics that they alone decide. */
static bool is_of_config(msw_deciding *d, const msw_expr *expr)
{
    const int *used;
    size_t count = msw_expr_used(expr, &used), params = d->plan->schema.count;
    bool prices = false;
    for (size_t k = 0; k < count; k++) {
        size_t index = (size_t)used[k];
        if (index < params)
            continue;
        if (index - params >= d->metrics || !d->plan->mech->metrics[index - params].priced)
            return false;
        prices = true;
    }
    d->prices = d->prices || prices;
    return true;
}

/* A limit of the config alone rejects a point before it is evaluated. */
static int open_limit(msw_deciding *d, const msw_limit *limit, msw_err *err)
{
    char *text = msw_strfmt("(%s) %s%s (%s)", limit->left, limit->below ? "<" : ">",
                            limit->strict ? "" : "=", limit->right);
    msw_expr *expr = NULL;
    int rc = !text          ? msw_fail_memory(err)
             : limit->right ? msw_expr_new(d->host, text, &expr, err)
                            : 0;
    if (expr && d->exclude_count < MSW_LIMITS_MOST && is_of_config(d, expr))
        d->excludes[d->exclude_count++] = expr;
    else
        msw_expr_free(expr);
    free(text);
    return rc;
}

static int open_limits(msw_deciding *d, msw_err *err)
{
    const char *text = derived_text(d->plan, MSW_LIMITS_NAME);
    msw_limits limits = {0};
    if (!text)
        return 0;
    int rc = msw_expr_new(d->host, text, &d->within, err);
    if (rc == 0)
        rc = msw_limits_read(text, &limits, err);
    for (size_t i = 0; rc == 0 && i < limits.count; i++)
        rc = open_limit(d, &limits.list[i], err);
    msw_limits_free(&limits);
    return rc;
}

int msw_deciding_new(const msw_plan *plan, msw_deciding **deciding, msw_err *err)
{
    msw_deciding *d = calloc(1, sizeof *d);
    if (!d)
        return msw_fail_memory(err);
    d->plan = plan;
    d->metrics = msw_metrics_count(plan->mech->metrics);
    d->objectives = calloc(plan->view.objective_count + 1, sizeof *d->objectives);
    d->priced = calloc(d->metrics + 1, sizeof *d->priced);
    int rc = d->objectives && d->priced ? open_host(d, err) : msw_fail_memory(err);
    for (size_t i = 0; rc == 0 && i < plan->view.objective_count; i++)
        rc = open_column(d, &plan->view.objectives[i], &d->objectives[i], err);
    if (rc == 0)
        rc = open_limits(d, err);
    if (rc)
        msw_deciding_free(d);
    else
        *deciding = d;
    return rc;
}

void msw_deciding_free(msw_deciding *d)
{
    if (!d)
        return;
    for (size_t i = 0; d->objectives && i < d->plan->view.objective_count; i++)
        msw_expr_free(d->objectives[i].expr);
    for (size_t i = 0; i < d->exclude_count; i++)
        msw_expr_free(d->excludes[i]);
    msw_expr_free(d->within);
    msw_expr_host_free(d->host);
    for (size_t m = 0; d->halves && m < d->metrics; m++)
        free(d->halves[m]);
    free(d->halves);
    free(d->objectives);
    free(d->priced);
    free(d);
}

/* ---- values ---- */

/* As rows have them: parameters of other front ends are NULL, and what is not defined. */
static void bind_param(const msw_deciding *d, const msw_point *point, size_t index, msw_expr *expr,
                       size_t k)
{
    const msw_schema *schema = &d->plan->schema;
    const msw_param *p = schema->params[index];
    size_t part = d->plan->workload_frontend[point->workload] + 1;
    if (index >= schema->part_first[1] &&
        (index < schema->part_first[part] || index >= schema->part_first[part + 1])) {
        msw_expr_bind_null(expr, k);
        return;
    }
    double value = msw_schema_get(schema, index, point->block);
    if (p->kind == MSW_CHOICE)
        msw_expr_bind_text(expr, k, p->choices[(size_t)value].name);
    else if (p->kind == MSW_REAL)
        msw_expr_bind_real(expr, k, value);
    else
        msw_expr_bind_integer(expr, k, (int64_t)value);
}

static void bind(const msw_deciding *d, const msw_point *point, const msw_answer *answer,
                 msw_expr *expr)
{
    const int *used;
    size_t count = msw_expr_used(expr, &used), params = d->plan->schema.count;
    for (size_t k = 0; k < count; k++) {
        size_t index = (size_t)used[k];
        if (index < params) {
            bind_param(d, point, index, expr, k);
            continue;
        }
        double value = index - params < d->metrics
                           ? answer->metrics[index - params]
                           : answer->half_widths[index - params - d->metrics];
        if (isnan(value))
            msw_expr_bind_null(expr, k);
        else
            msw_expr_bind_real(expr, k, value == 0 ? 0 : value);
    }
}

static int evaluate(const msw_deciding *d, const msw_point *point, const msw_answer *answer,
                    msw_expr *expr, double *value, msw_err *err)
{
    msw_expr_value result;
    bind(d, point, answer, expr);
    MSW_TRY(msw_expr_eval(expr, &result, err));
    *value = result.type == MSW_EXPR_INTEGER || result.type == MSW_EXPR_REAL ? result.real : NAN;
    return 0;
}

int msw_deciding_objectives(msw_deciding *d, const msw_point *point, const msw_answer *answer,
                            double *objectives, msw_err *err)
{
    for (size_t i = 0; i < d->plan->view.objective_count; i++) {
        const column *c = &d->objectives[i];
        double value = c->metric >= 0 ? answer->metrics[c->metric]
                       : c->param >= 0
                           ? msw_schema_get(&d->plan->schema, (size_t)c->param, point->block)
                           : NAN;
        if (c->expr && evaluate(d, point, answer, c->expr, &value, err))
            return -1;
        objectives[i] = c->sign * value;
    }
    return 0;
}

int msw_deciding_within(msw_deciding *d, const msw_point *point, const msw_answer *answer,
                        msw_err *err)
{
    if (!d->within)
        return 1;
    bind(d, point, answer, d->within);
    return msw_expr_true(d->within, err);
}

int msw_deciding_excludes(msw_deciding *d, const msw_point *point, msw_err *err)
{
    const msw_answer priced = {.metrics = d->priced};
    if (d->prices)
        d->plan->mech->price((const char *)point->block + d->plan->schema.part_offsets[0],
                             d->priced);
    for (size_t i = 0; i < d->exclude_count; i++) {
        bind(d, point, &priced, d->excludes[i]);
        int kept = msw_expr_true(d->excludes[i], err);
        if (kept <= 0)
            return kept < 0 ? -1 : 1;
    }
    return 0;
}
