/* SPDX-License-Identifier: MIT */
/* The artifact: on which page, of which device, each request falls. Tables, or shares of them,
 * follow each other device after device, so that no page has rows of two. For the closed form it
 * holds visits, their LRU stack distances and segments. The distance of a visit is the number of
 * pages used since the last visit on its page. */
#include "mech/neummu_sparse/stream.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/map.h"
#include "memsweep/base/search.h"
#include "memsweep/sim/lru_stack.h"

#include <string.h>

enum { AREA_SHIFT = 21, ADDRESS_BITS = 47 };

/* Where the rows of a region go. */
typedef struct home {
    const msw_region *region;
    uint64_t row_bytes;                    /* what moves as a whole */
    uint64_t shares;                       /* devices that have some */
    uint64_t bases[NEUMMU_SPARSE_DEVICES]; /* offset on each */
    uint8_t device;                        /* of a whole table */
} home;

typedef struct builder {
    const neummu_sparse_config *config;
    const msw_accesses *accesses;
    home *region_homes;
    uint64_t home_count, last; /* the home of the request before: most are in the same */
    uint64_t ends[NEUMMU_SPARSE_DEVICES], starts[NEUMMU_SPARSE_DEVICES]; /* of devices */
    msw_set keys;                                                        /* page numbers */
    uint32_t *ids;                                                       /* by their slots */
    uint32_t *pages, *first_batch;
    uint64_t *numbers;
    uint8_t *homes;
    uint64_t page_count;
} builder;

static uint64_t place_share(builder *b, uint64_t device, uint64_t bytes)
{
    uint64_t granule = (uint64_t)b->config->mmu.page_size;
    uint64_t base = msw_align_up(b->ends[device], msw_max_u64(granule, 1 << AREA_SHIFT));
    b->ends[device] = base + bytes;
    return base;
}

static void assign_region(builder *b, uint64_t number, home *p)
{
    uint64_t devices = (uint64_t)b->config->devices;
    uint64_t rows = p->region->bytes / p->row_bytes + (p->region->bytes % p->row_bytes != 0);
    if (b->config->placement == NEUMMU_SPARSE_TABLES) {
        p->shares = 1;
        p->device = (uint8_t)(number % devices);
        p->bases[0] = place_share(b, p->device, p->region->bytes);
        return;
    }
    p->shares = devices;
    for (uint64_t d = 0; d < devices; d++)
        p->bases[d] = place_share(b, d, (rows + devices - 1 - d) / devices * p->row_bytes);
}

/* What is not made of rows is spread by pages, at least of 4 KiB. */
static int assign_regions(builder *b, msw_arena *arena, msw_err *err)
{
    const msw_accesses *a = b->accesses;
    b->region_homes = msw_arena_zero(arena, a->region_count + 1, sizeof *b->region_homes);
    if (!b->region_homes)
        return msw_fail_memory(err);
    for (uint64_t r = 0; r < a->region_count; r++) {
        home *p = &b->region_homes[r];
        p->region = &a->regions[r];
        p->row_bytes = p->region->rows ? p->region->row_bytes : (uint64_t)b->config->mmu.page_size;
        assign_region(b, r, p);
    }
    b->home_count = a->region_count;
    uint64_t start = (uint64_t)1 << 32;
    for (uint64_t d = 0; d < NEUMMU_SPARSE_DEVICES; d++) {
        b->starts[d] = start;
        start = msw_align_up(start + b->ends[d], (uint64_t)1 << 30);
    }
    return start >> ADDRESS_BITS ? msw_fail(err, "the tables take more than 2^47 bytes") : 0;
}

static const home *find_home(builder *b, uint64_t address)
{
    uint64_t after;
    const msw_region *same = b->region_homes[b->last].region;
    if (address - same->address < same->bytes)
        return &b->region_homes[b->last];
    MSW_SEARCH(after, 1, b->home_count, b->region_homes[after].region->address <= address);
    b->last = after - 1;
    return &b->region_homes[b->last];
}

/* A trace has no regions: areas of 2 MiB, or pages where those are larger, go round. */
static uint64_t move_area(const builder *b, uint64_t address, uint8_t *device)
{
    uint64_t page = (uint64_t)b->config->mmu.page_size;
    uint64_t area = msw_max_u64(page, 1 << AREA_SHIFT);
    *device = (uint8_t)(address / area % (uint64_t)b->config->devices);
    return address;
}

/* The new address of a request, and the device that has it. */
static uint64_t move(builder *b, uint64_t address, uint8_t *device)
{
    if (b->home_count == 0)
        return move_area(b, address, device);
    const home *p = find_home(b, address);
    uint64_t offset = address - p->region->address;
    if (p->shares == 1) {
        *device = p->device;
        return b->starts[p->device] + p->bases[0] + offset;
    }
    uint64_t row = offset / p->row_bytes;
    *device = (uint8_t)(row % p->shares);
    return b->starts[*device] + p->bases[*device] + row / p->shares * p->row_bytes +
           offset % p->row_bytes;
}

