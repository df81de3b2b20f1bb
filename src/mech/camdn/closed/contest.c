/* SPDX-License-Identifier: MIT */
/* Computes how often Algorithm 1 gives each network which of its ways (README.md, "Closed
 * form").
 *
 * A tenant holds h pages for a share m(h) of the time: the mean over networks, ways and durations.
 * Tenants are independent but for the pages that there are, P:
 *
 *   joint share of h_1 ... h_T  ~  w(h_1) ... w(h_T)   where h_1 + ... + h_T <= P
 *
 * with w such that one tenant's share is m: w(h) = m(h) / sum over s <= P - h of C(s), and C the
 * shares of what T - 1 others hold together. Who requests holds nothing, and finds s held with
 * C(s). It picks the largest way within
 *
 *   P - s (1 - believed) - (T - 1) needed
 *
 * believed: share of the held pages whose owners are expected to request again within the time-out,
 * needed: what each of those is expected to request. It has them at once where P - s is enough;
 * else when owners give pages back in time, of n = s / mean pages each does so with the share
 * `freed`:
 *
 *   granted   n' of n give back, n' >= n (pages - (P - s)) / s       binomial
 *
 * and after the time-out it takes the next smaller way. From the shares of the ways new m follow.
 * Pages are counted in BINS equal parts, split between two where they lie between. */
#include "mech/camdn/closed/mix.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <string.h>

enum { BINS = 64, GRID = 12, OWNERS_MOST = 8 };

static const double GRID_FROM = 64, GRID_STEP = 4; /* time-outs: cycles, and their ratio */
static const double TIMEOUTS[GRID] = {0x1p6,  0x1p8,  0x1p10, 0x1p12, 0x1p14, 0x1p16,
                                      0x1p18, 0x1p20, 0x1p22, 0x1p24, 0x1p26, 0x1p28};
static const double NEVER = 1e-6, LITTLE = 1e-3, PART = 0.6;

/* Owners that come to their next request within a time-out. */
typedef struct release {
    double freed, believed, needed;
} release;

/* Where a time-out lies in the grid of time-outs. */
typedef struct cell {
    double high; /* share of the one above */
    int low;
} cell;

struct camdn_contest {
    camdn_mix *mix;
    double page; /* pages of a bin */
    double others;
    double weights[BINS + 1], held[BINS + 1], below[BINS + 1]; /* w, C; C summed up */
    release grid[GRID];
    double owner;                           /* pages that who holds some holds on average */
    uint32_t *next[MSW_GRAPH_NETWORKS_MAX]; /* by operator: pages expected of the next one */
    double *chance[MSW_GRAPH_NETWORKS_MAX]; /* by block: that it runs as one */
    cell *ops[MSW_GRAPH_NETWORKS_MAX], *blocks[MSW_GRAPH_NETWORKS_MAX]; /* of their time-outs */
};

/* Pages that are expected of a network at an operator: as the machine does (machine/allot.c). */
static uint32_t expected_at(const camdn_mix *m, uint32_t number, uint32_t op)
{
    uint32_t share = m->plans->share,
             most = m->config->next == CAMDN_NEXT_MOST ? UINT32_MAX : share;
    const camdn_plan *plan = &m->plans->of[number];
    if (m->config->next == CAMDN_NEXT_LEAST)
        return 0;
    if (op == plan->op_count)
        return share;
    const camdn_block_plan *b = &plan->blocks[plan->ops[op].block];
    bool worth = m->expected->block_worth[number][plan->ops[op].block];
    if (b->first == op && b->end - b->first > 1 && worth && b->pages <= most)
        return b->pages;
    return plan->ops[op].levels[camdn_choice(m->expected, number, plan, op, most)].pages;
}

/* The present share of the tasks that run a block as one. */
static double block_share(const camdn_network *n, uint32_t block)
{
    const camdn_op_run *op = &n->runs[0].ops[n->closed.plan->blocks[block].first];
    return n->runs[0].ways[op->first + op->count - 1].share;
}

static cell cell_of(double cycles)
{
    double at = msw_math_log(msw_max_f64(cycles, GRID_FROM) / GRID_FROM) / msw_math_log(GRID_STEP);
    int low = (int)msw_min_f64(at, GRID - 2);
    return (cell){.high = msw_min_f64(at - low, 1), .low = low};
}

static int open_cells(camdn_contest *c, uint32_t number)
{
    const camdn_mix *m = c->mix;
    const camdn_plan *plan = &m->plans->of[number];
    cell *ops = msw_arena_take(m->task->arena, (plan->op_count + 1) * sizeof *ops);
    cell *blocks = msw_arena_take(m->task->arena, (plan->block_count + 1) * sizeof *blocks);
    if (!ops || !blocks)
        return -1;
    for (uint32_t o = 0; o < plan->op_count; o++)
        ops[o] = cell_of(m->config->timeout * m->expected->ops[number][o]);
    for (uint32_t b = 0; b < plan->block_count; b++)
        blocks[b] = cell_of(m->config->timeout * m->expected->blocks[number][b]);
    c->ops[number] = ops, c->blocks[number] = blocks;
    return 0;
}

