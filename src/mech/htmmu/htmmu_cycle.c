/* The cycle model: a unit is a window of requests, the order is forward.
 *
 * From one measured unit to a later one nothing is simulated but the runs that can still be in the
 * TLBs and path caches, without time, and then, uncounted, whole units that last at least
 * WARM_WALKS of the longest walks. A unit is over when its last request is answered; requests
 * behind it run on meanwhile and are counted for their own units. */
#include "htmmu_machine.h"

/* An adaptive router under load takes tens of walks until its banks have fallen into step. */
enum { WARM_WALKS = 8, WARM_WALKS_ADAPTIVE = 80, WARM_TURNS = 4, WARM_RUNS = 1024 };

typedef struct state {
    htmmu_machine machine;
    htmmu_prices prices;
    uint64_t seen; /* events reported */
} state;

static size_t align(size_t size)
{
    return (size + 63) / 64 * 64;
}

size_t htmmu_state_bytes(const msw_task *task)
{
    return align(sizeof(state)) + htmmu_machine_bytes(task->config);
}

int htmmu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    (void)err;
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    strata[0] = (msw_stratum){.units = stream->unit_count, .cost = 1};
    *count = 1;
    return 0;
}

int htmmu_begin(const msw_task *task, void *memory, msw_err *err)
{
    state *s = memory;
    s->seen = 0;
    if (htmmu_price(task->config, &s->prices, err))
        return -1;
    return htmmu_machine_init(&s->machine, task, (char *)memory + align(sizeof *s), err);
}

/* ---- from unit to unit ---- */

/* Of those so far; of the longest where there was none. */
static uint64_t mean_walk(const htmmu_machine *m)
{
    const msw_walker_stats *stats = &m->walker.stats;
    uint64_t accesses = msw_pagetable_steps(&m->walker.table, m->l1.page_shift[0]);
    if (stats->walks)
        accesses = stats->accesses / stats->walks + 1;
    uint64_t each = (uint64_t)m->config->level_cycles;
    if (m->memory.dram)
        each = htmmu_memory_mean(&m->memory);
    return accesses * each + (uint64_t)m->config->tpc_cycles;
}

/* Cycles in which requests went or waited, per request, so far. */
static double pace(const htmmu_machine *m)
{
    uint64_t busy = 0;
    for (int cause = 0; cause < HTMMU_CAUSES; cause++)
        busy += cause == HTMMU_CAUSE_IDLE ? 0 : m->counts.stack[cause];
    return (double)busy / (double)(m->counts.requests ? m->counts.requests : 1);
}

/* Uncounted units before a unit, in detail. */
static uint64_t detailed_units(const htmmu_machine *m)
{
    bool adaptive = m->config->router == HTMMU_ROUTER_ADAPTIVE && m->streams > 1;
    double cycles = (double)((adaptive ? WARM_WALKS_ADAPTIVE : WARM_WALKS) * mean_walk(m));
    return 1 + (uint64_t)(cycles / pace(m) / (double)m->stream->unit_requests);
}

/* When the first request of a unit comes up, if what was seen so far goes on. */
static uint64_t clock_at(const htmmu_machine *m, uint64_t unit)
{
    const htmmu_run *run = &m->stream->runs[m->stream->units[unit]];
    uint64_t position = unit * m->stream->unit_requests;
    uint64_t clock = m->clock + (uint64_t)(pace(m) * (double)(position - m->position));
    if (m->config->requester == HTMMU_CLOSED)
        return clock;
    uint64_t made = htmmu_generated(m, position, run->first) + m->l1_cycles;
    return clock > made ? clock : made;
}

static void jump(htmmu_machine *m, uint64_t unit)
{
    uint64_t clock = clock_at(m, unit), run = m->stream->units[unit];
    uint64_t reach =
        WARM_RUNS + WARM_TURNS * (uint64_t)(m->config->l1_entries + m->config->l2_entries);
    uint64_t from = run - m->run > reach ? run - reach : m->run;
    for (; from < run; from++)
        htmmu_machine_warm(m, from);
    htmmu_machine_jump(m, unit, clock);
}

