/* SPDX-License-Identifier: MIT */
/* How likely settings are, the information that this gains, and whether known truths rank as chance
 * would have it: docs/models/calibrate.md, sections 5 to 7. */
#include "memsweep/base/math.h"
#include "memsweep/explore/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t members(const msw_quantity *quantities, size_t count, size_t group)
{
    size_t sum = 0;
    for (size_t q = 0; q < count; q++)
        sum += quantities[q].group == group;
    return sum;
}

double msw_likelihood_log(const msw_quantity *quantities, const double *distances, size_t count)
{
    double sum = 0;
    for (size_t q = 0; q < count; q++)
        sum +=
            distances[q] * distances[q] / (double)members(quantities, count, quantities[q].group);
    return -sum / 2;
}

void msw_weights_of(const double *log, const double *density, size_t count, double *weights)
{
    double most = -INFINITY, sum = 0;
    for (size_t k = 0; k < count; k++)
        most = fmax(most, log[k]);
    for (size_t k = 0; k < count; k++) {
        weights[k] = isfinite(most) ? msw_math_exp(log[k] - most) : 0;
        if (density)
            weights[k] /= density[k];
        sum += weights[k];
    }
    for (size_t k = 0; sum > 0 && k < count; k++)
        weights[k] /= sum;
}

double msw_weights_effective(const double *weights, size_t count)
{
    double squares = 0;
    for (size_t k = 0; k < count; k++)
        squares += weights[k] * weights[k];
    return squares > 0 ? 1 / squares : 0;
}

/* ---- order ---- */

typedef struct placed {
    double value;
    size_t at;
} placed;

static int by_value(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    bool no_x = isnan(x->value), no_y = isnan(y->value);
    if (no_x != no_y)
        return no_x ? 1 : -1;
    if (!no_x && x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

int msw_weights_order(const double *values, size_t count, size_t *order, msw_err *err)
{
    placed *list = malloc((count + 1) * sizeof *list);
    if (!list)
        return msw_fail_memory(err);
    for (size_t k = 0; k < count; k++)
        list[k] = (placed){values[k], k};
    qsort(list, count, sizeof *list, by_value);
    for (size_t k = 0; k < count; k++)
        order[k] = list[k].at;
    free(list);
    return 0;
}

double msw_weights_quantile(const double *values, const double *weights, const size_t *order,
                            size_t count, double share)
{
    double all = 0, sum = 0, last = NAN;
    for (size_t k = 0; k < count; k++)
        if (!isnan(values[order[k]]))
            all += weights[order[k]];
    for (size_t k = 0; k < count && sum < share * all; k++) {
        if (!(weights[order[k]] > 0) || isnan(values[order[k]]))
            continue;
        sum += weights[order[k]];
        last = values[order[k]];
    }
    return last;
}

/* Measures the information gained, in bits: docs/models/calibrate.md, section 7. */

enum { RANGE_CLASSES = 8, VALUE_CLASSES = 4 };

size_t msw_class_count(uint64_t levels)
{
    return levels && levels <= MSW_MOST_CLASSES ? (size_t)levels : RANGE_CLASSES;
}

size_t msw_class_of(double position, uint64_t levels)
{
    size_t count = msw_class_count(levels);
    double at = floor(position * (double)count);
    return at < (double)count ? (size_t)at : count - 1;
}

/* What an estimate from shares exceeds the truth by on average (Miller 1955). */
static double chance_bits(double cells_more, const double *weights, size_t count)
{
    double effective = msw_weights_effective(weights, count);
    return effective > 0 ? cells_more / (2 * M_LN2 * effective) : 0;
}

static double sum_bits(const double *shares, const double *expected, size_t cells)
{
    double bits = 0;
    for (size_t i = 0; i < cells; i++)
        if (shares[i] > 0 && expected[i] > 0) /* weights may be too small to multiply */
            bits += shares[i] * msw_math_log2(shares[i] / expected[i]);
    return bits;
}

double msw_bits_gained(const size_t *classes, size_t class_count, const double *weights,
                       size_t count)
{
    enum { MOST = MSW_MOST_CLASSES * MSW_MOST_CLASSES };
    double shares[MOST] = {0}, expected[MOST];
    for (size_t k = 0; k < count; k++)
        shares[classes[k]] += weights[k];
    for (size_t c = 0; c < class_count; c++)
        expected[c] = 1 / (double)class_count;
    double bits = sum_bits(shares, expected, class_count);
    return fmax(bits - chance_bits((double)class_count - 1, weights, count), 0);
}

double msw_bits_shared(const size_t *a, size_t a_count, const size_t *b, size_t b_count,
                       const double *weights, size_t count)
{
    double joint[MSW_MOST_CLASSES * MSW_MOST_CLASSES] = {0};
    double expected[MSW_MOST_CLASSES * MSW_MOST_CLASSES];
    double of_a[MSW_MOST_CLASSES] = {0}, of_b[MSW_MOST_CLASSES] = {0};
    for (size_t k = 0; k < count; k++) {
        joint[a[k] * b_count + b[k]] += weights[k];
        of_a[a[k]] += weights[k];
        of_b[b[k]] += weights[k];
    }
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++)
            expected[i * b_count + j] = of_a[i] * of_b[j];
    double more = (double)(a_count - 1) * (double)(b_count - 1);
    double bits = sum_bits(joint, expected, a_count * b_count);
    return fmax(bits - chance_bits(more, weights, count), 0);
}

void msw_classes_of_weight(const double *values, const double *weights, const size_t *order,
                           size_t count, size_t *classes)
{
    double sum = 0;
    for (size_t i = 0; i < count;) {
        double value = values[order[i]], here = 0;
        size_t end = i;
        for (; end < count && (values[order[end]] == value || isnan(value)); end++)
            here += weights[order[end]];
        double middle = isnan(value) ? 1 : sum + here / 2;
        double at = floor(middle * VALUE_CLASSES);
        for (; i < end; i++)
            classes[order[i]] = at < VALUE_CLASSES ? (size_t)at : VALUE_CLASSES - 1;
        sum += here;
    }
}

/* Truths that are known: do the weights rank them as chance would? docs/models/calibrate.md,
 * section 8. */

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
