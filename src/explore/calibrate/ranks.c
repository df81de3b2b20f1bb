/* SPDX-License-Identifier: MIT */
/* Truths that are known: do the weights rank them as chance would? docs/models/calibrate.md,
 * section 8. */
#include "memsweep/explore/calibrate.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>

double msw_rank_of(double truth, const double *values, const double *weights, size_t count,
                   double key)
{
    double below = 0, same = 0;
    for (size_t k = 0; k < count; k++) {
        below += values[k] < truth ? weights[k] : 0;
        same += values[k] == truth ? weights[k] : 0;
    }
    return fmin(below + key * same, 1);
}

/* Abramowitz and Stegun 26.4.4 and 26.4.5. */
double msw_chi_squared_above(double x, unsigned degrees)
{
    if (!(x > 0))
        return 1;
    bool odd = degrees % 2;
    double root = sqrt(x), term = odd ? root : 1, sum = odd && degrees == 1 ? 0 : term;
    for (unsigned r = odd ? 3 : 2; r + 1 <= degrees - 1; r += 2) {
        term *= x / r;
        sum += term;
    }
    double density = msw_math_exp(-x / 2);
    return odd ? 2 * msw_math_normal(-root) + 2 * density / sqrt(2 * M_PI) * sum : density * sum;
}

double msw_rank_probability(const double *ranks, size_t count)
{
    double bins[MSW_RANK_BINS] = {0}, expected = (double)count / MSW_RANK_BINS, sum = 0;
    for (size_t k = 0; k < count; k++) {
        double at = fmin(floor(ranks[k] * MSW_RANK_BINS), MSW_RANK_BINS - 1);
        bins[(size_t)at]++;
    }
    for (size_t b = 0; b < MSW_RANK_BINS; b++)
        sum += (bins[b] - expected) * (bins[b] - expected) / expected;
    return count ? msw_chi_squared_above(sum, MSW_RANK_BINS - 1) : NAN;
}

int msw_holm(double *probabilities, size_t count, msw_err *err)
{
    size_t *order = malloc((count + 1) * sizeof *order), there = 0;
    if (!order)
        return msw_fail_memory(err);
    int rc = msw_weights_order(probabilities, count, order, err);
    for (size_t k = 0; k < count; k++)
        there += !isnan(probabilities[k]);
    double largest = 0;
    for (size_t k = 0; rc == 0 && k < there; k++) {
        double corrected = fmin((double)(there - k) * probabilities[order[k]], 1);
        largest = fmax(largest, corrected);
        probabilities[order[k]] = largest;
    }
    free(order);
    return rc;
}
