/* SPDX-License-Identifier: MIT */
/* Cuts tiles into page visits of DMA transactions, and knows what lies where.
 *
 * A row of bytes is cut at every multiple of dma_bytes, so that no transaction crosses a page; what
 * is next to each other in the order of issue and lies on the same page is one visit. Visits do not
 * reach over the end of a flow: loads that wait are not issued with those that do not.
 *
 * Ranges of memory in order: what one allocation holds, what a tile has written. The first say
 * where large pages can be: an operating system gives one to an aligned area that a single
 * allocation fills; an allocation is a tensor, or several that lie in each other. */
#include "mech/neummu/stream.h"

#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"

#include <stdlib.h>

/* The tensors of a product, those that share memory as one, in order of addresses. */
typedef struct neummu_extents {
    msw_npu_tensor *list;
    uint64_t count;
} neummu_extents;

static int compare(const void *a, const void *b)
{
    uint64_t x = ((const msw_npu_tensor *)a)->address, y = ((const msw_npu_tensor *)b)->address;
    return (x > y) - (x < y);
}

/* Joins what overlaps in a sorted list. Returns how many are left. */
static uint64_t join(msw_npu_tensor *list, uint64_t count)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t end = list[i].address + list[i].bytes;
        msw_npu_tensor *last = kept ? &list[kept - 1] : NULL;
        if (!last || list[i].address >= last->address + last->bytes)
            list[kept++] = list[i];
        else if (end > last->address + last->bytes)
            last->bytes = end - last->address;
    }
    return kept;
}

/* Finds them. */
static int neummu_extents_find(neummu_extents *extents, const msw_npu_product *product,
                               msw_arena *arena, msw_err *err)
{
    uint64_t count = 0;
    extents->list = msw_arena_take(arena, 3 * product->layer_count * sizeof *extents->list + 1);
    if (!extents->list)
        return msw_fail_memory(err);
    for (uint64_t l = 0; l < product->layer_count; l++)
        for (int operand = 0; operand < 3; operand++)
            if (product->layers[l].tensors[operand].bytes)
                extents->list[count++] = product->layers[l].tensors[operand];
    msw_sort(extents->list, count, sizeof *extents->list, compare);
    extents->count = join(extents->list, count);
    return 0;
}

/* Finds the rows that segments cover. */
static int neummu_extents_of_rows(neummu_extents *extents, const msw_npu_segment *segments,
                                  uint32_t count, msw_arena *arena, msw_err *err)
{
    uint64_t rows = 0;
    for (uint32_t s = 0; s < count; s++)
        rows += segments[s].rows;
    *extents = (neummu_extents){.list = msw_arena_take(arena, rows * sizeof *extents->list + 1)};
    if (!extents->list)
        return msw_fail_memory(err);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t row = 0; row < segments[s].rows; row++)
            extents->list[extents->count++] = (msw_npu_tensor){
                segments[s].address + row * segments[s].stride, segments[s].row_bytes};
    msw_sort(extents->list, extents->count, sizeof *extents->list, compare);
    extents->count = join(extents->list, extents->count);
    return 0;
}

/* Returns how many begin at `address` or before. */
static uint64_t begun_by(const neummu_extents *extents, uint64_t address)
{
    uint64_t at;
    MSW_SEARCH(at, 0, extents->count, extents->list[at].address <= address);
    return at;
}

/* Returns whether an address lies inside one; `until` becomes where that ends. */
static bool neummu_extents_at(const neummu_extents *extents, uint64_t address, uint64_t *until)
{
    uint64_t begun = begun_by(extents, address), end = 0;
    if (begun > 0)
        end = extents->list[begun - 1].address + extents->list[begun - 1].bytes;
    *until = begun < extents->count ? extents->list[begun].address : UINT64_MAX;
    if (address >= end)
        return false;
    *until = end;
    return true;
}

