/* SPDX-License-Identifier: MIT */
/* What the kinds of sparse workload share: pieces of a request, scattered rows, random draws. */
#include "memsweep/base/rng.h"

#include "memsweep/base/bits.h"
#include "workload/sparse/parts.h"

#include <math.h>
#include <string.h>

double msw_sparse_pieces(const msw_sparse_sink *sink, double bytes)
{
    double request = (double)sink->mask + 1;
    bool aligned = fmod(bytes, request) == 0 || fmod(request, bytes) == 0;
    return aligned ? ceil(bytes / request) : floor((bytes - 2) / request) + 2;
}

uint32_t msw_sparse_scatter(uint32_t index, uint32_t n, uint64_t key)
{
    unsigned bits = msw_bits_log2_up(n);
    uint64_t mask = msw_bits_mask(bits), x = index;
    do
        for (int round = 0; round < 2; round++) {
            x = (x * UINT64_C(0x9E3779B97F4A7C15) + key * UINT64_C(0xD1B54A32D192ED03)) & mask;
            x ^= x >> (bits / 2 + 1);
        }
    while (x >= n);
    return (uint32_t)x;
}

uint32_t msw_sparse_random(const msw_sparse_sink *sink, uint32_t stream, uint64_t index)
{
    uint32_t key[2] = {(uint32_t)sink->seed, (uint32_t)(sink->seed >> 32)}, r[4];
    uint64_t block = index >> 2;
    uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32), stream, 0};
    msw_philox(counter, key, r);
    return r[index & 3];
}
