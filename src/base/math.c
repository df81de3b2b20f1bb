/* SPDX-License-Identifier: MIT */
/* Computes exp, log, pow and what follows from them. Both cores give more bits than a double has,
 * so that the last rounding is nearly the only one. tanh comes from e^x and e^-x as double-doubles;
 * near 0, sinh from its series. */
#include "memsweep/base/math.h"

#include "base/math_parts.h"

#include <stdbool.h>

static const math_dd INVERSE_LN2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
static const double LN2 = 0x1.62e42fefa39efp-1;
static const math_dd INVERSE_LN10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
static const math_dd THIRD = {0x1.5555555555555p-2, 0x1.5555555555555p-56};

/* ---- cores of exp and log ---- */

/* 2^exponent, for exponents of normal numbers. */
static inline double math_two_to(int64_t exponent)
{
    return math_double((uint64_t)(exponent + 1023) << 52);
}

/* x 2^exponent, rounded once, for x near 1. */
static inline double math_scale(double x, int64_t exponent)
{
    if (exponent >= -1020 && exponent <= 1020)
        return x * math_two_to(exponent);
    int64_t half = exponent / 2 < 0 ? -1000 : 1000;
    return x * math_two_to(exponent - half) * math_two_to(half);
}

/* e^(x.hi + x.lo) = value 2^exponent with value from 0.99 to 2.01, for |x| below 1000.
 *
 * x = k log(2)/128 + r, |r| < 0.0028: a power of two, a number of the table, and a short series. */
typedef struct math_power {
    math_dd value;
    int64_t exponent;
} math_power;

static inline math_power math_table_power(int64_t k, double r)
{
    const double *entry = MATH_EXP[k & 127];
    double r2 = r * r;
    double rest =
        r + r2 * (0.5 + r * (1.0 / 6)) + r2 * r2 * (1.0 / 24 + r * (1.0 / 120) + r2 * (1.0 / 720));
    return (math_power){{entry[0], entry[0] * (entry[1] + rest)}, (k - (k & 127)) / 128};
}

static inline math_power math_exp_parts(math_dd x)
{
    double shifted = x.hi * 0x1.71547652b82fep+7 + MATH_ROUND, k = shifted - MATH_ROUND;
    double r = (x.hi - k * 0x1.62e42fef8p-8) - k * 0x1.1cf79abc9e3b4p-43 + x.lo;
    return math_table_power((int64_t)k, r);
}

/* z 2^exponent = x with z from 0.6875 to 1.375, for x above 0. */
typedef struct math_mantissa {
    double z;
    int64_t exponent;
} math_mantissa;

static inline math_mantissa math_split(double x)
{
    uint64_t bits = math_bits(x);
    int64_t low = 0;
    if (bits < (uint64_t)1 << 52) { /* subnormal */
        bits = math_bits(x * 0x1p54);
        low = -54;
    }
    int64_t exponent = (int64_t)(bits >> 52) - 1022 - (bits << 12 >> 12 < (uint64_t)6 << 48);
    return (math_mantissa){math_double(bits - ((uint64_t)exponent << 52)), exponent + low};
}

/* log(z 2^k). z/c = 1 + r with c from the table, |r| < 0.008, found exactly as the sum of two
 * doubles; log = k log 2 + log c + r - r^2/2 + r^3 (1/3 - ...), the first terms as double-doubles.
 */
static inline math_dd math_log_parts(double z, double k)
{
    const double *entry = MATH_LOG[(math_bits(z) - ((uint64_t)0x3FE6 << 48)) >> 45];
    double head = math_double(math_bits(z) & ~(((uint64_t)1 << 21) - 1));
    math_dd r = math_fast_sum(head * entry[0] - 1, (z - head) * entry[0]);
    double x = r.hi, x2 = x * x;
    double series =
        (1.0 / 3 - x * 0.25) +
        x2 * ((0.2 - x * (1.0 / 6)) + x2 * ((1.0 / 7 - x * 0.125) + x2 * (1.0 / 9 - x * 0.1)));
    double coarse = (x + 0x1.8p20) - 0x1.8p20, fine = x - coarse;
    double start = k * 0x1.62e42fefa38p-1 + entry[1];
    math_dd one = math_fast_sum(start, x), two = math_fast_sum(one.hi, -0.5 * coarse * coarse);
    double lo = (k * 0x1.ef35793c7673p-45 + entry[2]) + r.lo * (1 - x) + one.lo + two.lo -
                0.5 * fine * (x + coarse) + x * x2 * series;
    return math_fast_sum(two.hi, lo);
}

/* log x for x above 0. */
static inline math_dd math_log_dd(double x)
{
    math_mantissa m = math_split(x);
    return math_log_parts(m.z, (double)m.exponent);
}

/* ---- powers and logarithms ---- */

static double rounded(math_power p)
{
    return math_scale(p.value.hi + p.value.lo, p.exponent);
}

/* Past these ends the result is 0 or infinite. */
static double exp_dd(math_dd x)
{
    if (x.hi > 710)
        return INFINITY;
    if (x.hi < -746)
        return 0;
    return rounded(math_exp_parts(x));
}

double msw_math_exp(double x)
{
    return isnan(x) ? x : exp_dd((math_dd){x, 0});
}

double msw_math_exp2(double x)
{
    if (isnan(x))
        return x;
    if (x > 1025)
        return INFINITY;
    if (x < -1077)
        return 0;
    double k = (x * 128 + MATH_ROUND) - MATH_ROUND;
    return rounded(math_table_power((int64_t)k, (x - k / 128) * LN2));
}