int htmmu_advance(const msw_task *task, void *memory, size_t stratum, uint64_t unit, msw_err *err)
{
    (void)task;
    (void)stratum;
    (void)err;
    htmmu_machine *m = &((state *)memory)->machine;
    if (m->counts.requests == 0 && unit > 1)
        htmmu_machine_reach(m, 1); /* to learn the pace */
    uint64_t before = detailed_units(m);
    if (unit > before && (unit - before) * m->stream->unit_requests > m->position)
        jump(m, unit - before);
    htmmu_machine_reach(m, unit);
    return 0;
}

/* ---- what a unit gives ---- */

static htmmu_counts counts_after(const htmmu_machine *m, uint64_t unit)
{
    if (m->unit > unit)
        return m->slots[(unit + 1) % HTMMU_SLOTS].before;
    htmmu_counts counts = m->counts;
    counts.walker = m->walker.stats;
    return counts;
}

static void fill_walks(const msw_walker_stats *a, const msw_walker_stats *b, double *t)
{
    t[HTMMU_MERGED] = (double)(b->merged - a->merged);
    t[HTMMU_WALKS] = (double)(b->walks - a->walks);
    t[HTMMU_REDUNDANT] = (double)(b->redundant - a->redundant);
    t[HTMMU_REPEATED] = t[HTMMU_MERGED] + t[HTMMU_REDUNDANT];
    t[HTMMU_WALK_STEPS] = (double)(b->steps - a->steps);
    t[HTMMU_WALK_ACCESSES] = (double)(b->accesses - a->accesses);
}

static void fill_counts(const htmmu_counts *a, const htmmu_counts *b, double *t)
{
    uint64_t busiest = 0;
    for (int cause = 0; cause < HTMMU_CAUSES; cause++) {
        t[HTMMU_ISSUE + cause] = (double)(b->stack[cause] - a->stack[cause]);
        t[HTMMU_CYCLES] += t[HTMMU_ISSUE + cause];
    }
    for (int bank = 0; bank < HTMMU_BANKS; bank++)
        if (b->banks[bank] - a->banks[bank] > busiest)
            busiest = b->banks[bank] - a->banks[bank];
    t[HTMMU_REQUESTS] = (double)(b->requests - a->requests);
    t[HTMMU_DIVERTED] = (double)(b->diverted - a->diverted);
    t[HTMMU_BUSIEST_BANK] = (double)busiest;
    t[HTMMU_L1_HITS] = (double)(b->l1_hits - a->l1_hits);
    t[HTMMU_L1_MISSES] = (double)(b->l1_misses - a->l1_misses);
    t[HTMMU_HELD] = (double)(b->held - a->held);
    t[HTMMU_L2_LOOKUPS] = (double)(b->l2_lookups - a->l2_lookups);
    t[HTMMU_L2_HITS] = (double)(b->l2_hits - a->l2_hits);
    t[HTMMU_REPLAYED] = (double)(b->replayed - a->replayed);
    t[HTMMU_PTU_REQUESTS] = (double)(b->ptu_requests - a->ptu_requests);
    fill_walks(&a->walker, &b->walker, t);
}

static void fill_waits(const htmmu_slot *slot, msw_unit_out *out)
{
    out->totals[HTMMU_WAIT] = (double)slot->wait;
    out->totals[HTMMU_WAIT_ACCEPTED] = (double)slot->wait_accepted;
    out->totals[HTMMU_WAIT_MAX] = (double)slot->wait_max;
    for (int bucket = slot->first; bucket < slot->after; bucket++)
        if (slot->waits[bucket])
            msw_unit_record(out, 0, msw_histogram_edge(bucket), slot->waits[bucket]);
}

int htmmu_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                  msw_unit_out *out, msw_err *err)
{
    (void)task;
    (void)stratum;
    (void)err;
    state *s = memory;
    htmmu_machine *m = &s->machine;
    htmmu_machine_run(m, unit);
    const htmmu_slot *slot = &m->slots[unit % HTMMU_SLOTS];
    htmmu_counts after = counts_after(m, unit);
    fill_counts(&slot->before, &after, out->totals);
    fill_waits(slot, out);
    out->totals[HTMMU_ENERGY] = htmmu_energy(&s->prices, out->totals);
    uint64_t events = m->counts.requests + m->counts.events;
    out->events = events - s->seen;
    s->seen = events;
    return 0;
}
