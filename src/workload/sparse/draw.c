/* SPDX-License-Identifier: MIT */
/* Draws rows: pieces of a request, scattered rows, and ranks with probabilities proportional to 1
 * / rank^s (Zipf's law). */
#include "memsweep/base/rng.h"

#include "workload/sparse/parts.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"

#include <math.h>
#include <string.h>

enum { SINGLE = 64 }; /* ranks with a bin of their own */

/* Sum of x^-s over the whole numbers from a to b - 1, by Euler and Maclaurin to the third
 * derivative; exact to rounding for a >= SINGLE. */
static double mass(double a, double b, double s)
{
    double log_ratio = msw_math_log(b / a), area = log_ratio;
    if (fabs(1 - s) > 1e-9)
        area = msw_math_pow(a, 1 - s) * msw_math_expm1((1 - s) * log_ratio) / (1 - s);
    double fa = msw_math_pow(a, -s), fb = msw_math_pow(b, -s);
    double first = -s * (fb / b - fa / a);
    double third = -s * (s + 1) * (s + 2) * (fb / (b * b * b) - fa / (a * a * a));
    return area + (fa - fb) / 2 + first / 12 - third / 720;
}

/* Cuts ranks into bins. Returns the largest ratio of probabilities within a bin. */
static double cut(msw_zipf *zipf, uint32_t count, double weights[MSW_ZIPF_BINS])
{
    double s = zipf->exponent, from = SINGLE, lowest = 1;
    double growth =
        count > SINGLE ? msw_math_pow((double)count / SINGLE, 1.0 / (MSW_ZIPF_BINS - SINGLE)) : 1;
    uint32_t next = 0;
    for (int b = 0; b < MSW_ZIPF_BINS; b++) {
        double edge = b < SINGLE ? b + 1 : from * msw_math_pow(growth, b - SINGLE + 1);
        uint32_t end = b == MSW_ZIPF_BINS - 1 || edge >= count ? count : (uint32_t)edge;
        if (end <= next)
            end = next < count ? next + 1 : count;
        zipf->bins[b] = (msw_zipf_bin){.first = next, .width = end - next};
        weights[b] = end == next       ? 0
                     : end - next == 1 ? msw_math_pow(next + 1.0, -s)
                                       : mass(next + 1.0, end + 1.0, s);
        if (end > next)
            lowest = fmin(lowest, msw_math_pow((next + 1.0) / end, s));
        next = end;
    }
    return lowest;
}

/* Vose's way of filling the alias table. */
static void fill_aliases(msw_zipf *zipf, double weights[MSW_ZIPF_BINS])
{
    int small[MSW_ZIPF_BINS], large[MSW_ZIPF_BINS], smalls = 0, larges = 0;
    double sum = 0;
    for (int b = 0; b < MSW_ZIPF_BINS; b++)
        sum += weights[b];
    for (int b = 0; b < MSW_ZIPF_BINS; b++) {
        weights[b] *= MSW_ZIPF_BINS / sum;
        if (weights[b] < 1)
            small[smalls++] = b;
        else
            large[larges++] = b;
    }
    while (smalls && larges) {
        int s = small[--smalls], l = large[larges - 1];
        zipf->bins[s].threshold = (uint32_t)fmin(weights[s] * 0x1p32, UINT32_MAX);
        zipf->bins[s].alias = (uint32_t)l;
        weights[l] -= 1 - weights[s];
        if (weights[l] < 1)
            small[smalls++] = large[--larges];
    }
    for (int i = 0; i < larges + smalls; i++) {
        int b = i < larges ? large[i] : small[i - larges];
        zipf->bins[b].threshold = UINT32_MAX;
        zipf->bins[b].alias = (uint32_t)b;
    }
}

void msw_zipf_init(msw_zipf *zipf, uint32_t count, double exponent)
{
    double weights[MSW_ZIPF_BINS];
    zipf->exponent = exponent;
    zipf->keep = (uint32_t)(cut(zipf, count, weights) * UINT32_MAX);
    fill_aliases(zipf, weights);
}

uint32_t msw_zipf_at(const msw_zipf *zipf, msw_zipf_draw draw)
{
    uint32_t key[2] = {(uint32_t)draw.seed, (uint32_t)(draw.seed >> 32)}, r[4];
    uint32_t counter[4] = {(uint32_t)draw.index, (uint32_t)(draw.index >> 32), draw.stream, 0};
    for (;; counter[3]++) {
        msw_philox(counter, key, r);
        const msw_zipf_bin *bin = &zipf->bins[r[0] >> (32 - MSW_ZIPF_BIN_BITS)];
        if (r[1] >= bin->threshold)
            bin = &zipf->bins[bin->alias];
        uint32_t rank = bin->first + (uint32_t)((uint64_t)r[2] * bin->width >> 32);
        if (bin->width == 1 || r[3] < zipf->keep)
            return rank;
        if (r[3] < msw_math_pow((bin->first + 1.0) / (rank + 1.0), zipf->exponent) * 0x1p32)
            return rank;
    }
}

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
