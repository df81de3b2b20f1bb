/* SPDX-License-Identifier: MIT */
/* Chooses the candidates of operators, and the cycles that are expected of them and of blocks.
 * Candidates are of the steps of a staircase at most so many that the mean traffic over all numbers
 * of free pages is least:
 *
 *   cost(i, j) = dram(i) (pages(j) - pages(i))       the levels i and j follow one another
 *
 * summed over the levels chosen, the last up to all pages; by dynamic programming. */
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

uint32_t camdn_choice(const camdn_expected *e, uint32_t network, const camdn_plan *plan,
                      uint32_t op, int64_t pages)
{
    return e->worth[network][op * CAMDN_LEVELS_MAX + camdn_candidate(&plan->ops[op], pages)];
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
    return most + (c->single ? cycles[0] : 0) +
           (double)(c->start_cycles + c->cache_cycles + c->memory_cycles);
}

/* Which candidates are worth their pages: what saves bytes but takes longer, as it requests more of
 * the cache, is not. */
static void find_worth(const msw_task *task, const camdn_layer *layer, const camdn_op_plan *op,
                       uint8_t *worth, double *cycles)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < op->count; i++) {
        cycles[i] = camdn_estimate(task->config, layer, &op->levels[i]);
        worth[i] = cycles[i] <= least ? (uint8_t)i : worth[i - 1];
        least = fmin(least, cycles[i]);
    }
}

/* With an equal share; of a block the sum. */
static void expect_block(const msw_task *task, const camdn_layer *layers, const camdn_plan *plan,
                         uint32_t block, uint8_t *worth, double *ops, double *inside)
{
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    const camdn_block_plan *b = &plan->blocks[block];
    for (uint32_t o = b->first; o < b->end; o++) {
        double cycles[CAMDN_LEVELS_MAX];
        uint8_t *own = worth + (size_t)o * CAMDN_LEVELS_MAX;
        find_worth(task, &layers[o], &plan->ops[o], own, cycles);
        ops[o] = cycles[own[camdn_candidate(&plan->ops[o], plans->share)]];
        if (b->end - b->first > 1)
            *inside += camdn_estimate(task->config, &layers[o], &plan->ops[o].inside);
    }
}

static int expect_cycles(const msw_task *task, uint32_t network, camdn_expected *e)
{
    const camdn_tables *tables = task->artifacts[CAMDN_ARTIFACT_TABLES];
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    const camdn_layer *layers = camdn_layers(tables->of[network]);
    const camdn_plan *plan = &plans->of[network];
    double *ops = msw_arena_take(task->arena, (plan->op_count + 1) * sizeof *ops);
    double *blocks = msw_arena_zero(task->arena, plan->block_count + 1, sizeof *blocks);
    uint8_t *worth = msw_arena_zero(task->arena, plan->op_count + 1, CAMDN_LEVELS_MAX);
    bool *block_worth = msw_arena_zero(task->arena, plan->block_count + 1, sizeof *block_worth);
    if (!ops || !blocks || !worth || !block_worth)
        return -1;
    for (uint32_t b = 0; b < plan->block_count; b++) {
        double apart = 0;
        expect_block(task, layers, plan, b, worth, ops, &blocks[b]);
        for (uint32_t o = plan->blocks[b].first; o < plan->blocks[b].end; o++)
            apart += ops[o];
        block_worth[b] = blocks[b] <= apart;
    }
    e->worth[network] = worth;
    e->block_worth[network] = block_worth;
    e->ops[network] = ops;
    e->blocks[network] = blocks;
    return 0;
}

const camdn_expected *camdn_expect(const msw_task *task)
{
    const msw_graph_product *mix = task->product->data;
    camdn_expected *e = msw_arena_zero(task->arena, 1, sizeof *e);
    for (uint32_t i = 0; e && i < mix->count; i++)
        if (expect_cycles(task, i, e))
            return NULL;
    return e;
}
