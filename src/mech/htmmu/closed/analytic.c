/* SPDX-License-Identifier: MIT */
/* The closed form: which requests hit (rates.c), how the others hold each other up (replay.c),
 * what the requester makes of it, and the metrics. README.md, "Closed form".
 *
 *   cycles = requests / rate + F / f (cycles of the sample - its requests / rate) + last answers
 *
 *   rate  requests/cycle while nothing is blocked     F, f  fresh visits of the stream, of the
 * sample
 *
 * Known value: one request takes its look-ups and its walk (law in laws.c).
 *
 * What the requester makes of the speed at which the machine can answer: README.md, "Closed
 * form".
 *
 *   closed loop   mean wait = W (cycles - (cycles - f) (W - 1) / (2 (requests - 1))) / requests
 *   open loop     cycles = max(service, (bursts - 1) burst / rate + last burst)
 *
 *   W  requests under way, min(outstanding, requests)     f  cycle of the first answer
 *
 * The closed loop follows Little's law (J. D. C. Little, Operations Research 9 (1961) 383-387).
 * Known value: a single request waits for all its cycles. */
#include "mech/htmmu/closed/replay.h"

#include "mech/htmmu/cost.h"
#include "mech/htmmu/memory.h"
#include "mech/htmmu/model.h"

#include "memsweep/base/math.h"

#include <math.h>

/* What is known of the whole stream. */
typedef struct htmmu_solution {
    const htmmu_config *config;
    htmmu_rates rates;
    htmmu_pace pace;
    htmmu_replay replay;
    double walks;           /* of different pages under way, mean */
    double requests, scale; /* scale: of the sample's misses to those of the stream */
    double others;          /* requests that neither miss both TLBs nor wait for who does */
    double cycles, wait, idle;
} htmmu_solution;

/* Cycles from the look-up of a miss to its answer, mean. */
static inline double htmmu_mean_taken(const htmmu_solution *solution)
{
    return solution->replay.misses > 0 ? solution->replay.taken / solution->replay.misses : 0;
}

/* A request is made when the one `window` before it is answered, the first of them at once: all
 * waits together are the times of the last `window` answers. Answers come evenly from the first on,
 * which begins a stream that nothing is known of with a miss. */
static void wait_closed(htmmu_solution *a)
{
    double window = fmin((double)a->config->window, a->requests);
    double first = fmin((double)a->config->l1_cycles + a->replay.first, a->cycles);
    double apart = a->requests > 1 ? (a->cycles - first) / (a->requests - 1) : 0;
    a->wait = window * (a->cycles - apart * (window - 1) / 2);
}

/* The wait of a request that meets no other. */
static double alone_of(const htmmu_solution *a)
{
    return (double)a->config->l1_cycles + a->scale * a->replay.taken / a->requests;
}

/* Requests come in bursts of `burst`, burst / rate apart. One that is answered before the next
 * comes waits within itself, and the last ends it all; a backlog that grows waits for half of what
 * it comes to. */
static void wait_open(htmmu_solution *a)
{
    const htmmu_config *c = a->config;
    double requests = a->requests, burst = fmin((double)c->burst, requests);
    double bursts = ceil(requests / burst), last = requests - (bursts - 1) * burst;
    double service = a->cycles, each = service / requests, alone = alone_of(a);
    double apart = (double)c->burst / c->rate, step = fmax(each, 1 / c->peak_rate);
    double made = (bursts - 1) * apart + last / c->peak_rate;
    double within = fmax(each - 1 / c->peak_rate, 0) * burst / 2;
    if (service > (bursts - 1) * apart + last * step) {
        double behind = fmax(service - (bursts - 1) * apart - last * step, 0);
        a->idle = 0;
        a->wait = requests * (alone + within + behind / 2);
        return;
    }
    double busy = fmin(service / made, 1);
    within += burst < 2 ? each * busy / (2 * fmax(1 - busy, 1e-3)) : 0;
    a->cycles = (bursts - 1) * apart + last * step + alone;
    a->idle = fmax(a->cycles - service, 0);
    a->wait = requests * (alone + within);
}

static uint32_t first_access(const htmmu_stream *stream, uint64_t unit)
{
    return stream->visits[stream->units[unit]].first;
}

