/* SPDX-License-Identifier: MIT */
/* sum: sums of very many numbers that lose nothing to speak of: what each addition rounds off is
 * added up beside them (Ogita, Rump and Oishi 2005). A relative error is about 1e-32 times the
 * square of how many there are, so that a sum rounded to a double is the exact one. */
#ifndef MEMSWEEP_BASE_SUM_H
#define MEMSWEEP_BASE_SUM_H

#include "memsweep/base/bits.h"

/* high + low; `low` is what was rounded off. Starts as zeros. */
typedef struct msw_sum {
    double high, low;
} msw_sum;

static inline void msw_sum_add(msw_sum *s, double x)
{
    double sum = s->high + x, part = sum - s->high;
    s->low += (s->high - (sum - part)) + (x - part);
    s->high = sum;
}

/* Adds another sum. */
static inline void msw_sum_join(msw_sum *s, const msw_sum *more)
{
    msw_sum_add(s, more->high);
    s->low += more->low;
}

/* A product and what it was rounded by (Dekker 1971). */
static inline msw_sum msw_sum_product(double a, double b)
{
    double p = a * 134217729.0, q = b * 134217729.0, product = a * b;
    double a1 = p - (p - a), a2 = a - a1, b1 = q - (q - b), b2 = b - b1;
    return (msw_sum){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline double msw_sum_value(const msw_sum *s)
{
    return s->high + s->low;
}

/* Returns the mean of `n` numbers from their sum. */
static inline double msw_sum_mean(const msw_sum *s, uint64_t n)
{
    double count = (double)n, sum = msw_sum_value(s), mean = sum / count;
    msw_sum back = msw_sum_product(mean, count);
    return mean + (s->high - back.high - back.low + s->low) / count;
}

/* Returns the sum of the squares of their distances from the mean, from the sum of the squares. */
static inline double msw_sum_about_mean(const msw_sum *sum, const msw_sum *squares, uint64_t n)
{
    double high = sum->high / (double)n;
    msw_sum back = msw_sum_product(high, (double)n);
    double low = (sum->high - back.high - back.low + sum->low) / (double)n;
    msw_sum all = *squares, part = msw_sum_product(sum->high, high);
    msw_sum_add(&all, -part.high);
    all.low -= part.low + sum->high * low + sum->low * high;
    return msw_max_f64(0, msw_sum_value(&all));
}

#endif
