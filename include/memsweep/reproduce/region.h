/* SPDX-License-Identifier: MIT */
/* region: where in a sampled space something holds, seen along one coordinate at a time. */
#ifndef MEMSWEEP_REPRODUCE_REGION_H
#define MEMSWEEP_REPRODUCE_REGION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct msw_quantiles {
    size_t n;                           /* values there are */
    double min, low, median, high, max; /* low and high: 5 % and 95 % */
} msw_quantiles;

/* Sorts `values` in place, those that are not there (NaN) last. Returns their quantiles, NaN where
 * there are none. */
msw_quantiles msw_quantiles_of(double *values, size_t n);

typedef struct msw_extent {
    size_t inside;
    double min, max;     /* of the values inside; NaN: none */
    double middle;       /* of all values: the median */
    double below, above; /* share inside of the values below `middle`, and of the others */
} msw_extent;

/* Extent of what is `inside` along one coordinate. `work` has room for n values. */
msw_extent msw_extent_of(const double *values, const bool *inside, size_t n, double *work);

#endif