static uint32_t last_access(const htmmu_stream *stream)
{
    const htmmu_visit *visit = &stream->visits[stream->visit_count - 1];
    return visit->first + visit->requests - 1;
}

/* Unit by unit: what comes in from its first request to that of the next, against what can be
 * answered meanwhile. The backlog changes evenly within a unit. */
static void wait_timed(htmmu_solution *a, const htmmu_stream *stream, const uint64_t *times)
{
    double each = a->cycles / a->requests, backlog = 0, wait = 0, idle = 0, now = 0;
    for (uint64_t unit = 0; unit < stream->unit_count; unit++) {
        bool last = unit + 1 == stream->unit_count;
        double begin = (double)times[first_access(stream, unit)];
        double end = (double)times[last ? last_access(stream) : first_access(stream, unit + 1)];
        double left = a->requests - (double)unit * (double)stream->unit_requests;
        double count = last ? left : (double)stream->unit_requests;
        double after = backlog + count * each - (end - begin);
        idle += after < 0 ? -after : 0;
        idle += unit ? 0 : begin;
        after = fmax(after, 0);
        wait += count * (backlog + after) / 2;
        backlog = after;
        now = end;
    }
    a->cycles = now + fmax(backlog, alone_of(a));
    a->idle = idle;
    a->wait = wait + a->requests * alone_of(a);
}

/* Sets cycles, idle cycles and waits as the requester asks. Returns 0, or -1 when it has times to
 * keep and the workload has none. */
static int htmmu_wait(const msw_task *task, htmmu_solution *a, msw_err *err)
{
    const uint64_t *times = ((const msw_accesses *)task->product->data)->cycles;
    if (a->config->requester == HTMMU_TIMED && !times)
        return msw_fail(err, "requester = timed: the workload has no times");
    if (a->config->requester == HTMMU_CLOSED)
        wait_closed(a);
    else if (a->config->requester == HTMMU_OPEN)
        wait_open(a);
    else
        wait_timed(a, task->artifacts[HTMMU_ARTIFACT_STREAM], times);
    return 0;
}

/* ---- memory ---- */

typedef struct memory {
    const htmmu_rows *rows; /* of no channels with memory_model: fixed */
    msw_dram_config dram;
    msw_dram_form form;
} memory;

/* Returns 0, or -1. */
static int set_memory(const htmmu_config *c, memory *m, msw_err *err)
{
    if (c->memory_model == HTMMU_MEMORY_FIXED)
        return 0;
    if (htmmu_memory_config(c, &m->dram, err))
        return -1;
    m->form = msw_dram_form_of(&m->dram);
    return 0;
}

/* Cycles of an access with 2^step under way in its channel. */
static double latency_of(const memory *m, int step)
{
    msw_dram_load load = {.visit = 1 / (1 - fmin(m->rows->hit_rate[step], 0.999)),
                          .streams_per_bank = 1,
                          .read_share = 1,
                          .window = msw_math_exp2(step)};
    return msw_dram_estimate_load(&m->form, &load).read_latency;
}

/* Cycles of an access with 2^step under way in all. */
static double access_of(const htmmu_config *c, const memory *m, int step)
{
    double latency[HTMMU_LOADS];
    for (int load = 0; load < HTMMU_LOADS; load++)
        latency[load] = latency_of(m, load);
    msw_dram_sharing sharing = {.latency = latency,
                                .steps = HTMMU_LOADS,
                                .share = m->rows->share,
                                .channels = (size_t)c->memory_channels,
                                .way = (double)c->memory_path};
    return msw_dram_shared_latency(&sharing, msw_math_exp2(step));
}

/* Look-ups of a walk in the path cache: a unified one is asked for each entry. */
static double lookups_of(const htmmu_config *c, const htmmu_rates *rates)
{
    if (c->path_cache == HTMMU_PATH_NONE)
        return 0;
    return c->path_cache == HTMMU_PATH_UNIFIED ? rates->steps : 1;
}

static htmmu_walk_pace walk_pace(const htmmu_config *c, const htmmu_rates *rates, const memory *m,
                                 double accesses, double counted, double reads)
{
    htmmu_walk_pace pace = {.search = lookups_of(c, rates) * (double)c->tpc_cycles,
                            .reading = {reads * (double)c->level_cycles}};
    pace.accesses = accesses;
    pace.reads = counted;
    if (c->table_lines)
        pace.search += accesses * (double)c->table_line_cycles;
    for (int load = 0; m->rows->channels > 0 && load < HTMMU_LOADS; load++)
        pace.reading[load] = reads * access_of(c, m, load);
    return pace;
}

