/* SPDX-License-Identifier: MIT */
/* One flow of transactions through the MMU in closed form: README.md, "Closed form of a flow".
 *
 *   r    requests of a page visit               m    visits whose page the TLBs do not hold
 *   T    mean walk                              P    walkers
 *   g    requests a walk answers, 1 + slots     q    cycles between walks begun by the engine
 *
 * A page takes v = ceil(r / g) walks while its first is under way. Walk number i starts when the
 * engine has issued those before it and when walk i - P is over, so P walks take max(T, P q). */
#include "mech/neummu/closed/flow.h"

#include <math.h>

enum { BACKLOG_PAGES = 16 };

/* Requests of a page that can be under way at once. */
static double room_of(const neummu_rates *k)
{
    const neummu_config *c = k->config;
    double walks = k->walkers + (double)c->walk_queue, limit = (double)c->outstanding;
    if (c->scoreboard && c->slots_full == NEUMMU_SLOTS_BLOCK)
        walks = 1;
    return limit > 0 ? msw_min_f64(walks * k->group, limit) : walks * k->group;
}

int neummu_rates_of(const neummu_config *c, neummu_rates *rates, msw_err *err)
{
    neummu_shifts shifts = neummu_shifts_of(c);
    msw_pagetable table;
    msw_pagetable_config shape = msw_pagetable_x86();
    shape.address_bits = c->table_levels == 5 ? 57 : 48;
    *rates = (neummu_rates){
        .config = c,
        .width = (double)c->issue_width,
        .hit = (double)c->tlb_cycles,
        .lookup = (double)(c->tlb_cycles + (c->tlb2_entries ? c->tlb2_cycles : 0)),
        .walkers = (double)c->ptw_count,
        .group = c->scoreboard ? 1 + (double)c->prmb_slots : 1,
        .depth = neummu_prefetches(c) && c->tlb_prefetch_spare < c->ptw_count
                     ? (double)c->tlb_prefetch_depth
                     : 0,
    };
    if (msw_pagetable_init(&table, &shape, err) || neummu_memory_init(&rates->memory, c, err))
        return -1;
    rates->steps[0] = msw_pagetable_steps(&table, shifts.small);
    rates->steps[1] = msw_pagetable_steps(&table, shifts.large);
    rates->per_byte = (double)rates->memory.per_byte / (double)(1 << 20) / rates->width;
    rates->latency = (double)rates->memory.latency / rates->width;
    rates->room = room_of(rates);
    neummu_rates_of_walks(rates);
    return 0;
}

/* ---- how many walks a page takes ---- */

typedef neummu_page_plan page_plan;

/* How long walks wait in the queue before walkers: what a page adds to it less what is done until
 * the next, page after page. A long first walk can start a backlog that keeps itself up. */
static double backlog(const neummu_rates *k, double requests, double spacing,
                      const neummu_lengths *walk)
{
    double queue = (double)k->config->walk_queue, limit = (double)k->config->outstanding;
    if (queue == 0)
        return 0;
    double most = queue * walk->mean / k->walkers, time = msw_max_f64(walk->head, walk->mean),
           delay = 0;
    for (int page = 0; page < BACKLOG_PAGES && most > 0; page++) {
        double asked = neummu_asked_during(k, requests, time + delay);
        if (limit > 0 && asked > limit)
            asked = limit;
        double walks = msw_min_f64(ceil(asked / k->group), k->walkers + queue);
        delay = msw_min_f64(msw_max_f64(0, delay + walks * time / k->walkers - spacing), most);
        time = walk->mean;
    }
    return delay;
}

