/* SPDX-License-Identifier: MIT */
/* The two sides of a shared cache: a general side with tags, and pages with owners and dirty lines.
 */
#include "memsweep/sim/shared_cache.h"

#include "sim/block.h"
#include "sim/cache/assoc_parts.h"

#include <string.h>

static bool has_way(const uint64_t *mask, uint32_t way)
{
    return mask[way / 64] >> way % 64 & 1;
}

static uint32_t page_ways_of(const msw_shared_cache_config *config)
{
    uint32_t count = 0;
    for (uint32_t way = 0; config->page_ways && way < config->cache.ways; way++)
        count += has_way(config->page_ways, way);
    return count;
}

/* The general side: fewer ways, and masks of these, which are set one by one. */
static msw_cache_config general_config(const msw_shared_cache_config *config)
{
    msw_cache_config general = config->cache;
    general.ways -= page_ways_of(config);
    general.way_masks = NULL;
    return general;
}

static uint32_t pages_of(const msw_shared_cache_config *config, uint32_t ways)
{
    return config->page_sets ? config->cache.sets / config->page_sets * ways : 0;
}

static size_t layout(msw_shared_cache *shared, const msw_shared_cache_config *config, void *memory,
                     void **general)
{
    msw_cache_config cache = general_config(config);
    uint32_t count = page_ways_of(config), ways = config->cache.ways;
    unsigned way_bits = ways > 1 ? msw_bits_width(ways - 1) : 0;
    msw_memory_block block = {memory, 0};
    *shared = (msw_shared_cache){.ways = ways,
                                 .way_bits = way_bits,
                                 .page_way_count = count,
                                 .numbers = pages_of(config, 1u << way_bits),
                                 .pages = pages_of(config, count),
                                 .lines_per_page = config->page_sets * cache.slices,
                                 .owners = config->owners};
    shared->words = (shared->lines_per_page + 63) / 64;
    *general = msw_memory_block_take(&block, msw_cache_bytes(&cache));
    shared->owner_of = msw_memory_block_zero(&block, shared->numbers * sizeof *shared->owner_of);
    shared->dirty =
        msw_memory_block_zero(&block, (size_t)shared->pages * shared->words * sizeof(uint64_t));
    shared->page_way = msw_memory_block_take(&block, ways * sizeof *shared->page_way);
    shared->mask = msw_memory_block_take(&block, msw_ways_words(ways) * sizeof *shared->mask);
    shared->stats = msw_memory_block_zero(&block, config->owners * sizeof *shared->stats);
    return block.used;
}

size_t msw_shared_cache_bytes(const msw_shared_cache_config *config)
{
    msw_shared_cache shared;
    void *general;
    return layout(&shared, config, NULL, &general);
}

static int check(const msw_shared_cache_config *config, msw_err *err)
{
    const msw_cache_config *cache = &config->cache;
    uint32_t pages = page_ways_of(config), sets = config->page_sets;
    uint64_t numbers = (uint64_t)cache->sets << msw_bits_width(cache->ways);
    if (pages == 0 || pages >= cache->ways)
        return msw_fail(err, "pages have %u of %u ways: each side needs at least one", pages,
                        cache->ways);
    if (sets == 0 || sets & (sets - 1) || cache->sets % sets)
        return msw_fail(err, "pages of %u sets: must be a power of two that divides %u sets", sets,
                        cache->sets);
    if (numbers >= 1u << 30 || (uint64_t)sets * cache->slices >= 1u << 30)
        return msw_fail(err, "%u sets x %u ways, %u slices: too many for page numbers", cache->sets,
                        cache->ways, cache->slices);
    if (config->owners == 0 || config->owners > MSW_PAGES_OWNERS)
        return msw_fail(err, "%u owners of pages: must be from 1 to %d", config->owners,
                        MSW_PAGES_OWNERS);
    return 0;
}

static int take_masks(msw_shared_cache *shared, const msw_shared_cache_config *config, msw_err *err)
{
    const uint64_t *masks = config->cache.way_masks;
    for (uint32_t i = 0; masks && i < shared->general.requesters; i++)
        if (msw_shared_cache_mask(shared, i, masks + (size_t)i * msw_ways_words(shared->ways), err))
            return -1;
    return 0;
}

int msw_shared_cache_init(msw_shared_cache *shared, const msw_shared_cache_config *config,
                          void *memory, msw_err *err)
{
    msw_cache_config general = general_config(config);
    void *lines;
    uint32_t next = 0;
    if (check(config, err))
        return -1;
    layout(shared, config, memory, &lines);
    for (uint32_t way = 0; way < shared->ways; way++)
        shared->page_way[way] = has_way(config->page_ways, way) ? next++ : MSW_ASSOC_NONE;
    if (msw_cache_init(&shared->general, &general, lines, err))
        return -1;
    return take_masks(shared, config, err);
}

int msw_shared_cache_mask(msw_shared_cache *shared, uint32_t requester, const uint64_t *mask,
                          msw_err *err)
{
    uint32_t general = 0;
    memset(shared->mask, 0, msw_ways_words(shared->ways) * sizeof *shared->mask);
    for (uint32_t way = 0; way < shared->ways; way++) {
        bool wanted = has_way(mask, way);
        if (wanted && shared->page_way[way] != MSW_ASSOC_NONE)
            return msw_fail(err, "requester %u asks for way %u, which holds pages", requester, way);
        shared->mask[general / 64] |= (uint64_t)wanted << general % 64;
        general += shared->page_way[way] == MSW_ASSOC_NONE;
    }
    return msw_cache_mask(&shared->general, requester, shared->mask, err);
}

