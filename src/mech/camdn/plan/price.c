/* SPDX-License-Identifier: MIT */
/* Computes the clairvoyant limit: pages that are taken as they are worth most. Every operator or
 * block takes the candidate with the least dram + price x pages x cycles, the cycles being those
 * that it takes at least, with all of the memory's bandwidth; the price is the least, by halving,
 * with which the tasks hold no more than the pages there are for the time that they took. It needs
 * no pages at the same time: in the long run nothing can do better with these candidates. */
#include "mech/camdn/plan/plan.h"

#include <math.h>
#include <string.h>

/* The use of a block or a network at a price. */
typedef struct taken {
    double bytes, cycles, held; /* held: pages x cycles */
} taken;

/* A network between two prices: blocks that take the same at both do so at all between. */
typedef struct market {
    const camdn_plan *plan;
    const double *ops, *blocks; /* cycles that are expected */
    taken *low, *high, *now;    /* by block */
    taken all;                  /* at the last price */
    double weight;
    bool open; /* some block does not take the same at both */
} market;

static double value_of(const taken *t, double price)
{
    return t->bytes + price * t->held;
}

static taken take_op(const camdn_op_plan *op, double cycles, double price)
{
    taken best = {op->levels->dram_bytes, cycles, cycles * op->levels->pages};
    double least = value_of(&best, price);
    for (uint32_t i = 1; i < op->count; i++) {
        const camdn_level *l = &op->levels[i];
        taken now = {l->dram_bytes, cycles, cycles * l->pages};
        double value = value_of(&now, price);
        if (value < least)
            best = now, least = value;
    }
    return best;
}

static taken take_block(const market *m, uint32_t block, double price)
{
    const camdn_block_plan *b = &m->plan->blocks[block];
    const camdn_op_plan *ops = m->plan->ops;
    double cycles = m->blocks[block];
    taken apart = {0}, whole = {0, cycles, cycles * b->pages};
    for (uint32_t o = b->first; o < b->end; o++) {
        taken op = take_op(&ops[o], m->ops[o], price);
        apart.bytes += op.bytes, apart.cycles += op.cycles, apart.held += op.held;
        whole.bytes += ops[o].inside.dram_bytes;
    }
    bool is_block = b->end - b->first > 1;
    return is_block && value_of(&whole, price) < value_of(&apart, price) ? whole : apart;
}

static bool is_same(const taken *a, const taken *b)
{
    return a->bytes == b->bytes && a->cycles == b->cycles && a->held == b->held;
}

/* Fills what blocks take now. */
static void take_network(market *m, double price)
{
    taken all = {0};
    for (uint32_t i = 0; i < m->plan->block_count; i++) {
        taken t = is_same(&m->low[i], &m->high[i]) ? m->low[i] : take_block(m, i, price);
        m->now[i] = t;
        all.bytes += t.bytes, all.cycles += t.cycles, all.held += t.held;
    }
    m->all = all;
}

/* Pages x cycles that all tasks hold. */
static double held_now(const market *markets, uint32_t count)
{
    double held = 0;
    for (uint32_t i = 0; i < count; i++)
        held += markets[i].weight * markets[i].all.held;
    return held;
}

/* The present use becomes that at one end. */
static void move_end(market *m, bool low)
{
    taken **end = low ? &m->low : &m->high, *swapped = *end;
    *end = m->now;
    m->now = swapped;
    m->open = memcmp(m->low, m->high, m->plan->block_count * sizeof *m->low) != 0;
}

/* At both ends, as if nothing were known. */
static void open_market(market *m, double high)
{
    for (uint32_t i = 0; i < m->plan->block_count; i++) {
        m->low[i] = take_block(m, i, 0);
        m->high[i] = take_block(m, i, high);
    }
    m->open = true;
}

static double bytes_now(const market *markets, uint32_t count)
{
    double bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += markets[i].weight * markets[i].all.bytes;
    return bytes;
}

/* Least bytes with no more than so many pages x cycles. */
static double spend(market *markets, uint32_t count, double room)
{
    enum { STEPS = 60 };
    double low = 0, high = 1e6;
    for (uint32_t i = 0; i < count; i++) {
        open_market(&markets[i], high);
        take_network(&markets[i], low);
    }
    bool scarce = held_now(markets, count) > room;
    for (int step = 0; step < STEPS && scarce; step++) {
        double price = (low + high) / 2;
        for (uint32_t i = 0; i < count; i++)
            if (markets[i].open)
                take_network(&markets[i], price);
        bool more = held_now(markets, count) > room;
        *(more ? &low : &high) = price;
        for (uint32_t i = 0; i < count; i++)
            if (markets[i].open)
                move_end(&markets[i], more);
    }
    for (uint32_t i = 0; i < count; i++)
        if (scarce && markets[i].open)
            take_network(&markets[i], low);
    return bytes_now(markets, count);
}

/* Cycles that operators and blocks take at least. */
static int open_network(const msw_task *task, uint32_t network, market *m)
{
    const camdn_tables *tables = task->artifacts[CAMDN_ARTIFACT_TABLES];
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    const camdn_layer *layers = camdn_layers(tables->of[network]);
    const camdn_plan *plan = &plans->of[network];
    camdn_config alone = *(const camdn_config *)task->config;
    size_t blocks = plan->block_count + 1;
    double *ops = msw_arena_take(task->arena, (plan->op_count + 1) * sizeof *ops);
    double *whole = msw_arena_zero(task->arena, blocks, sizeof *whole);
    taken *rows = msw_arena_take(task->arena, 3 * blocks * sizeof *rows);
    if (!ops || !whole || !rows)
        return -1;
    alone.estimate = CAMDN_ESTIMATE_ALONE;
    for (uint32_t o = 0; o < plan->op_count; o++) {
        const camdn_op_plan *op = &plan->ops[o];
        ops[o] = INFINITY;
        for (uint32_t l = 0; l < op->count; l++)
            ops[o] = fmin(ops[o], camdn_estimate(&alone, &layers[o], &op->levels[l]));
        whole[op->block] += camdn_estimate(&alone, &layers[o], &op->inside);
    }
    *m = (market){.plan = plan,
                  .ops = ops,
                  .blocks = whole,
                  .low = rows,
                  .high = rows + blocks,
                  .now = rows + 2 * blocks};
    return 0;
}

double camdn_clairvoyant(const msw_task *task, const double *tasks, double cycles)
{
    const msw_graph_product *mix = task->product->data;
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    market markets[MSW_GRAPH_NETWORKS_MAX];
    for (uint32_t i = 0; i < mix->count; i++) {
        if (open_network(task, i, &markets[i]))
            return NAN;
        markets[i].weight = tasks[i];
    }
    return spend(markets, mix->count, (double)plans->pages * cycles);
}
