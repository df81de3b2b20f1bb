/* SPDX-License-Identifier: MIT */
/* sin and cos.
 *
 * x = k pi/32 + d with |d| <= pi/64, so that sin x = S cos d + C sin d with S and C from the table;
 * d is a double-double, and so are the first terms. */
#include "memsweep/base/math.h"

#include "base/math_parts.h"

#include <stdbool.h>

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
