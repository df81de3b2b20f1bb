/* SPDX-License-Identifier: MIT */
/* zipf: ranks with probabilities proportional to 1 / rank^s, drawn in constant time and memory.
 *
 * Ranks are grouped in bins: the first ones alone, the others in bins that grow by a constant
 * factor. A bin is drawn by Walker's alias method (1977), a rank in it by rejection from a uniform
 * one; almost all draws are accepted without computing a power. */
#ifndef MSW_WORKLOAD_SPARSE_ZIPF_H
#define MSW_WORKLOAD_SPARSE_ZIPF_H

#include <stdint.h>

enum { MSW_ZIPF_BIN_BITS = 9, MSW_ZIPF_BINS = 1 << MSW_ZIPF_BIN_BITS };

typedef struct msw_zipf_bin {
    uint32_t first, width; /* ranks from 0 */
    uint32_t threshold;    /* below: this bin; else: */
    uint32_t alias;
} msw_zipf_bin;

typedef struct msw_zipf {
    double exponent;
    uint32_t keep; /* accepted whatever the rank, of 2^32 */
    msw_zipf_bin bins[MSW_ZIPF_BINS];
} msw_zipf;

/* Prepares `count` ranks (1 to 2^31); the exponent is not negative, 0 is uniform. */
void msw_zipf_init(msw_zipf *zipf, uint32_t count, double exponent);

/* Which number to draw: each is drawn on its own. */
typedef struct msw_zipf_draw {
    uint64_t seed, index;
    uint32_t stream;
} msw_zipf_draw;

/* Returns a rank from 0. */
uint32_t msw_zipf_at(const msw_zipf *zipf, msw_zipf_draw draw);

#endif
