/* SPDX-License-Identifier: MIT */
/* Which slice a line belongs to: docs/models/sim-cache.md. */
#ifndef MSW_SIM_CACHE_SLICE_HASH_H
#define MSW_SIM_CACHE_SLICE_HASH_H

#include "memsweep/sim/cache.h"

/* Returns 0, or -1 with what is wrong with hash and number of slices. */
int msw_slice_hash_check(const msw_cache_config *config, msw_err *err);

/* Prepares the masks of a cache. */
void msw_slice_hash_init(msw_cache *cache, const msw_cache_config *config);

static inline uint32_t msw_slice_hash_parity(uint64_t bits)
{
    for (unsigned shift = 32; shift; shift /= 2)
        bits ^= bits >> shift;
    return bits & 1;
}

/* Returns the slice of a line number where slices are hashed. */
static inline uint32_t msw_slice_hash_of(const msw_cache *cache, uint64_t number)
{
    uint32_t slice = 0;
    for (unsigned bit = 0; bit < cache->slice_bits; bit++)
        slice |= msw_slice_hash_parity(number & cache->slice_masks[bit]) << bit;
    return slice;
}

/* Returns the set of such a line among those of all slices. */
static inline uint32_t msw_slice_hash_set(const msw_cache *cache, uint64_t number)
{
    uint32_t sets = cache->lines.sets >> cache->slice_bits;
    uint64_t row = number >> cache->slice_bits;
    uint32_t set = sets & (sets - 1) ? (uint32_t)(row % sets) : (uint32_t)row & (sets - 1);
    return set << cache->slice_bits | msw_slice_hash_of(cache, number);
}

#endif
