/* SPDX-License-Identifier: MIT */
/* Shared parts of the mathematical functions: arithmetic on double-doubles (a number as the sum of
 * two doubles, some 106 bits), the tables, and the cores of exp and log. */
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
extern const double MATH_ATAN[17][2]; /* atan(i/16) */
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

/* Adding it rounds to a whole number, which is in the last bits of the sum. */
static const double MATH_ROUND = 0x1.8p52;

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

#endif
