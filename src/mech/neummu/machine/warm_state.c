/* SPDX-License-Identifier: MIT */
/* Finds what the steps before a unit have left in the TLBs and path caches, from the order in
 * which flows are issued and the visits that the first TLB misses.
 *
 * What the steps before have left. A set of a TLB with LRU holds the last `ways` different pages
 * of those that came by: at the first level all, at the second those that the first one missed.
 * So the flows are gone through backwards, in the order of issue, until every set is full or
 * nothing older is used by the steps to come. Other policies are given the same pages, which is a
 * guess. The last paths go into the path caches; which walker holds which path depends on the
 * walks that each page took, and is estimated.
 *
 * ../README.md, "Order of execution": the store of a step is issued before the late loads of the
 * next one where these wait for it, else when the step after that begins.
 *
 * A page is missed where `ways` others of its set were used since (LRU): the TLB itself shows,
 * visit by visit in the order of issue. A walk that is under way counts as over. */
#include "mech/neummu/machine/warm_state.h"

#include "mech/neummu/machine/order.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/map.h"

#include <string.h>

/* Returns whether a visit was missed. */
static inline bool neummu_missed(const neummu_misses *misses, uint64_t visit)
{
    return misses->bits[visit >> 6] >> (visit & 63) & 1;
}

static const neummu_tile *tile_of(const neummu_stream *stream, uint64_t step)
{
    return &stream->tiles[stream->steps[step].tile];
}

static bool give(const neummu_stream *stream, uint64_t step, int kind, neummu_issued *out)
{
    const neummu_tile *tile = tile_of(stream, step);
    const neummu_flow *const flows[] = {&tile->early, &tile->late, &tile->store};
    *out = (neummu_issued){.flow = flows[kind], .step = step, .kind = kind};
    return true;
}

bool neummu_issued_at(const neummu_stream *stream, uint64_t during, int part, neummu_issued *out)
{
    switch (part) {
    case NEUMMU_PART_BEHIND:
        return during > 1 && !neummu_stores_first(tile_of(stream, during - 1)) &&
               give(stream, during - 2, NEUMMU_STORE, out);
    case NEUMMU_PART_EARLY:
        return give(stream, during, NEUMMU_EARLY, out);
    case NEUMMU_PART_STORE:
        return during > 0 && neummu_stores_first(tile_of(stream, during)) &&
               give(stream, during - 1, NEUMMU_STORE, out);
    default:
        return give(stream, during, NEUMMU_LATE, out);
    }
}

typedef struct finder {
    neummu_misses *misses;
    const neummu_stream *stream;
    msw_tlb tlb;
    uint32_t *last; /* by page: 1 + the step during which it was missed last; 0: never */
    uint32_t during;
} finder;

static uint64_t number_visits(const neummu_stream *stream, uint64_t *first_visit)
{
    uint64_t visits = 0;
    for (uint64_t i = 0; i < stream->step_count; i++) {
        const neummu_tile *tile = &stream->tiles[stream->steps[i].tile];
        first_visit[i] = visits;
        visits += tile->early.count + tile->late.count + tile->store.count;
    }
    return visits;
}

/* Returns the number of a flow's first visit. */
static uint64_t neummu_misses_first(const neummu_misses *misses, const neummu_stream *stream,
                                    const neummu_issued *issued)
{
    const neummu_tile *tile = &stream->tiles[stream->steps[issued->step].tile];
    uint64_t first = misses->first_visit[issued->step];
    first += issued->kind > NEUMMU_EARLY ? tile->early.count : 0;
    return first + (issued->kind > NEUMMU_LATE ? tile->late.count : 0);
}

static void miss(finder *f, uint64_t step, uint64_t visit, uint64_t page)
{
    uint32_t *last = &f->last[(page & ~NEUMMU_LARGE) - f->stream->first_page];
    if (*last && *last - 1 < f->misses->oldest[step])
        f->misses->oldest[step] = *last - 1;
    *last = f->during + 1;
    f->misses->bits[visit >> 6] |= (uint64_t)1 << (visit & 63);
}

static void pass_flow(finder *f, const neummu_issued *issued)
{
    uint64_t visit = neummu_misses_first(f->misses, f->stream, issued);
    for (uint64_t r = 0; r < issued->flow->count; r++) {
        uint64_t number = issued->flow->visits[r].page;
        msw_page page = neummu_page_of(f->stream->shifts, number);
        if (msw_tlb_probe(&f->tlb, 0, page.address) != UINT64_MAX)
            continue;
        msw_tlb_fill(&f->tlb, 0, page, 0, 0);
        miss(f, issued->step, visit + r, number);
    }
}