static uint32_t way_of(const msw_shared_cache *shared, uint32_t page)
{
    return page & ((1u << shared->way_bits) - 1);
}

bool msw_page_exists(const msw_shared_cache *shared, uint32_t page)
{
    uint32_t way = way_of(shared, page);
    return page < shared->numbers && way < shared->ways && shared->page_way[way] != MSW_ASSOC_NONE;
}

/* The dirty bits of a page that exists. */
static uint64_t *dirty_of(const msw_shared_cache *shared, uint32_t page)
{
    uint32_t row = page >> shared->way_bits, way = shared->page_way[way_of(shared, page)];
    return shared->dirty + ((size_t)row * shared->page_way_count + way) * shared->words;
}

static int check_page(const msw_shared_cache *shared, uint32_t owner, uint32_t page, msw_err *err)
{
    uint32_t way = way_of(shared, page);
    if (owner >= shared->owners)
        return msw_fail(err, "owner %u of a page: there are %u", owner, shared->owners);
    if (msw_page_exists(shared, page))
        return 0;
    if (page < shared->numbers && way < shared->ways)
        return msw_fail(err, "owner %u asks for page %u, whose way %u is the general side's", owner,
                        page, way);
    return msw_fail(err, "owner %u asks for page %u: no page has this number", owner, page);
}

static int check_owner(const msw_shared_cache *shared, uint32_t owner, uint32_t page, msw_err *err)
{
    if (check_page(shared, owner, page, err))
        return -1;
    if (shared->owner_of[page] == 0)
        return msw_fail(err, "owner %u asks for page %u, which is nobody's", owner, page);
    if (shared->owner_of[page] != owner + 1)
        return msw_fail(err, "owner %u asks for page %u, which is owner %d's", owner, page,
                        shared->owner_of[page] - 1);
    return 0;
}

int msw_page_take(msw_shared_cache *shared, uint32_t owner, uint32_t page, msw_err *err)
{
    if (check_page(shared, owner, page, err))
        return -1;
    if (shared->owner_of[page])
        return msw_fail(err, "owner %u takes page %u, which is owner %d's", owner, page,
                        shared->owner_of[page] - 1);
    shared->owner_of[page] = (uint16_t)(owner + 1);
    return 0;
}

int msw_page_release(msw_shared_cache *shared, uint32_t owner, uint32_t page, uint64_t *dirty,
                     msw_err *err)
{
    if (check_owner(shared, owner, page, err))
        return -1;
    *dirty = msw_page_dirty(shared, page);
    memset(dirty_of(shared, page), 0, shared->words * sizeof *shared->dirty);
    shared->owner_of[page] = 0;
    return 0;
}

uint64_t msw_page_dirty(const msw_shared_cache *shared, uint32_t page)
{
    uint64_t count = 0;
    for (uint32_t word = 0; msw_page_exists(shared, page) && word < shared->words; word++)
        count += msw_bits_count(dirty_of(shared, page)[word]);
    return count;
}

/* Sets or clears `count` bits. Returns how many were set. */
static uint64_t assign(uint64_t *bits, uint32_t first, uint32_t count, bool value)
{
    uint64_t were = 0;
    for (uint32_t end = first + count; first < end;) {
        uint32_t in_word = (uint32_t)msw_min_u64(64 - first % 64, end - first);
        uint64_t mask = msw_assoc_low_bits(in_word) << first % 64, *word = bits + first / 64;
        were += msw_bits_count(*word & mask);
        *word = value ? *word | mask : *word & ~mask;
        first += in_word;
    }
    return were;
}

/* Counts lines and keeps the dirty bits; no data and no time. `moved` is what has to cross the
 * memory's bus: a write-back only moves those of the lines that are dirty. */
int msw_page_operate(msw_shared_cache *shared, const msw_page_use *use, uint64_t *moved,
                     msw_err *err)
{
    if (check_owner(shared, use->owner, use->page, err))
        return -1;
    if (use->line > shared->lines_per_page || use->count > shared->lines_per_page - use->line)
        return msw_fail(err, "lines %u to %llu of page %u: it has %u", use->line,
                        (unsigned long long)use->line + use->count, use->page,
                        shared->lines_per_page);
    msw_page_stats *stats = &shared->stats[use->owner];
    uint64_t *dirty = dirty_of(shared, use->page);
    *moved = 0;
    switch (use->operation) {
    case MSW_PAGE_FILL:
        assign(dirty, use->line, use->count, false);
        stats->filled += *moved = use->count;
        break;
    case MSW_PAGE_WRITE_BACK:
        stats->written_back += *moved = assign(dirty, use->line, use->count, false);
        break;
    case MSW_PAGE_READ:
        stats->read += use->count;
        break;
    case MSW_PAGE_WRITE:
        assign(dirty, use->line, use->count, true);
        stats->written += use->count;
        break;
    }
    return 0;
}
