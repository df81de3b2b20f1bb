/* SPDX-License-Identifier: MIT */
/* How likely settings are: docs/models/calibrate.md, section 5. */
#include "memsweep/explore/calibrate.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <stdlib.h>

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
