/* The machine's parts and its clock. */
#include "mech/htmmu/htmmu_machine.h"

#include <string.h>

/* ---- configurations of the parts ---- */

static int64_t ways_of(int64_t entries, int64_t ways)
{
    return ways && ways < entries ? ways : entries;
}

static unsigned log2_of(int64_t power)
{
    unsigned shift = 0;
    while (power >> shift > 1)
        shift++;
    return shift;
}

static msw_tlb_config tlb_config(const htmmu_config *c, int64_t banks, int64_t entries,
                                 int64_t ways)
{
    int64_t set = ways_of(entries, ways);
    msw_tlb_config tlb = {
        .banks = (uint32_t)banks,
        .sets = (uint32_t)(entries / set),
        .ways = (uint32_t)set,
        .policy = (msw_policy)c->policy,
        .sizes = 1,
        .page_shift = {(uint8_t)log2_of(c->page_size)},
    };
    if (c->large_page > c->page_size && c->large_share > 0) {
        tlb.sizes = 2;
        tlb.page_shift[1] = (uint8_t)log2_of(c->large_page);
    }
    return tlb;
}

static msw_tlb_config l1_config(const htmmu_config *c)
{
    int64_t entries = htmmu_bank_entries(c) / c->l1_coalesce;
    msw_tlb_config tlb = tlb_config(c, c->streams, entries, c->l1_ways);
    tlb.coalesce = (uint32_t)c->l1_coalesce;
    return tlb;
}

static msw_tlb_config l2_config(const htmmu_config *c)
{
    msw_tlb_config tlb = tlb_config(c, 1, c->l2_entries / c->l2_coalesce, c->l2_ways);
    tlb.coalesce = (uint32_t)c->l2_coalesce;
    return tlb;
}

static msw_walker_config walker_config(const htmmu_config *c)
{
    static const msw_walkcache_kind KINDS[] = {MSW_WALKCACHE_NONE, MSW_WALKCACHE_REGISTER,
                                               MSW_WALKCACHE_PATH, MSW_WALKCACHE_TABLE};
    msw_walker_config walker = {
        .walkers = (uint32_t)c->merge_entries,
        .scoreboard = true,
        .slots = (uint32_t)c->merge_items,
        .walk_when_full = c->items_full == HTMMU_FULL_WALK,
        .level_cycles = (uint32_t)c->level_cycles,
        .timed_by_owner = c->memory_model == HTMMU_MEMORY_BANKS,
        .lookup_cycles = (uint32_t)c->tpc_cycles,
        .cache = {.kind = KINDS[c->path_cache],
                  .entries = (uint32_t)c->tpc_entries,
                  .ways = (uint32_t)c->tpc_ways,
                  .policy = MSW_POLICY_LRU,
                  .levels = MSW_PAGETABLE_LEVELS,
                  .leaves = true},
        .table = msw_pagetable_x86(),
    };
    walker.table.address_bits = c->table_levels == 5 ? 57 : 48;
    return walker;
}

/* ---- memory ---- */

/* Cuts memory into arrays; without memory it only adds up. */
typedef struct carver {
    char *memory;
    size_t used;
} carver;

static void *take(carver *carve, size_t bytes)
{
    void *part = carve->memory ? carve->memory + carve->used : NULL;
    carve->used += (bytes + 63) & ~(size_t)63;
    return part;
}

static uint64_t power_above(uint64_t n)
{
    uint64_t power = 64;
    while (power < n)
        power *= 2;
    return power;
}

static void carve_ring(carver *carve, htmmu_ring *ring, uint64_t size)
{
    *ring = (htmmu_ring){.mask = size - 1};
    ring->items = take(carve, size * sizeof *ring->items);
}

static void carve_slots(carver *carve, htmmu_machine *m)
{
    for (int i = 0; i <= HTMMU_SLOTS; i++) {
        m->slots[i].waits = take(carve, MSW_HISTOGRAM_BUCKETS * sizeof(uint32_t));
        m->slots[i].after = MSW_HISTOGRAM_BUCKETS;
    }
}

static void carve_memory(carver *carve, htmmu_memory *memory, const htmmu_config *c)
{
    msw_dram_config dram;
    msw_err err = {0};
    size_t walks = (size_t)c->merge_entries;
    if (c->memory_model == HTMMU_MEMORY_FIXED || htmmu_memory_config(c, &dram, &err))
        return;
    memory->parts[0] = take(carve, msw_dram_bytes(&dram));
    memory->parts[1] = take(carve, msw_event_bytes(walks));
    memory->reads = take(carve, walks * sizeof *memory->reads);
}

