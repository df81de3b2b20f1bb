/* SPDX-License-Identifier: MIT */
#include "memsweep/reproduce/region.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

msw_quantiles msw_quantiles_of(double *values, size_t n)
{
    msw_quantiles q = {0, NAN, NAN, NAN, NAN, NAN};
    qsort(values, n, sizeof *values, by_value);
    while (q.n < n && !isnan(values[q.n]))
        q.n++;
    if (!q.n)
        return q;
    q.min = values[0];
    q.low = gsl_stats_quantile_from_sorted_data(values, 1, q.n, 0.05);
    q.median = gsl_stats_quantile_from_sorted_data(values, 1, q.n, 0.5);
    q.high = gsl_stats_quantile_from_sorted_data(values, 1, q.n, 0.95);
    q.max = values[q.n - 1];
    return q;
}

msw_extent msw_extent_of(const double *values, const bool *inside, size_t n, double *work)
{
    msw_extent e = {0, NAN, NAN, NAN, NAN, NAN};
    double held[2] = {0, 0}, all[2] = {0, 0};
    for (size_t i = 0; i < n; i++)
        work[i] = values[i];
    e.middle = msw_quantiles_of(work, n).median;
    for (size_t i = 0; i < n; i++) {
        int side = values[i] >= e.middle;
        all[side]++;
        if (!inside[i])
            continue;
        held[side]++;
        e.inside++;
        e.min = fmin(e.min, values[i]);
        e.max = fmax(e.max, values[i]);
    }
    e.below = all[0] > 0 ? held[0] / all[0] : NAN;
    e.above = all[1] > 0 ? held[1] / all[1] : NAN;
    return e;
}
