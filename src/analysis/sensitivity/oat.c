/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/sensitivity.h"

#include "memsweep/base/math.h"

#include <math.h>

typedef struct position {
    double x, y;
} position;

/* The places with the least and greatest x that have an output, the baseline among them. */
static void extremes(const msw_oat_factor *factor, position *least, position *greatest)
{
    for (size_t i = 0; i < factor->levels; i++) {
        position here = {factor->x[i], factor->y[i]};
        if (isnan(here.y))
            continue;
        if (here.x < least->x)
            *least = here;
        if (here.x > greatest->x)
            *greatest = here;
    }
}

/* Logarithmic where everything is positive, so that it does not depend on which level is called the
 * baseline; relative to the baseline otherwise. */
static double elasticity(const msw_oat_factor *factor, double baseline)
{
    position a = {factor->x_baseline, baseline}, b = a;
    if (factor->unordered)
        return NAN;
    extremes(factor, &a, &b);
    if (a.x == b.x)
        return NAN;
    if (a.x > 0 && a.y > 0 && b.y > 0)
        return msw_math_log(b.y / a.y) / msw_math_log(b.x / a.x);
    if (baseline == 0 || factor->x_baseline == 0)
        return NAN;
    return (b.y - a.y) / baseline / ((b.x - a.x) / factor->x_baseline);
}

int msw_oat(const msw_oat_factor *factor, double baseline, msw_oat_effect *effect, msw_err *err)
{
    if (isnan(baseline))
        return msw_fail(err, "the baseline has no answer: nothing to compare with");
    *effect = (msw_oat_effect){.low = baseline, .high = baseline};
    for (size_t i = 0; i < factor->levels; i++) {
        effect->dropped += isnan(factor->y[i]);
        effect->low = fmin(effect->low, factor->y[i]);
        effect->high = fmax(effect->high, factor->y[i]);
    }
    effect->swing = effect->high - effect->low;
    effect->elasticity = elasticity(factor, baseline);
    return 0;
}
