/* SPDX-License-Identifier: MIT */
/* Sums over the ways in which operators run: what tasks of a network move, and how long they take.
 */
#include "mech/camdn/closed/mix.h"

#include <math.h>

/* Shares of ways that nobody would see. */
static const double NEVER = 1e-6;

static int open_gangs(const camdn_mix *m, camdn_run_of *run, uint32_t ops, uint32_t ways,
                      msw_err *err)
{
    msw_arena *arena = m->task->arena;
    enum { GANGED = CAMDN_GANG_SIZES - 1 };
    camdn_op_time *times = msw_arena_take(arena, (ways + 1) * GANGED * sizeof *times);
    run->stations =
        msw_arena_zero(arena, (size_t)CAMDN_CROWDS * CAMDN_GANG_SIZES * ops, sizeof *run->stations);
    for (uint32_t w = 0; times && w < ways; w++)
        run->ways[w].ganged = times + w * GANGED;
    return times && run->stations ? 0 : msw_fail_memory(err);
}

static int open_run(const camdn_mix *m, camdn_network *n, camdn_run_of *run, msw_err *err)
{
    const camdn_plan *plan = n->closed.plan;
    uint32_t ops = n->closed.net->op_count, ways = 0;
    run->ops = msw_arena_zero(m->task->arena, ops + 1, sizeof *run->ops);
    if (!run->ops)
        return msw_fail_memory(err);
    for (uint32_t o = 0; o < ops; o++) {
        run->ops[o] = (camdn_op_run){ways, plan ? plan->ops[o].count + 1 : 1};
        ways += run->ops[o].count;
    }
    run->ways = msw_arena_zero(m->task->arena, ways + 1, sizeof *run->ways);
    run->seen = msw_arena_take(m->task->arena, (ways + 1) * sizeof *run->seen);
    if (!run->ways || !run->seen)
        return msw_fail_memory(err);
    return camdn_gang_most(m->config) > 1 ? open_gangs(m, run, ops, ways, err) : 0;
}

/* All work is done by the largest gangs, to begin with: NPUs are idle at time 0. */
static int open_sizes(const camdn_mix *m, camdn_network *n, msw_err *err)
{
    const camdn_config *c = m->config;
    n->sizes[camdn_size_of(camdn_gang_most(c))] = 1;
    if (camdn_gang_most(c) == 1)
        return 0;
    const msw_graph_network *net = n->closed.net;
    camdn_array array = camdn_array_of(c, n->closed.element_bytes);
    n->left = msw_arena_take(m->task->arena, (net->op_count + 1) * sizeof *n->left);
    if (!n->left)
        return msw_fail_memory(err);
    camdn_left_fill(c, n->closed.table, net, &array, n->left);
    return 0;
}

/* With an equal share a block that fits runs as one, else each operator in its largest way. */
static void share_equally(const camdn_mix *m, camdn_network *n)
{
    const camdn_plan *plan = n->closed.plan;
    uint32_t number = (uint32_t)(n - m->networks);
    camdn_run_of *run = &n->runs[CAMDN_FOUND];
    for (uint32_t o = 0; o < plan->op_count; o++) {
        const camdn_op_plan *op = &plan->ops[o];
        const camdn_block_plan *b = &plan->blocks[op->block];
        bool block = b->end - b->first > 1 && b->pages <= m->plans->share &&
                     m->expected->block_worth[number][op->block];
        uint32_t way =
            block ? op->count : camdn_choice(m->expected, number, plan, o, m->plans->share);
        run->ways[run->ops[o].first + way].share = 1;
    }
}

int camdn_runs_open(camdn_mix *m, camdn_network *n, msw_err *err)
{
    MSW_TRY(open_sizes(m, n, err));
    int runs = m->plans ? 1 : m->config->replacement == CAMDN_REPLACE_DRRIP ? CAMDN_RUNS : 2;
    for (int r = 0; r < runs; r++) {
        MSW_TRY(open_run(m, n, &n->runs[r], err));
        for (uint32_t o = 0; !m->plans && o < n->closed.net->op_count; o++)
            n->runs[r].ways[o].share = 1;
    }
    if (m->plans)
        share_equally(m, n);
    return 0;
}

