/* SPDX-License-Identifier: MIT */
/* Chooses the candidates of operators, and the cycles that are expected of them and of blocks.
 * Candidates are of the steps of a staircase at most so many that the mean traffic over all numbers
 * of free pages is least:
 *
 *   cost(i, j) = dram(i) (pages(j) - pages(i))       the levels i and j follow one another
 *
 * summed over the levels chosen, the last up to all pages; by dynamic programming.
 *
 * The clairvoyant limit has pages that are taken as they are worth most: every operator or block
 * takes the candidate with the least dram + price x pages x cycles; the price is the least, by
 * halving, with which tenants hold no more than P pages on average. It needs no pages at the same
 * time: nothing can do better with these candidates, if operators take as long as is expected of
 * them. */
#include "mech/camdn/plan/plan.h"

#include <math.h>
#include <string.h>

uint32_t camdn_pages_of(const camdn_planner *p, uint64_t bytes)
{
    uint64_t lines = msw_div_up(bytes, (uint64_t)p->config->line);
    return (uint32_t)msw_div_up(lines, p->page_lines);
}

/* Lines that the operands of a step keep for themselves. Returns their sum. */
static uint64_t count_lines(const camdn_planner *p, unsigned held, const camdn_step *step,
                            uint32_t *lines)
{
    const double *staying = p->shape->staying + CAMDN_OPERANDS * (step - camdn_steps(p->table));
    uint64_t all = 0;
    for (int i = 0; i < CAMDN_OPERANDS; i++) {
        lines[i] = held >> i & 1 ? 0 : (uint32_t)ceil(staying[i] / (double)p->config->line);
        all += lines[i];
    }
    return all;
}

static uint32_t pages_of_step(const camdn_planner *p, uint32_t op, unsigned held,
                              const camdn_step *step)
{
    uint32_t *pages = &p->step_pages[step - camdn_steps(p->table)], lines[CAMDN_OPERANDS];
    if (*pages == UINT32_MAX)
        *pages = camdn_has_tiles(&p->net->ops[op])
                     ? (uint32_t)msw_div_up(count_lines(p, held, step, lines), p->page_lines)
                     : 0;
    return *pages;
}

static camdn_level level_of(const camdn_planner *p, uint32_t op, unsigned held,
                            const camdn_step *step)
{
    camdn_level level = {.step = *step, .dram_bytes = (double)step->dram_bytes};
    if (!camdn_has_tiles(&p->net->ops[op]))
        return level;
    level.pages = (uint32_t)msw_div_up(count_lines(p, held, step, level.lines), p->page_lines);
    return level;
}

camdn_level camdn_level_within(const camdn_planner *p, uint32_t op, unsigned held, uint32_t pages)
{
    const camdn_stairs *stairs = &camdn_layers(p->table)[op].stairs[held];
    const camdn_step *steps = camdn_steps(p->table) + stairs->first;
    uint32_t low = 0, high = stairs->count; /* steps[low] fits: the first holds nothing */
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (pages_of_step(p, op, held, &steps[middle]) <= pages)
            low = middle;
        else
            high = middle;
    }
    return level_of(p, op, held, &steps[low]);
}

/* Steps that differ in pages, the best of each. Returns how many. */
static uint32_t collect(const camdn_planner *p, uint32_t op, camdn_level *all)
{
    const camdn_stairs *stairs = &camdn_layers(p->table)[op].stairs[0];
    const camdn_step *steps = camdn_steps(p->table) + stairs->first;
    uint32_t count = 0;
    for (uint32_t i = 0; i < stairs->count; i++) {
        camdn_level level = level_of(p, op, 0, &steps[i]);
        if (level.pages > p->pages)
            break;
        if (count > 0 && all[count - 1].pages >= level.pages)
            count--;
        all[count++] = level;
    }
    return count;
}

typedef struct choice {
    double *cost;   /* by levels left, by level: the least from here to the end */
    uint32_t *next; /* the level behind it, or the count: none */
    uint32_t count, most;
} choice;

static void solve(const camdn_planner *p, const camdn_level *all, choice *c)
{
    uint32_t n = c->count;
    for (uint32_t left = 0; left < c->most; left++)
        for (uint32_t i = 0; i < n; i++) {
            double *cost = &c->cost[left * n + i];
            *cost = all[i].dram_bytes * (double)(p->pages + 1 - all[i].pages);
            c->next[left * n + i] = n;
            for (uint32_t j = i + 1; left > 0 && j < n; j++) {
                double with = all[i].dram_bytes * (double)(all[j].pages - all[i].pages) +
                              c->cost[(left - 1) * n + j];
                if (with < *cost) {
                    *cost = with;
                    c->next[left * n + i] = j;
                }
            }
        }
}

int camdn_levels_choose(const camdn_planner *p, uint32_t op, camdn_op_levels *chosen)
{
    uint32_t room = camdn_layers(p->table)[op].stairs[0].count;
    camdn_level *all = msw_arena_take(p->scratch, (room + 1) * sizeof *all);
    if (!all)
        return -1;
    choice c = {.count = collect(p, op, all), .most = (uint32_t)p->config->levels};
    c.cost = msw_arena_take(p->scratch, (size_t)c.count * c.most * sizeof *c.cost);
    c.next = msw_arena_take(p->scratch, (size_t)c.count * c.most * sizeof *c.next);
    if (!c.cost || !c.next)
        return -1;
    solve(p, all, &c);
    camdn_level *levels = msw_arena_take(p->arena, c.most * sizeof *levels);
    if (!levels)
        return -1;
    *chosen = (camdn_op_levels){.levels = levels};
    for (uint32_t at = 0, left = c.most; at < c.count; at = c.next[left * c.count + at]) {
        levels[chosen->count++] = all[at];
        left--;
    }
    return 0;
}

uint32_t camdn_candidate(const camdn_op_plan *op, int64_t pages)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < op->count && (int64_t)op->levels[i].pages <= pages; i++)
        best = i;
    return best;
}

/* As the closed form counts (../closed/analytic.c), for one candidate. */
double camdn_estimate(const camdn_config *c, const camdn_layer *layer, const camdn_level *level)
{
    double line = (double)c->line, npu = (double)level->step.npu_bytes;
    double rate = camdn_memory_rate(c);
    rate /= c->estimate == CAMDN_ESTIMATE_SHARED ? (double)c->tenants : 1;
    double groups = (double)camdn_groups(c);
    double cycles[4] = {
        (double)layer->cycles, npu / (double)c->port_bytes,
        (npu * (double)c->cache_cycles + level->dram_bytes * (double)c->memory_cycles) / line /
            (groups * (double)c->burst),
        level->dram_bytes / rate};
    double most = 0;
    for (int i = c->single ? 1 : 0; i < 4; i++)
        most = cycles[i] > most ? cycles[i] : most;
    return most + (c->single ? cycles[0] : 0) + (double)(c->cache_cycles + c->memory_cycles);
}

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
