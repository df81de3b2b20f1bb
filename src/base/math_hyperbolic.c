/* SPDX-License-Identifier: MIT */
/* sinh, cosh and tanh: from e^x and e^-x as double-doubles; near 0, sinh from its series. */
#include "memsweep/base/math.h"

#include "base/math_parts.h"

/* (e^x + sign e^-x)/2 for |x| below 350 */
static math_dd mean_of_powers(double x, double sign)
{
    math_power up = math_exp_parts((math_dd){x, 0}), down = math_exp_parts((math_dd){-x, 0});
    double grow = math_two_to(up.exponent - 1), shrink = sign * math_two_to(down.exponent - 1);
    return math_dd_add((math_dd){up.value.hi * grow, up.value.lo * grow},
                       (math_dd){down.value.hi * shrink, down.value.lo * shrink});
}

/* x + x^3/6 + ... for |x| below 1/4 */
static math_dd small_sinh(double x)
{
    double x2 = x * x, series = 0;
    for (int n = 13; n >= 5; n -= 2)
        series = (series + 1) * x2 / (n * (n - 1));
    return math_fast_sum(x, x * x2 * (1.0 / 6) * (1 + series));
}

/* e^|x|/2 where e^-|x| is negligible compared with it. */
static double half_power(double x)
{
    if (x > 712)
        return INFINITY;
    math_power p = math_exp_parts((math_dd){x, 0});
    return math_scale(p.value.hi + p.value.lo, p.exponent - 1);
}

double msw_math_sinh(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-27)
        return x;
    if (fabs(x) > 40)
        return copysign(half_power(fabs(x)), x);
    return fabs(x) < 0.25 ? small_sinh(x).hi : mean_of_powers(x, -1).hi;
}

double msw_math_cosh(double x)
{
    if (isnan(x))
        return x;
    return fabs(x) > 40 ? half_power(fabs(x)) : mean_of_powers(x, 1).hi;
}

double msw_math_tanh(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-27)
        return x;
    if (fabs(x) > 20)
        return copysign(1, x);
    math_dd above = fabs(x) < 0.25 ? small_sinh(x) : mean_of_powers(x, -1);
    return math_dd_divide(above, mean_of_powers(x, 1)).hi;
}
