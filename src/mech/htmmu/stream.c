/* SPDX-License-Identifier: MIT */
/* The artifact: a stream of accesses as page visits, cut into units, and the strata of the units.
 *
 * An access that crosses a page asks for each of its pages. With mixed page sizes an aligned region
 * of `large_page` bytes is one large page with probability `large_share`, decided by a hash of its
 * address alone.
 *
 * Strata of units. The first units, in which TLBs and path caches fill, and the last one, which
 * is short, are always measured. Where few of the units between use a page for the first time,
 * which the stream shows, these are strata of their own: a sample of all would miss their walks. */
#include "mech/htmmu/stream.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/map.h"

enum { HEAD_UNITS = 8, HEAD_PART = 16, RARE_UNITS = 32 };

_Static_assert(2 * RARE_UNITS + 3 <= HTMMU_STRATA, "stretches between rare units, both ends");

/* Links the visits of each page; the set of pages has the last visit of each by its slot. */
static int link_visits(const htmmu_visit *visits, uint64_t count, uint32_t *before, uint32_t *after,
                       msw_err *err)
{
    msw_arena scratch = {0};
    size_t slots = msw_set_slots(count);
    uint64_t *keys = msw_arena_take(&scratch, slots * sizeof *keys);
    uint32_t *last = msw_arena_take(&scratch, slots * sizeof *last);
    msw_set pages;
    if (!keys || !last) {
        msw_arena_free(&scratch);
        return msw_fail_memory(err);
    }
    msw_set_init(&pages, keys, count);
    for (uint32_t visit = 0; visit < count; visit++) {
        size_t slot = msw_set_slot(&pages, visits[visit].page);
        bool used = keys[slot] != 0;
        before[visit] = used ? last[slot] : HTMMU_NO_VISIT;
        after[visit] = HTMMU_NO_VISIT;
        if (used)
            after[last[slot]] = visit;
        keys[slot] = visits[visit].page + 1;
        last[slot] = visit;
    }
    msw_arena_free(&scratch);
    return 0;
}

/* Whether a unit uses a page that none before it does. */
static bool meets_new(const htmmu_stream *stream, uint64_t unit)
{
    bool any = false;
    for (uint64_t visit = stream->units[unit]; visit < stream->units[unit + 1]; visit++)
        any |= stream->before[visit] == HTMMU_NO_VISIT;
    return any;
}

static void begin_stratum(htmmu_stream *stream, uint64_t unit)
{
    stream->strata[stream->stratum_count++] = unit;
}

