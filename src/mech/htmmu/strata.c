/* SPDX-License-Identifier: MIT */
/* Strata of units. The first units, in which TLBs and path caches fill, and the last one, which is
 * short, are always measured. Where few of the units between use a page for the first time, which
 * the stream shows, these are strata of their own: a sample of all would miss their walks. */
#include "mech/htmmu/stream.h"

#include "memsweep/base/bits.h"

enum { HEAD_UNITS = 8, HEAD_PART = 16, RARE_UNITS = 32 };

_Static_assert(2 * RARE_UNITS + 3 <= HTMMU_STRATA, "stretches between rare units, both ends");

/* The pages that were used: a hash table of keys + 1. */
typedef struct known_pages {
    uint64_t *keys, mask;
} known_pages;

static bool is_new(known_pages *pages, uint64_t page)
{
    uint64_t at = page * 0x9E3779B97F4A7C15u >> 20;
    while (pages->keys[at & pages->mask]) {
        if (pages->keys[at & pages->mask] == page + 1)
            return false;
        at++;
    }
    pages->keys[at & pages->mask] = page + 1;
    return true;
}

/* Whether a unit uses a page that none before it does. */
static bool meets_new(const htmmu_stream *stream, uint64_t unit, known_pages *pages)
{
    bool any = false;
    for (uint64_t visit = stream->units[unit]; visit < stream->units[unit + 1]; visit++)
        any |= is_new(pages, stream->visits[visit].page);
    return any;
}

static void begin_stratum(htmmu_stream *stream, uint64_t unit)
{
    stream->strata[stream->stratum_count++] = unit;
}

/* Cuts where units that meet a new page begin or end, unless these are many. */
static void cut_between(htmmu_stream *stream, uint64_t first, uint64_t end, known_pages *pages)
{
    size_t before = stream->stratum_count;
    uint64_t rare = 0;
    bool last = false;
    for (uint64_t unit = 0; unit < end && rare <= RARE_UNITS; unit++) {
        bool here = meets_new(stream, unit, pages);
        if (unit < first)
            continue;
        rare += here;
        if ((unit == first || here != last) && rare <= RARE_UNITS)
            begin_stratum(stream, unit);
        last = here;
    }
    if (rare > RARE_UNITS) {
        stream->stratum_count = before;
        begin_stratum(stream, first);
    }
}

int htmmu_cut_strata(htmmu_stream *stream, msw_err *err)
{
    uint64_t all = stream->unit_count, head = msw_min_u64(all / HEAD_PART, HEAD_UNITS);
    msw_arena scratch = {0};
    known_pages pages = {.mask = msw_bits_power(2 * stream->visit_count + 1) - 1};
    pages.keys = msw_arena_zero(&scratch, pages.mask + 1, sizeof *pages.keys);
    if (!pages.keys)
        return msw_fail_memory(err);
    stream->stratum_count = 0;
    begin_stratum(stream, 0);
    if (head) {
        cut_between(stream, head, all - 1, &pages);
        begin_stratum(stream, all - 1);
    }
    stream->strata[stream->stratum_count] = all;
    msw_arena_free(&scratch);
    return 0;
}