/* x + x^2/2 (1 + x/3 + x^2/12 + ...): near 0 the one must not be added and taken away. */
static double small_expm1(double x)
{
    static const double OVER[] = {1.0 / 3, 1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
                                  1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14};
    double series = 0;
    for (int n = 11; n >= 0; n--)
        series = (series + 1) * (x * OVER[n]);
    math_dd square = math_product(x, x);
    math_dd start = math_fast_sum(x, square.hi / 2);
    return start.hi + (start.lo + square.lo / 2 + series * (square.hi / 2));
}

double msw_math_expm1(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-54)
        return x;
    if (x > 710)
        return INFINITY;
    if (x < -50)
        return -1;
    if (fabs(x) < 0.25)
        return small_expm1(x);
    math_power p = math_exp_parts((math_dd){x, 0});
    if (p.exponent > 60)
        return rounded(p);
    double scale = math_two_to(p.exponent);
    math_dd value = math_sum(p.value.hi * scale, -1);
    return value.hi + (value.lo + p.value.lo * scale);
}

/* The value that all logarithms give for an x that has none: 0, below 0, NaN, infinite. */
static double no_log(double x)
{
    return x == 0 ? -INFINITY : x < 0 ? NAN : x;
}

static bool has_log(double x)
{
    return x > 0 && x < INFINITY;
}

double msw_math_log(double x)
{
    return has_log(x) ? math_log_dd(x).hi : no_log(x);
}

double msw_math_log2(double x)
{
    if (!has_log(x))
        return no_log(x);
    math_mantissa m = math_split(x);
    math_dd part = math_dd_multiply(math_log_parts(m.z, 0), INVERSE_LN2);
    math_dd sum = math_fast_sum((double)m.exponent, part.hi);
    return sum.hi + (sum.lo + part.lo);
}

double msw_math_log10(double x)
{
    return has_log(x) ? math_dd_multiply(math_log_dd(x), INVERSE_LN10).hi : no_log(x);
}

/* log(1 + x) for x above -1 and not tiny: 1 + x = s + e, and log(s + e) = log s + e/s. */
static math_dd log1p_dd(double x)
{
    math_dd one = math_sum(1, x), log = math_log_dd(one.hi);
    return math_fast_sum(log.hi, log.lo + one.lo / one.hi);
}

double msw_math_log1p(double x)
{
    if (!(x > -1) || x == INFINITY)
        return no_log(1 + x);
    return fabs(x) < 0x1p-54 ? x : fabs(x) < 0x1p-28 ? x - x * x * (0.5 - x / 3) : log1p_dd(x).hi;
}

double msw_math_atanh(double x)
{
    if (isnan(x) || fabs(x) > 1)
        return NAN;
    if (fabs(x) == 1)
        return copysign(INFINITY, x);
    if (fabs(x) < 0x1p-28)
        return fabs(x) < 0x1p-54 ? x : x + x * x * x / 3;
    return math_dd_add(log1p_dd(x), math_dd_negate(log1p_dd(-x))).hi / 2;
}

double msw_math_cbrt(double x)
{
    if (!has_log(fabs(x)))
        return x;
    return copysign(exp_dd(math_dd_multiply(math_log_dd(fabs(x)), THIRD)), x);
}

/* Returns whether y is whole and odd; from 2^53 on all numbers are even. */
static bool is_odd(double y)
{
    return fabs(y) < 0x1p53 && y == trunc(y) && fmod(y, 2) != 0;
}

/* Where x or y is 0, infinite or NaN, or x is 1. */
static double special_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return NAN;
    if (isinf(y) && fabs(x) == 1)
        return 1;
    bool grows = isinf(y) ? (fabs(x) > 1) == (y > 0) : (x != 0) == (y > 0);
    double size = grows ? INFINITY : 0;
    return signbit(x) && is_odd(y) ? -size : size;
}

double msw_math_pow(double x, double y)
{
    if (!has_log(x) || !(y != 0 && fabs(y) < INFINITY)) {
        if (!has_log(fabs(x)) || y == 0 || !(fabs(y) < INFINITY))
            return special_pow(x, y);
        if (y != trunc(y))
            return NAN;
    }
    math_dd log = math_log_dd(fabs(x));
    double size = y * log.hi;
    double result;
    if (!(fabs(size) < 750)) {
        result = size > 0 ? INFINITY : 0;
    } else {
        math_dd product = math_product(y, log.hi);
        result = exp_dd((math_dd){product.hi, product.lo + y * log.lo});
    }
    return x < 0 && is_odd(y) ? -result : result;
}

double msw_math_hypot(double x, double y)
{
    if (isinf(x) || isinf(y))
        return INFINITY;
    if (isnan(x) || isnan(y))
        return NAN;
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    double scale = a > 0x1p500 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1;
    if (b == 0 || b < a * 0x1p-60)
        return a + b;
    a *= scale;
    b *= scale;
    return math_dd_sqrt(math_dd_add(math_product(a, a), math_product(b, b))).hi / scale;
}

/* ---- hyperbolic functions ---- */

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

double msw_math_tanh(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-27)
        return x;
    if (fabs(x) > 20)
        return copysign(1, x);
    math_dd above = fabs(x) < 0.25 ? small_sinh(x) : mean_of_powers(x, -1);
    return math_dd_divide(above, mean_of_powers(x, 1)).hi;
}
