/* SPDX-License-Identifier: MIT */
/* sin, cos, tan and their inverses.
 *
 * x = k pi/32 + d with |d| <= pi/64, so that sin x = S cos d + C sin d with S and C from the table;
 * d is a double-double, and so are the first terms. Inverses: atan(y/x) = atan(i/16) + atan(t)
 * where t = (y - x i/16) / (x + y i/16), |t| <= 1/32. */
#include "memsweep/base/math.h"

#include "base/math_parts.h"

#include <stdbool.h>

static const math_dd PI = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
static const math_dd HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const math_dd STEP = {0x1.921fb54442d18p-4, 0x1.1a62633145c07p-58}; /* pi/32 */

typedef struct angle {
    unsigned k; /* modulo 64 */
    math_dd rest;
} angle;

/* pi/32 in three parts of 33 bits, whose products with k are exact, and a rest. */
static angle reduce(double x)
{
    double k = (x * 0x1.45f306dc9c883p+3 + MATH_ROUND) - MATH_ROUND;
    math_dd rest = math_sum(x - k * 0x1.921fb544p-4, -k * 0x1.0b4611a6p-38);
    math_dd next = math_sum(rest.hi, -k * 0x1.3198a2ep-73);
    double low = rest.lo + next.lo - k * 0x1.b839a252049c1p-108;
    return (angle){(unsigned)((int64_t)k & 63), math_fast_sum(next.hi, low)};
}

/* 32 binary digits from `first` on, counted from the lowest of the product; below 0 there are none.
 */
static uint32_t digits_from(const uint32_t *product, int first)
{
    if (first <= -32)
        return 0;
    if (first < 0)
        return product[0] << -first;
    uint64_t both = product[first / 32] | (uint64_t)product[first / 32 + 1] << 32;
    return (uint32_t)(both >> first % 32);
}

/* Large x: the fraction of x/(2 pi), from the mantissa times those binary digits of 1/(2 pi) that
 * give neither whole turns nor less than 2^-140 of one. */
static angle reduce_large(double x)
{
    int exponent;
    uint64_t mantissa = (uint64_t)ldexp(frexp(x, &exponent), 53);
    exponent -= 53;
    int first = exponent > 0 ? exponent / 32 : 0, point = 224 - (exponent - 32 * first);
    uint32_t product[11] = {0};
    for (int i = 0; i < 7; i++) {
        uint64_t word = MATH_INVERSE_CIRCLE[first + 6 - i];
        uint64_t low = word * (uint32_t)mantissa + product[i];
        uint64_t high = word * (mantissa >> 32) + product[i + 1] + (low >> 32);
        product[i] = (uint32_t)low;
        product[i + 1] = (uint32_t)high;
        product[i + 2] = (uint32_t)(high >> 32);
    }
    unsigned k = digits_from(product, point - 6) & 63;
    math_dd part = {0, 0};
    double unit = 0x1p-32;
    for (int i = 1; i <= 5; i++, unit *= 0x1p-32) {
        math_dd sum = math_sum(part.hi, digits_from(product, point - 6 - 32 * i) * unit);
        part = math_fast_sum(sum.hi, sum.lo + part.lo);
        if (i == 1 && part.hi >= 0.5) {
            part.hi -= 1;
            k++;
        }
    }
    return (angle){k & 63, math_dd_multiply(part, STEP)};
}

static angle reduce_any(double x)
{
    if (fabs(x) < 1e5)
        return reduce(x);
    angle a = reduce_large(fabs(x));
    if (x < 0)
        a = (angle){-a.k & 63, math_dd_negate(a.rest)};
    return a;
}

static math_dd sine(angle a, unsigned quarter)
{
    const double *s = MATH_SINE[(a.k + 16 * quarter) & 63];
    const double *c = MATH_SINE[(a.k + 16 * quarter + 16) & 63];
    double d = a.rest.hi, d2 = d * d;
    double sine_rest =
        d * d2 * (-1.0 / 6 + d2 * (1.0 / 120 + d2 * (-1.0 / 5040 + d2 * (1.0 / 362880))));
    double cosine_rest =
        d2 * (-0.5 + d2 * (1.0 / 24 + d2 * (-1.0 / 720 + d2 * (1.0 / 40320)))) - d * a.rest.lo;
    math_dd product = math_product(c[0], d), sum = math_sum(s[0], product.hi);
    double low = sum.lo + product.lo + s[1] + c[1] * d + c[0] * a.rest.lo;
    return math_fast_sum(sum.hi, low + c[0] * sine_rest + s[0] * cosine_rest);
}

