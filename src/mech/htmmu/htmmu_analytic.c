/* The closed form: what becomes of the requests (htmmu_rates.c), how fast they go then
 * (htmmu_network.c), what the requester makes of it, and the metrics. */
#include "htmmu_rates.h"

#include <math.h>

enum { MEMORY_ROUNDS = 8 };

/* ---- the parts of the stream, one after the other ---- */

typedef struct answer {
    const htmmu_config *config;
    const htmmu_banks *banks;
    htmmu_ways ways;
    htmmu_flow flow; /* times and bounds summed; latencies: means over the misses */
    double steps;    /* of a walk */
    double streams;
    double cycles, wait, idle;
    double reading; /* cycles of walks at memory with banks */
} answer;

static void add_ways(htmmu_ways *sum, const htmmu_ways *w)
{
    sum->requests += w->requests;
    sum->l1_hits += w->l1_hits;
    sum->l2_hits += w->l2_hits;
    sum->fresh += w->fresh;
    sum->repeats += w->repeats;
    sum->redundant += w->redundant;
    sum->late += w->late;
    sum->accesses += w->accesses * (w->fresh + w->redundant + w->late);
}

static void add_flow(htmmu_flow *sum, const htmmu_flow *flow, double misses)
{
    sum->time += flow->time;
    sum->ports += flow->ports;
    sum->registers += flow->registers;
    sum->walkers += flow->walkers;
    sum->window += flow->window;
    sum->second += flow->second;
    sum->walk = fmax(sum->walk, flow->walk);
    sum->hold += flow->hold * misses;
    sum->miss += flow->miss * misses;
}

static double misses_of(const htmmu_ways *w)
{
    return fmax(w->requests - w->l1_hits, 0);
}

static double walks_of(const htmmu_ways *w)
{
    return w->fresh + w->redundant + w->late;
}

typedef struct memory {
    const htmmu_rows *rows; /* of no channels with memory_model: fixed */
    msw_dram_config dram;
} memory;

/* Cycles of an access with `window` under way in each channel that is used. */
static double access_of(const htmmu_static *f, const memory *m, double window)
{
    msw_dram_load load = {.run = 1 / (1 - fmin(m->rows->hit_rate, 0.999)),
                          .streams_per_bank = 1,
                          .read_share = 1,
                          .window = fmax(window, 1)};
    return (double)f->config->memory_path + msw_dram_estimate_load(&m->dram, &load).read_latency;
}

/* An access takes as long as its channel has others under way, and these are as many as walks make
 * in that time. */
static void meet_banks(htmmu_static *f, const memory *m, htmmu_ways *ways, htmmu_flow *flow)
{
    double window = 1, path = (double)f->config->memory_path;
    for (int round = 0; round < MEMORY_ROUNDS; round++) {
        double cycles = access_of(f, m, window);
        htmmu_set_access(f, cycles);
        *ways = htmmu_ways_of(f);
        *flow = htmmu_flow_of(f, ways);
        double rate = f->accesses * walks_of(ways) / flow->time;
        window = (window + fmax(rate * (cycles - path) / m->rows->channels, 1)) / 2;
    }
}

static answer solve(const htmmu_config *config, const htmmu_profile *profile,
                    const htmmu_banks *banks, const memory *m)
{
    answer a = {.config = config, .banks = banks, .steps = profile->upper + 1};
    for (int part = 0; part < HTMMU_PARTS; part++) {
        if (profile->parts[part].requests <= 0)
            continue;
        htmmu_static f = htmmu_static_of(config, profile, banks, part);
        htmmu_ways ways = {0};
        htmmu_flow flow = {0};
        if (m->rows->channels > 0) {
            meet_banks(&f, m, &ways, &flow);
            a.reading += htmmu_reading(&f) * walks_of(&ways);
        } else {
            ways = htmmu_ways_of(&f);
            flow = htmmu_flow_of(&f, &ways);
        }
        add_ways(&a.ways, &ways);
        add_flow(&a.flow, &flow, misses_of(&ways));
        a.streams = f.streams;
    }
    double misses = fmax(misses_of(&a.ways), 1);
    a.flow.hold /= misses;
    a.flow.miss /= misses;
    /* The last answers come when nothing more is dispatched. */
    a.flow.time += (double)config->l1_cycles + fmin(a.flow.hold * misses, a.flow.walk) / 2;
    a.cycles = a.flow.time;
    return a;
}

/* ---- requesters ---- */

static void wait_closed(answer *a)
{
    double requests = a->ways.requests, window = fmin((double)a->config->window, requests);
    double inside = a->cycles - a->flow.miss / 2;
    a->wait = window * fmax(inside, 0) * (1 - window / (2 * requests));
}

/* Bursts that are answered before the next one wait within themselves; a backlog that grows waits
 * for half of what it comes to. */
