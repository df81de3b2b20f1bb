/* SPDX-License-Identifier: MIT */
/* Finds out where the parameters of a plan act, and which points are equal because they differ only
 * in others. */
#include "memsweep/sweep/acting.h"

#include <stdlib.h>
#include <string.h>

typedef struct compiled {
    const char *param;
    msw_expr *expr;
} compiled;

struct msw_conditions {
    const msw_param *table;
    msw_expr_host *host;
    compiled *list;
    size_t count;
};

static int compile_conditions(msw_conditions *c, const char *owner, msw_err *err)
{
    c->list = calloc(msw_params_count(c->table) + 1, sizeof *c->list);
    if (!c->list)
        return msw_fail_memory(err);
    for (const msw_param *p = c->table; p && p->name; p++) {
        if (!p->acts)
            continue;
        c->list[c->count].param = p->name;
        if (msw_expr_new(c->host, p->acts, &c->list[c->count].expr, err))
            return msw_fail_prefix(err, "%s, %s: ", owner, p->name);
        c->count++;
    }
    return 0;
}

int msw_conditions_new(const msw_param *table, const char *owner, msw_conditions **conditions,
                       msw_err *err)
{
    msw_conditions *c = calloc(1, sizeof *c);
    *conditions = c;
    if (!c)
        return msw_fail_memory(err);
    c->table = table;
    if (msw_params_host(table, &c->host, err) == 0 && compile_conditions(c, owner, err) == 0)
        return 0;
    msw_conditions_free(c);
    *conditions = NULL;
    return -1;
}

void msw_conditions_free(msw_conditions *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->count; i++)
        msw_expr_free(c->list[i].expr);
    msw_expr_host_free(c->host);
    free(c->list);
    free(c);
}

static const compiled *find(const msw_conditions *c, const char *param)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->list[i].param, param) == 0)
            return &c->list[i];
    return NULL;
}

static void bind(const msw_conditions *c, const compiled *it, const void *config, const bool *open)
{
    const int *used;
    size_t count = msw_expr_used(it->expr, &used);
    for (size_t k = 0; k < count; k++)
        if (open && open[used[k]])
            msw_expr_bind_null(it->expr, k);
        else
            msw_param_bind(&c->table[used[k]], config, it->expr, k);
}

int msw_conditions_hold(const msw_conditions *c, const char *param, const void *config,
                        msw_err *err)
{
    const compiled *it = find(c, param);
    if (!it)
        return 1;
    bind(c, it, config, NULL);
    return msw_expr_true(it->expr, err);
}

/* NULL stands for an open value: SQL's logic of three values then says false only where no value
 * can make it true. */
static int msw_conditions_may_hold(const msw_conditions *c, const char *param, const void *config,
                                   const bool *open, msw_err *err)
{
    const compiled *it = find(c, param);
    msw_expr_value value;
    if (!it)
        return 1;
    bind(c, it, config, open);
    if (msw_expr_eval(it->expr, &value, err))
        return -1;
    return value.type == MSW_EXPR_NULL || value.real != 0;
}

bool msw_conditions_ask(const msw_conditions *c, const char *param, const char *other)
{
    const compiled *it = find(c, param);
    const int *used;
    size_t count = it ? msw_expr_used(it->expr, &used) : 0;
    for (size_t k = 0; k < count; k++)
        if (strcmp(c->table[used[k]].name, other) == 0)
            return true;
    return false;
}

struct msw_acting {
    const msw_plan *plan;
    msw_conditions **parts; /* of the schema */
};

static int compile_parts(msw_acting *a, msw_err *err)
{
    const msw_plan *plan = a->plan;
    if (msw_conditions_new(plan->mech->params, plan->mech->name, &a->parts[0], err))
        return -1;
    for (size_t f = 0; f < plan->frontend_count; f++)
        if (msw_conditions_new(plan->frontends[f]->params, plan->frontends[f]->name,
                               &a->parts[f + 1], err))
            return -1;
    return 0;
}

int msw_acting_new(const msw_plan *plan, msw_acting **acting, msw_err *err)
{
    msw_acting *a = calloc(1, sizeof *a);
    *acting = a;
    if (!a)
        return msw_fail_memory(err);
    a->plan = plan;
    a->parts = calloc(plan->frontend_count + 1, sizeof *a->parts);
    if ((a->parts ? compile_parts(a, err) : msw_fail_memory(err)) == 0)
        return 0;
    msw_acting_free(a);
    *acting = NULL;
    return -1;
}

void msw_acting_free(msw_acting *a)
{
    if (!a)
        return;
    for (size_t i = 0; a->parts && i <= a->plan->frontend_count; i++)
        msw_conditions_free(a->parts[i]);
    free(a->parts);
    free(a);
}