/* Returns whether one of them holds all from `address` to `end`. */
static bool neummu_extents_hold(const neummu_extents *extents, uint64_t address, uint64_t end)
{
    uint64_t until;
    return neummu_extents_at(extents, address, &until) && end <= until;
}

/* Counts without `visits`, fills with them. */
typedef struct cutter {
    neummu_visit *visits;
    uint64_t count, page, requests, bytes; /* the last visit so far, not yet written */
    unsigned page_shift, dma_shift;
    const neummu_extents *extents; /* where large pages may lie; NULL: nowhere */
    uint64_t large_bytes;
    const neummu_extents *kept; /* what is on chip; NULL: nothing */
    int boundary;
    const msw_npu_product *product;
    msw_arena *scratch;
} cutter;

static void close_visit(cutter *c)
{
    if (c->requests == 0)
        return;
    if (c->visits)
        c->visits[c->count] = (neummu_visit){c->page, (uint32_t)c->requests, (uint32_t)c->bytes};
    c->count++;
    c->requests = c->bytes = 0;
}

static void add_to_page(cutter *c, uint64_t page, uint64_t address, uint64_t end)
{
    uint64_t requests = ((end - 1) >> c->dma_shift) - (address >> c->dma_shift) + 1;
    bool fits = c->requests + requests <= UINT32_MAX && c->bytes + (end - address) <= UINT32_MAX;
    if (page != c->page || !fits)
        close_visit(c);
    c->page = page;
    c->requests += requests;
    c->bytes += end - address;
}

static void add_part(cutter *c, uint64_t address, uint64_t end)
{
    while (address < end) {
        uint64_t page = address >> c->page_shift, next = (page + 1) << c->page_shift;
        uint64_t area = address & ~(c->large_bytes - 1);
        if (c->extents && neummu_extents_hold(c->extents, area, area + c->large_bytes)) {
            page = area >> c->page_shift | NEUMMU_LARGE;
            next = area + c->large_bytes;
        }
        uint64_t stop = msw_min_u64(next, end);
        add_to_page(c, page, address, stop);
        address = stop;
    }
}

/* What lies on chip needs no transactions. */
static void add_row(cutter *c, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes, until = end;
    for (; address < end; address = until) {
        bool kept = c->kept && neummu_extents_at(c->kept, address, &until);
        until = c->kept ? msw_min_u64(until, end) : end;
        if (!kept)
            add_part(c, address, until);
    }
}

static void add_segments(cutter *c, const msw_npu_segment *segments, uint32_t count)
{
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t row = 0; row < segments[s].rows; row++)
            add_row(c, segments[s].address + row * segments[s].stride, segments[s].row_bytes);
}

static neummu_flow take_flow(cutter *c, const msw_npu_segment *segments, uint32_t count)
{
    uint64_t first = c->count;
    add_segments(c, segments, count);
    close_visit(c);
    neummu_flow flow = {.visits = c->visits ? c->visits + first : NULL, .count = c->count - first};
    for (uint64_t r = 0; c->visits && r < flow.count; r++) {
        flow.requests += flow.visits[r].requests;
        flow.bytes += flow.visits[r].bytes;
    }
    return flow;
}

/* How many of a tile's load segments may go before the tile before has been computed. */
static uint32_t early_segments(const msw_npu_product *product, const msw_npu_tile *tile)
{
    uint32_t early = 0;
    while (tile->overlap == MSW_NPU_WEIGHTS && early < tile->load_count &&
           product->segments[tile->load_first + early].operand == MSW_NPU_WEIGHT)
        early++;
    return early;
}

/* What the loads of a tile wait for that come after `before`, or after none. */
static int boundary_of(const cutter *c, const msw_npu_tile *tile, const msw_npu_tile *before)
{
    if (tile->tile_class != MSW_NPU_FIRST || !c->product->overlaps)
        return NEUMMU_BOUNDARY_STORED;
    bool fits = before && before->store_bytes <= c->product->kept_bytes;
    return c->boundary == NEUMMU_BOUNDARY_FORWARDED && !fits ? NEUMMU_BOUNDARY_STORED : c->boundary;
}

