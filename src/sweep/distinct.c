/* SPDX-License-Identifier: MIT */
/* Whether two points of a plan can have the same key. */
#include "sweep/loader.h"

/* A factor that only one front end's workloads see does not vary the others. */
static bool is_shared(const msw_plan *plan, const msw_factor *factor)
{
    for (size_t t = 0; t < factor->target_count; t++)
        if (plan->frontend_count > 1 && factor->targets[t] >= plan->schema.part_first[1])
            return false;
    return true;
}

static bool factors_tell_apart(const msw_plan *plan)
{
    for (size_t f = 0; f < plan->space.factor_count; f++) {
        const msw_factor *factor = &plan->space.factors[f];
        if (!is_shared(plan, factor))
            return false;
        /* Off its levels, an inactive factor gives one config for many coordinates. */
        if (factor->when && plan->design->coords != MSW_COORDS_LEVEL)
            return false;
    }
    return true;
}

static int key_at(msw_pointer *pointer, uint64_t index, msw_digest *key)
{
    msw_point point;
    msw_err err;
    if (msw_pointer_at(pointer, index, true, &point, &err))
        return -1;
    *key = point.key;
    return 0;
}

/* Workloads and replicates differ for all points or for none: the first point of each decides. */
static bool outer_keys_differ(msw_pointer *pointer, const msw_plan *plan)
{
    uint64_t per_workload = plan->design_state.count * plan->replicates;
    for (size_t a = 0; a < plan->workload_count; a++)
        for (size_t b = 0; b < a; b++) {
            msw_digest x, y;
            if (key_at(pointer, a * per_workload, &x) || key_at(pointer, b * per_workload, &y) ||
                msw_digest_equal(x, y))
                return false;
        }
    msw_digest first, second;
    for (size_t w = 0; plan->replicates > 1 && w < plan->workload_count; w++)
        if (key_at(pointer, w * per_workload, &first) ||
            key_at(pointer, w * per_workload + 1, &second) || msw_digest_equal(first, second))
            return false;
    return true;
}

void msw_step_distinct(msw_loader *l)
{
    msw_plan *plan = l->plan;
    if (l->diagnostics.count)
        return;
    msw_pointer *pointer = NULL;
    msw_err err = {0};
    if (msw_pointer_new(plan, &pointer, &err))
        msw_loader_fail(l, &err, l->root, "%s", err.text);
    else
        plan->distinct =
            plan->design->distinct && factors_tell_apart(plan) && outer_keys_differ(pointer, plan);
    msw_pointer_free(pointer);
}
