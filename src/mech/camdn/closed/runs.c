/* SPDX-License-Identifier: MIT */
/* Sums over the ways in which operators run: what tasks of a network move, and how long they take.
 */
#include "mech/camdn/closed/mix.h"

/* Shares of ways that nobody would see. */
static const double NEVER = 1e-6;

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
    return run->ways && run->seen ? 0 : msw_fail_memory(err);
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
    for (int r = 0; r < (m->plans ? 1 : CAMDN_RUNS); r++) {
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

const camdn_op_time *camdn_way_time(camdn_network *n, int run, uint32_t op, uint32_t way)
{
    camdn_part_run *part = &n->runs[run].ways[n->runs[run].ops[op].first + way];
    if (part->known)
        return &part->time;
    camdn_closed c = n->closed;
    c.level = c.plan ? camdn_paged_level(c.plan, op, way) : NULL;
    c.since = run == CAMDN_FRESH ? INFINITY : 0;
    camdn_moved moved = camdn_moved_by(&c, op);
    part->time = camdn_time_of(&c, op, &moved);
    part->known = true;
    return &part->time;
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

static void sum_run(camdn_network *n, int r)
{
    camdn_run_of *run = &n->runs[r];
    camdn_moved sum = {0};
    double groups = 0, most = (double)n->closed.config->requests;
    run->table_wait = 0;
    run->seen_count = 0;
    for (uint32_t o = 0; o < n->closed.net->op_count; o++)
        for (uint32_t w = 0; w < run->ops[o].count; w++) {
            double share = run->ways[run->ops[o].first + w].share;
            if (share < NEVER)
                continue;
            const camdn_op_time *t = camdn_way_time(n, r, o, w);
            const camdn_moved *m = &t->moved;
            run->seen[run->seen_count++] = &run->ways[run->ops[o].first + w];
            sum.requests += share * m->requests, sum.hits += share * m->hits;
            sum.read += share * m->read, sum.written += share * m->written;
            sum.compute += share * m->compute;
            groups += share * t->traffic *
                      msw_min_f64(most, t->traffic / (t->tiles * (double)n->closed.config->line));
            run->table_wait += share * table_cycles(n, o, w);
        }
    run->moved = sum;
    run->group = sum.read + sum.written > 0 ? groups / (sum.read + sum.written) : 0;
}

void camdn_runs_sum(camdn_network *n)
{
    for (int r = 0; r < CAMDN_RUNS; r++)
        if (n->runs[r].ways)
            sum_run(n, r);
}

/* Waiting for memory: for tiles whose last line comes from there; last stores wait for the cache.
 */
static void time_run(camdn_network *n, int r, const camdn_pace *pace)
{
    camdn_run_of *run = &n->runs[r];
    double cycles = 0, waits = 0;
    for (uint32_t i = 0; i < run->seen_count; i++) {
        const camdn_op_time *t = &run->seen[i]->time;
        double share = run->seen[i]->share, all = camdn_cycles_with(t, pace);
        double rest = all - t->compute - t->answer - t->stores;
        cycles += share * all;
        waits += rest > 0 ? share * rest * t->last : 0;
    }
    run->cycles = cycles + run->table_wait + run->wait;
    run->memory_wait = waits;
}

double camdn_runs_time(camdn_network *n, const camdn_pace *pace)
{
    double mean = 0;
    for (int r = 0; r < CAMDN_RUNS; r++) {
        double part = r == CAMDN_FRESH ? n->fresh : 1 - n->fresh;
        bool comes = part > 0 || n->closed.config->arrivals != CAMDN_CLOSED;
        if (!n->runs[r].ways || !comes)
            continue;
        time_run(n, r, pace);
        mean += part * n->runs[r].cycles;
    }
    return mean;
}