void camdn_runs_forget(camdn_network *n)
{
    for (int r = 0; r < CAMDN_RUNS; r++)
        for (uint32_t o = 0; n->runs[r].ways && o < n->closed.net->op_count; o++)
            n->runs[r].ways[n->runs[r].ops[o].first].known = false;
}

static double misses_of(const camdn_network *n, double kept, double reach)
{
    camdn_closed c = n->closed;
    double misses = 0;
    c.kept = kept, c.reach = reach;
    for (uint32_t o = 0; o < c.net->op_count; o++) {
        camdn_moved m = camdn_moved_by(&c, o);
        misses += m.requests - m.hits;
    }
    return misses;
}

/* A cache that chooses between policies by their misses keeps lines where that saves some, and once
 * it has saved those that it cost while nothing was kept yet. */
void camdn_runs_keep(camdn_network *n)
{
    const camdn_config *c = n->closed.config;
    double kept = 0, before = n->closed.kept, reach = n->closed.reach;
    if (n->kept > 0) {
        double lru = misses_of(n, 0, reach), cost = misses_of(n, 0, n->closed.way) - lru;
        double saved = lru - misses_of(n, n->kept, reach);
        double tasks = (double)c->first + (double)(c->tasks - 1) / 2; /* before a counted one */
        kept = saved > 0 && tasks - 1 >= cost / saved ? n->kept : 0;
    }
    if (fabs(kept - before) > 0.001)
        camdn_runs_forget(n);
    n->closed.kept = kept;
}

/* The time of a way of an operator, which is made once. */
static const camdn_op_time *way_time(camdn_network *n, int run, uint32_t op, uint32_t way)
{
    camdn_part_run *part = &n->runs[run].ways[n->runs[run].ops[op].first + way];
    if (part->known)
        return &part->time;
    camdn_closed c = n->closed;
    c.level = c.plan ? camdn_paged_level(c.plan, op, way) : NULL;
    c.found = run == CAMDN_FOUND;
    c.kept = run == CAMDN_PARTLY ? n->closed.kept : 0;
    camdn_moved moved = camdn_moved_by(&c, op);
    part->time = camdn_time_of(&c, op, &moved);
    for (uint32_t k = 1; part->ganged && k < CAMDN_GANG_SIZES; k++) {
        c.width = 1U << k;
        part->ganged[k - 1] = camdn_time_of(&c, op, &moved);
    }
    part->known = true;
    return &part->time;
}

static const camdn_op_time *sized(const camdn_part_run *part, int size)
{
    return size == 0 ? &part->time : &part->ganged[size - 1];
}

double camdn_way_cycles(camdn_network *n, int run, uint32_t op, uint32_t way,
                        const camdn_pace *pace)
{
    const camdn_part_run *part = &n->runs[run].ways[n->runs[run].ops[op].first + way];
    double cycles = 0;
    way_time(n, run, op, way);
    for (int k = 0; k < CAMDN_GANG_SIZES; k++)
        cycles += n->sizes[k] > 0 ? n->sizes[k] * camdn_cycles_with(sized(part, k), pace) : 0;
    return cycles;
}

/* Cycles until the pages of a way are there and have been returned: a block's for its first one. */
static double table_cycles(const camdn_network *n, uint32_t op, uint32_t way)
{
    const camdn_config *c = n->closed.config;
    const camdn_plan *plan = n->closed.plan;
    if (!plan || c->allocation != CAMDN_DYNAMIC)
        return 0;
    if (camdn_paged_inside(plan, op, way) && plan->blocks[plan->ops[op].block].first != op)
        return 0;
    return (double)(c->page_cycles + c->release_cycles) * camdn_paged_held(plan, op, way);
}

/* Adds what an operator moves in a way, for a share of the tasks. */
static void add_moved(camdn_run_of *run, const camdn_network *n, const camdn_op_time *t,
                      double share, uint32_t width)
{
    const camdn_moved *m = &t->moved;
    double most = (double)(n->closed.config->requests * width);
    run->moved.requests += share * m->requests, run->moved.hits += share * m->hits;
    run->moved.read += share * m->read, run->moved.written += share * m->written;
    run->moved.compute += share * m->compute;
    run->group += share * t->traffic *
                  msw_min_f64(most, t->traffic / (t->tiles * (double)n->closed.config->line));
}

