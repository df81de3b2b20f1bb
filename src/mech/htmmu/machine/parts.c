/* SPDX-License-Identifier: MIT */
/* Builds the machine's parts, their configurations and memory, and warms them between measured
 * units: visits pass through TLBs and path caches without time.
 *
 * Which bank the adaptive router turns a request to depends on what is under way, which is not
 * known here: each request draws its bank as often as requests that name the same bank went there
 * in the detail so far. */
#include "mech/htmmu/machine/machine.h"

#include "mech/shared/rules.h"

#include "memsweep/base/bits.h"

#include <string.h>

/* Whether page-table accesses are timed one by one. */
static inline bool htmmu_times_accesses(const htmmu_config *config)
{
    return config->memory_model == HTMMU_MEMORY_BANKS || config->table_lines;
}

/* ---- configurations of the parts ---- */

static msw_tlb_config tlb_config(const htmmu_config *c, int64_t banks, int64_t entries,
                                 int64_t ways)
{
    int64_t set = msw_ways_of(entries, ways);
    msw_tlb_config tlb = {
        .banks = (uint32_t)banks,
        .sets = (uint32_t)(entries / set),
        .ways = (uint32_t)set,
        .policy = (msw_policy)c->policy,
        .sizes = 1,
        .page_shift = {(uint8_t)msw_bits_log2((uint64_t)c->page_size)},
    };
    if (c->large_page > c->page_size && c->large_share > 0) {
        tlb.sizes = 2;
        tlb.page_shift[1] = (uint8_t)msw_bits_log2((uint64_t)c->large_page);
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

msw_walker_config htmmu_walker_config(const htmmu_config *c)
{
    static const msw_walkcache_kind KINDS[] = {MSW_WALKCACHE_NONE, MSW_WALKCACHE_REGISTER,
                                               MSW_WALKCACHE_PATH, MSW_WALKCACHE_TABLE};
    msw_walker_config walker = {
        .walkers = (uint32_t)c->merge_entries,
        .scoreboard = true,
        .slots = (uint32_t)c->merge_items,
        .walk_when_full = c->items_full == HTMMU_FULL_WALK,
        .level_cycles = (uint32_t)c->level_cycles,
        .choice = (msw_walker_choice)c->walker_choice,
        .timed_by_owner = htmmu_times_accesses(c),
        .lookup_cycles = (uint32_t)c->tpc_cycles,
        .cache = {.kind = KINDS[c->path_cache],
                  .entries = (uint32_t)c->tpc_entries,
                  .ways = (uint32_t)msw_ways_of(c->tpc_entries, c->tpc_ways),
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
typedef struct cursor {
    char *memory;
    size_t used;
} cursor;

static void *take(cursor *at, size_t bytes)
{
    void *part = at->memory ? at->memory + at->used : NULL;
    at->used += msw_align_line(bytes);
    return part;
}

static void take_ring(cursor *at, htmmu_ring *ring, uint64_t size)
{
    *ring = (htmmu_ring){.mask = size - 1};
    ring->items = take(at, size * sizeof *ring->items);
}

static void take_slots(cursor *at, htmmu_machine *m)
{
    for (int i = 0; i <= HTMMU_SLOTS; i++) {
        m->units.slots[i].waits = take(at, MSW_HISTOGRAM_BUCKETS * sizeof(uint32_t));
        m->units.slots[i].after = MSW_HISTOGRAM_BUCKETS;
    }
}

static void take_memory(cursor *at, htmmu_memory *memory, const htmmu_config *c)
{
    msw_dram_config dram;
    msw_walkread_config reads = htmmu_read_config(c);
    msw_err err = {0};
    if (htmmu_times_accesses(c))
        memory->parts[1] = take(at, msw_walkread_bytes(&reads));
    if (c->memory_model == HTMMU_MEMORY_BANKS && htmmu_memory_config(c, &dram, &err) == 0)
        memory->parts[0] = take(at, msw_dram_bytes(&dram));
}

static size_t layout(htmmu_machine *m, const htmmu_config *c, void *memory)
{
    msw_tlb_config l1 = l1_config(c), l2 = {0};
    msw_walker_config walker = htmmu_walker_config(c);
    uint64_t window = (uint64_t)c->window, ring = msw_max_u64(64, msw_bits_power(window));
    cursor at = {memory, 0};
    m->tlb_memory[0] = take(&at, msw_tlb_bytes(&l1));
    if (c->l2_entries) {
        l2 = l2_config(c);
        m->tlb_memory[1] = take(&at, msw_tlb_bytes(&l2));
    }
    m->walker_memory = take(&at, msw_walker_bytes(&walker));
    m->misses.list = take(&at, window * sizeof *m->misses.list);
    m->misses.waiters = take(&at, walker.walkers * sizeof *m->misses.waiters);
    m->misses.last_waiters = take(&at, walker.walkers * sizeof *m->misses.last_waiters);
    for (int64_t bank = 0; bank < c->streams; bank++) {
        m->banks[bank].registers = take(&at, HTMMU_MSHRS * sizeof(uint32_t));
        m->banks[bank].pages = take(&at, HTMMU_MSHRS * sizeof(uint64_t));
    }
    take_ring(&at, &m->requester.window, ring);
    take_ring(&at, &m->misses.l2_queue, ring);
    take_ring(&at, &m->misses.ptu_queue, ring);
    take_slots(&at, m);
    take_memory(&at, &m->memory, c);
    return at.used;
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
    msw_walker_config walker = htmmu_walker_config(c);
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

/* Nothing under way, all slots of the window free since `time`. */
static void make_idle(htmmu_machine *m, uint64_t time)
{
    uint32_t window = (uint32_t)m->config->window;
    m->stalled = 0;
    m->misses.l2_stalled = false;
    m->misses.l2_open = 0;
    m->misses.last_page = m->misses.l2_next = HTMMU_NEVER;
    m->requester.window.head = m->requester.window.tail = 0;
    m->misses.l2_queue.head = m->misses.l2_queue.tail = m->misses.ptu_queue.head =
        m->misses.ptu_queue.tail = 0;
    for (uint32_t i = 0; i < window; i++) {
        htmmu_ring_push(&m->requester.window, time);
        m->misses.list[i].next = i + 1 < window ? i + 1 : HTMMU_NONE;
    }
    m->misses.free = 0;
    for (uint32_t bank = 0; bank < m->streams; bank++) {
        m->banks[bank].parked = HTMMU_NONE;
        m->banks[bank].in_use = 0;
        memset(m->banks[bank].pages, 0xff, HTMMU_MSHRS * sizeof(uint64_t));
    }
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
    m->requester.turns = c->router == HTMMU_ROUTER_ADAPTIVE && c->free_choice == HTMMU_FREE_NEXT &&
                         c->divert == HTMMU_DIVERT_BUSY;
    m->mshrs = (uint32_t)c->l1_mshrs;
    m->asks_registers = c->mshr_merge || c->register_holds == HTMMU_HOLDS_PAGE;
    m->passes_registers = m->asks_registers && !c->mshr_merge;
    m->l1_cycles = m->clock = (uint64_t)c->l1_cycles;
    m->has_l2 = c->l2_entries > 0;
    m->l2_cycles = m->has_l2 ? (uint64_t)c->l2_cycles : 0;
    if (c->requester == HTMMU_TIMED && !m->times)
        return msw_fail(err, "requester = timed: the workload has no times");
    if (init_parts(m, err))
        return -1;
    for (int i = 0; i <= HTMMU_SLOTS; i++)
        htmmu_clear_slot(&m->units.slots[i]);
    make_idle(m, 0);
    m->units.next = m->stream->units[1];
    m->counts.stack[HTMMU_CAUSE_ISSUE] = m->l1_cycles;
    htmmu_go_on(m);
    return 0;
}

/* Of a longer visit the rest would meet the same banks. */
enum { DRAWS_MOST = 64 };

/* `search`: a path that is kept becomes the one used last, which a large cache takes long for. */
static void warm_paths(htmmu_machine *m, msw_page page, bool search)
{
    msw_walker *walker = &m->walker;
    unsigned leaf = msw_pagetable_leaf(&walker->table, page.shift);
    uint64_t path = msw_pagetable_path(&walker->table, page.address, leaf);
    uint32_t turn = (uint32_t)(m->requester.visit % walker->config.walkers);
    if (search)
        msw_walkcache_match(&walker->cache, &walker->table, turn, path,
                            walker->table.levels - leaf);
    msw_walker_warm(walker, page, turn);
    if (m->memory.timed)
        msw_walkread_warm(&m->memory.reads, &walker->table, page);
}

static void warm_l2(htmmu_machine *m, msw_page page, bool walks)
{
    if (m->has_l2 && msw_tlb_probe(&m->l2, 0, page.address) != HTMMU_NEVER)
        return;
    if (walks)
        warm_paths(m, page, true);
    if (m->has_l2)
        msw_tlb_fill(&m->l2, 0, page, htmmu_neighbours(m->config, page, m->config->l2_coalesce), 0);
}

static void warm_bank(htmmu_machine *m, uint32_t bank, msw_page page, bool walks)
{
    if (msw_tlb_probe(&m->l1, bank, page.address) != HTMMU_NEVER)
        return;
    warm_l2(m, page, walks);
    msw_tlb_fill(&m->l1, bank, page, htmmu_neighbours(m->config, page, m->config->l1_coalesce), 0);
}

/* A random number of request i of a visit: of the stream alone. */
static uint64_t random_of(uint64_t visit, uint64_t i)
{
    uint64_t x = (visit << 16 | i) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

static uint32_t draw_bank(const htmmu_machine *m, uint32_t home, uint64_t random)
{
    const uint32_t *routes = m->requester.routes[home];
    uint64_t sum = 0;
    for (uint32_t bank = 0; bank < m->streams; bank++)
        sum += routes[bank];
    uint64_t left = (random >> 32) * sum >> 32;
    for (uint32_t bank = 0; bank < m->streams; bank++) {
        if (left < routes[bank])
            return bank;
        left -= routes[bank];
    }
    return home;
}

/* What is `known` has the page already. */
static uint32_t scatter(htmmu_machine *m, const htmmu_visit *visit, uint32_t home, bool walks,
                        uint32_t known)
{
    uint32_t requests = visit->requests < DRAWS_MOST ? visit->requests : DRAWS_MOST;
    for (uint32_t i = 0; i < requests && known != m->all_banks; i++) {
        uint32_t bank = draw_bank(m, home, random_of(m->requester.visit, i));
        if (!(known >> bank & 1))
            warm_bank(m, bank, htmmu_page_of(visit->page), walks);
        known |= (uint32_t)1 << bank;
    }
    return known;
}

/* Returns the banks that have the page: `known` before. */
static uint32_t warm_tlbs(htmmu_machine *m, uint64_t number, bool walks, uint32_t known)
{
    const htmmu_visit *visit = &m->stream->visits[number];
    m->requester.visit = number;
    uint32_t home = htmmu_named_bank(m->config, visit, m->requesters);
    if (m->config->router == HTMMU_ROUTER_ADAPTIVE)
        return scatter(m, visit, home, walks, known);
    if (!(known >> home & 1))
        warm_bank(m, home, htmmu_page_of(visit->page), walks);
    return known | (uint32_t)1 << home;
}

void htmmu_machine_warm(htmmu_machine *m, uint64_t number)
{
    warm_tlbs(m, number, true, 0);
}

/* ---- over many visits at once ---- */

enum { RECENT = 4096, FILLING = 2048, PATHS = 512 };

/* Pages that TLBs hold or have just lost. */
static uint64_t pages_held(const htmmu_config *c)
{
    return (uint64_t)(c->l1_entries + c->l2_entries) * 3 / 2;
}

static bool walks_at(const htmmu_machine *m, uint64_t visit, uint64_t span)
{
    uint32_t before = m->stream->before[visit];
    return before == HTMMU_NO_VISIT || visit - before >= span;
}

/* Walkers that take turns keep the paths of the last walks, the next walker the oldest. The paths
 * of others stay as they are: which of them would have walked is not known. */
static void warm_registers(htmmu_machine *m, uint64_t visit, uint64_t span)
{
    htmmu_walked *walked = &m->walked;
    uint64_t walkers = m->walker.config.walkers, walks = m->walker.stats.walks;
    for (uint64_t u = walked->until; u < visit; u++)
        if (walks_at(m, u, span))
            walked->visits[walked->count++ % HTMMU_WALKERS] = (uint32_t)u;
    walked->until = visit;
    for (uint64_t back = 1; back <= msw_min_u64(walkers, walked->count); back++) {
        uint32_t number = walked->visits[(walked->count - back) % HTMMU_WALKERS];
        msw_page page = htmmu_page_of(m->stream->visits[number].page);
        msw_walker_warm(&m->walker, page, (uint32_t)((walks + walkers - back) % walkers));
    }
}

/* Visits of walks: those whose page was last used `span` visits before or more. */
static void warm_walks(htmmu_machine *m, uint64_t from, uint64_t visit, uint64_t span)
{
    bool registers = m->config->path_cache == HTMMU_PATH_REGISTER;
    uint32_t walked[PATHS];
    uint64_t most = 4 * (uint64_t)(m->config->tpc_entries + m->config->table_lines), count = 0;
    most = msw_min_u64(most, PATHS);
    for (uint64_t u = visit; u-- > from && count < most;)
        if (walks_at(m, u, span))
            walked[count++] = (uint32_t)u;
    while (count-- > 0) {
        msw_page page = htmmu_page_of(m->stream->visits[walked[count]].page);
        m->requester.visit = walked[count];
        if (!registers)
            warm_paths(m, page, m->config->tpc_entries <= PATHS);
        else if (m->memory.timed)
            msw_walkread_warm(&m->memory.reads, &m->walker.table, page);
    }
    if (registers && m->config->walker_choice == MSW_WALKER_LONGEST_IDLE)
        warm_registers(m, visit, span);
}

/* The uses of a page since `oldest`, the last first: several banks may have it where the requester
 * names the bank, or a free one is taken. */
static void warm_uses(htmmu_machine *m, uint32_t number, uint32_t oldest)
{
    const uint32_t *before = m->stream->before;
    uint32_t known = warm_tlbs(m, number, false, 0), uses = 1;
    bool one =
        m->config->router != HTMMU_ROUTER_ADAPTIVE && m->config->router_by != HTMMU_BY_REQUESTER;
    for (uint32_t u = before[number]; !one && uses < DRAWS_MOST && known != m->all_banks; uses++) {
        if (u == HTMMU_NO_VISIT || u < oldest)
            return;
        known = warm_tlbs(m, u, false, known);
        u = before[u];
    }
}

/* Only the last uses of a page decide where it is: pages are passed through in the order of their
 * last uses, those that `end` comes before alone once the TLBs have had FILLING others. */
uint64_t htmmu_machine_warm_many(htmmu_machine *m, uint64_t visit, uint64_t end)
{
    const uint32_t *after = m->stream->after;
    const htmmu_config *c = m->config;
    uint64_t from = m->requester.visit, span = UINT64_MAX, pages = 0, most = pages_held(c);
    uint64_t held = (uint64_t)(c->l2_entries ? c->l2_entries : c->l1_entries);
    uint32_t recent[RECENT], count = 0;
    for (uint64_t u = visit; u-- > from && pages < most && count < RECENT;) {
        if (after[u] < visit)
            continue;
        if (++pages == held)
            span = visit - u;
        if (pages <= FILLING || after[u] < end)
            recent[count++] = (uint32_t)u;
    }
    warm_walks(m, from, visit, span);
    uint32_t oldest = count ? recent[count - 1] : 0;
    while (count-- > 0)
        warm_uses(m, recent[count], oldest);
    return span;
}
