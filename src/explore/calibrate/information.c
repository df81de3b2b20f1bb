/* SPDX-License-Identifier: MIT */
/* Measures the information gained, in bits: docs/models/calibrate.md, section 7. */
#include "memsweep/explore/calibrate.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <string.h>

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
