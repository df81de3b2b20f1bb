/* SPDX-License-Identifier: MIT */
#include "analysis/pareto/rows.h"

#include "memsweep/base/bits.h"

#include <string.h>

static size_t words(size_t bits)
{
    return (bits + 63) / 64;
}

int ladder_init(ladder *steps, size_t size, msw_arena *arena)
{
    size = size ? size : 1;
    steps->levels = 0;
    for (size_t count = size; steps->levels == 0 || count > 1; steps->levels++) {
        count = words(count);
        if (!(steps->bits[steps->levels] = msw_arena_zero(arena, count, sizeof(uint64_t))))
            return -1;
    }
    steps->size = size;
    steps->value = msw_arena_take(arena, size * sizeof *steps->value);
    return steps->value ? 0 : -1;
}

void ladder_reset(ladder *steps, size_t size)
{
    size_t old = steps->size;
    for (unsigned level = 0; level < steps->levels; level++) {
        old = words(old);
        memset(steps->bits[level], 0, old * sizeof(uint64_t));
    }
    steps->size = size ? size : 1;
}

int64_t ladder_at_or_below(const ladder *steps, int64_t key)
{
    for (unsigned level = 0; level < steps->levels && key >= 0; level++) {
        uint64_t word = steps->bits[level][key >> 6] & UINT64_MAX >> (63 - (key & 63));
        if (word) {
            key = (key & ~(int64_t)63) | msw_bits_highest(word);
            while (level-- > 0)
                key = key << 6 | msw_bits_highest(steps->bits[level][key]);
            return key;
        }
        key = (key >> 6) - 1;
    }
    return LADDER_NONE;
}

int64_t ladder_above(const ladder *steps, int64_t key)
{
    int64_t limit = (int64_t)steps->size;
    for (unsigned level = 0; level < steps->levels; level++) {
        key++;
        if (key >= limit)
            return LADDER_NONE;
        uint64_t word = steps->bits[level][key >> 6] >> (key & 63);
        if (word) {
            key += msw_bits_lowest(word);
            while (level-- > 0)
                key = key << 6 | msw_bits_lowest(steps->bits[level][key]);
            return key;
        }
        key >>= 6;
        limit = (limit + 63) >> 6;
    }
    return LADDER_NONE;
}

void ladder_insert(ladder *steps, int64_t key, int32_t value)
{
    steps->value[key] = value;
    for (unsigned level = 0; level < steps->levels; level++, key >>= 6)
        steps->bits[level][key >> 6] |= (uint64_t)1 << (key & 63);
}

void ladder_erase(ladder *steps, int64_t key)
{
    for (unsigned level = 0; level < steps->levels; level++, key >>= 6)
        if (steps->bits[level][key >> 6] &= ~((uint64_t)1 << (key & 63)))
            return;
}

int32_t ladder_lowest(const ladder *steps, int64_t key)
{
    int64_t at = ladder_at_or_below(steps, key);
    return at < 0 ? INT32_MAX : steps->value[at];
}

void ladder_put(ladder *steps, int64_t key, int32_t value)
{
    if (ladder_lowest(steps, key) <= value)
        return;
    ladder_insert(steps, key, value);
    for (int64_t at; (at = ladder_above(steps, key)) >= 0 && steps->value[at] >= value;)
        ladder_erase(steps, at);
}
