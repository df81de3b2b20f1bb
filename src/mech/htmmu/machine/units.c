/* SPDX-License-Identifier: MIT */
/* The cycle model: a unit is a window of requests, the order is forward. Its clock takes events
 * and dispatches in order; the detail table `banks` says what became of the requests of each bank
 * of the first TLB.
 *
 * Strata: stream.c. From one measured unit to a later one the visits pass TLBs and path
 * caches without time; what was under way stays under way and goes on, uncounted, WARM_WALKS of the
 * longest walks before the unit. A unit is over when its last request is answered; requests behind
 * it run on meanwhile and are counted for their own units. */
#include "mech/htmmu/model.h"

#include "mech/htmmu/machine/machine.h"

#include "memsweep/base/bits.h"

/* When the next access reaches memory; UINT64_MAX: none is on its way. */
static inline uint64_t htmmu_memory_next(const htmmu_memory *memory)
{
    return msw_walkread_next(&memory->reads);
}

/* Goes on at a visit, whose first request is number `position`, as if `cycles` had passed: what is
 * under way stays so. */
static void htmmu_machine_jump(htmmu_machine *m, uint64_t visit, uint64_t position, uint64_t cycles)
{
    uint64_t unit = position / m->stream->unit_requests;
    m->requester.skipped += cycles;
    m->units.oldest = m->units.counted_from = unit;
    m->requester.visit = visit;
    m->requester.visit_left = 0;
    m->requester.position = position;
    for (int i = 0; i < HTMMU_SLOTS; i++)
        htmmu_clear_slot(&m->units.slots[i]);
    htmmu_enter_unit(m, unit);
    htmmu_go_on(m);
}

static void move_clock(htmmu_machine *m, uint64_t time)
{
    m->counts.stack[m->cause] += time - m->clock;
    m->clock = time;
}

static bool is_over(const htmmu_machine *m, uint64_t unit)
{
    uint64_t ahead = m->units.current - m->units.oldest;
    return m->units.current > unit &&
           (m->units.slots[unit % HTMMU_SLOTS].open == 0 || ahead + 1 >= HTMMU_SLOTS);
}

static uint64_t next_event(const htmmu_machine *m, uint64_t *walks)
{
    *walks = msw_walker_next(&m->walker);
    return *walks < m->misses.l2_next ? *walks : m->misses.l2_next;
}

/* Memory answers what it can by the time of the next event, and takes the accesses that reach it
 * before. Returns whether it did: then the next event may be another one. */
static bool step_memory(htmmu_machine *m, uint64_t event)
{
    uint64_t asked = htmmu_memory_next(&m->memory);
    if (htmmu_memory_answer(&m->memory, &m->walker, msw_min_u64(asked, event)))
        return true;
    if (asked > event || asked == HTMMU_NEVER)
        return false;
    htmmu_memory_take(&m->memory, &m->walker, asked);
    return true;
}

static void happen(htmmu_machine *m, uint64_t event, uint64_t walks)
{
    move_clock(m, event);
    if (walks == event)
        htmmu_end_walks(m);
    else
        htmmu_l2_answer(m);
}

/* Of the two goals of a machine: a unit that is over, or (to UINT64_MAX) a position. */
typedef struct goal {
    uint64_t unit, position;
    uint64_t least; /* the unit dispatched from when it can be reached */
} goal;

static inline bool is_reached(htmmu_machine *m, const goal *to)
{
    if (m->units.current < to->least)
        return false;
    if (to->position == HTMMU_NEVER)
        return is_over(m, to->unit);
    m->units.oldest = m->units.current;
    return m->requester.position >= to->position;
}

/* Events and dispatches in order. Between one miss and the next hits in a row are dispatched
 * without asking whether the goal is reached. */
static void go(htmmu_machine *m, const goal *to)
{
    uint32_t bank = 0;
    bool asks = true;
    do {
        uint64_t walks, event = next_event(m, &walks), dispatch = htmmu_dispatch_time(m, &bank);
        if (m->memory.timed && step_memory(m, msw_min_u64(dispatch, event)))
            continue;
        if (dispatch < event) {
            asks = htmmu_dispatch(m, bank, dispatch) || m->memory.timed;
        } else if (!asks) {
            asks = true;
        } else if (event == HTMMU_NEVER) {
            return;
        } else {
            happen(m, event, walks);
        }
    } while (!asks || !is_reached(m, to));
}

/* Goes on until the first request of the unit after `unit` has been dispatched (or all have) and
 * those of the unit are answered. */
static void htmmu_machine_finish_unit(htmmu_machine *m, uint64_t unit)
{
    m->units.oldest = unit;
    if (!is_over(m, unit))
        go(m, &(goal){unit, HTMMU_NEVER, unit + 1});
}

/* Goes on, uncounted, until all requests before `unit` have been dispatched. */
static void htmmu_machine_reach(htmmu_machine *m, uint64_t unit)
{
    uint64_t position = unit * m->stream->unit_requests;
    if (m->requester.position < position)
        go(m, &(goal){unit, position, 0});
    m->units.counted_from = unit;
}

/* ---- stretches ---- */

