/* SPDX-License-Identifier: MIT */
#include "reproduce/acting.h"

#include "memsweep/reproduce/conditions.h"

#include <stdlib.h>

struct msw_acting {
    const msw_plan *plan;
    msw_conditions **parts; /* of the schema */
};

static int compile(msw_acting *a, msw_err *err)
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
    if ((a->parts ? compile(a, err) : msw_fail_memory(err)) == 0)
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
