/* SPDX-License-Identifier: MIT */
/* Stack distances of a stream: a hash table of keys over a tree of the times of last accesses. */
#include "memsweep/sim/reuse.h"

#include "sim/block.h"

#include "memsweep/base/bits.h"

static size_t layout(msw_reuse *reuse, uint32_t capacity, void *memory)
{
    uint32_t size = (uint32_t)msw_bits_power(msw_max_u64(2 * (uint64_t)capacity, 4));
    msw_memory_block block = {memory, 0};
    *reuse = (msw_reuse){.capacity = capacity, .mask = size - 1};
    reuse->keys = msw_memory_block_take(&block, size * sizeof *reuse->keys);
    reuse->last = msw_memory_block_zero(&block, size * sizeof *reuse->last);
    uint32_t *times = msw_memory_block_zero(&block, msw_lru_stack_words(size) * sizeof *times);
    msw_lru_stack_init(&reuse->used, size, times);
    reuse->owner = msw_memory_block_zero(&block, ((size_t)size + 1) * sizeof *reuse->owner);
    reuse->counts = msw_memory_block_zero(&block, capacity * sizeof *reuse->counts);
    return block.used;
}

size_t msw_reuse_bytes(uint32_t capacity)
{
    msw_reuse reuse;
    return layout(&reuse, capacity, NULL);
}

int msw_reuse_init(msw_reuse *reuse, uint32_t capacity, void *memory, msw_err *err)
{
    if (capacity == 0 || capacity > 1u << 28)
        return msw_fail(err, "reuse profile of %u keys: must be from 1 to 2^28", capacity);
    layout(reuse, capacity, memory);
    return 0;
}

/* Out of times: renumbers the last accesses from 1 up, in their order. */
static void compact(msw_reuse *reuse)
{
    uint32_t kept = 0;
    for (uint32_t time = 1; time <= reuse->used.times; time++) {
        uint32_t owner = reuse->owner[time];
        reuse->owner[time] = 0;
        if (owner) {
            reuse->owner[++kept] = owner;
            reuse->last[owner - 1] = kept;
        }
    }
    msw_lru_stack_renumber(&reuse->used);
}

static uint32_t position(const msw_reuse *reuse, uint64_t key)
{
    uint32_t at = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & reuse->mask;
    while (reuse->last[at] && reuse->keys[at] != key)
        at = (at + 1) & reuse->mask;
    return at;
}

/* The same; `distance` becomes the stack distance of the access, MSW_REUSE_COLD for the first of
 * its key. Returns 0, or -1. */
static int next_distance(msw_reuse *reuse, uint64_t key, uint32_t *distance, msw_err *err)
{
    uint32_t at = position(reuse, key);
    bool cold = reuse->last[at] == 0;
    if (cold && reuse->used.keys == reuse->capacity)
        return msw_fail(err, "more than %u different keys in a reuse profile", reuse->capacity);
    if (reuse->used.now == reuse->used.times)
        compact(reuse);
    if (cold) {
        reuse->keys[at] = key;
        reuse->cold++;
        *distance = MSW_REUSE_COLD;
    } else {
        *distance = msw_lru_stack_since(&reuse->used, reuse->last[at]);
        reuse->counts[*distance]++;
        reuse->owner[reuse->last[at]] = 0;
    }
    reuse->last[at] = msw_lru_stack_use(&reuse->used, reuse->last[at]);
    reuse->owner[reuse->last[at]] = at + 1;
    reuse->accesses++;
    return 0;
}

int msw_reuse_add(msw_reuse *reuse, uint64_t key, msw_err *err)
{
    uint32_t distance;
    return next_distance(reuse, key, &distance, err);
}

uint64_t msw_reuse_hits(const msw_reuse *reuse, uint32_t lines)
{
    uint64_t hits = 0;
    for (uint32_t d = 0; d < lines && d < reuse->used.keys; d++)
        hits += reuse->counts[d];
    return hits;
}
