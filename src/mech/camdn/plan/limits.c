/* What networks may reach. Traffic of a network with so many pages, all its own:
 *
 *   f(p) = sum over operators of: the block's way where the block fits p pages, else the largest
 *          candidate that does
 *
 * Fixed: pages p_1 + ... + p_T <= P that make the mean of f least, by dynamic programming over the
 * tenants; each tenant runs the mix. Clairvoyant: every operator or block takes the candidate with
 * the least dram + price x pages x cycles; the price is the least, by halving, with which tenants
 * hold no more than P pages on average. It asks for no pages at the same time: nobody can do
 * better with these candidates, if operators take as long as is expected of them. */
#include "mech/camdn/plan/plan.h"

#include <math.h>

typedef struct finder {
    const msw_graph_product *mix;
    const camdn_tables *tables;
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

/* Numbers of pages at which f changes, and f there; the first is 0 pages. Returns how many. */
static uint32_t list_steps(const finder *f, uint32_t *pages, double *bytes)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p <= f->plans->pages; p++) {
        double now = mean_within(f, p);
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
    if (!best || !bytes || !pages || !taken)
        return -1;
    uint32_t count = list_steps(f, pages, bytes);
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

/* ---- clairvoyant ---- */

/* What a network takes at a price. */
typedef struct taken {
    double bytes, cycles, held; /* held: pages x cycles */
} taken;

static double value_of(const taken *t, double price)
{
    return t->bytes + price * t->held;
}

static taken take_op(const camdn_op_plan *op, double price)
{
    taken best = {0};
    for (uint32_t i = 0; i < op->count; i++) {
        const camdn_level *l = &op->levels[i];
        taken now = {l->dram_bytes, op->estimate, op->estimate * l->pages};
        if (i == 0 || value_of(&now, price) < value_of(&best, price))
            best = now;
    }
    return best;
}

static taken take_network(const camdn_plan *plan, double price)
{
    taken all = {0};
    for (uint32_t i = 0; i < plan->block_count; i++) {
        const camdn_block_plan *b = &plan->blocks[i];
        taken apart = {0}, block = {0, b->estimate, b->estimate * b->pages};
        for (uint32_t o = b->first; o < b->end; o++) {
            taken op = take_op(&plan->ops[o], price);
            apart.bytes += op.bytes, apart.cycles += op.cycles, apart.held += op.held;
            block.bytes += plan->ops[o].inside.dram_bytes;
        }
        if (is_block(b) && value_of(&block, price) < value_of(&apart, price))
            apart = block;
        all.bytes += apart.bytes, all.cycles += apart.cycles, all.held += apart.held;
    }
    return all;
}

/* Pages that tenants hold together, on average. */
static double held_at(const finder *f, double price)
{
    double held = 0, cycles = 0;
    for (uint32_t i = 0; i < f->mix->count; i++) {
        taken t = take_network(&f->plans->of[i], price);
        held += f->mix->networks[i].weight * t.held;
        cycles += f->mix->networks[i].weight * t.cycles;
    }
    return (double)f->config->tenants * held / cycles;
}

static void find_clairvoyant(const finder *f)
{
    enum { STEPS = 60 };
    double low = 0, high = 1e6, price = 0;
    for (int i = 0; i < STEPS && held_at(f, 0) > f->plans->pages; i++) {
        price = (low + high) / 2;
        *(held_at(f, price) > f->plans->pages ? &low : &high) = price;
        price = high;
    }
    for (uint32_t i = 0; i < f->mix->count; i++)
        f->plans->limits[i].clairvoyant = take_network(&f->plans->of[i], price).bytes;
}

void camdn_limits_add(const camdn_limits *limits, double *totals)
{
    totals[CAMDN_UNCACHED] += limits->uncached;
    totals[CAMDN_LAYERWISE] += limits->layerwise;
    totals[CAMDN_FUSED] += limits->fused;
    totals[CAMDN_FUSED_PAGES] += limits->fused_pages;
    totals[CAMDN_FIXED] += limits->fixed;
    totals[CAMDN_CLAIRVOYANT] += limits->clairvoyant;
}

static double beyond(const msw_graph_network *net, double distance)
{
    double share = msw_graph_beyond(net, distance);
    return isnan(share) ? 0 : share; /* a network without intermediates */
}

int camdn_limits_find(const msw_task *task, camdn_plans *plans, msw_arena *scratch)
{
    finder f = {task->product->data, task->artifacts[0], task->config, plans, 0};
    f.weights = camdn_draws_of(task).weights;
    for (uint32_t i = 0; i < f.mix->count; i++) {
        msw_graph_totals totals = msw_graph_total(&f.mix->networks[i]);
        camdn_limits *l = &plans->limits[i];
        l->layerwise = totals.layerwise;
        l->fused = totals.fused;
        plans->used_once += totals.unused / f.mix->count;
        plans->beyond_1mib += beyond(&f.mix->networks[i], 1048576.) / f.mix->count;
        plans->beyond_2mib += beyond(&f.mix->networks[i], 2097152.) / f.mix->count;
        for (uint32_t o = 0; o < f.mix->networks[i].op_count; o++)
            l->uncached += (double)camdn_step_within(f.tables->of[i], o, 0, 0)->npu_bytes;
    }
    find_clairvoyant(&f);
    return find_fixed(&f, scratch);
}
