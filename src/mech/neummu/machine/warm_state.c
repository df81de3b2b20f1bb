/* What the steps before have left: the pages used last go into the TLBs, as far back as the stack
 * distances of the pages to come ask for, and the last paths into the path caches. Which walker
 * holds which path depends on the walks that each page took; that is estimated. */
#include "mech/neummu/machine/warm_state.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { AREA_RUNS = 16384 }; /* how far to look for areas */

/* Pages that the TLBs hold. */
static uint64_t reach_of(const neummu_config *config)
{
    return (uint64_t)msw_max_i64(config->tlb_entries, config->tlb2_entries);
}

uint64_t neummu_warm_pages(const neummu_config *config)
{
    uint64_t paths = (uint64_t)msw_max_i64(config->ptw_count, config->path_entries);
    return msw_max_u64(reach_of(config), paths);
}

uint64_t neummu_warm_slots(uint64_t reach)
{
    return msw_max_u64(16, msw_bits_power(2 * reach));
}

/* The pages used last, newest first, each once. */
typedef struct history {
    uint64_t *recent, *seen;
    uint64_t count, most, mask;
    uint64_t left;  /* runs to look at yet */
    unsigned shift; /* from pages to what is remembered */
} history;

static void remember(history *h, uint64_t page)
{
    uint64_t slot = (page * 0x9E3779B97F4A7C15u >> 20) & h->mask;
    while (h->seen[slot] && h->seen[slot] != page + 1)
        slot = (slot + 1) & h->mask;
    if (h->seen[slot])
        return;
    h->seen[slot] = page + 1;
    h->recent[h->count++] = page;
}

static void remember_flow(history *h, const neummu_flow *flow)
{
    for (uint64_t r = flow->count; r > 0 && h->left > 0 && h->count < h->most; r--, h->left--)
        remember(h, h->shift ? (flow->runs[r - 1].page & ~NEUMMU_LARGE) >> h->shift
                             : flow->runs[r - 1].page);
}

/* How far back, in distinct pages, a set of runs finds its pages, as far as `reach`. */
static uint64_t depth_of(const neummu_traffic *traffic, uint64_t reach)
{
    uint64_t depth = 0;
    for (unsigned bin = 0; bin < NEUMMU_DEPTHS; bin++)
        if (traffic->reused[bin] && (bin == 0 || (uint64_t)1 << (bin - 1) < reach))
            depth = (uint64_t)1 << bin;
    return msw_min_u64(depth, reach);
}

static uint64_t depth_of_flow(const neummu_stream *stream, const neummu_segments *flow,
                              uint64_t reach)
{
    uint64_t depth = 0;
    for (uint32_t i = 0; i < flow->count; i++)
        depth = msw_max_u64(depth, depth_of(&stream->traffic[flow->traffic[i]], reach));
    return depth;
}

static uint64_t depth_of_steps(const neummu_stream *stream, uint64_t from, uint64_t to,
                               uint64_t reach)
{
    uint64_t depth = 0;
    for (uint64_t i = from; i <= to; i++) {
        const neummu_step *step = &stream->steps[i];
        for (int flow = 0; flow < NEUMMU_FLOWS; flow++)
            depth = msw_max_u64(depth, depth_of_flow(stream, &step->flows[flow], reach));
    }
    return depth;
}

static void fill_tlbs(msw_mmu *mmu, const history *h, uint64_t depth, neummu_shifts shifts)
{
    for (uint64_t i = msw_min_u64(depth, h->count); i > 0; i--) {
        msw_page page = neummu_page_of(shifts, h->recent[i - 1]);
        msw_tlb_fill(&mmu->l1, 0, page, 0, 0);
        if (mmu->config.has_l2)
            msw_tlb_fill(&mmu->l2, 0, page, 0, 0);
    }
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

static void fill_paths(neummu_machine *machine, const history *h)
{
    msw_walker *walker = &machine->mmu.walker;
    uint64_t count = walker->config.cache.entries;
    if (walker->config.cache.kind == MSW_WALKCACHE_REGISTER)
        fill_registers(machine, h);
    else if (walker->config.cache.kind != MSW_WALKCACHE_NONE)
        for (uint64_t i = msw_min_u64(count, h->count); i > 0; i--)
            msw_walker_warm(walker, neummu_page_of(machine->shifts, h->recent[i - 1] << h->shift),
                            0);
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
    return config->path_cache == NEUMMU_PATH_NONE ? 0 : (uint64_t)config->path_entries;
}

/* Collects the last `count` pages, or areas of 2^shift pages, used before a step. */
static history collect(const neummu_warm_room *s, const neummu_stream *stream, uint64_t from,
                       uint64_t count, unsigned shift)
{
    history h = {.recent = s->recent, .seen = s->seen, .most = count, .shift = shift};
    h.mask = neummu_warm_slots(count) - 1;
    h.left = shift ? AREA_RUNS : UINT64_MAX;
    memset(h.seen, 0, (h.mask + 1) * sizeof *h.seen);
    remember_flow(&h, &s->head);
    remember_flow(&h, &s->store);
    for (uint64_t i = from; i > 0 && h.left > 0 && h.count < h.most; i--) {
        const neummu_tile *tile = &stream->tiles[stream->steps[i - 1].tile];
        if (i - 1 != s->line->last && i - 1 != s->line->behind) /* not stored yet */
            remember_flow(&h, &tile->store);
        remember_flow(&h, &tile->late);
        remember_flow(&h, &tile->early);
    }
    return h;
}

void neummu_restore_warm_state(const neummu_warm_room *room, neummu_machine *machine,
                               const neummu_stream *stream, uint64_t from, uint64_t to)
{
    const neummu_config *config = machine->config;
    /* The two steps before may still have to store. */
    uint64_t first = from > 2 ? from - 2 : 0;
    uint64_t depth = depth_of_steps(stream, first, to, reach_of(config));
    uint64_t pages = msw_max_u64(depth, paths_of(config));
    history h = collect(room, stream, from, pages, 0);
    fill_tlbs(&machine->mmu, &h, depth, stream->shifts);
    if (config->path_cache == NEUMMU_PATH_SHARED)
        h = collect(room, stream, from, paths_of(config), area_shift(machine));
    fill_paths(machine, &h);
}