camdn_contest *camdn_contest_open(camdn_mix *m)
{
    msw_arena *arena = m->task->arena;
    camdn_contest *c = msw_arena_zero(arena, 1, sizeof *c);
    if (!c)
        return NULL;
    c->mix = m;
    c->page = msw_max_f64((double)m->plans->pages / BINS, 1e-9);
    c->others = (double)(m->config->arrivals == CAMDN_CLOSED ? m->config->tenants
                                                             : camdn_tasks_most(m->config)) -
                1;
    for (uint32_t i = 0; i < m->count; i++) {
        const camdn_plan *plan = &m->plans->of[i];
        c->next[i] = msw_arena_take(arena, (plan->op_count + 1) * sizeof *c->next[i]);
        c->chance[i] = msw_arena_zero(arena, plan->block_count + 1, sizeof *c->chance[i]);
        if (!c->next[i] || !c->chance[i] || open_cells(c, i))
            return NULL;
        for (uint32_t o = 0; o < plan->op_count; o++)
            c->next[i][o] = expected_at(m, i, o + 1);
        for (uint32_t b = 0; b < plan->block_count; b++)
            c->chance[i][b] = block_share(&m->networks[i], b);
    }
    return c;
}

/* ---- shares of time ---- */

typedef struct sums {
    double held[BINS + 1], time, pages, owned; /* owned: time with pages */
    double freed[GRID], believed[GRID], needed[GRID];
} sums;

/* A stay with pages, as who has it and as others see it. */
typedef struct stay {
    double weight, pages, cycles; /* weight: how often */
    double expected, need;        /* cycles; pages that are requested next */
} stay;

static void add_stay(const camdn_contest *c, sums *s, const stay *t)
{
    double bin = msw_min_f64(t->pages / c->page, BINS), low = floor(bin);
    double time = t->weight * t->cycles, pages = time * t->pages, need = time * t->need;
    double cycles = t->cycles, ahead = cycles - t->expected;
    uint32_t at = (uint32_t)low;
    s->held[at] += time * (1 - (bin - low));
    if (at < BINS)
        s->held[at + 1] += time * (bin - low);
    s->time += time;
    s->pages += pages;
    s->owned += t->pages > 0 ? time : 0;
    if (!(time > 0))
        return;
    for (int i = 0; i < GRID; i++) {
        double early = (TIMEOUTS[i] + ahead) / cycles, freed = TIMEOUTS[i] / cycles;
        early = early > 0 ? early : 0;
        early = early < 1 ? early : 1;
        freed = freed < 1 ? freed : 1;
        s->freed[i] += pages * freed;
        s->believed[i] += pages * early;
        s->needed[i] += need * early;
    }
}

/* The ways of an operator. Returns the cycles of that in its block. */
static double add_op(const camdn_contest *c, uint32_t number, uint32_t o, double turns, sums *s)
{
    camdn_network *n = &c->mix->networks[number];
    const camdn_plan *plan = n->closed.plan;
    const camdn_op_run *op = &n->runs[0].ops[o];
    double inside = 0;
    for (uint32_t w = 0; w < op->count; w++) {
        double share = n->runs[0].ways[op->first + w].share;
        if (share < NEVER)
            continue;
        stay t = {.weight = n->share * share,
                  .pages = camdn_paged_held(plan, o, w),
                  .cycles = camdn_way_cycles(n, 0, o, w, &c->mix->pace),
                  .expected = c->mix->expected->ops[number][o],
                  .need = c->next[number][o]};
        if (camdn_paged_inside(plan, o, w)) {
            inside = t.cycles;
            continue;
        }
        add_stay(c, s, &t);
        s->held[0] += t.weight * t.cycles * (turns - 1);
        s->time += t.weight * t.cycles * (turns - 1);
    }
    return inside;
}

/* Blocks hold their pages while others have their turn. */
static void add_network(const camdn_contest *c, uint32_t number, double turns, sums *s)
{
    camdn_network *n = &c->mix->networks[number];
    const camdn_plan *plan = n->closed.plan;
    for (uint32_t b = 0; b < plan->block_count; b++) {
        const camdn_block_plan *block = &plan->blocks[b];
        double inside = 0;
        for (uint32_t o = block->first; o < block->end; o++)
            inside += add_op(c, number, o, turns, s);
        stay t = {.weight = n->share * c->chance[number][b],
                  .pages = block->pages,
                  .cycles = inside * turns,
                  .expected = c->mix->expected->blocks[number][b],
                  .need = c->next[number][block->end - 1]};
        if (inside > 0)
            add_stay(c, s, &t);
    }
    s->held[0] += n->share * n->runs[0].wait;
    s->time += n->share * n->runs[0].wait;
}

