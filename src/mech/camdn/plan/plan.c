/* The plans of all networks of a mix. */
#include "mech/camdn/plan/plan.h"

const char *const camdn_plans_depends[] = {"array_rows",
                                           "array_cols",
                                           "dataflow",
                                           "scratchpad",
                                           "accumulator",
                                           "sum_bytes",
                                           "single_buffer",
                                           "depthwise",
                                           "lanes",
                                           "tenants",
                                           "in_flight",
                                           "burst",
                                           "port_bytes",
                                           "cache_size",
                                           "cache_slices",
                                           "cache_ways",
                                           "cache_line",
                                           "cache_control",
                                           "npu_ways",
                                           "cache_pages",
                                           "levels",
                                           "blocks",
                                           "estimate",
                                           "cache_cycles",
                                           "memory_cycles",
                                           "memory_bandwidth",
                                           "frequency",
                                           "memory_model",
                                           "memory_preset",
                                           "memory_channels",
                                           NULL};

static int plan_network(camdn_planner *p, camdn_plan *plan)
{
    uint32_t n = p->net->op_count;
    camdn_op_plan *ops = msw_arena_zero(p->arena, n, sizeof *ops);
    *plan = (camdn_plan){.op_count = n, .ops = ops};
    for (uint32_t o = 0; ops && o < n; o++) {
        if (camdn_levels_choose(p, o, &ops[o]))
            return -1;
        const camdn_level *level = &ops[o].levels[camdn_candidate(&ops[o], p->share)];
        ops[o].estimate = camdn_estimate(p, o, level);
    }
    return ops ? camdn_cut(p, ops, plan) : -1;
}

int camdn_build_plans(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    const camdn_tables *tables = task->artifacts[0];
    const camdn_config *c = task->config;
    camdn_plans *plans = msw_arena_zero(arena, 1, sizeof *plans);
    msw_arena scratch = {0};
    int rc = plans ? 0 : -1;
    (void)extra;
    camdn_planner p = {.config = c, .array = camdn_array_of(c, mix->element_bytes), .arena = arena};
    p.scratch = &scratch;
    p.pages = (uint32_t)(c->pages * c->npu_ways / c->ways);
    p.share = p.pages / (uint32_t)c->tenants;
    p.page_lines = (uint32_t)msw_max_u64(1, (uint64_t)(c->cache / c->line / c->pages));
    for (uint32_t i = 0; rc == 0 && i < mix->count; i++) {
        p.net = &mix->networks[i];
        p.table = tables->of[i];
        rc = plan_network(&p, &plans->of[i]) ||
             camdn_least_traffic(&p, &plans->limits[i].fused_pages);
        msw_arena_reset(&scratch);
    }
    if (plans)
        plans->pages = p.pages, plans->share = p.share, plans->page_lines = p.page_lines;
    rc = rc || camdn_limits_find(task, plans, &scratch);
    msw_arena_free(&scratch);
    if (rc)
        return msw_fail_memory(err);
    *root = plans;
    return 0;
}
