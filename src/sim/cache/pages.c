/* SPDX-License-Identifier: MIT */
/* Pages of a shared cache: owners and dirty lines. */
#include "memsweep/sim/shared_cache.h"

#include "sim/cache/assoc_parts.h"

#include <string.h>

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
