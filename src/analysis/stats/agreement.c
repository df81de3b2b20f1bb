/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/agreement.h"

#include "memsweep/base/arena.h"
#include "memsweep/base/math.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Sums in another order end in other digits, which no interval of sampling allows for. */
#define ROUNDING 1e-12

msw_share msw_share_of(size_t hits, size_t n, double confidence)
{
    msw_share share = {hits, n, NAN, NAN, NAN};
    if (n == 0)
        return share;
    double z = msw_math_normal_quantile(0.5 + confidence / 2), m = (double)n;
    double p = (double)hits / m, center = p + z * z / (2 * m);
    double reach = z * sqrt(p * (1 - p) / m + z * z / (4 * m * m)), scale = 1 + z * z / m;
    share.value = p;
    share.low = hits == 0 ? 0 : (center - reach) / scale;
    share.high = hits == n ? 1 : (center + reach) / scale;
    return share;
}

msw_share msw_agreement_category(const uint32_t *candidate, const uint32_t *reference, size_t n,
                                 uint32_t none, double confidence)
{
    size_t hits = 0, used = 0;
    for (size_t i = 0; i < n; i++)
        if (candidate[i] != none && reference[i] != none) {
            used++;
            hits += candidate[i] == reference[i];
        }
    return msw_share_of(hits, used, confidence);
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Relative errors of the pairs; `size` gets their sizes. */
static void measure_errors(const double *a, const double *b, size_t n, double *size,
                           msw_agreement_result *result)
{
    size_t count = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double error = a[i] == b[i] ? 0 : (a[i] - b[i]) / fabs(b[i]);
        if (!isfinite(error)) {
            result->zero_reference++;
            continue;
        }
        sum += error;
        size[count++] = fabs(error);
    }
    result->bias = result->median = result->p95 = result->worst = NAN;
    if (count == 0)
        return;
    qsort(size, count, sizeof *size, compare);
    result->bias = sum / (double)count;
    result->median = gsl_stats_quantile_from_sorted_data(size, 1, count, 0.5);
    result->p95 = gsl_stats_quantile_from_sorted_data(size, 1, count, 0.95);
    result->worst = size[count - 1];
}

/* Copies the pairs that have both sides, and counts the intervals that hold. */
static size_t take_pairs(const msw_pairs *pairs, double confidence, double *a, double *b,
                         msw_agreement_result *result)
{
    size_t used = 0, intervals = 0, hits = 0;
    for (size_t i = 0; i < pairs->n; i++) {
        double x = pairs->candidate[i], y = pairs->reference[i];
        if (isnan(x) || isnan(y))
            continue;
        a[used] = x;
        b[used++] = y;
        if (pairs->half && !isnan(pairs->half[i])) {
            intervals++;
            hits += fabs(x - y) <= pairs->half[i] + ROUNDING * fabs(y);
        }
    }
    result->covered = msw_share_of(hits, intervals, confidence);
    return used;
}

int msw_agreement_measure(const msw_pairs *pairs, double confidence, msw_agreement_result *result,
                          msw_err *err)
{
    msw_arena arena = {0};
    double *a = msw_arena_take(&arena, (pairs->n + 1) * sizeof *a);
    double *b = msw_arena_take(&arena, (pairs->n + 1) * sizeof *b);
    double *size = msw_arena_take(&arena, (pairs->n + 1) * sizeof *size);
    int status = -1;
    if (!a || !b || !size) {
        msw_fail_memory(err);
    } else {
        *result = (msw_agreement_result){0};
        result->used = take_pairs(pairs, confidence, a, b, result);
        result->dropped = pairs->n - result->used;
        measure_errors(a, b, result->used, size, result);
        status = msw_kendall(a, b, result->used, &result->tau, err);
    }
    msw_arena_free(&arena);
    return status;
}