static page_plan plan_page(const neummu_rates *k, double requests, double spacing,
                           const neummu_lengths *walk)
{
    page_plan p = {.requests = requests};
    double room = k->room;
    p.asked = neummu_asked_during(k, requests, walk->mean + backlog(k, requests, spacing, walk));
    p.serial = p.asked > room;
    p.answers = msw_min_f64(msw_min_f64(p.asked, k->group), room);
    p.walks = ceil(msw_min_f64(p.asked, room) / k->group);
    if (k->config->walk_queue &&
        k->config->queue_reprobe) /* those that waited in line do not walk */
        p.walks = msw_min_f64(p.walks, k->walkers);
    if (!p.serial)
        return p;
    p.rest = requests - room;
    p.again = k->config->reprobe ? 0 : 1;
    p.asked = msw_min_f64(room + 1, requests); /* the last of them is the one that is blocked */
    return p;
}

/* ---- when ---- */

typedef neummu_stretch stretch;

/* The cause for which pages that are served one by one wait. */
static msw_block cause_of(const neummu_rates *k)
{
    const neummu_config *c = k->config;
    bool slots = c->scoreboard && c->slots_full == NEUMMU_SLOTS_BLOCK;
    double walks = slots ? 1 : k->walkers + (double)c->walk_queue;
    if (c->outstanding && (double)c->outstanding < walks * k->group)
        return MSW_BLOCK_MSHRS;
    return slots ? MSW_BLOCK_SLOTS : MSW_BLOCK_WALKERS;
}

/* Pages one after the other: each waits for its own walk. */
static void time_serial(const neummu_rates *k, const page_plan *plan, const stretch *m,
                        neummu_flow_model *p)
{
    double rest = plan->rest / k->width, walk = m->walk.mean;
    double longer = m->pages > 1.5 ? (m->walk.head - walk) / (m->pages - 1) : 0;
    double each = msw_max_f64(walk + rest, plan->requests / k->width);
    each = msw_max_f64(each, (plan->walks + plan->again) * walk / k->walkers);
    double begin = (m->pages - 1) * each + m->between + longer;
    p->engine = begin + each;
    p->burst = begin + k->lookup + walk;
    p->burst_bytes = m->bytes / m->pages;
    double answers = msw_max_f64(0, plan->answers - 1) * (double)k->config->return_cycles;
    p->last =
        begin + k->lookup + walk + msw_max_f64(msw_max_f64(rest, plan->again * walk), answers);
    p->blocked[cause_of(k)] = msw_max_f64(0, p->engine - p->requests / k->width);
}

/* When walk number `n` is begun by the engine: those of a page follow each other at its start. */
static double begun(const page_plan *plan, double n, double page, double group)
{
    double pages = floor(n / plan->walks);
    return plan->walks > 1 ? pages * page + (n - pages * plan->walks) * group : n * page;
}

/* Walks that can be under way at once: as many as there are walkers, or unanswered misses. */
typedef struct pool {
    double walkers, queue;
    double held;     /* after a walk, until all are answered */
    msw_block cause; /* what the engine waits for */
} pool;

static pool pool_of(const neummu_rates *k, const page_plan *plan, double back)
{
    double queue = (double)k->config->walk_queue;
    double most = (double)k->config->outstanding * plan->walks / plan->asked;
    if (most == 0 || most >= k->walkers + queue)
        return (pool){k->walkers, queue, 0, MSW_BLOCK_WALKERS};
    if (most >= k->walkers)
        return (pool){k->walkers, most - k->walkers, 0, MSW_BLOCK_MSHRS};
    return (pool){most, 0, back / 2, MSW_BLOCK_MSHRS};
}

/* Where the last of a row of walks of one length begins, and the last of their rounds. */
typedef struct rounds {
    double first, begin, rank;
} rounds;

static rounds rounds_of(const page_plan *plan, const pool *w, double walks, double walk,
                        double page, double group)
{
    double last = msw_max_f64(walks - 1, 0), round = floor(last / w->walkers);
    double rank = last - round * w->walkers, paced = begun(plan, rank, page, group);
    if (walk > begun(plan, w->walkers, page, group))
        return (rounds){round * walk, round * walk + paced, rank};
    return (rounds){begun(plan, last - rank, page, group), begun(plan, last, page, group), rank};
}

