/* SPDX-License-Identifier: MIT */
/* The normal distribution and quantiles of Student's.
 *
 * Normal: P(x) = phi(x) M(|x|) in the tail, with Mills' ratio M as a Chebyshev series; its quantile
 * from three rational functions (scripts/math-tables fits them).
 *
 * Student with n degrees of freedom, a = n/2, w = n/(n + t^2): the probability beyond t is one of
 * two series of positive terms, w^a G/(2 a) sum_i (1/2)_i/i! a/(a+i) w^i                where w <
 * 1/2, 1/2 - w^a sqrt(1-w) G sum_i (a+1/2)_i/(3/2)_i (1-w)^i   elsewhere, with G =
 * Gamma(a+1/2)/(Gamma(a) Gamma(1/2)). Known value: 2.2281388519862742 for 0.975 and 10. */
#include "memsweep/base/math.h"

#include "base/math_parts.h"

static const double INVERSE_ROOT_TAU = 0x1.9884533d43651p-2; /* 1/sqrt(2 pi) */
static const double INVERSE_ROOT_PI = 0x1.20dd750429b6dp-1;

static double ratio_of(const double table[2][9], double x)
{
    double above = 0, below = 0;
    for (int i = 8; i >= 0; i--) {
        above = above * x + table[0][i];
        below = below * x + table[1][i];
    }
    return above / below;
}

double msw_math_normal_quantile(double probability)
{
    double p = probability, q = p - 0.5;
    if (!(p >= 0 && p <= 1))
        return NAN;
    if (fabs(q) <= 0.425)
        return q * ratio_of(MATH_QUANTILE_MIDDLE, 0.180625 - q * q);
    double tail = p < 0.5 ? p : 1 - p;
    if (tail == 0)
        return copysign(INFINITY, q);
    double r = sqrt(-msw_math_log(tail)) - 1.5;
    return copysign(ratio_of(r <= 3.5 ? MATH_QUANTILE_TAIL : MATH_QUANTILE_FAR, r), q);
}

/* e^(-x^2/2) with the part of x^2 that a double cuts off. */
static double bell(double x)
{
    math_dd square = math_product(x, x);
    return msw_math_exp(-square.hi / 2) * (1 - square.lo / 2);
}

/* Clenshaw's sum. */
static double mills(double x)
{
    double u = (x - 4) / (x + 4), one = 0, two = 0;
    for (int i = 25; i > 0; i--) {
        double next = 2 * u * one - two + MATH_MILLS[i];
        two = one;
        one = next;
    }
    return (u * one - two + MATH_MILLS[0]) / (x + 4);
}

double msw_math_normal(double x)
{
    if (isnan(x))
        return x;
    double size = fabs(x);
    double tail = size < 39 ? INVERSE_ROOT_TAU * bell(size) * mills(size) : 0;
    return x < 0 ? tail : 1 - tail;
}

/* Gamma(a+1/2)/Gamma(a): up to 32 by the recurrence, there by the series in 1/(a - 1/4)^2. */
static double gamma_ratio(double a)
{
    double factor = 1;
    for (; a < 32; a++)
        factor *= a / (a + 0.5);
    double b = a - 0.25, v = 1 / (b * b);
    double series =
        1 +
        v * (1.0 / 64 + v * (-19.0 / 8192 + v * (631.0 / 524288 + v * (-174317.0 / 134217728))));
    return factor * sqrt(b) * series;
}

/* The probability beyond t > 0 minus `beyond`. */
static double excess(double t, double a, double gamma, double beyond)
{
    double t2 = t * t / (2 * a), w = 1 / (1 + t2), s = t2 / (1 + t2), term = 1, sum = 0;
    double power = msw_math_exp(-a * msw_math_log1p(t2)) * gamma * INVERSE_ROOT_PI;
    if (w < 0.5) {
        for (double i = 0; term * a / (a + i) > sum * 0x1p-56; i++) {
            sum += term * a / (a + i);
            term *= w * (0.5 + i) / (1 + i);
        }
        return power * sum / (2 * a) - beyond;
    }
    for (double i = 0; term > sum * 0x1p-56; i++) {
        sum += term;
        term *= s * (a + 0.5 + i) / (1.5 + i);
    }
    return 0.5 - beyond - power * sqrt(s) * sum;
}

/* Newton's steps on a tail that is convex: they rise to the root from any start below it. */
static double student_above(double beyond, double degrees)
{
    double a = degrees / 2, gamma = gamma_ratio(a), z = -msw_math_normal_quantile(beyond);
    double t = z + (z * z * z + z) / (4 * degrees),
           height = gamma * INVERSE_ROOT_PI / sqrt(degrees);
    for (int i = 0; i < 2000; i++) {
        double slope = height * msw_math_exp(-(a + 0.5) * msw_math_log1p(t * t / degrees));
        double step = excess(t, a, gamma, beyond) / slope;
        t += step;
        if (!(fabs(step) > t * 0x1p-46))
            break;
    }
    return t;
}

double msw_math_student_quantile(double probability, double degrees)
{
    double p = probability;
    if (!(p >= 0 && p <= 1) || !(degrees > 0))
        return NAN;
    if (degrees > 1e15 || p == 0.5 || p == 0 || p == 1)
        return msw_math_normal_quantile(p);
    return p < 0.5 ? -student_above(p, degrees) : student_above(1 - p, degrees);
}

double msw_math_ratio_error(double value, double reference)
{
    double a = fabs(value), b = fabs(reference);
    if (value == reference)
        return 0;
    if (value * reference > 0)
        return a > b ? (a - b) / b : (a - b) / a;
    return isnan(value) || isnan(reference) ? NAN : a > b ? INFINITY : -INFINITY;
}
