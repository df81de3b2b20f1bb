/* SPDX-License-Identifier: MIT */
/* The artifact: a stream of accesses as page visits, cut into units.
 *
 * An access that crosses a page asks for each of its pages. With mixed page sizes an aligned region
 * of `large_page` bytes is one large page with probability `large_share`, decided by a hash of its
 * address alone. */
#include "mech/htmmu/stream.h"

#include "memsweep/base/bits.h"

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
    if (!stream || !c.visits || !c.units)
        return msw_fail_memory(err);
    cut(&c, accesses);
    c.units[c.unit_count] = c.count;
    *stream = (htmmu_stream){.visits = c.visits,
                             .units = c.units,
                             .visit_count = c.count,
                             .unit_count = c.unit_count,
                             .requests = c.requests,
                             .unit_requests = c.unit_requests};
    *root = stream;
    return htmmu_cut_strata(stream, err);
}