static void set_walks(htmmu_pace *pace, const htmmu_rates *r, const memory *m)
{
    pace->channels = m->rows->channels > 0; /* the latency is of what is under way in all */
    pace->lines = (double)pace->config->table_lines;
    pace->first = walk_pace(pace->config, r, m, r->accesses, r->reads, r->reads + r->waits);
    pace->again = walk_pace(pace->config, r, m, r->again_accesses, r->again_reads, r->again_reads);
}

/* ---- the stream ---- */

/* Requests on pages that are in no need of a walk and miss the first TLB all the same. */
static double second_share(const htmmu_solution *a)
{
    double first = a->rates.fresh * a->rates.touches;
    return fmin(fmax((a->rates.l1_misses - first) / fmax(a->requests - first, 1), 0), 1);
}

/* Requests of a visit that finds its page in the second TLB only, at most so many of each: they
 * come evenly to more with the logarithm. */
static double together_of(const htmmu_solution *a, double most)
{
    const htmmu_rates *r = &a->rates;
    double banks = 1 + (htmmu_reach(a->config) - 1) * r->spread;
    double step = msw_math_log2(fmax(most * banks, 1)) / 3, few = fmax(r->few, 1);
    double all = step < 1 ? 1 + (few - 1) * step : few + (r->many - few) * fmin(step - 1, 1);
    return fmax(fmin(all / banks, most), 1);
}

/* Sets how fast requests pass while nothing is walked. While the second TLB looks for a page,
 * requests behind the first on that page miss, too, `together` in all, and wait for what is left.
 */
static void set_rate(const htmmu_solution *a, htmmu_pace *pace)
{
    const htmmu_config *c = a->config;
    double second = pace->second, l2 = c->l2_entries ? (double)c->l2_cycles : 0;
    double registers = (double)c->l1_mshrs * htmmu_reach(c), apart = 1 / pace->ports;
    bool alone = c->mshr_merge || c->register_holds == HTMMU_HOLDS_PAGE;
    double room = alone ? (double)c->window : fmin((double)c->window, registers);
    double together = together_of(a, fmin(l2 / apart, room));
    double wait = together * (l2 - (together - 1) * apart / 2);
    pace->registered = 1e9;
    pace->rate = fmin(pace->ports, (double)c->window / ((double)c->l1_cycles + second * wait));
    if (second <= 0 || c->l2_entries == 0)
        return;
    pace->registered = 1 / (second * fmax(alone ? l2 : wait, 1));
    pace->rate = fmin(pace->rate, (double)c->l2_ports / second / (c->mshr_merge ? 1 : together));
    pace->rate = fmin(pace->rate, registers * pace->registered);
}

/* Cycles of the sample beyond those that its requests take anyway, scaled up. It starts with
 * nothing under way: what it leaves under way has yet to be paid for, but only once. A stream that
 * was taken whole starts so, too. */
static double stalled_of(const htmmu_solution *a)
{
    const htmmu_replay *r = &a->replay;
    double left = fmin(r->inside, r->misses - 1), steady = r->cycles;
    if (r->misses > 1 && a->pace.sample->fresh < a->pace.sample->all_fresh)
        steady *= r->misses / (r->misses - left);
    double free = r->passes * a->pace.sample->requests / a->pace.rate;
    return fmax(a->scale * fmax(steady - free, 0) - (steady - r->cycles), 0);
}

/* What the replay goes by, for the part of the requests that go to other banks than the named. */
static void set_pace(htmmu_solution *a, const msw_task *task, const memory *m)
{
    const htmmu_profile *profile = task->artifacts[HTMMU_ARTIFACT_PROFILE];
    const htmmu_banks *banks = task->artifacts[HTMMU_ARTIFACT_BANKS];
    htmmu_hit_rates(a->config, profile, banks, task->artifacts[HTMMU_ARTIFACT_JOINT], &a->rates);
    const htmmu_sample *sample = &profile->samples[a->rates.size];
    a->pace = (htmmu_pace){.config = a->config,
                           .sample = sample,
                           .requesters = htmmu_requesters(task),
                           .named = banks->named,
                           .ports = a->rates.ports};
    a->scale = sample->fresh > 0 ? a->rates.fresh / sample->fresh : 0;
    a->pace.second = second_share(a);
    set_rate(a, &a->pace);
    if (a->walks <= 0)
        a->walks = htmmu_most_walks(a->config, profile, &a->rates);
    htmmu_walk_rates(a->config, profile, task->artifacts[HTMMU_ARTIFACT_TABLE], a->walks,
                     &a->rates);
    set_walks(&a->pace, &a->rates, m);
}

