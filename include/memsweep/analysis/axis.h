/* SPDX-License-Identifier: MIT */
/* axis: where numbers lie on the scale of their parameter, 0 at the least and 1 at the greatest.
 *
 * What doubles from value to value is even on a logarithmic axis; there a 0 lies one doubling
 * below the least positive number. */
#ifndef MEMSWEEP_ANALYSIS_AXIS_H
#define MEMSWEEP_ANALYSIS_AXIS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct msw_axis {
    double low, high;
    double least; /* positive number */
    bool log;
} msw_axis;

/* Lays an axis through numbers (at least one; NaN are left out): logarithmic if asked for and if
 * none is negative. Returns it. */
msw_axis msw_axis_make(const double *values, size_t n, bool log);

/* Position of a number: 0 to 1 between the ends, 0 everywhere when they are equal. Returns it. */
double msw_axis_position(const msw_axis *axis, double value);

#endif
