/* SPDX-License-Identifier: MIT */
/* A sectored cache: the distance of a line in its set's stack decides. */
#include "mech/mpu/v100/v100.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/hash.h"

#include <string.h>

enum { LINE = 128 };

int v100_cache_init(v100_cache *cache, double bytes, msw_arena *arena, msw_err *err)
{
    double sets = bytes / (LINE * V100_WAYS);
    cache->sets = sets < 1 ? 1 : (uint32_t)sets;
    size_t count = (size_t)cache->sets * V100_WAYS;
    cache->lines = msw_arena_zero(arena, count, sizeof *cache->lines);
    cache->held = msw_arena_zero(arena, count, 1);
    cache->dirty = msw_arena_zero(arena, count, 1);
    return cache->lines && cache->held && cache->dirty ? 0 : msw_fail_memory(err);
}

/* Moves way `way` of a set to the front. */
static void touch(v100_cache *c, size_t base, uint32_t way, uint64_t line, uint8_t held,
                  uint8_t dirty)
{
    memmove(c->lines + base + 1, c->lines + base, way * sizeof *c->lines);
    memmove(c->held + base + 1, c->held + base, way);
    memmove(c->dirty + base + 1, c->dirty + base, way);
    c->lines[base] = line;
    c->held[base] = held;
    c->dirty[base] = dirty;
}

/* Sets are chosen by a hash: arrays a power of two apart do not meet in one. */
static size_t set_of(const v100_cache *c, uint64_t number)
{
    uint64_t mixed = number * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) % c->sets * V100_WAYS;
}

uint32_t v100_cache_use(v100_cache *c, uint64_t line, uint32_t sectors, bool write,
                        uint32_t *written_back)
{
    uint64_t number = line / LINE;
    size_t base = set_of(c, number);
    uint32_t way = 0;
    while (way < V100_WAYS && c->lines[base + way] != number + 1)
        way++;
    bool found = way < V100_WAYS;
    uint32_t last = found ? way : V100_WAYS - 1;
    uint8_t held = found ? c->held[base + way] : 0, dirty = found ? c->dirty[base + way] : 0;
    *written_back = found ? 0 : c->dirty[base + last];
    uint32_t missing = write ? 0 : sectors & ~(uint32_t)held;
    touch(c, base, last, number + 1, (uint8_t)(held | sectors),
          (uint8_t)(dirty | (write ? sectors : 0)));
    return missing;
}

uint64_t v100_cache_flush(v100_cache *c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < (size_t)c->sets * V100_WAYS; i++) {
        sum += msw_bits_count(c->dirty[i]);
        c->dirty[i] = 0;
    }
    return sum;
}