static void time_rounds(const neummu_rates *k, const page_plan *plan, const stretch *m,
                        neummu_flow_model *p)
{
    double walks = m->pages * plan->walks, slow = msw_min_f64(m->walk.slow_walks, walks);
    double page = plan->requests / k->width + m->between / m->pages;
    double group = plan->answers / k->width, since = 0, tail = 0;
    double back = msw_max_f64(0, plan->answers - 1) * (double)k->config->return_cycles;
    pool w = pool_of(k, plan, back);
    if (slow > walks - 1) {
        slow = 0;
    } else if (slow > 0) {
        rounds r = rounds_of(plan, &w, slow, m->walk.slow + w.held, page, group);
        tail = r.begin + m->walk.slow;
        since = msw_max_f64(slow / w.walkers * (m->walk.slow + w.held), slow / plan->walks * page);
    }
    double walk = slow > 0 ? m->walk.fast : m->walk.mean;
    rounds r = rounds_of(plan, &w, walks - slow, walk + w.held, page, group);
    double begin = since + r.begin, rest = page - (plan->walks - 1) * group;
    /* Walks that wait in the queue do not hold up the engine. */
    double waits = msw_max_f64(0, begin + rest - m->pages * page - w.queue * walk / w.walkers);
    p->engine = m->pages * page + waits;
    p->burst = since + r.first + k->lookup + walk;
    p->burst_bytes = (r.rank + 1) * m->bytes / walks;
    p->last = msw_max_f64(begin + walk, tail) + k->lookup + back;
    p->blocked[w.cause] = waits;
}

static double walks_of(const page_plan *plan, double missed)
{
    return missed * (plan->walks + (plan->serial ? plan->again : 0));
}

static void count(const page_plan *plan, const neummu_found *at, neummu_flow_model *p)
{
    double visits_missed = at->missed * plan->asked + at->flying * plan->requests;
    p->second_hits = at->second;
    p->misses = visits_missed + at->second;
    p->walks = walks_of(plan, at->missed);
    p->redundant = at->missed * (plan->walks - 1);
    p->replayed = plan->serial ? at->missed * (1 - plan->again) : 0;
    p->merged = msw_max_f64(0, visits_missed - p->walks - p->replayed);
}

void neummu_time_data(const neummu_rates *k, neummu_flow_model *p)
{
    p->time = p->bytes * k->per_byte;
    p->burst_time = p->burst_bytes * k->per_byte;
    p->last_bytes = p->bytes / p->requests;
    p->last_time = p->last_bytes * k->per_byte;
}

void neummu_model_known(const neummu_rates *k, const neummu_traffic *f, double hit,
                        neummu_flow_model *p)
{
    *p = (neummu_flow_model){.requests = (double)f->requests};
    if (f->visits)
        p->bytes = (double)f->visits *
                   neummu_memory_weight(&k->memory, (double)f->bytes / (double)f->visits);
    p->engine = p->requests / k->width;
    p->first = hit;
    p->last = msw_max_f64(0, p->engine - 1 / k->width) + p->first;
    neummu_time_data(k, p);
}

/* Walks that begin before one that has just begun is over. */
static double walks_in_flight(const neummu_rates *k, const page_plan *plan, double spacing,
                              double walk)
{
    double limit = (double)k->config->outstanding, most = k->walkers;
    if (plan->serial)
        return plan->walks;
    if (plan->walks * walk > k->walkers * spacing)
        most += (double)k->config->walk_queue;
    if (limit > 0)
        most = msw_min_f64(most, limit * plan->walks / plan->asked);
    return msw_min_f64(plan->walks * walk / spacing, most);
}

/* Visits of a flow and the distances between them: all, and those that miss. */
typedef struct rhythm {
    double requests, spacing, missed;
} rhythm;

static rhythm rhythm_of(const neummu_rates *k, const neummu_traffic *f, const neummu_found *at,
                        double requests)
{
    rhythm r = {.requests = requests / (double)f->visits};
    r.spacing = r.missed = r.requests / k->width;
    if (at->missed > 0)
        r.missed *= (double)f->visits / at->missed;
    return r;
}

