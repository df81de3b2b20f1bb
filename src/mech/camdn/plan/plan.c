/* SPDX-License-Identifier: MIT */
/* Plans all networks of a mix, in two steps: what tenants and blocks do not change, and the rest;
 * and finds what networks may reach. Traffic of a network with so many pages, all its own:
 *
 *   f(p) = sum over operators of: the block's way where the block fits p pages, else the largest
 *          candidate that does
 *
 * Fixed: pages p_1 + ... + p_T <= P that make the mean of f least, by dynamic programming over the
 * tenants; each tenant runs the mix. */
#include "mech/camdn/plan/plan.h"

#include <math.h>
#include <string.h>

typedef struct finder {
    const msw_graph_product *mix;
    const camdn_config *config;
    camdn_plans *plans;
    double weights;
} finder;

static bool is_block(const camdn_block_plan *b)
{
    return b->end - b->first > 1;
}

static double traffic_within(const camdn_plan *plan, uint32_t pages)
{
    double bytes = 0;
    for (uint32_t o = 0; o < plan->op_count; o++) {
        const camdn_op_plan *op = &plan->ops[o];
        const camdn_block_plan *b = &plan->blocks[op->block];
        bool block = is_block(b) && b->pages <= pages;
        const camdn_level *level = &op->levels[camdn_candidate(op, pages)];
        bytes += block ? op->inside.dram_bytes : level->dram_bytes;
    }
    return bytes;
}

/* Mean over the networks of a tenant with so many pages. */
static double mean_within(const finder *f, uint32_t pages)
{
    double bytes = 0;
    for (uint32_t i = 0; i < f->mix->count; i++)
        bytes += f->mix->networks[i].weight / f->weights * traffic_within(&f->plans->of[i], pages);
    return bytes;
}

/* Marks the numbers of pages at which some operator may run in another way. */
static void mark(const finder *f, bool *marks)
{
    marks[0] = true;
    for (uint32_t i = 0; i < f->mix->count; i++) {
        const camdn_plan *plan = &f->plans->of[i];
        for (uint32_t o = 0; o < plan->op_count; o++)
            for (uint32_t l = 0; l < plan->ops[o].count; l++)
                marks[plan->ops[o].levels[l].pages] = true;
        for (uint32_t b = 0; b < plan->block_count; b++)
            if (plan->blocks[b].pages <= f->plans->pages)
                marks[plan->blocks[b].pages] = true;
    }
}

/* Numbers of pages at which f changes, and f there; the first is 0 pages. Returns how many. */
static uint32_t list_steps(const finder *f, const bool *marks, uint32_t *pages, double *bytes)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p <= f->plans->pages; p++) {
        double now = marks[p] ? mean_within(f, p) : INFINITY;
        if (count > 0 && now >= bytes[count - 1])
            continue;
        pages[count] = p;
        bytes[count++] = now;
    }
    return count;
}

/* best[p]: the least sum of the tenants so far with p pages; in place, from the most pages down. */
static int share_fixed(const finder *f, msw_arena *scratch, uint32_t *chosen)
{
    uint32_t all = f->plans->pages, tenants = (uint32_t)f->config->tenants;
    double *best = msw_arena_zero(scratch, all + 1, sizeof *best);
    double *bytes = msw_arena_take(scratch, (all + 1) * sizeof *bytes);
    uint32_t *pages = msw_arena_take(scratch, (all + 1) * sizeof *pages);
    uint16_t *taken = msw_arena_take(scratch, (size_t)tenants * (all + 1) * sizeof *taken);
    bool *marks = msw_arena_zero(scratch, all + 1, sizeof *marks);
    if (!best || !bytes || !pages || !taken || !marks)
        return -1;
    mark(f, marks);
    uint32_t count = list_steps(f, marks, pages, bytes);
    for (uint32_t t = 0; t < tenants; t++)
        for (uint32_t p = all + 1; p-- > 0;) {
            double least = INFINITY;
            for (uint32_t i = 0; i < count && pages[i] <= p; i++)
                if (best[p - pages[i]] + bytes[i] < least) {
                    least = best[p - pages[i]] + bytes[i];
                    taken[t * (all + 1) + p] = (uint16_t)pages[i];
                }
            best[p] = least;
        }
    for (uint32_t t = tenants, p = all; t-- > 0; p -= chosen[t])
        chosen[t] = taken[t * (all + 1) + p];
    return 0;
}