static size_t part_of(const msw_acting *a, size_t index)
{
    size_t part = 0;
    while (index >= a->plan->schema.part_first[part + 1])
        part++;
    return part;
}

bool msw_acting_concerns(const msw_acting *a, size_t index, size_t workload)
{
    size_t part = part_of(a, index);
    return part ? a->plan->workload_frontend[workload] + 1 == part : workload == 0;
}

int msw_acting_at(const msw_acting *a, size_t index, const void *block, const bool *open,
                  msw_err *err)
{
    const msw_schema *schema = &a->plan->schema;
    size_t part = part_of(a, index);
    const char *config = (const char *)block + schema->part_offsets[part];
    const char *name = schema->params[index]->name;
    return open ? msw_conditions_may_hold(a->parts[part], name, config,
                                          open + schema->part_first[part], err)
                : msw_conditions_hold(a->parts[part], name, config, err);
}

bool msw_acting_asks(const msw_acting *a, size_t index, size_t other)
{
    const msw_schema *schema = &a->plan->schema;
    size_t part = part_of(a, index);
    return part_of(a, other) == part &&
           msw_conditions_ask(a->parts[part], schema->params[index]->name,
                              schema->params[other]->name);
}

/* Finds points of a plan that are equal because they differ only in parameters that do not act. */

struct msw_alike {
    const msw_plan *plan;
    msw_acting *acting;
    size_t count, *params; /* those that vary and have a condition */
    void *block, *defaults;
};

static void add_param(msw_alike *a, size_t param)
{
    if (a->plan->schema.params[param]->acts)
        a->params[a->count++] = param;
}

static size_t count_varied(const msw_space *space)
{
    size_t count = space->fixed_count;
    for (size_t f = 0; f < space->factor_count; f++)
        count += space->factors[f].target_count;
    return count;
}

static void find_params(msw_alike *a)
{
    const msw_space *space = &a->plan->space;
    for (size_t f = 0; f < space->factor_count; f++)
        for (size_t t = 0; t < space->factors[f].target_count; t++)
            add_param(a, space->factors[f].targets[t]);
    for (size_t i = 0; i < space->fixed_count; i++)
        add_param(a, space->fixed[i].target);
}

/* Whether a parameter acts at all points, as its condition is of what is the same at all. */
static bool always_acts(const msw_alike *a, size_t param)
{
    const msw_plan *plan = a->plan;
    if (param >= plan->schema.part_first[1])
        return false; /* what a front end's parameters are is said by its workloads, too */
    for (size_t other = 0; other < plan->schema.part_first[1]; other++)
        if (msw_acting_asks(a->acting, param, other) &&
            (msw_space_sets(&plan->space, other) || plan->schema.params[other]->acts))
            return false;
    return msw_acting_at(a->acting, param, plan->space.base, NULL, NULL) == 1;
}

static void leave_out_acting(msw_alike *a)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++)
        if (!always_acts(a, a->params[i]))
            a->params[count++] = a->params[i];
    a->count = count;
}

int msw_alike_new(const msw_plan *plan, msw_alike **alike, msw_err *err)
{
    msw_alike *a = calloc(1, sizeof *a);
    *alike = NULL;
    if (!a)
        return msw_fail_memory(err);
    a->plan = plan;
    a->params = calloc(count_varied(&plan->space) + 1, sizeof *a->params);
    a->block = malloc(plan->schema.size + 1);
    a->defaults = malloc(plan->schema.size + 1);
    int rc = a->params && a->block && a->defaults ? 0 : msw_fail_memory(err);
    if (rc == 0) {
        msw_schema_defaults(&plan->schema, a->defaults);
        find_params(a);
    }
    if (rc == 0 && a->count && (rc = msw_acting_new(plan, &a->acting, err)) == 0)
        leave_out_acting(a);
    if (rc == 0 && a->count)
        *alike = a;
    if (!*alike)
        msw_alike_free(a);
    return rc;
}

void msw_alike_free(msw_alike *a)
{
    if (!a)
        return;
    msw_acting_free(a->acting);
    free(a->params);
    free(a->block);
    free(a->defaults);
    free(a);
}

/* One after the other, each asked with those before it at their defaults: every step is one that
 * changes nothing. */
int msw_alike_key(msw_alike *a, const msw_point *point, msw_digest *key, msw_err *err)
{
    const msw_schema *schema = &a->plan->schema;
    memcpy(a->block, point->block, schema->size);
    for (size_t i = 0; i < a->count; i++) {
        int acts = msw_acting_at(a->acting, a->params[i], a->block, NULL, err);
        if (acts < 0)
            return -1;
        if (!acts)
            msw_schema_set(schema, a->params[i], a->block,
                           msw_schema_get(schema, a->params[i], a->defaults));
    }
    *key = msw_point_key(a->plan, point->workload, point->replicate, a->block);
    return 0;
}
