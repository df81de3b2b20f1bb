/* SPDX-License-Identifier: MIT */
/* The plans of all networks of a mix, in two steps: what tenants and blocks do not change, and the
 * rest. */
#include "mech/camdn/plan/plan.h"

#include <string.h>

#define LEVELS_DEPEND                                                                              \
    "array_rows", "array_cols", "dataflow", "scratchpad", "accumulator", "sum_bytes",              \
        "single_buffer", "depthwise", "lanes", "cache_size", "cache_ways", "cache_line",           \
        "npu_ways", "cache_pages", "levels"

const char *const camdn_levels_depends[] = {LEVELS_DEPEND, NULL};
const char *const camdn_plans_depends[] = {LEVELS_DEPEND, "tenants", "blocks", NULL};

camdn_planner camdn_planner_of(const msw_task *task, msw_arena *arena, msw_arena *scratch)
{
    const camdn_config *c = task->config;
    camdn_planner p = {.task = task, .config = c, .arena = arena, .scratch = scratch};
    p.pages = (uint32_t)(c->pages * c->npu_ways / c->ways);
    p.share = p.pages / (uint32_t)c->tenants;
    p.page_lines = (uint32_t)msw_max_u64(1, (uint64_t)(c->cache / c->line / c->pages));
    return p;
}

int camdn_planner_turn(camdn_planner *p, uint32_t network)
{
    const msw_graph_product *mix = p->task->product->data;
    const camdn_tables *tables = p->task->artifacts[CAMDN_ARTIFACT_TABLES];
    p->net = &mix->networks[network];
    p->table = tables->of[network];
    p->shape = &tables->shapes[network];
    size_t bytes = (p->table->step_count + 1) * sizeof *p->step_pages;
    p->step_pages = msw_arena_take(p->scratch, bytes);
    if (p->step_pages)
        memset(p->step_pages, 0xff, bytes);
    return p->step_pages ? 0 : -1;
}

/* Operators with the same staircase have the same candidates. */
static int choose_all(const camdn_planner *p, camdn_op_levels *ops)
{
    const camdn_layer *layers = camdn_layers(p->table);
    for (uint32_t o = 0; o < p->net->op_count; o++) {
        uint32_t like = 0;
        while (layers[like].stairs[0].first != layers[o].stairs[0].first)
            like++;
        if (like == o && camdn_levels_choose(p, o, &ops[o]))
            return -1;
        ops[o] = ops[like];
        ops[o].like = like;
    }
    return 0;
}

int camdn_build_levels(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    camdn_levels *levels = msw_arena_zero(arena, 1, sizeof *levels);
    msw_arena scratch = {0};
    camdn_planner p = camdn_planner_of(task, arena, &scratch);
    int rc = levels ? 0 : -1;
    (void)extra;
    for (uint32_t i = 0; rc == 0 && i < mix->count; i++) {
        camdn_op_levels *ops = msw_arena_zero(arena, mix->networks[i].op_count + 1, sizeof *ops);
        if (!ops || camdn_planner_turn(&p, i) || choose_all(&p, ops) ||
            camdn_least_traffic(&p, &levels->fused_pages[i]))
            rc = -1;
        else
            levels->of[i] = ops;
        msw_arena_reset(&scratch);
    }
    msw_arena_free(&scratch);
    *root = levels;
    return rc ? msw_fail_memory(err) : 0;
}

/* A copy of its own: plans do not hold the artifact that they were made from. */
static int copy_levels(const camdn_planner *p, const camdn_op_levels *from, camdn_op_plan *ops)
{
    for (uint32_t o = 0; o < p->net->op_count; o++) {
        uint32_t like = from[o].like, count = from[o].count;
        if (like < o) {
            ops[o].levels = ops[like].levels;
        } else {
            camdn_level *own = msw_arena_take(p->arena, count * sizeof *own);
            if (!own)
                return -1;
            memcpy(own, from[o].levels, count * sizeof *own);
            ops[o].levels = own;
        }
        ops[o].count = count;
    }
    return 0;
}

static int plan_network(const camdn_planner *p, const camdn_op_levels *levels, camdn_plan *plan)
{
    uint32_t n = p->net->op_count;
    camdn_op_plan *ops = msw_arena_zero(p->arena, n + 1, sizeof *ops);
    *plan = (camdn_plan){.op_count = n, .ops = ops};
    return !ops || copy_levels(p, levels, ops) ? -1 : camdn_cut(p, ops, plan);
}

int camdn_build_plans(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    const camdn_levels *levels = task->artifacts[CAMDN_ARTIFACT_LEVELS];
    camdn_plans *plans = msw_arena_zero(arena, 1, sizeof *plans);
    msw_arena scratch = {0};
    camdn_planner p = camdn_planner_of(task, arena, &scratch);
    int rc = plans ? 0 : -1;
    (void)extra;
    for (uint32_t i = 0; rc == 0 && i < mix->count; i++) {
        rc = camdn_planner_turn(&p, i) || plan_network(&p, levels->of[i], &plans->of[i]);
        plans->limits[i].fused_pages = levels->fused_pages[i];
        msw_arena_reset(&scratch);
    }
    if (plans)
        plans->pages = p.pages, plans->share = p.share, plans->page_lines = p.page_lines;
    rc = rc || camdn_limits_find(task, plans, &scratch);
    msw_arena_free(&scratch);
    *root = plans;
    return rc ? msw_fail_memory(err) : 0;
}