/* Walks of different pages under way, mean. */
static double walks_under_way(const htmmu_solution *a)
{
    const htmmu_replay *r = &a->replay;
    if (r->walks <= 0)
        return 1;
    double walk = a->pace.first.search + r->reading / r->walks;
    return fmax((r->walks - r->redundant) * walk / (r->cycles + r->drain), 1);
}

static double spread_of(const htmmu_solution *a)
{
    const htmmu_replay *r = &a->replay;
    if (a->config->router != HTMMU_ROUTER_ADAPTIVE || a->config->streams < 2)
        return 0;
    double part = r->dispatched > 0 ? r->diverted / r->dispatched : 1;
    return fmin(part / (1 - 1 / (double)a->config->streams), 1);
}

enum { ROUNDS = 4 };
#define NEAR_WALKS  0.05 /* of the walks under way, */
#define NEAR_SPREAD 0.1  /* of the spread: the replay need not be done again */

/* How long a walk takes depends on how many are under way, and these on how long it takes; which
 * banks hold a page depends on which take requests, and these on what they hold: the replay shows
 * both. */
static htmmu_solution solve(const msw_task *task, const memory *m)
{
    const htmmu_config *config = task->config;
    const htmmu_profile *profile = task->artifacts[HTMMU_ARTIFACT_PROFILE];
    htmmu_solution a = {.config = config, .requests = profile->requests};
    a.rates.spread = config->router == HTMMU_ROUTER_ADAPTIVE && config->streams > 1;
    for (int round = 0; round < ROUNDS; round++) {
        set_pace(&a, task, m);
        htmmu_replay_sample(&a.pace, &a.replay);
        double walks = walks_under_way(&a), spread = spread_of(&a);
        if (fabs(walks - a.walks) <= NEAR_WALKS * walks &&
            fabs(spread - a.rates.spread) <= NEAR_SPREAD)
            break;
        a.walks = walks;
        a.rates.spread = (a.rates.spread + spread) / 2;
    }
    a.scale /= a.replay.passes;
    a.others = fmax(a.requests - a.scale * a.replay.misses, 0);
    /* The last answers come when nothing more is dispatched. */
    a.cycles =
        a.requests / a.pace.rate + stalled_of(&a) + (double)config->l1_cycles + a.replay.drain;
    return a;
}

/* ---- metrics ---- */

static void fill_ways(const htmmu_solution *a, double *t)
{
    const htmmu_replay *r = &a->replay;
    double second = fmax(a->rates.l1_misses - a->scale * r->touched, 0);
    double misses = fmin(a->scale * r->misses + second, a->requests);
    t[HTMMU_REQUESTS] = a->requests;
    t[HTMMU_L1_MISSES] = misses;
    t[HTMMU_L1_HITS] = a->requests - misses;
    t[HTMMU_HELD] = a->scale * r->held;
    t[HTMMU_L2_LOOKUPS] = a->config->l2_entries ? misses - t[HTMMU_HELD] : 0;
    t[HTMMU_L2_HITS] = a->scale * r->l2_hits + second;
    t[HTMMU_REPLAYED] = a->scale * r->replayed;
    t[HTMMU_PTU_REQUESTS] = a->scale * (r->merged + r->walks);
    t[HTMMU_MERGED] = a->scale * r->merged;
    t[HTMMU_WALKS] = a->scale * r->walks;
    t[HTMMU_REDUNDANT] = a->scale * r->redundant;
    t[HTMMU_REPEATED] = a->scale * (r->merged + r->redundant);
    t[HTMMU_WALK_STEPS] = t[HTMMU_WALKS] * a->rates.steps;
    t[HTMMU_WALK_ACCESSES] = a->scale * r->reads;
}

