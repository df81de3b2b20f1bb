/* The closed form: how many requests repeat a page that is being walked depends on how fast they
 * go, and that on how many walk: both are found together. */
#include "htmmu_rates.h"

#include <math.h>

enum { ROUNDS = 8 };

/* ---- requesters ---- */

typedef struct answer {
    htmmu_ways ways;
    htmmu_flow flow;
    double cycles, wait, idle;
} answer;

static answer solve(const htmmu_static *f)
{
    double ahead = f->registers;
    answer a = {.cycles = 0};
    for (int round = 0; round < ROUNDS; round++) {
        a.ways = htmmu_ways_of(f, ahead);
        a.flow = htmmu_flow_of(f, &a.ways);
        double next = a.flow.walk * f->requests / a.flow.time;
        ahead = round ? sqrt(ahead * next) : next;
    }
    a.cycles = a.flow.time;
    return a;
}

static void wait_closed(const htmmu_static *f, answer *a)
{
    double window = fmin((double)f->config->window, f->requests);
    double inside = a->cycles - a->flow.miss / 2;
    a->wait = window * fmax(inside, 0) * (1 - window / (2 * f->requests));
}

/* Bursts that are answered before the next one wait within themselves; a backlog that grows waits
 * for half of what it comes to. */
static void wait_open(const htmmu_static *f, answer *a)
{
    const htmmu_config *c = f->config;
    double burst = fmin((double)c->burst, f->requests), each = a->flow.time / f->requests;
    double made = f->requests / c->rate,
           alone =
               (double)c->l1_cycles + (f->requests - a->ways.l1_hits) / f->requests * a->flow.hold;
    double late = fmax(each - 1 / c->peak_rate, 0) * burst / 2;
    if (a->flow.time > made) {
        a->wait = f->requests * (alone + (a->flow.time - made) / 2 + late);
        return;
    }
    double busy = a->flow.time / made;
    late += burst < 2 ? each * busy / (2 * fmax(1 - busy, 1e-3)) : 0;
    a->cycles = made + burst * fmax(each - 1 / c->rate, 0) + alone;
    a->idle = a->cycles - a->flow.time;
    a->wait = f->requests * (alone + late);
}

/* ---- metrics ---- */

static void fill_ways(const htmmu_static *f, const htmmu_ways *w, double *t)
{
    double misses = w->requests - w->l1_hits, walks = w->fresh + w->redundant;
    t[HTMMU_REQUESTS] = w->requests;
    t[HTMMU_L1_HITS] = w->l1_hits;
    t[HTMMU_L1_MISSES] = misses;
    t[HTMMU_L2_LOOKUPS] = f->config->l2_entries ? misses : 0;
    t[HTMMU_L2_HITS] = w->l2_hits;
    t[HTMMU_PTU_REQUESTS] = w->fresh + w->repeats;
    t[HTMMU_MERGED] = w->repeats - w->redundant;
    t[HTMMU_WALKS] = walks;
    t[HTMMU_REDUNDANT] = w->redundant;
    t[HTMMU_REPEATED] = w->repeats;
    t[HTMMU_WALK_STEPS] = walks * f->steps;
    t[HTMMU_WALK_ACCESSES] = walks * w->accesses;
}

/* What is not issue and not idle belongs to the tightest bound. */
static void fill_stack(const htmmu_static *f, const answer *a, double *t)
{
    const htmmu_flow *b = &a->flow;
    double left = a->cycles - a->idle, issue = fmin(left, b->ports);
    int port = f->config->router == HTMMU_ROUTER_BITS ? HTMMU_STALL_BANK : HTMMU_ISSUE;
    int cause = b->registers >= b->window ? HTMMU_STALL_MSHR : HTMMU_STALL_MEMORY;
    if (b->walkers >= fmax(b->registers, b->window) * 0.999)
        cause = HTMMU_STALL_WALKERS;
    t[port] += issue;
    t[HTMMU_IDLE] = a->idle;
    t[cause] += left - issue;
    t[HTMMU_CYCLES] = 0;
    for (int i = HTMMU_ISSUE; i <= HTMMU_STALL_MEMORY; i++)
        t[HTMMU_CYCLES] += t[i];
}

static void fill_waits(const htmmu_static *f, const answer *a, double *t)
{
    double misses = a->ways.requests - a->ways.l1_hits, mean = a->wait / f->requests;
    t[HTMMU_WAIT] = a->wait;
    t[HTMMU_WAIT_ACCEPTED] = f->requests * (double)f->config->l1_cycles + misses * a->flow.miss;
    t[HTMMU_WAIT_ACCEPTED] = fmin(t[HTMMU_WAIT_ACCEPTED], a->wait);
    t[HTMMU_WAIT_P50] = mean;
    t[HTMMU_WAIT_P99] = mean + a->flow.miss;
    t[HTMMU_WAIT_MAX] = mean + 2 * a->flow.miss + a->flow.walk;
}

int htmmu_analytic(const msw_task *task, double *t, msw_err *err)
{
    const htmmu_config *c = task->config;
    htmmu_static f = htmmu_static_of(c, task->artifacts[HTMMU_ARTIFACT_PROFILE],
                                     task->artifacts[HTMMU_ARTIFACT_BANKS]);
    htmmu_prices prices;
    if (c->requester == HTMMU_TIMED)
        return msw_fail(err, "requester = timed has no closed form");
    if (htmmu_price(c, &prices, err))
        return -1;
    for (int i = 0; i < HTMMU_METRICS; i++)
        if (htmmu_metrics[i].kind == MSW_TOTAL)
            t[i] = 0;
    answer a = solve(&f);
    if (c->requester == HTMMU_CLOSED)
        wait_closed(&f, &a);
    else
        wait_open(&f, &a);
    fill_ways(&f, &a.ways, t);
    fill_stack(&f, &a, t);
    fill_waits(&f, &a, t);
    bool named = c->router != HTMMU_ROUTER_ADAPTIVE;
    t[HTMMU_BUSIEST_BANK] = f.requests * (named ? f.banks->busiest : 1 / f.streams);
    t[HTMMU_DIVERTED] = named ? 0 : f.requests * (1 - 1 / f.streams);
    t[HTMMU_ENERGY] = htmmu_energy(&prices, t);
    return 0;
}