static void sum_run(camdn_network *n, int r)
{
    camdn_run_of *run = &n->runs[r];
    run->moved = (camdn_moved){0};
    run->group = 0;
    run->table_wait = 0;
    run->seen_count = 0;
    for (uint32_t o = 0; o < n->closed.net->op_count; o++)
        for (uint32_t w = 0; w < run->ops[o].count; w++) {
            double share = run->ways[run->ops[o].first + w].share;
            if (share < NEVER)
                continue;
            const camdn_part_run *part = &run->ways[run->ops[o].first + w];
            way_time(n, r, o, w);
            run->seen[run->seen_count++] = part;
            for (int k = 0; k < CAMDN_GANG_SIZES; k++)
                if (n->sizes[k] > 0)
                    add_moved(run, n, sized(part, k), share * n->sizes[k], 1U << k);
            run->table_wait += share * table_cycles(n, o, w);
        }
    double traffic = run->moved.read + run->moved.written;
    run->group = traffic > 0 ? run->group / traffic : 0;
}

void camdn_runs_sum(camdn_network *n)
{
    for (int r = 0; r < CAMDN_RUNS; r++)
        if (n->runs[r].ways)
            sum_run(n, r);
}

/* Waiting for memory: for tiles whose last line comes from there; last stores wait for the cache.
 */
static void add_time(camdn_station *sum, const camdn_op_time *t, double share,
                     const camdn_pace *pace)
{
    const camdn_pace known = {pace->rate, pace->queue, 0};
    double all = camdn_cycles_with(t, pace), free = all;
    if (t->toll.phases > 0)
        free = msw_min_f64(all, camdn_cycles_with(t, &known));
    double rest = free - t->start - t->compute - t->answer - t->stores;
    sum->cycles += share * all;
    sum->toll_wait += share * (all - free);
    sum->compute += share * t->compute;
    sum->memory_wait += rest > 0 ? share * rest * t->last : 0;
}

static void time_run(camdn_network *n, int r, const camdn_pace *pace)
{
    camdn_run_of *run = &n->runs[r];
    camdn_station sum = {0};
    run->toll = (camdn_toll){0};
    for (uint32_t i = 0; i < run->seen_count; i++)
        for (int k = 0; k < CAMDN_GANG_SIZES; k++)
            if (n->sizes[k] > 0) {
                double share = run->seen[i]->share * n->sizes[k];
                add_time(&sum, sized(run->seen[i], k), share, pace);
                camdn_toll_add(&run->toll, sized(run->seen[i], k), pace, share);
            }
    run->cycles = sum.cycles + run->table_wait + run->wait;
    run->memory_wait = sum.memory_wait;
    run->toll_wait = sum.toll_wait;
}

static void fill_stations(camdn_network *n, int r, uint32_t crowd, const camdn_pace *pace)
{
    camdn_run_of *run = &n->runs[r];
    uint32_t ops = n->closed.net->op_count;
    for (uint32_t k = 0; k < CAMDN_GANG_SIZES; k++)
        for (uint32_t o = 0; o < ops; o++) {
            camdn_station *s = camdn_station_at(n, r, crowd, k, o);
            *s = (camdn_station){.cycles = (run->table_wait + run->wait) / ops};
            for (uint32_t w = 0; w < run->ops[o].count; w++) {
                const camdn_part_run *part = &run->ways[run->ops[o].first + w];
                if (part->share >= NEVER)
                    add_time(s, sized(part, (int)k), part->share, pace);
            }
        }
}

void camdn_runs_stations(camdn_network *n, uint32_t crowd, const camdn_pace *pace)
{
    for (int r = 0; r < CAMDN_RUNS; r++)
        if (n->runs[r].ways)
            fill_stations(n, r, crowd, pace);
}

double camdn_runs_time(camdn_network *n, const camdn_pace *pace)
{
    double mean = 0;
    for (int r = 0; r < CAMDN_RUNS; r++) {
        double part = n->parts[r];
        bool comes = part > 0 || n->closed.config->arrivals != CAMDN_CLOSED;
        if (!n->runs[r].ways || !comes)
            continue;
        time_run(n, r, pace);
        mean += part * n->runs[r].cycles;
    }
    return mean;
}