static void cut_loads(cutter *c, const msw_npu_tile *from, neummu_tile *to)
{
    const msw_npu_segment *loads = c->product->segments + from->load_first;
    uint32_t early = to->overlapped ? from->load_count : early_segments(c->product, from);
    to->early = take_flow(c, loads, early);
    to->late = take_flow(c, loads + early, from->load_count - early);
}

static int cut_tile(cutter *c, const msw_npu_tile *from, const msw_npu_tile *before,
                    neummu_tile *to, msw_err *err)
{
    const msw_npu_product *product = c->product;
    neummu_extents kept;
    msw_arena_mark mark = msw_arena_now(c->scratch);
    to->boundary = boundary_of(c, from, before);
    to->overlapped = from->overlap == MSW_NPU_ALL || to->boundary == NEUMMU_BOUNDARY_OVERLAPPED;
    if (!to->overlapped && to->boundary == NEUMMU_BOUNDARY_FORWARDED) {
        if (neummu_extents_of_rows(&kept, product->segments + before->store_first,
                                   before->store_count, c->scratch, err))
            return -1;
        c->kept = &kept;
    }
    cut_loads(c, from, to);
    c->kept = NULL;
    msw_arena_release(c->scratch, mark);
    to->store = take_flow(c, product->segments + from->store_first, from->store_count);
    to->compute_cycles = from->compute_cycles;
    return 0;
}

uint64_t neummu_tile_count(const msw_npu_product *product, const neummu_config *config)
{
    uint64_t count = product->tile_count;
    for (uint64_t l = 0; l < product->layer_count; l++)
        count += config->boundary == NEUMMU_BOUNDARY_FORWARDED && product->layers[l].repeat > 1;
    return count;
}

static int cut_tiles(cutter *c, neummu_tile *tiles, msw_err *err)
{
    const msw_npu_product *product = c->product;
    neummu_tile *again = tiles + product->tile_count;
    c->count = 0;
    for (uint64_t t = 0; t < product->tile_count; t++)
        if (cut_tile(c, &product->tiles[t], t ? &product->tiles[t - 1] : NULL, &tiles[t], err))
            return -1;
    for (uint64_t l = 0; l < product->layer_count; l++) {
        const msw_npu_layer *layer = &product->layers[l];
        const msw_npu_tile *first = &product->tiles[layer->first_tile];
        if (c->boundary == NEUMMU_BOUNDARY_FORWARDED && layer->repeat > 1 &&
            cut_tile(c, first, first + layer->tile_count - 1, again++, err))
            return -1;
    }
    return 0;
}

static int cut_all(cutter *c, msw_arena *arena, neummu_tile *tiles, msw_err *err)
{
    if (cut_tiles(c, tiles, err))
        return -1;
    c->visits = msw_arena_take(arena, c->count * sizeof *c->visits + 1);
    return c->visits ? cut_tiles(c, tiles, err) : msw_fail_memory(err);
}

int neummu_cut(const msw_npu_product *product, const neummu_config *config, msw_arena *arena,
               neummu_tile *tiles, msw_err *err)
{
    msw_arena scratch = {0};
    neummu_extents extents = {0};
    neummu_shifts shifts = neummu_shifts_of(config);
    cutter c = {.page_shift = shifts.small,
                .dma_shift = msw_bits_log2((uint64_t)config->dma_bytes),
                .boundary = (int)config->boundary,
                .product = product,
                .scratch = &scratch,
                .large_bytes = (uint64_t)1 << shifts.large};
    c.extents = shifts.large ? &extents : NULL;
    int rc = shifts.large ? neummu_extents_find(&extents, product, &scratch, err) : 0;
    if (rc == 0)
        rc = cut_all(&c, arena, tiles, err);
    msw_arena_free(&scratch);
    return rc;
}
