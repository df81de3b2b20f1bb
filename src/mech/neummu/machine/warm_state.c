/* SPDX-License-Identifier: MIT */
/* What the steps before have left. A set of a TLB with LRU holds the last `ways` different pages of
 * those that came by: at the first level all, at the second those that the first one missed. So
 * the flows are gone through backwards, in the order of issue, until every set is full or nothing
 * older is used by the steps to come. Other policies are given the same pages, which is a guess.
 * The last paths go into the path caches; which walker holds which path depends on the walks that
 * each page took, and is estimated. */
#include "mech/neummu/machine/warm_state.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { AREA_RUNS = 16384 };      /* how far to look for areas */
enum { LINE_PAGES_MOST = 4096 }; /* pages whose table lines are entered */

/* Pages that the TLBs hold. */
static uint64_t reach_of(const neummu_config *config)
{
    return (uint64_t)msw_max_i64(config->tlb_entries, config->tlb2_entries);
}

/* Pages whose entries the table lines may hold. */
static uint64_t line_pages(const neummu_config *config)
{
    uint64_t entries = (uint64_t)config->table_lines;
    entries *= NEUMMU_LINE_BYTES / MSW_PAGETABLE_ENTRY_BYTES;
    return msw_min_u64(entries, LINE_PAGES_MOST);
}

/* Areas that the path caches of the levels may hold. */
static uint64_t level_areas(const neummu_config *config)
{
    int64_t low = msw_max_i64(config->path_l2_entries, config->path_l3_entries);
    return (uint64_t)msw_max_i64(low,
                                 msw_max_i64(config->path_l4_entries, config->path_l5_entries));
}

uint64_t neummu_warm_pages(const neummu_config *config)
{
    uint64_t paths = (uint64_t)msw_max_i64(config->ptw_count, config->path_entries);
    paths = msw_max_u64(paths, msw_max_u64(level_areas(config), line_pages(config)));
    return msw_max_u64(reach_of(config), paths);
}

uint64_t neummu_warm_sets(const neummu_config *config)
{
    msw_mmu_config mmu = neummu_mmu_config(config);
    return msw_max_u64(mmu.l1.sets, mmu.has_l2 ? mmu.l2.sets : 0);
}

uint64_t neummu_warm_slots(uint64_t reach)
{
    return msw_max_u64(16, msw_bits_power(2 * reach));
}

/* The pages used last, newest first, each once. */
typedef struct history {
    uint64_t *recent, *seen;
    uint64_t count, most, mask;
    uint64_t left;  /* visits to look at yet */
    unsigned shift; /* from pages to what is remembered */
    neummu_shifts shifts;
    const msw_tlb *tlb; /* whose sets are filled; NULL: none are distinguished */
    uint32_t *in_set, ways;
    const neummu_misses *misses; /* visits that count; NULL: all */
} history;

static void remember(history *h, uint64_t page, uint32_t *in_set)
{
    uint64_t slot = (page * 0x9E3779B97F4A7C15u >> 20) & h->mask;
    while (h->seen[slot] && h->seen[slot] != page + 1)
        slot = (slot + 1) & h->mask;
    if (h->seen[slot])
        return;
    h->seen[slot] = page + 1;
    h->recent[h->count++] = page;
    ++*in_set;
}

static void remember_visit(history *h, uint64_t page)
{
    uint32_t any = 0, *in_set = &any;
    if (h->tlb)
        in_set = &h->in_set[msw_tlb_set(h->tlb, neummu_page_of(h->shifts, page))];
    if (!h->tlb || *in_set < h->ways)
        remember(h, h->shift ? (page & ~NEUMMU_LARGE) >> h->shift : page, in_set);
}

/* Whether nothing more is to be remembered. */
static bool is_full(const history *h)
{
    return h->left == 0 || h->count == h->most;
}

/* Goes back through a flow whose first visit has number `first`. */
static void remember_flow(history *h, const neummu_flow *flow, uint64_t first)
{
    for (uint64_t r = flow->count; r > 0 && !is_full(h); r--, h->left--)
        if (!h->misses || neummu_missed(h->misses, first + r - 1))
            remember_visit(h, flow->visits[r - 1].page);
}

static void remember_part(history *h, const neummu_warm_room *room, const neummu_stream *stream,
                          uint64_t during, int part)
{
    neummu_issued issued;
    if (!neummu_issued_at(stream, during, part, &issued))
        return;
    uint64_t first = h->misses ? neummu_misses_first(h->misses, stream, &issued) : 0;
    bool cut = during == room->begun && part == room->begun_part;
    remember_flow(h, cut ? &room->head : issued.flow, first);
}

/* Goes back from what has been issued, to step `oldest`. */
static void look_back(history *h, const neummu_warm_room *room, const neummu_stream *stream,
                      uint64_t from, uint64_t oldest)
{
    for (int part = room->begun_part; part >= 0 && room->begun == from; part--)
        remember_part(h, room, stream, from, part);
    for (uint64_t i = from; i > oldest && !is_full(h); i--)
        for (int part = NEUMMU_PARTS - 1; part >= 0; part--)
            remember_part(h, room, stream, i - 1, part);
}

static history open_history(const neummu_warm_room *room, const neummu_stream *stream,
                            uint64_t most)
{
    history h = {.recent = room->recent,
                 .seen = room->seen,
                 .most = most,
                 .mask = neummu_warm_slots(most) - 1,
                 .left = UINT64_MAX,
                 .shifts = stream->shifts};
    memset(h.seen, 0, (h.mask + 1) * sizeof *h.seen);
    return h;
}

