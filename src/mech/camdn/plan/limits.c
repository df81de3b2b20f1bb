/* SPDX-License-Identifier: MIT */
/* What networks may reach. Traffic of a network with so many pages, all its own:
 *
 *   f(p) = sum over operators of: the block's way where the block fits p pages, else the largest
 *          candidate that does
 *
 * Fixed: pages p_1 + ... + p_T <= P that make the mean of f least, by dynamic programming over the
 * tenants; each tenant runs the mix. */
#include "mech/camdn/plan/plan.h"

#include <math.h>

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

void camdn_limits_add(const camdn_plans *plans, const camdn_expected *expected, uint32_t network,
                      double *totals)
{
    const camdn_limits *limits = &plans->limits[network];
    totals[CAMDN_UNCACHED] += limits->uncached;
    totals[CAMDN_LAYERWISE] += limits->layerwise;
    totals[CAMDN_FUSED] += limits->fused;
    totals[CAMDN_FUSED_PAGES] += limits->fused_pages;
    totals[CAMDN_FIXED] += limits->fixed;
    totals[CAMDN_CLAIRVOYANT] += expected->clairvoyant[network];
}

int camdn_limits_find(const msw_task *task, camdn_plans *plans, msw_arena *scratch)
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