static uint32_t page_id(builder *b, uint64_t number, uint8_t device, uint32_t batch)
{
    size_t at = msw_set_slot(&b->keys, number);
    if (!b->keys.slots[at]) {
        b->keys.slots[at] = number + 1;
        b->ids[at] = (uint32_t)b->page_count;
        b->numbers[b->page_count] = number;
        b->homes[b->page_count] = device;
        b->first_batch[b->page_count++] = batch;
    }
    return b->ids[at];
}

static void add_request(builder *b, neummu_sparse_batch *batch, uint32_t number, uint64_t i,
                        unsigned shift, uint64_t from[NEUMMU_SPARSE_DEVICES])
{
    uint8_t device;
    uint64_t address = move(b, b->accesses->addresses[i], &device), before = b->page_count;
    uint64_t bytes = neummu_sparse_bytes(b->accesses, i);
    b->pages[i] = page_id(b, address >> shift, device, number);
    batch->bytes += bytes;
    if (device == 0)
        return;
    batch->remote++;
    batch->remote_bytes += bytes;
    batch->faults += b->page_count > before;
    batch->sources += from[device] == 0;
    from[device] += bytes;
    if (from[device] > batch->busiest_bytes)
        batch->busiest_bytes = from[device];
}

static uint64_t batch_first(const msw_accesses *a, uint64_t batch)
{
    if (batch >= a->batch_count)
        return a->count;
    return a->batches ? a->batches[batch] : 0;
}

static void add_batch(builder *b, neummu_sparse_batch *batch, uint32_t number, unsigned shift)
{
    uint64_t from[NEUMMU_SPARSE_DEVICES] = {0}, end = batch_first(b->accesses, number + 1);
    *batch = (neummu_sparse_batch){.first = batch_first(b->accesses, number)};
    batch->count = end - batch->first;
    for (uint64_t i = batch->first; i < end; i++)
        add_request(b, batch, number, i, shift, from);
}

static int allocate_pages(builder *b, msw_arena *arena, msw_err *err)
{
    uint64_t count = b->accesses->count;
    b->pages = msw_arena_take(arena, count * sizeof *b->pages);
    b->numbers = msw_arena_take(arena, count * sizeof *b->numbers);
    b->first_batch = msw_arena_take(arena, count * sizeof *b->first_batch);
    b->homes = msw_arena_take(arena, count * sizeof *b->homes);
    return b->pages && b->numbers && b->first_batch && b->homes ? 0 : msw_fail_memory(err);
}

static int find_pages(builder *b, neummu_sparse_stream *stream, neummu_sparse_batch *batches,
                      msw_arena *arena, msw_err *err)
{
    msw_arena_mark mark = msw_arena_now(arena);
    size_t slots = msw_set_slots(b->accesses->count);
    uint64_t *keys = msw_arena_take(arena, slots * sizeof *keys);
    b->ids = msw_arena_take(arena, slots * sizeof *b->ids);
    if (!keys || !b->ids)
        return msw_fail_memory(err);
    msw_set_init(&b->keys, keys, b->accesses->count);
    MSW_TRY(assign_regions(b, arena, err));
    for (uint64_t n = 0; n < stream->batch_count; n++) {
        add_batch(b, &batches[n], (uint32_t)n, stream->page_shift);
        if (batches[n].count > stream->largest_batch)
            stream->largest_batch = batches[n].count;
    }
    msw_arena_release(arena, mark);
    return 0;
}

enum { FAR_BIN = 9, AREA_2M = 21, HISTORY = 1024 };

typedef struct profile {
    const neummu_sparse_stream *stream;
    msw_lru_stack used;        /* a time is a visit */
    uint32_t *last;            /* by page: its last visit, from 1; 0: none */
    uint64_t history[HISTORY]; /* page numbers of the last far visits */
    uint64_t fars;
    neummu_sparse_segment *segments;
    uint64_t count;
} profile;

static unsigned bin_of(uint32_t distance)
{
    return (unsigned)msw_min_u64(msw_bits_width(distance), NEUMMU_SPARSE_DEPTHS - 1);
}

static void add_far(profile *p, neummu_sparse_segment *s, uint64_t number)
{
    unsigned shift = p->stream->page_shift;
    s->far++;
    for (unsigned k = 0; k < NEUMMU_SPARSE_LAGS && p->fars >= (uint64_t)1 << 2 * k; k++) {
        uint64_t other = p->history[(p->fars - ((uint64_t)1 << 2 * k)) % HISTORY];
        for (unsigned area = 0; area < NEUMMU_SPARSE_AREAS; area++) {
            unsigned bits = AREA_2M + 9 * area;
            s->shared[k][area] +=
                bits >= shift && number >> (bits - shift) == other >> (bits - shift);
        }
    }
    p->history[p->fars++ % HISTORY] = number;
}