static size_t layout(htmmu_machine *m, const htmmu_config *c, void *memory)
{
    msw_tlb_config l1 = l1_config(c), l2 = {0};
    msw_walker_config walker = walker_config(c);
    uint64_t window = (uint64_t)c->window, ring = power_above(window);
    carver carve = {memory, 0};
    m->tlb_memory[0] = take(&carve, msw_tlb_bytes(&l1));
    if (c->l2_entries) {
        l2 = l2_config(c);
        m->tlb_memory[1] = take(&carve, msw_tlb_bytes(&l2));
    }
    m->walker_memory = take(&carve, msw_walker_bytes(&walker));
    m->misses = take(&carve, window * sizeof *m->misses);
    m->waiters = take(&carve, walker.walkers * sizeof *m->waiters);
    m->last_waiters = take(&carve, walker.walkers * sizeof *m->last_waiters);
    for (int64_t bank = 0; bank < c->streams; bank++)
        m->banks[bank].registers = take(&carve, HTMMU_MSHRS * sizeof(uint32_t));
    carve_ring(&carve, &m->window, ring);
    carve_ring(&carve, &m->l2_queue, ring);
    carve_ring(&carve, &m->ptu_queue, ring);
    carve_slots(&carve, m);
    carve_memory(&carve, &m->memory, c);
    return carve.used;
}

size_t htmmu_machine_bytes(const htmmu_config *config)
{
    htmmu_machine machine;
    return layout(&machine, config, NULL);
}

static int init_parts(htmmu_machine *m, msw_err *err)
{
    const htmmu_config *c = m->config;
    msw_tlb_config tlb = l1_config(c);
    msw_walker_config walker = walker_config(c);
    if (msw_tlb_init(&m->l1, &tlb, m->tlb_memory[0], err))
        return msw_fail_prefix(err, "first TLB: ");
    if (m->has_l2)
        tlb = l2_config(c);
    if (m->has_l2 && msw_tlb_init(&m->l2, &tlb, m->tlb_memory[1], err))
        return msw_fail_prefix(err, "second TLB: ");
    if (walker.timed_by_owner && htmmu_memory_init(&m->memory, c, err))
        return msw_fail_prefix(err, "memory: ");
    return msw_walker_init(&m->walker, &walker, m->walker_memory, err);
}

/* Nothing under way, all places in the window free since `time`. */
static void make_idle(htmmu_machine *m, uint64_t time)
{
    uint32_t window = (uint32_t)m->config->window;
    m->stalled = 0;
    m->l2_stalled = false;
    m->l2_open = 0;
    m->last_page = m->l2_next = HTMMU_NEVER;
    m->window.head = m->window.tail = 0;
    m->l2_queue.head = m->l2_queue.tail = m->ptu_queue.head = m->ptu_queue.tail = 0;
    for (uint32_t i = 0; i < window; i++) {
        htmmu_ring_push(&m->window, time);
        m->misses[i].next = i + 1 < window ? i + 1 : HTMMU_NONE;
    }
    m->free_miss = 0;
    for (uint32_t bank = 0; bank < m->streams; bank++) {
        m->banks[bank].parked = HTMMU_NONE;
        m->banks[bank].in_use = 0;
    }
}

static void clear_slot(htmmu_slot *slot)
{
    slot->wait = slot->wait_accepted = slot->wait_max = slot->open = 0;
    if (slot->first < slot->after)
        memset(slot->waits + slot->first, 0,
               (size_t)(slot->after - slot->first) * sizeof *slot->waits);
    slot->first = MSW_HISTOGRAM_BUCKETS;
    slot->after = 0;
}

