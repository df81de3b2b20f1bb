/* SPDX-License-Identifier: MIT */
/* Who decides a front end's parameter: vary and fix before a preset before the workload's name
 * before the default.
 *
 * A plan's workloads hold what their names say, with plain fixed values written over it; the base
 * block holds what all workloads of a front end agree on. */
#include "sweep/loader.h"

#include <string.h>

static bool is_expression(const msw_loader *l, size_t index)
{
    for (size_t i = 0; i < l->pending_count; i++)
        if (l->pending[i].target == (int)index && strcmp(l->pending[i].what, "fix") == 0)
            return true;
    return false;
}

static void write_over(msw_loader *l, size_t part, const msw_param *param, double value)
{
    for (size_t w = 0; w < l->plan->workload_count; w++)
        if (l->plan->workload_frontend[w] + 1 == part)
            msw_param_set(param, l->plan->workloads[w].config, value);
}

static void agree(msw_loader *l, size_t part, size_t index)
{
    const msw_plan *plan = l->plan;
    const msw_param *param = plan->schema.params[index];
    bool first = true;
    for (size_t w = 0; w < plan->workload_count; w++) {
        if (plan->workload_frontend[w] + 1 != part)
            continue;
        double value = msw_param_get(param, plan->workloads[w].config);
        if (first)
            msw_schema_set(&plan->schema, index, plan->space.base, value);
        else if (value != msw_schema_get(&plan->schema, index, plan->space.base))
            l->differs[index] = true;
        first = false;
    }
    if (l->differs[index])
        msw_schema_set(&plan->schema, index, plan->space.base, param->def);
}

void msw_step_overlay(msw_loader *l)
{
    if (!l->ready)
        return;
    const msw_schema *schema = &l->plan->schema;
    for (size_t part = 1; part < schema->part_count; part++)
        for (size_t i = schema->part_first[part]; i < schema->part_first[part + 1]; i++) {
            if (!l->setter[i] && l->plan->decided[i])
                write_over(l, part, schema->params[i],
                           msw_schema_get(schema, i, l->plan->space.base));
            else if (!l->setter[i])
                agree(l, part, i);
            else if (strcmp(l->setter_word[i], "fixed") == 0 && !is_expression(l, i))
                write_over(l, part, schema->params[i],
                           msw_schema_get(schema, i, l->plan->space.base));
        }
}
