/* SPDX-License-Identifier: MIT */
#include "memsweep/base/rng.h"

#include "memsweep/base/math.h"

void msw_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0;
        uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

void msw_rng_init(msw_rng *rng, uint64_t seed, uint64_t stream)
{
    *rng = (msw_rng){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                     .counter = {0, 0, (uint32_t)stream, (uint32_t)(stream >> 32)}};
}

void msw_rng_seek(msw_rng *rng, uint64_t block)
{
    rng->counter[0] = (uint32_t)block;
    rng->counter[1] = (uint32_t)(block >> 32);
    rng->left = 0;
}

uint32_t msw_rng_u32(msw_rng *rng)
{
    if (rng->left == 0) {
        msw_philox(rng->counter, rng->key, rng->block);
        rng->left = 4;
        if (++rng->counter[0] == 0)
            ++rng->counter[1];
    }
    return rng->block[--rng->left];
}

uint64_t msw_rng_u64(msw_rng *rng)
{
    uint64_t high = msw_rng_u32(rng);
    return high << 32 | msw_rng_u32(rng);
}

double msw_rng_uniform(msw_rng *rng)
{
    return (double)(msw_rng_u64(rng) >> 11) * 0x1p-53;
}

uint64_t msw_rng_below(msw_rng *rng, uint64_t n)
{
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, draw;
    do
        draw = msw_rng_u64(rng);
    while (draw >= limit);
    return draw % n;
}

double msw_rng_normal(msw_rng *rng)
{
    return msw_math_normal_quantile(((double)(msw_rng_u64(rng) >> 11) + 0.5) * 0x1p-53);
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

uint64_t msw_permute(uint64_t index, uint64_t n, uint64_t key)
{
    int half = 1;
    while (half < 32 && (uint64_t)1 << (2 * half) < n)
        half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    uint64_t rounds = half < 3 ? 16 : 6; /* halves of one or two bits mix slowly */
    do {
        uint64_t left = index >> half, right = index & mask;
        for (uint64_t round = 0; round < rounds; round++) {
            uint64_t next = left ^ (mix(right + mix(key + round)) & mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= n);
    return index;
}