int htmmu_machine_init(htmmu_machine *m, const msw_task *task, void *memory, msw_err *err)
{
    const htmmu_config *c = task->config;
    *m = (htmmu_machine){.config = c, .stream = task->artifacts[HTMMU_ARTIFACT_STREAM]};
    layout(m, c, memory);
    m->times = ((const msw_accesses *)task->product->data)->cycles;
    m->requesters = htmmu_requesters(task);
    m->streams = (uint32_t)c->streams;
    m->all_banks = (uint32_t)(((uint64_t)1 << c->streams) - 1);
    m->turns = c->router == HTMMU_ROUTER_ADAPTIVE && c->free_choice == HTMMU_FREE_NEXT &&
               c->divert == HTMMU_DIVERT_BUSY;
    m->mshrs = (uint32_t)c->l1_mshrs;
    m->l1_cycles = m->clock = (uint64_t)c->l1_cycles;
    m->has_l2 = c->l2_entries > 0;
    m->l2_cycles = m->has_l2 ? (uint64_t)c->l2_cycles : 0;
    if (c->requester == HTMMU_TIMED && !m->times)
        return msw_fail(err, "requester = timed: the workload has no times");
    if (init_parts(m, err))
        return -1;
    for (int i = 0; i <= HTMMU_SLOTS; i++)
        clear_slot(&m->slots[i]);
    make_idle(m, 0);
    m->next_unit = m->stream->units[1];
    m->counts.stack[HTMMU_CAUSE_ISSUE] = m->l1_cycles;
    htmmu_go_on(m);
    return 0;
}

void htmmu_enter_unit(htmmu_machine *m, uint64_t unit)
{
    htmmu_slot *slot = htmmu_slot_of(m, unit);
    m->unit = unit;
    clear_slot(slot);
    slot->before = m->counts;
    slot->before.walker = m->walker.stats;
    slot->before.memory = m->memory.stats;
    m->next_unit = m->stream->units[unit + 1];
}

void htmmu_machine_jump(htmmu_machine *m, uint64_t run, uint64_t position, uint64_t cycles)
{
    uint64_t unit = position / m->stream->unit_requests;
    m->skipped += cycles;
    m->oldest = m->counted_from = unit;
    m->run = run;
    m->run_left = 0;
    m->position = position;
    for (int i = 0; i < HTMMU_SLOTS; i++)
        clear_slot(&m->slots[i]);
    htmmu_enter_unit(m, unit);
    htmmu_go_on(m);
}

/* ---- time ---- */

static void move_clock(htmmu_machine *m, uint64_t time)
{
    m->counts.stack[m->cause] += time - m->clock;
    m->clock = time;
}

static bool is_over(const htmmu_machine *m, uint64_t unit)
{
    uint64_t ahead = m->unit - m->oldest;
    return m->unit > unit && (m->slots[unit % HTMMU_SLOTS].open == 0 || ahead + 1 >= HTMMU_SLOTS);
}

static uint64_t next_event(const htmmu_machine *m, uint64_t *walks)
{
    *walks = msw_walker_next(&m->walker);
    return *walks < m->l2_next ? *walks : m->l2_next;
}

/* Memory answers what it can by the time of the next event, and takes the accesses that reach it
 * before. Returns whether it did: then the next event may be another one. */
static bool step_memory(htmmu_machine *m, uint64_t event)
{
    uint64_t asked = htmmu_memory_next(&m->memory);
    if (htmmu_memory_answer(&m->memory, &m->walker, asked < event ? asked : event))
        return true;
    if (asked > event || asked == HTMMU_NEVER)
        return false;
    htmmu_memory_take(&m->memory, asked);
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
} goal;

static bool is_reached(htmmu_machine *m, const goal *to)
{
    if (to->position == HTMMU_NEVER)
        return is_over(m, to->unit);
    m->oldest = m->unit;
    return m->position >= to->position;
}

/* Events and dispatches in order. Between one miss and the next a run of hits is dispatched without
 * asking whether the goal is reached. */
static void go(htmmu_machine *m, const goal *to)
{
    uint32_t bank = 0;
    bool asks = true;
    do {
        uint64_t missed = m->counts.l1_misses, run = m->run;
        uint64_t walks, event = next_event(m, &walks), dispatch = htmmu_dispatch_time(m, &bank);
        if (m->memory.dram && step_memory(m, dispatch < event ? dispatch : event))
            continue;
        if (dispatch < event) {
            htmmu_dispatch(m, bank, dispatch);
            asks = m->counts.l1_misses != missed || m->run != run || m->memory.dram;
        } else if (!asks) {
            asks = true;
        } else if (event == HTMMU_NEVER) {
            return;
        } else {
            happen(m, event, walks);
        }
    } while (!asks || !is_reached(m, to));
}

void htmmu_machine_run(htmmu_machine *m, uint64_t unit)
{
    m->oldest = unit;
    if (!is_over(m, unit))
        go(m, &(goal){unit, HTMMU_NEVER});
}

void htmmu_machine_reach(htmmu_machine *m, uint64_t unit)
{
    uint64_t position = unit * m->stream->unit_requests;
    if (m->position < position)
        go(m, &(goal){unit, position});
    m->counted_from = unit;
}