htmmu_slot *htmmu_machine_join(htmmu_machine *m)
{
    m->units.next = m->units.counted_from = HTMMU_NEVER;
    return &m->units.slots[HTMMU_SLOTS];
}

uint64_t htmmu_machine_splice(htmmu_machine *m, uint64_t unit, uint64_t end)
{
    const htmmu_stream *stream = m->stream;
    uint64_t visit = stream->units[unit], late = m->requester.generated;
    uint64_t span = htmmu_machine_warm_many(m, visit, stream->units[end]);
    m->requester.visit = visit;
    m->requester.visit_left = 0;
    m->requester.position = unit * stream->unit_requests;
    htmmu_go_on(m);
    if (m->config->requester != HTMMU_CLOSED && visit < stream->visit_count) {
        m->requester.skipped += m->requester.generated - late;
        m->requester.generated = late;
    }
    return span;
}

void htmmu_machine_pass(htmmu_machine *m, uint64_t position)
{
    if (m->requester.position < position)
        go(m, &(goal){0, position, 0});
}

void htmmu_machine_drain(htmmu_machine *m)
{
    m->requester.visit = m->stream->visit_count;
    m->requester.visit_left = 0;
    go(m, &(goal){0, HTMMU_NEVER - 1, 0});
}

static uint64_t sum_of(const htmmu_machine *m, uint32_t bank)
{
    uint64_t requests = 0;
    for (uint32_t named = 0; named < m->streams; named++)
        requests += m->requester.routes[named][bank];
    return requests;
}

/* Adds the rows of the detail table. */
static int htmmu_add_banks(const msw_task *task, const htmmu_machine *m, msw_err *err)
{
    for (uint32_t i = 0; task->details && i < m->streams; i++) {
        const htmmu_bank *bank = &m->banks[i];
        double requests = (double)sum_of(m, i), misses = (double)bank->misses;
        double row[] = {i,
                        requests,
                        requests - misses,
                        misses,
                        requests - (double)m->requester.routes[i][i],
                        (double)bank->blocked,
                        requests / (double)m->counts.requests};
        if (msw_detail_add(task, 0, row, err))
            return -1;
    }
    return 0;
}

enum { WARM_WALKS = 5, WARM_TURNS = 4 };

typedef struct state {
    htmmu_machine machine;
    htmmu_prices prices;
    uint64_t seen; /* events reported */
    struct {
        uint64_t busy, requests, position, clock;
    } head; /* when the machine jumped first */
} state;

size_t htmmu_state_bytes(const msw_task *task)
{
    return msw_align_line(sizeof(state)) + htmmu_machine_bytes(task->config);
}

static uint64_t unit_of(const msw_task *task, size_t stratum, uint64_t unit)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    return stream->strata[stratum] + unit;
}

int htmmu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    const htmmu_stream *stream = task->artifacts[HTMMU_ARTIFACT_STREAM];
    (void)err;
    *count = stream->stratum_count;
    for (size_t i = 0; i < *count; i++)
        strata[i] = (msw_stratum){.units = stream->strata[i + 1] - stream->strata[i], .cost = 1};
    return 0;
}

int htmmu_begin(const msw_task *task, void *memory, msw_err *err)
{
    state *s = memory;
    *s = (state){.seen = 0};
    if (htmmu_price(task->config, &s->prices, err))
        return -1;
    return htmmu_machine_init(&s->machine, task, (char *)memory + msw_align_line(sizeof *s), err);
}

/* ---- from unit to unit ---- */

static uint64_t longest_walk(const htmmu_machine *m)
{
    uint64_t accesses = msw_pagetable_steps(&m->walker.table, m->l1.page_shift[0]);
    uint64_t each = (uint64_t)m->config->level_cycles;
    if (m->memory.dram)
        each = htmmu_memory_mean(&m->memory);
    return accesses * each + (uint64_t)m->config->tpc_cycles;
}

/* Cycles in which requests went or waited. */
static uint64_t busy_cycles(const htmmu_machine *m)
{
    uint64_t busy = 0;
    for (int cause = 0; cause < HTMMU_CAUSES; cause++)
        busy += cause == HTMMU_CAUSE_IDLE ? 0 : m->counts.stack[cause];
    return busy;
}

/* Busy cycles per request so far, as soon as possible without the first units. */
static double pace(const state *s)
{
    const htmmu_machine *m = &s->machine;
    uint64_t busy = busy_cycles(m), requests = m->counts.requests;
    if (requests > s->head.requests)
        return (double)(busy - s->head.busy) / (double)(requests - s->head.requests);
    return (double)busy / (double)requests;
}

/* Cycles to jump over to request `position`, of access `access`: it comes up when the pace so far
 * says, and not before it is made. A closed loop does not know the time: none. */
static uint64_t cycles_to(const state *s, uint64_t position, uint64_t access)
{
    const htmmu_machine *m = &s->machine;
    if (m->config->requester == HTMMU_CLOSED)
        return 0;
    uint64_t paced = (uint64_t)(pace(s) * (double)(position - s->head.position));
    uint64_t made = htmmu_generated(m, position, access) + m->l1_cycles;
    paced += s->head.clock;
    return msw_max_u64(paced, made) - m->clock - m->requester.skipped;
}