static void fill_memory(const htmmu_solution *a, const htmmu_rows *rows, double *t)
{
    if (a->config->memory_model == HTMMU_MEMORY_FIXED)
        return;
    t[HTMMU_READS] = t[HTMMU_WALK_ACCESSES];
    t[HTMMU_READ_CYCLES] = a->scale * a->replay.reading;
    double under_way = t[HTMMU_READ_CYCLES] / (a->cycles * rows->channels);
    int load = (int)(msw_math_log2(fmax(under_way, 1)) + 0.5);
    load = load < HTMMU_LOADS ? load : HTMMU_LOADS - 1;
    t[HTMMU_ROW_HITS] = rows->hit_rate[load] * t[HTMMU_READS];
}

/* What the ports do not take belongs to what the sample's stalls were for. */
static void fill_stack(const htmmu_solution *a, double *t)
{
    const htmmu_replay *r = &a->replay;
    double left = a->cycles - a->idle, issue = fmin(left, a->requests / a->pace.ports), sum = 0;
    int port = a->config->router == HTMMU_ROUTER_BITS ? HTMMU_STALL_BANK : HTMMU_ISSUE;
    for (int cause = 0; cause < HTMMU_CAUSES; cause++)
        sum += r->stall[cause];
    t[port] += issue;
    t[HTMMU_IDLE] = a->idle;
    for (int cause = 0; cause < HTMMU_CAUSES; cause++)
        t[HTMMU_ISSUE + cause] += sum > 0 ? (left - issue) * r->stall[cause] / sum : 0;
    if (sum <= 0)
        t[HTMMU_STALL_MEMORY] += left - issue;
    t[HTMMU_CYCLES] = 0;
    for (int i = HTMMU_ISSUE; i <= HTMMU_STALL_MEMORY; i++)
        t[HTMMU_CYCLES] += t[i];
}

static void fill_waits(const htmmu_solution *a, double *t)
{
    double mean = a->wait / a->requests;
    double second = a->config->l2_entries ? a->pace.second * (double)a->config->l2_cycles : 0;
    t[HTMMU_WAIT] = a->wait;
    t[HTMMU_WAIT_ACCEPTED] = a->requests * (double)a->config->l1_cycles + a->others * second +
                             a->scale * a->replay.taken;
    t[HTMMU_WAIT_ACCEPTED] = fmin(t[HTMMU_WAIT_ACCEPTED], a->wait);
    t[HTMMU_WAIT_P50] = mean;
    t[HTMMU_WAIT_P99] = mean + htmmu_mean_taken(a);
    t[HTMMU_WAIT_MAX] = mean + a->replay.longest;
}

static void fill_router(const htmmu_solution *a, const htmmu_banks *banks, double *t)
{
    double streams = (double)a->config->streams, busiest = 0;
    for (int bank = 0; bank < HTMMU_BANKS; bank++)
        busiest = fmax(busiest, banks->named[bank]);
    double spread = a->rates.spread;
    t[HTMMU_BUSIEST_BANK] = a->requests * (busiest + (1 / streams - busiest) * spread);
    t[HTMMU_DIVERTED] = a->requests * (1 - 1 / streams) * spread;
}

int htmmu_analytic(const msw_task *task, double *t, msw_err *err)
{
    const htmmu_config *c = task->config;
    const htmmu_banks *banks = task->artifacts[HTMMU_ARTIFACT_BANKS];
    htmmu_prices prices;
    memory m = {.rows = task->artifacts[HTMMU_ARTIFACT_ROWS]};
    if (htmmu_price(c, &prices, err))
        return -1;
    if (set_memory(c, &m, err))
        return -1;
    for (int i = 0; i < HTMMU_METRICS; i++)
        if (htmmu_metrics[i].kind == MSW_TOTAL)
            t[i] = 0;
    htmmu_solution a = solve(task, &m);
    if (htmmu_wait(task, &a, err))
        return -1;
    fill_ways(&a, t);
    fill_memory(&a, m.rows, t);
    fill_stack(&a, t);
    fill_waits(&a, t);
    fill_router(&a, banks, t);
    t[HTMMU_ENERGY] = htmmu_energy(&prices, t, a.scale * a.replay.accesses);
    return 0;
}