/* The first step whose pages the steps `from` .. `to` may find; two before may still store. */
static uint64_t oldest_of(const neummu_stream *stream, uint64_t from, uint64_t to,
                          const neummu_misses *misses)
{
    uint64_t oldest = from;
    for (uint64_t i = from > 2 ? from - 2 : 0; i <= to; i++)
        oldest = msw_min_u64(oldest, misses ? misses->oldest[i] : stream->steps[i].oldest);
    return oldest;
}

static void restore_tlb(const neummu_warm_room *room, msw_tlb *tlb, const neummu_stream *stream,
                        uint64_t from, uint64_t to, const neummu_misses *misses)
{
    uint32_t sets = tlb->entries.sets;
    history h = open_history(room, stream, (uint64_t)sets * tlb->entries.ways);
    h.tlb = tlb;
    h.ways = tlb->entries.ways;
    h.in_set = room->in_set;
    h.misses = misses;
    memset(h.in_set, 0, sets * sizeof *h.in_set);
    look_back(&h, room, stream, from, oldest_of(stream, from, to, misses));
    for (uint64_t i = h.count; i > 0; i--)
        msw_tlb_fill(tlb, 0, neummu_page_of(stream->shifts, h.recent[i - 1]), 0, 0);
}

/* Walks begun for a page before the first of them is over. */
static uint64_t walks_per_page(const neummu_config *c, unsigned steps)
{
    uint64_t asked = (uint64_t)(c->page_size / c->dma_bytes);
    uint64_t walk =
        c->walk_cycles ? (uint64_t)c->walk_cycles : steps * (uint64_t)c->walk_level_cycles;
    uint64_t meanwhile = walk * (uint64_t)c->issue_width;
    uint64_t group = c->scoreboard ? 1 + (uint64_t)c->prmb_slots : 1;
    if (c->scoreboard && c->slots_full == NEUMMU_SLOTS_BLOCK)
        return asked > group && !c->reprobe ? 2 : 1;
    return msw_div_up(msw_min_u64(asked, meanwhile), group);
}

/* Walkers take turns: the one whose turn it is walked longest ago. */
static void fill_registers(neummu_machine *machine, const history *h)
{
    msw_walker *walker = &machine->mmu.walker;
    uint64_t walkers = walker->config.walkers;
    uint64_t each =
        walks_per_page(machine->config, msw_pagetable_steps(&walker->table, machine->shifts.small));
    for (uint64_t back = 0; back < walkers && back / each < h->count; back++) {
        msw_page page = neummu_page_of(machine->shifts, h->recent[back / each]);
        msw_walker_warm(walker, page, (uint32_t)(walkers - 1 - back));
    }
}

/* Log2 of the pages that share a path. */
static unsigned area_shift(const neummu_machine *machine)
{
    const msw_pagetable *table = &machine->mmu.walker.table;
    unsigned leaf = msw_pagetable_leaf(table, machine->shifts.small);
    return table->shift[leaf + 1] - machine->shifts.small;
}

/* Pages back that the path cache may hold a path of. */
static uint64_t paths_of(const neummu_config *config)
{
    if (config->path_cache == NEUMMU_PATH_REGISTER)
        return (uint64_t)config->ptw_count;
    if (config->path_cache == NEUMMU_PATH_LEVELS)
        return level_areas(config);
    return config->path_cache == NEUMMU_PATH_NONE ? 0 : (uint64_t)config->path_entries;
}

static void fill_paths(neummu_machine *machine, const history *h)
{
    msw_walker *walker = &machine->mmu.walker;
    uint64_t count = paths_of(machine->config);
    if (walker->config.cache.kind == MSW_WALKCACHE_REGISTER)
        fill_registers(machine, h);
    else if (walker->config.cache.kind != MSW_WALKCACHE_NONE)
        for (uint64_t i = msw_min_u64(count, h->count); i > 0; i--)
            msw_walker_warm(walker, neummu_page_of(machine->shifts, h->recent[i - 1] << h->shift),
                            0);
}

/* Collects the last `count` pages, or areas of 2^shift pages, used before a step. */
static history collect(const neummu_warm_room *room, const neummu_stream *stream, uint64_t from,
                       uint64_t count, unsigned shift)
{
    history h = open_history(room, stream, count);
    h.shift = shift;
    h.left = shift ? AREA_RUNS : UINT64_MAX;
    look_back(&h, room, stream, from, 0);
    return h;
}

static void restore_lines(const neummu_warm_room *room, neummu_machine *machine,
                          const neummu_stream *stream, uint64_t from)
{
    uint64_t pages = machine->waiting ? line_pages(machine->config) : 0;
    if (pages == 0)
        return;
    history h = collect(room, stream, from, pages, 0);
    for (uint64_t i = h.count; i > 0; i--)
        msw_walkread_warm(&machine->reads, &machine->mmu.walker.table,
                          neummu_page_of(machine->shifts, h.recent[i - 1]));
}

void neummu_restore_warm_state(const neummu_warm_room *room, neummu_machine *machine,
                               const neummu_stream *stream, uint64_t from, uint64_t to)
{
    const neummu_config *config = machine->config;
    bool areas =
        config->path_cache == NEUMMU_PATH_SHARED || config->path_cache == NEUMMU_PATH_LEVELS;
    restore_tlb(room, &machine->mmu.l1, stream, from, to, NULL);
    if (machine->mmu.config.has_l2)
        restore_tlb(room, &machine->mmu.l2, stream, from, to, room->misses);
    history h = collect(room, stream, from, paths_of(config), areas ? area_shift(machine) : 0);
    fill_paths(machine, &h);
    restore_lines(room, machine, stream, from);
}
