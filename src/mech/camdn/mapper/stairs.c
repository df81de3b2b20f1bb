/* SPDX-License-Identifier: MIT */
/* Staircases: steps of rising cache and falling memory traffic. */
#include "mech/camdn/mapper/mapper.h"

#include <string.h>

/* The first step that holds more cache. */
static size_t after(const camdn_stair_list *list, uint64_t cache_bytes)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->steps[middle].cache_bytes > cache_bytes)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Of steps that move and hold the same, the one that asks the cache for less. */
static bool is_no_better(const camdn_step *old, const camdn_step *step)
{
    if (old->dram_bytes != step->dram_bytes)
        return old->dram_bytes < step->dram_bytes;
    return old->cache_bytes < step->cache_bytes || old->npu_bytes <= step->npu_bytes;
}

static bool make_room(camdn_stair_list *list)
{
    if (list->count < list->room)
        return true;
    size_t room = list->room ? 2 * list->room : 64;
    camdn_step *steps = msw_arena_take(list->arena, room * sizeof *steps);
    if (!steps) {
        list->failed = true;
        return false;
    }
    if (list->count)
        memcpy(steps, list->steps, list->count * sizeof *steps);
    list->steps = steps;
    list->room = room;
    return true;
}

void camdn_stairs_add(camdn_stair_list *list, const camdn_step *step)
{
    size_t at = after(list, step->cache_bytes), end = at;
    if ((at > 0 && is_no_better(&list->steps[at - 1], step)) || !make_room(list))
        return;
    if (at > 0 && list->steps[at - 1].cache_bytes == step->cache_bytes)
        at--;
    while (end < list->count && list->steps[end].dram_bytes >= step->dram_bytes)
        end++;
    size_t rest = list->count - end;
    memmove(&list->steps[at + 1], &list->steps[end], rest * sizeof *list->steps);
    list->steps[at] = *step;
    list->count = at + 1 + rest;
}