static int find_fixed(const finder *f, msw_arena *scratch)
{
    uint32_t chosen[CAMDN_TENANTS_MAX];
    double tenants = (double)f->config->tenants;
    if (share_fixed(f, scratch, chosen))
        return -1;
    for (uint32_t i = 0; i < f->mix->count; i++)
        for (int64_t t = 0; t < f->config->tenants; t++)
            f->plans->limits[i].fixed += traffic_within(&f->plans->of[i], chosen[t]) / tenants;
    return 0;
}

void camdn_limits_add(const camdn_plans *plans, uint32_t network, double *totals)
{
    const camdn_limits *limits = &plans->limits[network];
    totals[CAMDN_UNCACHED] += limits->uncached;
    totals[CAMDN_LAYERWISE] += limits->layerwise;
    totals[CAMDN_FUSED] += limits->fused;
    totals[CAMDN_FUSED_PAGES] += limits->fused_pages;
    totals[CAMDN_FIXED] += limits->fixed;
}

/* Fills the limits of all networks but the clairvoyant. Returns 0, or -1: no memory. */
static int find_limits(const msw_task *task, camdn_plans *plans, msw_arena *scratch)
{
    const camdn_tables *tables = task->artifacts[CAMDN_ARTIFACT_TABLES];
    finder f = {task->product->data, task->config, plans, camdn_draws_of(task).weights};
    for (uint32_t i = 0; i < f.mix->count; i++) {
        const camdn_shape *shape = &tables->shapes[i];
        camdn_limits *l = &plans->limits[i];
        l->uncached = shape->uncached;
        l->layerwise = shape->layerwise;
        l->fused = shape->fused;
        plans->used_once += shape->unused / f.mix->count;
        plans->beyond_1mib += shape->beyond_1mib / f.mix->count;
        plans->beyond_2mib += shape->beyond_2mib / f.mix->count;
    }
    return find_fixed(&f, scratch);
}

#define LEVELS_DEPEND                                                                              \
    "array_rows", "array_cols", "dataflow", "scratchpad", "accumulator", "sum_bytes",              \
        "single_buffer", "depthwise", "lanes", "tiling", "arrays", "cache_size", "cache_ways",     \
        "cache_line", "npu_ways", "cache_pages", "levels"

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
    int rc = -1;
    (void)extra;
    if (!levels)
        goto done;
    for (uint32_t i = 0; i < mix->count; i++) {
        camdn_op_levels *ops = msw_arena_zero(arena, mix->networks[i].op_count + 1, sizeof *ops);
        if (!ops || camdn_planner_turn(&p, i) || choose_all(&p, ops) ||
            camdn_least_traffic(&p, &levels->fused_pages[i]))
            goto done;
        levels->of[i] = ops;
        msw_arena_reset(&scratch);
    }
    *root = levels;
    rc = 0;
done:
    msw_arena_free(&scratch);
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
    if (!ops || copy_levels(p, levels, ops))
        return -1;
    return camdn_cut(p, ops, plan);
}

int camdn_build_plans(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err)
{
    const msw_graph_product *mix = task->product->data;
    const camdn_levels *levels = task->artifacts[CAMDN_ARTIFACT_LEVELS];
    camdn_plans *plans = msw_arena_zero(arena, 1, sizeof *plans);
    msw_arena scratch = {0};
    camdn_planner p = camdn_planner_of(task, arena, &scratch);
    int rc = -1;
    (void)extra;
    if (!plans)
        goto done;
    for (uint32_t i = 0; i < mix->count; i++) {
        if (camdn_planner_turn(&p, i) || plan_network(&p, levels->of[i], &plans->of[i]))
            goto done;
        plans->limits[i].fused_pages = levels->fused_pages[i];
        msw_arena_reset(&scratch);
    }
    plans->pages = p.pages, plans->share = p.share, plans->page_lines = p.page_lines;
    if (find_limits(task, plans, &scratch))
        goto done;
    *root = plans;
    rc = 0;
done:
    msw_arena_free(&scratch);
    return rc ? msw_fail_memory(err) : 0;
}