/* Visits that can still be in TLBs and path caches: those that walk as many pages as these hold,
 * WARM_TURNS times over. */
static uint64_t reach(const htmmu_machine *m)
{
    const htmmu_config *c = m->config;
    const msw_walker_stats *stats = &m->walker.stats;
    double entries = (double)(c->l1_entries + c->l2_entries + c->tpc_entries);
    double walks = (double)(stats->walks - stats->redundant);
    double visits = (double)m->stream->visit_count / (double)m->stream->requests;
    visits *= (double)m->counts.requests;
    return (uint64_t)(WARM_TURNS * entries * visits / (walks > 0 ? walks : 1));
}

/* Goes on `detail` requests before a unit, or a visit earlier. */
static void jump(state *s, uint64_t unit, uint64_t detail)
{
    htmmu_machine *m = &s->machine;
    const htmmu_visit *visits = m->stream->visits;
    uint64_t position = unit * m->stream->unit_requests, visit = m->stream->units[unit];
    for (uint64_t least = position - detail; position > least;)
        position -= visits[--visit].requests;
    uint64_t from = visit - m->requester.visit > reach(m) ? visit - reach(m) : m->requester.visit;
    uint64_t cycles = cycles_to(s, position, visits[visit].first);
    for (; from < visit; from++)
        htmmu_machine_warm(m, from);
    htmmu_machine_jump(m, visit, position, cycles);
}

/* Requests of unmeasured detail before a unit. In a closed loop the wait of a request begins with
 * the answer to one `window` requests earlier. */
static uint64_t detailed_requests(const state *s)
{
    uint64_t window = (uint64_t)s->machine.config->window;
    double walks = (double)(WARM_WALKS * longest_walk(&s->machine)) / pace(s);
    return 1 + (walks > (double)window ? (uint64_t)walks : window);
}

double htmmu_lead(const msw_task *task, const void *memory)
{
    const state *s = memory;
    (void)task;
    return (double)detailed_requests(s) / (double)s->machine.stream->unit_requests;
}

int htmmu_advance(const msw_task *task, void *memory, size_t stratum, uint64_t number, msw_err *err)
{
    (void)err;
    state *s = memory;
    htmmu_machine *m = &s->machine;
    uint64_t unit = unit_of(task, stratum, number);
    if (m->counts.requests == 0)
        htmmu_machine_reach(m, 1); /* to learn the pace */
    if (s->head.requests == 0) {
        s->head.busy = busy_cycles(m);
        s->head.requests = m->counts.requests;
        s->head.position = m->requester.position;
        s->head.clock = m->clock;
    }
    uint64_t detail = detailed_requests(s), position = unit * m->stream->unit_requests;
    if (position > m->requester.position + m->stream->unit_requests + detail)
        jump(s, unit, detail);
    htmmu_machine_reach(m, unit);
    return 0;
}

/* ---- what a unit gives ---- */

htmmu_counts htmmu_counts_now(const htmmu_machine *m)
{
    htmmu_counts counts = m->counts;
    counts.walker = m->walker.stats;
    counts.memory = m->memory.stats;
    return counts;
}

static htmmu_counts counts_after(const htmmu_machine *m, uint64_t unit)
{
    if (m->units.current > unit)
        return m->units.slots[(unit + 1) % HTMMU_SLOTS].before;
    return htmmu_counts_now(m);
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

static void fill_memory(const htmmu_memory_stats *a, const htmmu_memory_stats *b, double *t)
{
    t[HTMMU_WALK_ACCESSES] -= (double)(b->saved - a->saved);
    t[HTMMU_READS] = (double)(b->reads - a->reads);
    t[HTMMU_ROW_HITS] = (double)(b->row_hits - a->row_hits);
    t[HTMMU_READ_CYCLES] = (double)(b->cycles - a->cycles);
}

void htmmu_fill_counts(const htmmu_counts *a, const htmmu_counts *b, double *t)
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
    fill_memory(&a->memory, &b->memory, t);
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

int htmmu_measure(const msw_task *task, void *memory, size_t stratum, uint64_t number,
                  msw_unit_out *out, msw_err *err)
{
    state *s = memory;
    htmmu_machine *m = &s->machine;
    uint64_t unit = unit_of(task, stratum, number);
    htmmu_machine_finish_unit(m, unit);
    const htmmu_slot *slot = &m->units.slots[unit % HTMMU_SLOTS];
    htmmu_counts after = counts_after(m, unit);
    htmmu_fill_counts(&slot->before, &after, out->totals);
    fill_waits(slot, out);
    double accesses = (double)(after.walker.accesses - slot->before.walker.accesses);
    out->totals[HTMMU_ENERGY] = htmmu_energy(&s->prices, out->totals, accesses);
    uint64_t events = m->counts.requests + m->counts.events;
    out->events = events - s->seen;
    s->seen = events;
    if (task->fidelity == MSW_FULL && unit + 1 == m->stream->unit_count)
        return htmmu_add_banks(task, m, err);
    return 0;
}