/* Of the page plan's walks those that are under way, for walks that long. */
static neummu_flight flight_of(const neummu_rates *k, const page_plan *plan, double missed,
                               double spacing, double walk)
{
    bool unified = k->config->path_cache == NEUMMU_PATH_UNIFIED && plan->serial;
    return (neummu_flight){.missed = missed,
                           .walks = walks_in_flight(k, plan, spacing, walk),
                           .again = unified ? missed * plan->again : 0};
}

/* How long walks are that are planned as if they read every level. */
static neummu_lengths first_walks(const neummu_rates *k, const neummu_traffic *f, const rhythm *r,
                                  double missed)
{
    neummu_lengths cold = neummu_cold_walks(k, f->large);
    page_plan plan = plan_page(k, r->requests, r->missed, &cold);
    neummu_flight flight = flight_of(k, &plan, missed, r->missed, cold.mean);
    return neummu_time_mean_walk(k, f, &flight, walks_of(&plan, missed));
}

/* Plans and counts for walks that long, and says how long they are then. */
static void plan_flow(const neummu_rates *k, const neummu_traffic *f, const rhythm *r,
                      const neummu_lengths *walk, page_plan *plan, neummu_found *at,
                      neummu_flow_model *p, neummu_lengths *next)
{
    neummu_find_flying(k, f, r->spacing, walk->mean, at);
    *plan = plan_page(k, r->requests, r->missed, walk);
    count(plan, at, p);
    neummu_flight flight = flight_of(k, plan, at->missed, r->missed, walk->mean);
    neummu_time_walks(k, f, &flight, p, next);
    if (k->config->path_cache == NEUMMU_PATH_UNIFIED && plan->serial)
        plan->again = 0;
}

/* In what is finely mixed, hits lie between misses. */
static stretch stretch_of(const neummu_rates *k, const neummu_traffic *f, const neummu_found *at,
                          const neummu_lengths *walk, const neummu_flow_model *p)
{
    double visits = (double)f->visits,
           hits = (visits - at->missed) * p->requests / visits / k->width;
    return (stretch){.pages = at->missed,
                     .walk = *walk,
                     .between = hits,
                     .bytes = p->bytes * at->missed / visits};
}

/* When the first translation is there. */
static double first_of(const neummu_rates *k, const neummu_traffic *f, const neummu_lengths *walk)
{
    if (neummu_head_within(f, k->config->tlb_entries))
        return k->hit;
    return k->lookup + (neummu_head_within(f, k->config->tlb2_entries) ? 0 : walk->head);
}

void neummu_model_flow(const neummu_rates *k, const neummu_traffic *f, double known,
                       neummu_flow_model *p)
{
    page_plan plan;
    neummu_found at;
    neummu_rates fewer;
    neummu_model_known(k, f, k->config->oracle ? 0 : k->hit, p);
    if (k->config->oracle || f->visits == 0)
        return;
    neummu_find(k, f, &at);
    rhythm r = rhythm_of(k, f, &at, p->requests);
    neummu_lengths planned = first_walks(k, f, &r, at.missed), walk;
    plan_flow(k, f, &r, &planned, &plan, &at, p, &walk);
    p->first = first_of(k, f, &walk);
    if (at.missed < 0.5)
        return;
    stretch m = stretch_of(k, f, &at, &walk, p);
    if (k->depth > 0) {
        fewer = *k;
        neummu_look_ahead(&fewer, f, at.missed, known, &plan, &m, p);
        k = &fewer;
    }
    if (m.pages < 0.5)
        p->last = msw_max_f64(p->first, p->engine - 1 / k->width + k->hit);
    else if (plan.serial)
        time_serial(k, &plan, &m, p);
    else
        time_rounds(k, &plan, &m, p);
    p->last = msw_max_f64(p->last, p->engine - 1 / k->width + k->hit);
    neummu_time_data(k, p);
}
