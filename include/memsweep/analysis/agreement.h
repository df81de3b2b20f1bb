/* SPDX-License-Identifier: MIT */
/* agreement: how well one fidelity predicts another.
 *
 * A pair is a point answered by both: the candidate (say, analytic) and the reference (say, full).
 * Pairs with a NaN are left out and counted. */
#ifndef MEMSWEEP_ANALYSIS_AGREEMENT_H
#define MEMSWEEP_ANALYSIS_AGREEMENT_H

#include "memsweep/base/err.h"

#include <stddef.h>
#include <stdint.h>

/* A share with its Wilson interval; NaN when there was nothing to count. */
typedef struct msw_share {
    size_t hits, n;
    double value, low, high;
} msw_share;

typedef struct msw_pairs {
    size_t n;
    const double *candidate, *reference;
    const double *half; /* half-widths of the candidate; NULL: none. NaN: this one has none */
} msw_pairs;

typedef struct msw_agreement_result {
    size_t used, dropped;
    size_t no_ratio;           /* pairs without a relative error: only the reference is 0 */
    double bias;               /* of the geometric mean of the ratios: 0.1 is 10 % too high */
    double median, p95, worst; /* of the relative error, both ways alike (msw_math_ratio_error) */
    double p95_difference;     /* of the size of the difference */
    double tau;                /* Kendall's tau-b: do both order the points alike? */
    msw_share covered;         /* intervals of the candidate that contain the reference, but for
                                  rounding */
} msw_agreement_result;

/* Compares candidate and reference; `confidence` is for the interval of the coverage. Returns 0, or
 * -1 with `err`. */
int msw_agreement_measure(const msw_pairs *pairs, double confidence, msw_agreement_result *result,
                          msw_err *err);

/* Computes Kendall's tau-b of n pairs without NaN in O(n log n); NaN when either side is constant.
 * Returns 0, or -1 with `err`. */
int msw_kendall(const double *a, const double *b, size_t n, double *tau, msw_err *err);

/* Counts pairs with the same category; pairs with `none` on either side are left out. Returns the
 * share. */
msw_share msw_agreement_category(const uint32_t *candidate, const uint32_t *reference, size_t n,
                                 uint32_t none, double confidence);

/* Computes a share and its Wilson interval. Returns it. */
msw_share msw_share_of(size_t hits, size_t n, double confidence);

#endif