/* ---- what others hold together ---- */

/* The first so many bins of what two hold together; the sum of all shares is 1 again. */
static void join(const double *a, const double *b, double *both)
{
    double sum[BINS + 1] = {0}, all = 0;
    for (int i = 0; i <= BINS; i++)
        for (int j = 0; i + j <= BINS && a[i] > 0; j++)
            sum[i + j] += a[i] * b[j];
    for (int i = 0; i <= BINS; i++)
        all += sum[i];
    for (int i = 0; i <= BINS; i++)
        both[i] = all > 0 ? sum[i] / all : i == 0;
}

static void find_held(camdn_contest *c)
{
    double power[BINS + 1];
    memcpy(power, c->weights, sizeof power);
    memset(c->held, 0, sizeof c->held);
    c->held[0] = 1;
    for (uint64_t left = (uint64_t)c->others; left > 0; left /= 2) {
        if (left & 1)
            join(c->held, power, c->held);
        if (left > 1)
            join(power, power, power);
    }
    double sum = 0;
    for (int i = 0; i <= BINS; i++)
        c->below[i] = sum += c->held[i];
}

/* From the shares of time of one tenant. */
static void set_held(camdn_contest *c, const sums *s)
{
    double runs = c->others > 0 ? msw_min_f64(1, (c->mix->busy - 1) / c->others) : 0, all = 0;
    if (c->mix->config->arrivals == CAMDN_CLOSED)
        runs = 1;
    for (int i = 0; i <= BINS; i++) {
        double share = runs * s->held[i] / s->time + (i == 0 ? 1 - runs : 0);
        double room = c->below[BINS - i];
        c->weights[i] = room > NEVER ? share / room : share / NEVER;
        all += c->weights[i];
    }
    for (int i = 0; i <= BINS; i++)
        c->weights[i] /= all;
    find_held(c);
    c->owner = s->owned > 0 ? s->pages / s->owned : 0;
    for (int i = 0; i < GRID; i++) {
        c->grid[i].freed = s->pages > 0 ? s->freed[i] / s->pages : 0;
        c->grid[i].believed = s->pages > 0 ? s->believed[i] / s->pages : 0;
        c->grid[i].needed = runs * s->needed[i] / s->time;
    }
}

/* ---- what a request gets ---- */

/* That others hold no more than so many pages. */
static double at_most(const camdn_contest *c, double pages)
{
    double bin = pages / c->page + 1e-9;
    if (bin < 0)
        return 0;
    if (bin >= BINS)
        return 1;
    int at = (int)bin;
    return c->below[at] + (bin - at) * (c->below[at + 1] - c->below[at]);
}

static release release_within(const camdn_contest *c, cell p)
{
    const release *a = &c->grid[p.low], *b = a + 1;
    return (release){a->freed + p.high * (b->freed - a->freed),
                     a->believed + p.high * (b->believed - a->believed),
                     a->needed + p.high * (b->needed - a->needed)};
}

/* That of so many owners, each with a chance, at least so many give back. */
static double at_least(int owners, int least, double chance)
{
    double term = 1, sum = 0, odds = chance / (1 - chance);
    if (chance >= 1 || least <= 0)
        return 1;
    for (int i = 0; i < owners; i++)
        term *= 1 - chance;
    for (int i = 0; i <= owners; i++) {
        sum += i >= least ? term : 0;
        term *= odds * (owners - i) / (i + 1);
    }
    return sum;
}

/* Pages that are short while others hold so many come back in time. */
static double comes_back(const camdn_contest *c, double held, double short_of, double freed)
{
    double owners = msw_min_f64(msw_max_f64(floor(held / c->owner + 0.5), 1),
                                msw_min_f64(c->others, OWNERS_MOST));
    return at_least((int)owners, (int)ceil(owners * short_of / held - 1e-9), freed);
}

/* A request for so many pages while others hold more than `low` and no more than `high`. */
typedef struct outcome {
    double had, missed; /* at once or in time, and not */
    double wait;        /* cycles, on average over all requests */
} outcome;

