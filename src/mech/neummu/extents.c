/* SPDX-License-Identifier: MIT */
/* Ranges of memory in order: what one allocation holds, what a tile has written. The first say
 * where large pages can be: an operating system gives one to an aligned area that a single
 * allocation fills; an allocation is a tensor, or several that lie in each other. */
#include "mech/neummu/stream_parts.h"

#include <stdlib.h>

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

int neummu_extents_find(neummu_extents *extents, const msw_npu_product *product, msw_arena *arena,
                        msw_err *err)
{
    uint64_t count = 0;
    extents->list = msw_arena_take(arena, 3 * product->layer_count * sizeof *extents->list + 1);
    if (!extents->list)
        return msw_fail_memory(err);
    for (uint64_t l = 0; l < product->layer_count; l++)
        for (int operand = 0; operand < 3; operand++)
            if (product->layers[l].tensors[operand].bytes)
                extents->list[count++] = product->layers[l].tensors[operand];
    qsort(extents->list, count, sizeof *extents->list, compare);
    extents->count = join(extents->list, count);
    return 0;
}

int neummu_extents_of_rows(neummu_extents *extents, const msw_npu_segment *segments, uint32_t count,
                           msw_arena *arena, msw_err *err)
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
    qsort(extents->list, extents->count, sizeof *extents->list, compare);
    extents->count = join(extents->list, extents->count);
    return 0;
}

/* Returns how many begin at `address` or before. */
static uint64_t begun_by(const neummu_extents *extents, uint64_t address)
{
    uint64_t low = 0, high = extents->count;
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (extents->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool neummu_extents_at(const neummu_extents *extents, uint64_t address, uint64_t *until)
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

bool neummu_extents_hold(const neummu_extents *extents, uint64_t address, uint64_t end)
{
    uint64_t until;
    return neummu_extents_at(extents, address, &until) && end <= until;
}
