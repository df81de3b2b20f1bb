/* SPDX-License-Identifier: MIT */
/* Finds points of a plan that are equal because they differ only in parameters that do not act. */
#include "memsweep/sweep/acting.h"

#include <stdlib.h>
#include <string.h>

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
