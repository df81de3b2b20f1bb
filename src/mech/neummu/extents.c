/* Where large pages can be: an operating system gives one to an aligned area that a single
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

bool neummu_extents_hold(const neummu_extents *extents, uint64_t address, uint64_t end)
{
    uint64_t low = 0, high = extents->count;
    while (low < high) { /* the first that begins after `address` */
        uint64_t middle = (low + high) / 2;
        if (extents->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    const msw_npu_tensor *t = &extents->list[low - 1];
    return end <= t->address + t->bytes;
}