static void pass_all(finder *f)
{
    neummu_issued issued;
    for (uint64_t i = 0; i < f->stream->step_count; i++)
        f->misses->oldest[i] = (uint32_t)i;
    for (uint64_t i = 0; i < f->stream->step_count; i++) {
        f->during = (uint32_t)i;
        for (int part = 0; part < NEUMMU_PARTS; part++)
            if (neummu_issued_at(f->stream, i, part, &issued))
                pass_flow(f, &issued);
    }
}

int neummu_find_misses(neummu_misses *misses, const neummu_stream *stream,
                       const msw_tlb_config *tlb, msw_arena *arena, msw_err *err)
{
    finder f = {.misses = misses, .stream = stream};
    misses->first_visit =
        msw_arena_take(arena, stream->step_count * sizeof *misses->first_visit + 1);
    misses->oldest = msw_arena_take(arena, stream->step_count * sizeof *misses->oldest + 1);
    if (!misses->first_visit || !misses->oldest)
        return msw_fail_memory(err);
    uint64_t visits = number_visits(stream, misses->first_visit);
    misses->bits = msw_arena_zero(arena, visits / 64 + 1, sizeof *misses->bits);
    msw_arena_mark mark = msw_arena_now(arena);
    void *memory = msw_arena_take(arena, msw_tlb_bytes(tlb));
    f.last = msw_arena_zero(arena, stream->page_count, sizeof *f.last);
    if (!misses->bits || !memory || !f.last)
        return msw_fail_memory(err);
    int rc = msw_tlb_init(&f.tlb, tlb, memory, err);
    if (rc == 0)
        pass_all(&f);
    msw_arena_release(arena, mark);
    return rc;
}

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
    return msw_set_slots(reach);
}

/* The pages used last, newest first, each once. */
typedef struct history {
    uint64_t *recent;
    msw_set seen;
    uint64_t count, most;
    uint64_t left;  /* visits to look at yet */
    unsigned shift; /* from pages to what is remembered */
    neummu_shifts shifts;
    const msw_tlb *tlb; /* whose sets are filled; NULL: none are distinguished */
    uint32_t *in_set, ways;
    const neummu_misses *misses; /* visits that count; NULL: all */
} history;

static void remember(history *h, uint64_t page, uint32_t *in_set)
{
    if (!msw_set_add(&h->seen, page))
        return;
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
    history h = {
        .recent = room->recent, .most = most, .left = UINT64_MAX, .shifts = stream->shifts};
    msw_set_init(&h.seen, room->seen, most);
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
static uint64_t walks_per_page(const neummu_machine *machine)
{
    const neummu_config *c = machine->config;
    unsigned steps = msw_pagetable_steps(&machine->stage.mmu.walker.table, machine->shifts.small);
    uint64_t asked = (uint64_t)(c->page_size / c->dma_bytes);
    uint64_t meanwhile = c->walk_cycles ? (uint64_t)(c->walk_cycles * c->issue_width)
                                        : steps * neummu_access_least(machine);
    uint64_t group = c->scoreboard ? 1 + (uint64_t)c->prmb_slots : 1;
    if (c->scoreboard && c->slots_full == NEUMMU_SLOTS_BLOCK)
        return asked > group && !c->reprobe ? 2 : 1;
    return msw_div_up(msw_min_u64(asked, meanwhile), group);
}

/* Walkers take turns: the one whose turn it is walked longest ago. */
static void fill_registers(neummu_machine *machine, const history *h)
{
    msw_walker *walker = &machine->stage.mmu.walker;
    uint64_t walkers = walker->config.walkers, each = walks_per_page(machine);
    for (uint64_t back = 0; back < walkers && back / each < h->count; back++) {
        msw_page page = neummu_page_of(machine->shifts, h->recent[back / each]);
        msw_walker_warm(walker, page, (uint32_t)(walkers - 1 - back));
    }
}

/* Log2 of the pages that share a path. */
static unsigned area_shift(const neummu_machine *machine)
{
    const msw_pagetable *table = &machine->stage.mmu.walker.table;
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
    msw_walker *walker = &machine->stage.mmu.walker;
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
        msw_walkread_warm(&machine->stage.reads, &machine->stage.mmu.walker.table,
                          neummu_page_of(machine->shifts, h.recent[i - 1]));
}

void neummu_restore_warm_state(const neummu_warm_room *room, neummu_machine *machine,
                               const neummu_stream *stream, uint64_t from, uint64_t to)
{
    const neummu_config *config = machine->config;
    bool areas =
        config->path_cache == NEUMMU_PATH_SHARED || config->path_cache == NEUMMU_PATH_LEVELS;
    restore_tlb(room, &machine->stage.mmu.l1, stream, from, to, NULL);
    if (machine->stage.mmu.config.has_l2)
        restore_tlb(room, &machine->stage.mmu.l2, stream, from, to, room->misses);
    history h = collect(room, stream, from, paths_of(config), areas ? area_shift(machine) : 0);
    fill_paths(machine, &h);
    restore_lines(room, machine, stream, from);
}
