/* SPDX-License-Identifier: MIT */
#include "memsweep/sim/reuse.h"

#include "memsweep/base/math.h"

#include <math.h>

/* Probability that a key of popularity p is in the cache, given the characteristic time. */
static double present(double p, double time, msw_che_policy policy)
{
    return policy == MSW_CHE_LRU ? -msw_math_expm1(-p * time) : p * time / (1 + p * time);
}

static double expected_lines(const double *popularity, size_t count, double time,
                             msw_che_policy policy)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += present(popularity[i], time, policy);
    return sum;
}

/* The time at which the expected number of lines is the size of the cache: the left side grows with
 * it, so an interval around the root is halved. */
static double characteristic_time(const double *popularity, size_t count, double lines,
                                  msw_che_policy policy)
{
    double low = 0, high = lines;
    while (expected_lines(popularity, count, high, policy) < lines && high < 1e300)
        high *= 2;
    while (high - low > 1e-12 * high) {
        double middle = low + (high - low) / 2;
        if (expected_lines(popularity, count, middle, policy) < lines)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double msw_che_hit_rate(const double *popularity, size_t count, double lines, msw_che_policy policy)
{
    size_t asked = 0;
    for (size_t i = 0; i < count; i++)
        asked += popularity[i] > 0;
    if (lines <= 0)
        return 0;
    if ((double)asked <= lines)
        return 1;
    double time = characteristic_time(popularity, count, lines, policy), rate = 0;
    for (size_t i = 0; i < count; i++)
        rate += popularity[i] * present(popularity[i], time, policy);
    return rate;
}