/* Cuts where units that meet a new page begin or end, unless these are many. */
static void cut_between(htmmu_stream *stream, uint64_t first, uint64_t end)
{
    size_t before = stream->stratum_count;
    uint64_t rare = 0;
    bool last = false;
    for (uint64_t unit = first; unit < end && rare <= RARE_UNITS; unit++) {
        bool here = meets_new(stream, unit);
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

/* Cuts the units into strata. */
static void cut_strata(htmmu_stream *stream)
{
    uint64_t all = stream->unit_count, head = msw_min_u64(all / HEAD_PART, HEAD_UNITS);
    begin_stratum(stream, 0);
    if (head) {
        cut_between(stream, head, all - 1);
        begin_stratum(stream, all - 1);
    }
    stream->strata[stream->stratum_count] = all;
}

/* Log2 of large pages, 0: there are none; hashes of regions below `below` are large. */
typedef struct mixture {
    unsigned shift;
    uint64_t below;
} mixture;

static mixture mixture_of(const htmmu_config *config)
{
    if (config->large_page <= config->page_size)
        return (mixture){0, 0};
    return (mixture){msw_bits_log2((uint64_t)config->large_page),
                     (uint64_t)(config->large_share * 0x1p53)};
}

static bool is_large(const mixture *m, uint64_t address)
{
    uint64_t region = address >> m->shift;
    region = (region + 1) * 0x9E3779B97F4A7C15u;
    region = (region ^ region >> 29) * 0xBF58476D1CE4E5B9u;
    return (region ^ region >> 32) >> 11 < m->below;
}

uint64_t htmmu_neighbours_in_block(const htmmu_config *config, msw_page page, int64_t coalesce)
{
    mixture m = mixture_of(config);
    uint64_t all = UINT64_MAX >> (64 - (unsigned)coalesce), same = 0;
    if (m.shift == 0)
        return all;
    uint64_t number = page.address >> page.shift & ~(uint64_t)(coalesce - 1);
    for (int64_t i = 0; i < coalesce; i++) {
        uint64_t address = (number + (uint64_t)i) << page.shift;
        same |= (uint64_t)(is_large(&m, address) == (page.shift == m.shift)) << i;
    }
    return same;
}

/* Counts without `visits`, fills with them. */
typedef struct cutter {
    htmmu_visit *visits;
    uint64_t *units;
    uint64_t count, requests, unit_count, unit_requests;
    htmmu_visit last; /* the visit so far, not yet written */
    const uint16_t *requesters;
    unsigned shift;
    mixture large;
} cutter;

static unsigned shift_at(const cutter *c, uint64_t address)
{
    return c->large.shift && is_large(&c->large, address) ? c->large.shift : c->shift;
}

static void close_visit(cutter *c)
{
    if (c->last.requests == 0)
        return;
    if (c->visits)
        c->visits[c->count] = c->last;
    c->count++;
    c->last.requests = 0;
}

static bool goes_on(const cutter *c, uint64_t page, uint32_t access)
{
    if (page != c->last.page || c->last.requests == UINT32_MAX)
        return false;
    return !c->requesters || c->requesters[access] == c->requesters[c->last.first];
}

static void add_request(cutter *c, uint64_t page, uint32_t access)
{
    bool fresh = c->requests % c->unit_requests == 0;
    if (fresh || !goes_on(c, page, access))
        close_visit(c);
    if (fresh) {
        if (c->units)
            c->units[c->unit_count] = c->count;
        c->unit_count++;
    }
    if (c->last.requests == 0)
        c->last = (htmmu_visit){.page = page, .first = access};
    c->last.requests++;
    c->requests++;
}

static void add_access(cutter *c, uint64_t address, uint64_t bytes, uint32_t access)
{
    uint64_t end = address + (bytes ? bytes : 1);
    while (address < end) {
        unsigned shift = shift_at(c, address);
        add_request(c, msw_page_key((msw_page){address, shift}), access);
        address = ((address >> shift) + 1) << shift;
    }
}

static void cut(cutter *c, const msw_accesses *accesses)
{
    c->count = c->requests = c->unit_count = 0;
    for (uint64_t i = 0; i < accesses->count; i++)
        add_access(c, accesses->addresses[i],
                   accesses->bytes ? accesses->bytes[i] : accesses->request_bytes, (uint32_t)i);
    close_visit(c);
}

static cutter cutter_of(const htmmu_config *config, uint64_t accesses)
{
    uint64_t unit = msw_div_up(accesses, HTMMU_UNITS_MOST);
    cutter c = {.shift = msw_bits_log2((uint64_t)config->page_size),
                .unit_requests = unit > HTMMU_UNIT_LEAST ? unit : HTMMU_UNIT_LEAST,
                .large = mixture_of(config)};
    return c;
}

int htmmu_build_stream(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err)
{
    (void)extra;
    const msw_accesses *accesses = task->product->data;
    htmmu_stream *stream = msw_arena_zero(arena, 1, sizeof *stream);
    cutter c = cutter_of(task->config, accesses->count);
    c.requesters = htmmu_requesters(task);
    if (accesses->count == 0 || accesses->count > UINT32_MAX)
        return msw_fail(err, "%llu accesses: must be from 1 to 2^32 - 1",
                        (unsigned long long)accesses->count);
    cut(&c, accesses);
    c.visits = msw_arena_take(arena, c.count * sizeof *c.visits);
    c.units = msw_arena_take(arena, (c.unit_count + 1) * sizeof *c.units);
    uint32_t *before = msw_arena_take(arena, c.count * sizeof *before);
    uint32_t *after = msw_arena_take(arena, c.count * sizeof *after);
    if (!stream || !c.visits || !c.units || !before || !after)
        return msw_fail_memory(err);
    cut(&c, accesses);
    c.units[c.unit_count] = c.count;
    MSW_TRY(link_visits(c.visits, c.count, before, after, err));
    *stream = (htmmu_stream){.visits = c.visits,
                             .before = before,
                             .after = after,
                             .units = c.units,
                             .visit_count = c.count,
                             .unit_count = c.unit_count,
                             .requests = c.requests,
                             .unit_requests = c.unit_requests};
    cut_strata(stream);
    *root = stream;
    return 0;
}