static outcome request(const camdn_contest *c, double pages, double low, double high,
                       double timeout, double freed)
{
    double all = (double)c->mix->plans->pages, idle = all - pages;
    double first = at_most(c, low), last = at_most(c, high);
    outcome o = {.had = msw_max_f64(0, at_most(c, msw_min_f64(idle, high)) - first)};
    double waits = last - first - o.had, from = msw_max_f64(low, idle);
    if (waits < LITTLE || c->owner <= 0)
        return o.had += msw_max_f64(waits, 0), o;
    for (double at = from, next; at < msw_min_f64(high, all); at = next) {
        next = msw_min_f64((floor(at / c->page + 1e-9) + 1) * c->page, msw_min_f64(high, all));
        double share = at_most(c, next) - at_most(c, at), held = next;
        if (share <= 0)
            continue;
        double back = comes_back(c, held, held - idle, freed);
        o.had += share * back;
        o.missed += share * (1 - back);
        o.wait += share * timeout * (1 - back / 2);
    }
    return o;
}

/* The most that others may hold where so many pages are believed to come free. */
static double limit_of(const camdn_contest *c, const release *r, double pages)
{
    double rest = (double)c->mix->plans->pages - c->others * r->needed - pages;
    return rest < 0 ? -1 : r->believed >= 1 ? 1e9 : rest / (1 - r->believed);
}

static double share_block(const camdn_contest *c, uint32_t number, uint32_t b, double *wait)
{
    const camdn_block_plan *block = &c->mix->plans->of[number].blocks[b];
    double timeout = c->mix->config->timeout * c->mix->expected->blocks[number][b];
    if (block->end - block->first <= 1 || block->pages > c->mix->plans->pages ||
        !c->mix->expected->block_worth[number][b])
        return 0;
    release r = release_within(c, c->blocks[number][b]);
    outcome o = request(c, block->pages, -1, limit_of(c, &r, block->pages + 1.0), timeout, r.freed);
    *wait += o.wait;
    return o.had;
}

/* Sets the shares of an operator's ways where its block does not run as one. */
static double share_op(const camdn_contest *c, uint32_t number, uint32_t op, double *shares)
{
    const camdn_op_plan *plan = &c->mix->plans->of[number].ops[op];
    double timeout = c->mix->config->timeout * c->mix->expected->ops[number][op];
    release r = release_within(c, c->ops[number][op]);
    const uint8_t *worth = c->mix->expected->worth[number] + (size_t)op * CAMDN_LEVELS_MAX;
    double low = -1, down = 0, wait = 0, asked = 0;
    for (uint32_t w = plan->count; w-- > 1;) {
        if (worth[w] != w)
            continue;
        double pages = plan->levels[w].pages, high = msw_max_f64(low, limit_of(c, &r, pages));
        outcome o = request(c, pages, low, high, timeout, r.freed);
        shares[w] = o.had + down;
        wait += o.wait;
        asked += o.had + o.missed;
        down = o.missed;
        low = high;
    }
    shares[0] = msw_max_f64(0, 1 - asked) + down;
    return wait;
}

/* ---- a step ---- */

/* A part of the way to the new share: jumps would not settle. */
static void move(double *share, double to, double *most)
{
    double change = (to - *share) * PART;
    *most = msw_max_f64(*most, fabs(change));
    *share += change;
}

static double share_network(camdn_contest *c, uint32_t number)
{
    camdn_network *n = &c->mix->networks[number];
    camdn_run_of *run = &n->runs[0];
    const camdn_plan *plan = n->closed.plan;
    double most = 0, waits = 0;
    for (uint32_t b = 0; b < plan->block_count; b++) {
        double *chance = &c->chance[number][b], to = share_block(c, number, b, &waits);
        move(chance, to, &most);
        for (uint32_t o = plan->blocks[b].first; o < plan->blocks[b].end; o++) {
            double shares[CAMDN_LEVELS_MAX + 1];
            memset(shares, 0, run->ops[o].count * sizeof *shares);
            camdn_part_run *ways = run->ways + run->ops[o].first;
            if (to < 1 - NEVER)
                waits += (1 - to) * share_op(c, number, o, shares);
            for (uint32_t w = 0; w < run->ops[o].count; w++)
                move(&ways[w].share, camdn_paged_inside(plan, o, w) ? to : (1 - to) * shares[w],
                     &most);
        }
    }
    run->wait += (waits - run->wait) * PART;
    return most;
}

double camdn_contest_step(camdn_contest *c)
{
    camdn_mix *m = c->mix;
    double most = 0, npus = (double)camdn_running(m->config);
    double turns = m->config->arrivals == CAMDN_CLOSED ? (double)m->config->tenants / npus : 1;
    sums s = {.time = 0};
    for (uint32_t i = 0; i < m->count; i++)
        add_network(c, i, turns, &s);
    if (c->below[BINS] <= 0)
        for (int i = 0; i <= BINS; i++)
            c->below[i] = 1;
    set_held(c, &s);
    for (uint32_t i = 0; i < m->count; i++)
        most = msw_max_f64(most, share_network(c, i));
    return most;
}
