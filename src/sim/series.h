/* SPDX-License-Identifier: MIT */
/* Sums over series of requests spaced evenly in time. All arithmetic is modulo 2^64: differences of
 * such sums are right whenever the difference itself fits. */
#ifndef MSW_SIM_SERIES_H
#define MSW_SIM_SERIES_H

#include <stdint.h>

/* first + (first + step) + ...: `count` terms. Returns the sum. */
static inline uint64_t msw_series_sum(uint64_t first, uint64_t step, uint64_t count)
{
    uint64_t pairs = count % 2 ? count * ((count - 1) / 2) : count / 2 * (count - 1);
    return count * first + step * pairs;
}

#endif