static void add_visit(profile *p, neummu_sparse_segment *s, uint32_t page)
{
    uint32_t last = p->last[page], bin = NEUMMU_SPARSE_DEPTHS;
    if (last) {
        bin = bin_of(msw_lru_stack_since(&p->used, last));
        s->reused[bin]++;
    } else {
        s->cold++;
        s->faults += p->stream->homes[page] != 0;
    }
    p->last[page] = msw_lru_stack_use(&p->used, last);
    s->visits++;
    if (bin >= FAR_BIN)
        add_far(p, s, p->stream->numbers[page]);
}

static void profile_batch(profile *p, neummu_sparse_batch *batch)
{
    const neummu_sparse_stream *stream = p->stream;
    uint32_t before = UINT32_MAX;
    batch->segment_first = p->count;
    for (uint64_t i = batch->first; i < batch->first + batch->count; i++) {
        uint32_t page = stream->pages[i];
        bool begins = p->count == batch->segment_first ||
                      (page != before && p->segments[p->count - 1].visits == NEUMMU_SPARSE_VISITS);
        if (begins)
            p->segments[p->count++] = (neummu_sparse_segment){0};
        neummu_sparse_segment *s = &p->segments[p->count - 1];
        if (page != before)
            add_visit(p, s, page);
        uint64_t bytes = neummu_sparse_bytes(stream->accesses, i);
        bool remote = stream->homes[page] != 0;
        s->requests++;
        s->bytes += bytes;
        s->remote += remote;
        s->remote_bytes += remote ? bytes : 0;
        before = page;
    }
    batch->segment_count = p->count - batch->segment_first;
}

/* Every batch begins a visit. */
static uint64_t count_visits(const neummu_sparse_stream *stream)
{
    uint64_t visits = 0;
    for (uint64_t n = 0; n < stream->batch_count; n++) {
        const neummu_sparse_batch *b = &stream->batches[n];
        for (uint64_t i = b->first; i < b->first + b->count; i++)
            visits += i == b->first || stream->pages[i] != stream->pages[i - 1];
    }
    return visits;
}

/* Fills in visits, reuse and segments of a stream whose pages are known. */
static int neummu_sparse_profile(neummu_sparse_stream *stream, neummu_sparse_batch *batches,
                                 msw_arena *arena, msw_err *err)
{
    uint64_t visits = count_visits(stream);
    if (visits >= UINT32_MAX)
        return msw_fail(err, "%llu page visits: at most 2^32 - 2", (unsigned long long)visits);
    profile p = {.stream = stream};
    p.segments = msw_arena_take(arena, (visits / NEUMMU_SPARSE_VISITS + stream->batch_count) *
                                           sizeof *p.segments);
    msw_arena_mark now = msw_arena_now(arena);
    uint32_t *times = msw_arena_zero(arena, msw_lru_stack_words((uint32_t)visits), sizeof *times);
    p.last = msw_arena_zero(arena, stream->page_count, sizeof *p.last);
    if (!p.segments || !times || !p.last)
        return msw_fail_memory(err);
    msw_lru_stack_init(&p.used, (uint32_t)visits, times);
    for (uint64_t n = 0; n < stream->batch_count; n++)
        profile_batch(&p, &batches[n]);
    stream->segments = p.segments;
    stream->segment_count = p.count;
    msw_arena_release(arena, now);
    return 0;
}

int neummu_sparse_build(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err)
{
    (void)extra;
    const msw_accesses *a = task->product->data;
    builder b = {.config = task->config, .accesses = a};
    neummu_sparse_stream *s = msw_arena_zero(arena, 1, sizeof *s);
    neummu_sparse_batch *batches = msw_arena_zero(arena, a->batch_count, sizeof *batches);
    if (!s || !batches)
        return msw_fail_memory(err);
    if (a->count > UINT32_MAX / 2)
        return msw_fail(err, "more than 2^31 requests");
    s->accesses = a;
    s->batch_count = a->batch_count;
    s->page_shift = msw_bits_log2((uint64_t)b.config->mmu.page_size);
    if (allocate_pages(&b, arena, err) || find_pages(&b, s, batches, arena, err))
        return -1;
    s->pages = b.pages;
    s->numbers = b.numbers;
    s->homes = b.homes;
    s->first_batch = b.first_batch;
    s->page_count = b.page_count;
    s->batches = batches;
    *root = s;
    return neummu_sparse_profile(s, batches, arena, err);
}