double msw_math_sin(double x)
{
    if (!(fabs(x) < INFINITY))
        return NAN;
    return fabs(x) < 0x1p-27 ? x : sine(reduce_any(x), 0).hi;
}

double msw_math_cos(double x)
{
    return fabs(x) < INFINITY ? sine(reduce_any(x), 1).hi : NAN;
}

double msw_math_tan(double x)
{
    if (!(fabs(x) < INFINITY))
        return NAN;
    if (fabs(x) < 0x1p-27)
        return x;
    angle a = reduce_any(x);
    return math_dd_divide(sine(a, 0), sine(a, 1)).hi;
}

/* The angle of (x, y) with 0 <= y <= x, neither tiny nor huge. */
static math_dd atan_ratio(math_dd y, math_dd x)
{
    double i = (16 * y.hi / x.hi + MATH_ROUND) - MATH_ROUND;
    const double *entry = MATH_ATAN[(int)i];
    math_dd share = {i / 16, 0};
    math_dd above = math_dd_add(y, math_dd_negate(math_dd_multiply(x, share)));
    math_dd t = math_dd_divide(above, math_dd_add(x, math_dd_multiply(y, share)));
    double d = t.hi, d2 = d * d;
    double rest =
        d * d2 * (-1.0 / 3 + d2 * (0.2 + d2 * (-1.0 / 7 + d2 * (1.0 / 9 + d2 * (-1.0 / 11)))));
    math_dd sum = math_sum(entry[0], t.hi);
    return math_fast_sum(sum.hi, sum.lo + (entry[1] + t.lo + rest));
}

/* The angle of (x, y) for any x and for y >= 0. */
static math_dd atan_plane(math_dd y, math_dd x)
{
    math_dd size = x.hi < 0 ? math_dd_negate(x) : x;
    math_dd turn = y.hi <= size.hi ? atan_ratio(y, size)
                                   : math_dd_add(HALF_PI, math_dd_negate(atan_ratio(size, y)));
    return x.hi < 0 ? math_dd_add(PI, math_dd_negate(turn)) : turn;
}

double msw_math_atan(double x)
{
    if (isnan(x) || fabs(x) < 0x1p-27)
        return x;
    if (fabs(x) > 0x1p60)
        return copysign(HALF_PI.hi, x);
    return copysign(atan_plane((math_dd){fabs(x), 0}, (math_dd){1, 0}).hi, x);
}

/* Where one of the two is 0, infinite, or negligible compared with the other. */
static double edge_atan2(double y, double x, int apart)
{
    if (isinf(x) && isinf(y))
        return x > 0 ? HALF_PI.hi / 2 : 0x1.2d97c7f3321d2p+1;
    if (isinf(y) || (y != 0 && (x == 0 || apart > 60)))
        return HALF_PI.hi;
    if (signbit(x))
        return PI.hi;
    return isinf(x) || y == 0 ? 0 : y / x;
}

double msw_math_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return NAN;
    int ex = 0, ey = 0;
    double fx = frexp(x, &ex), fy = frexp(fabs(y), &ey);
    bool ordinary = x != 0 && y != 0 && !isinf(x) && !isinf(y);
    if (!ordinary || ex - ey > 60 || ey - ex > 60)
        return copysign(edge_atan2(fabs(y), x, ordinary ? ey - ex : 0), y);
    return copysign(atan_plane((math_dd){ldexp(fy, ey - ex), 0}, (math_dd){fx, 0}).hi, y);
}

/* sqrt(1 - x^2) */
static math_dd other_side(double x)
{
    return math_dd_sqrt(math_dd_add((math_dd){1, 0}, math_dd_negate(math_product(x, x))));
}

double msw_math_asin(double x)
{
    if (isnan(x) || fabs(x) > 1)
        return NAN;
    if (fabs(x) < 0x1p-27)
        return x;
    return copysign(atan_plane((math_dd){fabs(x), 0}, other_side(x)).hi, x);
}

double msw_math_acos(double x)
{
    if (isnan(x) || fabs(x) > 1)
        return NAN;
    if (x == 1)
        return 0;
    return atan_plane(other_side(x), (math_dd){x, 0}).hi;
}
