/* SPDX-License-Identifier: MIT */
/* Measures how far two columns agree: shares with intervals, errors, and Kendall's tau (Knight
 * 1966: sort by a, ties by b; then the exchanges of a merge sort by b are the discordant pairs). */
#include "memsweep/analysis/agreement.h"

#include "analysis/stats/sort.h"
#include "memsweep/base/arena.h"
#include "memsweep/base/math.h"
#include "memsweep/base/sort.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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

/* Between an infinity and what is not, a share of the way is one of the two. */
static double quantile_of(const double *sorted, size_t count, double share)
{
    double at = share * (double)(count - 1), low = sorted[(size_t)at];
    double value = gsl_stats_quantile_from_sorted_data(sorted, 1, count, share);
    return isnan(value) ? low : value;
}

/* Relative errors of the pairs, both ways alike; `size` gets their sizes. The bias is that of the
 * geometric mean of the ratios. */
static void measure_errors(const double *a, const double *b, size_t n, double *size,
                           msw_agreement_result *result)
{
    size_t count = 0, ratios = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double error = msw_math_ratio_error(a[i], b[i]);
        if (b[i] == 0 && a[i] != 0) {
            result->no_ratio++;
            continue;
        }
        if (isfinite(error)) {
            ratios++;
            sum += error < 0 ? -msw_math_log1p(-error) : msw_math_log1p(error);
        }
        size[count++] = fabs(error);
    }
    result->bias = result->median = result->p95 = result->worst = NAN;
    if (count == 0)
        return;
    msw_sort_f64(size, count);
    result->bias = ratios ? msw_math_expm1(sum / (double)ratios) : NAN;
    result->median = quantile_of(size, count, 0.5);
    result->p95 = quantile_of(size, count, 0.95);
    result->worst = size[count - 1];
}

static double measure_difference(const double *a, const double *b, size_t n, double *size)
{
    for (size_t i = 0; i < n; i++)
        size[i] = fabs(a[i] - b[i]);
    msw_sort_f64(size, n);
    return n ? quantile_of(size, n, 0.95) : NAN;
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
        result->p95_difference = measure_difference(a, b, result->used, size);
        status = msw_kendall(a, b, result->used, &result->tau, err);
    }
    msw_arena_free(&arena);
    return status;
}

/* ---- Kendall's tau ---- */

/* Merges two sorted halves. Returns how many pairs were the wrong way round. */
static uint64_t merge(const int32_t *from, size_t middle, size_t n, int32_t *to)
{
    size_t left = 0, right = middle;
    uint64_t exchanges = 0;
    for (size_t i = 0; i < n; i++) {
        bool take_left = right >= n || (left < middle && from[left] <= from[right]);
        exchanges += take_left ? 0 : middle - left;
        to[i] = take_left ? from[left++] : from[right++];
    }
    return exchanges;
}

/* Sorts `value` and counts the pairs that were the wrong way round. */
static uint64_t count_exchanges(int32_t *value, int32_t *spare, size_t n)
{
    uint64_t exchanges = 0;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t start = 0; start < n; start += 2 * width) {
            size_t rest = n - start, both = rest < 2 * width ? rest : 2 * width;
            exchanges += merge(value + start, width < both ? width : both, both, spare + start);
        }
        memcpy(value, spare, n * sizeof *value);
    }
    return exchanges;
}

static uint64_t pairs_of(uint64_t n)
{
    return n * (n - (n > 0)) / 2;
}

/* Pairs tied in a; with `both`, in a and in b. */
static uint64_t count_ties(const int32_t *a, const int32_t *b, const uint32_t *order, size_t n,
                           bool both)
{
    uint64_t ties = 0;
    for (size_t start = 0, end; start < n; start = end) {
        for (end = start + 1; end < n && a[order[end]] == a[order[start]] &&
                              (!both || b[order[end]] == b[order[start]]);
             end++)
            ;
        ties += pairs_of(end - start);
    }
    return ties;
}

typedef struct ranked {
    int32_t *a, *b;        /* dense ranks */
    uint32_t *by_a, *by_b; /* by a then b; by b */
    int32_t *value, *spare;
} ranked;

static int take_memory(ranked *pairs, size_t n, msw_arena *arena)
{
    int32_t **lists[] = {&pairs->a, &pairs->b, &pairs->value, &pairs->spare};
    for (int i = 0; i < 4; i++)
        if (!(*lists[i] = msw_arena_take(arena, (n + 1) * sizeof(int32_t))))
            return -1;
    pairs->by_a = msw_arena_take(arena, (n + 1) * sizeof(uint32_t));
    pairs->by_b = msw_arena_take(arena, (n + 1) * sizeof(uint32_t));
    return pairs->by_a && pairs->by_b ? 0 : -1;
}

static int rank_both(ranked *pairs, const double *a, const double *b, size_t n, msw_arena *arena)
{
    if (take_memory(pairs, n, arena) || sort_ascending(a, n, pairs->by_a, arena) ||
        sort_ascending(b, n, pairs->by_b, arena))
        return -1;
    size_t distinct = sort_dense_ranks(a, pairs->by_a, n, pairs->a);
    sort_dense_ranks(b, pairs->by_b, n, pairs->b);
    memcpy(pairs->by_a, pairs->by_b, n * sizeof *pairs->by_a);
    return sort_by_key(pairs->a, 1, distinct, pairs->by_a, n, arena);
}

int msw_kendall(const double *a, const double *b, size_t n, double *tau, msw_err *err)
{
    msw_arena arena = {0};
    ranked pairs;
    if (n > SORT_MAX)
        return msw_fail(err, "%zu pairs; at most %zu can be ranked", n, SORT_MAX);
    if (rank_both(&pairs, a, b, n, &arena)) {
        msw_arena_free(&arena);
        return msw_fail_memory(err);
    }
    uint64_t all = pairs_of(n), tied_a = count_ties(pairs.a, pairs.b, pairs.by_a, n, false);
    uint64_t tied_both = count_ties(pairs.a, pairs.b, pairs.by_a, n, true);
    uint64_t tied_b = count_ties(pairs.b, pairs.a, pairs.by_b, n, false);
    for (size_t i = 0; i < n; i++)
        pairs.value[i] = pairs.b[pairs.by_a[i]];
    uint64_t discordant = count_exchanges(pairs.value, pairs.spare, n);
    double sum = (double)(all - tied_a - tied_b + tied_both) - 2 * (double)discordant;
    double size = sqrt((double)(all - tied_a)) * sqrt((double)(all - tied_b));
    *tau = size > 0 ? sum / size : NAN;
    msw_arena_free(&arena);
    return 0;
}
