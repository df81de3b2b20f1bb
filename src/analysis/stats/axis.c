/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/axis.h"

#include "memsweep/base/math.h"

#include <math.h>

msw_axis msw_axis_make(const double *values, size_t n, bool log)
{
    msw_axis axis = {.low = INFINITY, .high = -INFINITY, .least = INFINITY};
    for (size_t i = 0; i < n; i++) {
        axis.low = fmin(axis.low, values[i]);
        axis.high = fmax(axis.high, values[i]);
        if (values[i] > 0)
            axis.least = fmin(axis.least, values[i]);
    }
    axis.log = log && axis.low >= 0 && axis.high > 0;
    return axis;
}

/* Doublings above the least positive number, with 0 one below it. */
static double doublings(const msw_axis *axis, double value)
{
    return value >= axis->least ? msw_math_log2(value / axis->least) : value / axis->least - 1;
}

double msw_axis_position(const msw_axis *axis, double value)
{
    if (!(axis->high > axis->low))
        return isnan(value) ? NAN : 0;
    if (!axis->log)
        return (value - axis->low) / (axis->high - axis->low);
    if (axis->low > 0)
        return msw_math_log(value / axis->low) / msw_math_log(axis->high / axis->low);
    double low = doublings(axis, axis->low);
    return (doublings(axis, value) - low) / (doublings(axis, axis->high) - low);
}
