/* SPDX-License-Identifier: MIT */
/* Shared parts of the mathematical functions: arithmetic on double-doubles (a number as the sum of
 * two doubles, some 106 bits), and the tables. */
#ifndef MSW_BASE_MATH_PARTS_H
#define MSW_BASE_MATH_PARTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* hi is the nearest double to hi + lo, or close to it. */
typedef struct math_dd {
    double hi, lo;
} math_dd;

extern const double MATH_EXP[128]
                            [2]; /* 2^(i/128): a double, and what it misses, as a share of it */
extern const double MATH_LOG[128]
                            [3]; /* 1/c in 11 bits, then log c: to 42 binary places, the rest */
extern const double MATH_SINE[64][2]; /* sin(i pi/32) */
extern const double MATH_MILLS[26];   /* Chebyshev series of (x + 4) Q(x)/phi(x) over (x-4)/(x+4) */
extern const uint32_t MATH_INVERSE_CIRCLE[42]; /* 1/(2 pi), binary places from the first on */

/* Quantile of the normal distribution: numerator and denominator in 0.425^2 - (p - 1/2)^2, and in
 * sqrt(-log p) - 1.5 up to 3.5 and above. */
extern const double MATH_QUANTILE_MIDDLE[2][9];
extern const double MATH_QUANTILE_TAIL[2][9];
extern const double MATH_QUANTILE_FAR[2][9];

static inline uint64_t math_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double math_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* a + b where |a| >= |b|, or a = 0. */
static inline math_dd math_fast_sum(double a, double b)
{
    double sum = a + b;
    return (math_dd){sum, a - sum + b};
}

static inline math_dd math_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (math_dd){sum, (a - (sum - part)) + (b - part)};
}

/* The first 26 bits of x: products of two such halves are exact. */
static inline double math_head(double x)
{
    return math_double(math_bits(x) & ~(((uint64_t)1 << 27) - 1));
}

static inline math_dd math_product(double a, double b)
{
    double ah = math_head(a), al = a - ah, bh = math_head(b), bl = b - bh, product = a * b;
    return (math_dd){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

static inline math_dd math_dd_add(math_dd a, math_dd b)
{
    math_dd sum = math_sum(a.hi, b.hi);
    return math_fast_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline math_dd math_dd_negate(math_dd a)
{
    return (math_dd){-a.hi, -a.lo};
}

static inline math_dd math_dd_multiply(math_dd a, math_dd b)
{
    math_dd product = math_product(a.hi, b.hi);
    return math_fast_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline math_dd math_dd_divide(math_dd a, math_dd b)
{
    double quotient = a.hi / b.hi;
    math_dd back = math_product(quotient, b.hi);
    double rest = (a.hi - back.hi - back.lo + a.lo) - quotient * b.lo;
    return math_fast_sum(quotient, rest / b.hi);
}

static inline math_dd math_dd_sqrt(math_dd a)
{
    double root = sqrt(a.hi);
    if (root == 0)
        return (math_dd){0, 0};
    math_dd back = math_product(root, root);
    return math_fast_sum(root, (a.hi - back.hi - back.lo + a.lo) / (2 * root));
}

/* Adding it rounds to a whole number, which is in the last bits of the sum. */
static const double MATH_ROUND = 0x1.8p52;

#endif
