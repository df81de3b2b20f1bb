/* SPDX-License-Identifier: MIT */
#include "analysis/sensitivity/scrambles.h"

#include "memsweep/base/math.h"

#include <math.h>

void scrambles_sums(const tiles *table, const uint32_t *scramble, double *sum, double *units)
{
    for (size_t i = 0; i < table->rows; i++) {
        double *own = sum + scramble[i] * table->columns;
        units[scramble[i]] += 1;
        for (unsigned c = 0; c < table->columns; c++)
            own[c] += *tiles_at(table, i, c);
    }
}

void scrambles_interval(const double *values, size_t scrambles, double confidence, msw_estimate *to)
{
    double mean = 0, squares = 0, n = (double)scrambles;
    for (size_t s = 0; s < scrambles; s++)
        mean += values[s] / n;
    for (size_t s = 0; s < scrambles; s++)
        squares += (values[s] - mean) * (values[s] - mean);
    double error = sqrt((n - 1) / n * squares);
    to->half = msw_math_student_quantile(0.5 + confidence / 2, n - 1) * error;
    to->low = to->value - to->half;
    to->high = to->value + to->half;
}
