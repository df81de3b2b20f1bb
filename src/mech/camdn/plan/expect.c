/* SPDX-License-Identifier: MIT */
/* What is expected of operators and blocks, and what pages may reach that are taken as they are
 * worth most: every operator or block takes the candidate with the least dram + price x pages x
 * cycles; the price is the least, by halving, with which tenants hold no more than P pages on
 * average. It asks for no pages at the same time: nobody can do better with these candidates, if
 * operators take as long as is expected of them. */
#include "mech/camdn/plan/plan.h"

#include <string.h>

/* What a block or a network takes at a price. */
typedef struct taken {
    double bytes, cycles, held; /* held: pages x cycles */
} taken;

/* A network between two prices: blocks that take the same at both do so at all between. */
typedef struct market {
    const camdn_plan *plan;
    const double *ops, *blocks; /* cycles that are expected */
    taken *low, *high, *now;    /* by block */
    taken all;                  /* at the last price asked for */
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

/* Pages that tenants hold together, on average. */
static double held_now(const market *markets, uint32_t count, double tenants)
{
    double held = 0, cycles = 0;
    for (uint32_t i = 0; i < count; i++) {
        held += markets[i].weight * markets[i].all.held;
        cycles += markets[i].weight * markets[i].all.cycles;
    }
    return tenants * held / cycles;
}

/* What is taken now becomes what is taken at one end. */
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

static void find_clairvoyant(market *markets, uint32_t count, double tenants, double pages,
                             double *bytes)
{
    enum { STEPS = 60 };
    double low = 0, high = 1e6;
    for (uint32_t i = 0; i < count; i++) {
        open_market(&markets[i], high);
        take_network(&markets[i], low);
    }
    bool scarce = held_now(markets, count, tenants) > pages;
    for (int step = 0; step < STEPS && scarce; step++) {
        double price = (low + high) / 2;
        for (uint32_t i = 0; i < count; i++)
            if (markets[i].open)
                take_network(&markets[i], price);
        bool more = held_now(markets, count, tenants) > pages;
        *(more ? &low : &high) = price;
        for (uint32_t i = 0; i < count; i++)
            if (markets[i].open)
                move_end(&markets[i], more);
    }
    for (uint32_t i = 0; i < count; i++)
        if (scarce && markets[i].open)
            take_network(&markets[i], high);
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = markets[i].all.bytes;
}

/* With an equal share; of a block the sum. */
static int expect_cycles(const msw_task *task, uint32_t network, market *m)
{
    const camdn_tables *tables = task->artifacts[CAMDN_ARTIFACT_TABLES];
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    const camdn_layer *layers = camdn_layers(tables->of[network]);
    const camdn_plan *plan = &plans->of[network];
    double *ops = msw_arena_take(task->arena, (plan->op_count + 1) * sizeof *ops);
    double *blocks = msw_arena_zero(task->arena, plan->block_count + 1, sizeof *blocks);
    taken *rows = msw_arena_take(task->arena, 3 * (plan->block_count + 1) * sizeof *rows);
    if (!ops || !blocks || !rows)
        return -1;
    for (uint32_t b = 0; b < plan->block_count; b++)
        for (uint32_t o = plan->blocks[b].first; o < plan->blocks[b].end; o++) {
            const camdn_op_plan *op = &plan->ops[o];
            const camdn_level *level = &op->levels[camdn_candidate(op, plans->share)];
            ops[o] = camdn_estimate(task->config, &layers[o], level);
            if (plan->blocks[b].end - plan->blocks[b].first > 1)
                blocks[b] += camdn_estimate(task->config, &layers[o], &op->inside);
        }
    *m = (market){.plan = plan,
                  .ops = ops,
                  .blocks = blocks,
                  .low = rows,
                  .high = rows + plan->block_count,
                  .now = rows + 2 * (size_t)plan->block_count};
    return 0;
}

const camdn_expected *camdn_expect(const msw_task *task)
{
    const msw_graph_product *mix = task->product->data;
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    const camdn_config *c = task->config;
    camdn_expected *e = msw_arena_zero(task->arena, 1, sizeof *e);
    market markets[MSW_GRAPH_NETWORKS_MAX];
    if (!e)
        return NULL;
    for (uint32_t i = 0; i < mix->count; i++) {
        if (expect_cycles(task, i, &markets[i]))
            return NULL;
        markets[i].weight = mix->networks[i].weight;
        e->ops[i] = markets[i].ops;
        e->blocks[i] = markets[i].blocks;
    }
    find_clairvoyant(markets, mix->count, (double)c->tenants, plans->pages, e->clairvoyant);
    return e;
}