static void wait_open(answer *a)
{
    const htmmu_config *c = a->config;
    double requests = a->ways.requests, burst = fmin((double)c->burst, requests);
    double each = a->flow.time / requests, made = requests / c->rate;
    double alone = (double)c->l1_cycles + misses_of(&a->ways) / requests * a->flow.hold;
    double late = fmax(each - 1 / c->peak_rate, 0) * burst / 2;
    if (a->flow.time > made) {
        a->wait = requests * (alone + (a->flow.time - made) / 2 + late);
        return;
    }
    double busy = a->flow.time / made;
    late += burst < 2 ? each * busy / (2 * fmax(1 - busy, 1e-3)) : 0;
    a->cycles = made + burst * fmax(each - 1 / c->rate, 0) + alone;
    a->idle = a->cycles - a->flow.time;
    a->wait = requests * (alone + late);
}

/* ---- metrics ---- */

static void fill_ways(const answer *a, double *t)
{
    const htmmu_ways *w = &a->ways;
    double misses = misses_of(w), walks = walks_of(w);
    t[HTMMU_REQUESTS] = w->requests;
    t[HTMMU_L1_HITS] = w->l1_hits;
    t[HTMMU_L1_MISSES] = misses;
    t[HTMMU_L2_LOOKUPS] = a->config->l2_entries ? misses : 0;
    t[HTMMU_L2_HITS] = w->l2_hits;
    t[HTMMU_PTU_REQUESTS] = w->fresh + w->repeats + w->late;
    t[HTMMU_MERGED] = w->repeats - w->redundant;
    t[HTMMU_WALKS] = walks;
    t[HTMMU_REDUNDANT] = w->redundant;
    t[HTMMU_REPEATED] = w->repeats;
    t[HTMMU_WALK_STEPS] = walks * a->steps;
    t[HTMMU_WALK_ACCESSES] = w->accesses;
}

static void fill_memory(const answer *a, const htmmu_rows *rows, double *t)
{
    if (a->config->memory_model == HTMMU_MEMORY_FIXED)
        return;
    t[HTMMU_READS] = a->ways.accesses;
    t[HTMMU_ROW_HITS] = rows->hit_rate * a->ways.accesses;
    t[HTMMU_READ_CYCLES] = a->reading;
}

/* What is not issue and not idle belongs to the tightest bound. */
static void fill_stack(const answer *a, double *t)
{
    const htmmu_flow *b = &a->flow;
    double left = a->cycles - a->idle, issue = fmin(left, b->ports);
    int port = a->config->router == HTMMU_ROUTER_BITS ? HTMMU_STALL_BANK : HTMMU_ISSUE;
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

static void fill_waits(const answer *a, double *t)
{
    double requests = a->ways.requests, mean = a->wait / requests;
    t[HTMMU_WAIT] = a->wait;
    t[HTMMU_WAIT_ACCEPTED] =
        requests * (double)a->config->l1_cycles + misses_of(&a->ways) * a->flow.miss;
    t[HTMMU_WAIT_ACCEPTED] = fmin(t[HTMMU_WAIT_ACCEPTED], a->wait);
    t[HTMMU_WAIT_P50] = mean;
    t[HTMMU_WAIT_P99] = mean + a->flow.miss;
    t[HTMMU_WAIT_MAX] = mean + 2 * a->flow.miss + a->flow.walk;
}

int htmmu_analytic(const msw_task *task, double *t, msw_err *err)
{
    const htmmu_config *c = task->config;
    htmmu_prices prices;
    memory m = {.rows = task->artifacts[HTMMU_ARTIFACT_ROWS]};
    if (c->requester == HTMMU_TIMED)
        return msw_fail(err, "requester = timed has no closed form");
    if (htmmu_price(c, &prices, err))
        return -1;
    if (c->memory_model == HTMMU_MEMORY_BANKS && htmmu_memory_config(c, &m.dram, err))
        return -1;
    for (int i = 0; i < HTMMU_METRICS; i++)
        if (htmmu_metrics[i].kind == MSW_TOTAL)
            t[i] = 0;
    answer a = solve(c, task->artifacts[HTMMU_ARTIFACT_PROFILE],
                     task->artifacts[HTMMU_ARTIFACT_BANKS], &m);
    if (c->requester == HTMMU_CLOSED)
        wait_closed(&a);
    else
        wait_open(&a);
    fill_ways(&a, t);
    fill_memory(&a, m.rows, t);
    fill_stack(&a, t);
    fill_waits(&a, t);
    bool named = c->router != HTMMU_ROUTER_ADAPTIVE;
    t[HTMMU_BUSIEST_BANK] = a.ways.requests * (named ? a.banks->busiest : 1 / a.streams);
    t[HTMMU_DIVERTED] = named ? 0 : a.ways.requests * (1 - 1 / a.streams);
    t[HTMMU_ENERGY] = htmmu_energy(&prices, t);
    return 0;
}
