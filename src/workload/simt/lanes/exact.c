/* SPDX-License-Identifier: MIT */
/* A number is (m + s e) x 2^x with an integer m of up to 128 bits, and s = 1 when something smaller
 * than one unit of m was cut off. Every operation makes such a number; `pack` rounds it once. */
#include "workload/simt/lanes/exact.h"
#include "memsweep/base/bits.h"

__extension__ typedef unsigned __int128 u128;

typedef struct format_info {
    int precision; /* bits of the significand */
    int lowest;    /* exponent of the smallest subnormal number */
    uint64_t nan;
} format_info;

static const format_info FORMATS[] = {
    [EXACT_F16] = {11, -24, 0x7fff},
    [EXACT_BF16] = {8, -133, 0x7fff},
    [EXACT_F32] = {24, -149, 0x7fffffff},
    [EXACT_F64] = {53, -1074, 0xfff8000000000000u},
};

typedef struct number {
    bool negative, sticky;
    u128 m;
    int x;
} number;

uint64_t exact_nan(exact_format format)
{
    return FORMATS[format].nan;
}

uint64_t exact_sign(exact_format format)
{
    return (uint64_t)0x8000 << (format == EXACT_F64 ? 48 : format == EXACT_F32 ? 16 : 0);
}

uint64_t exact_infinity(exact_format format)
{
    int fraction = FORMATS[format].precision - 1;
    return exact_sign(format) - ((uint64_t)1 << fraction);
}

bool exact_is_nan(exact_format format, uint64_t a)
{
    return (a & (exact_sign(format) - 1)) > exact_infinity(format);
}

static bool is_infinite(exact_format format, uint64_t a)
{
    return (a & (exact_sign(format) - 1)) == exact_infinity(format);
}

static bool is_zero(exact_format format, uint64_t a)
{
    return (a & (exact_sign(format) - 1)) == 0;
}

bool exact_is_subnormal(exact_format format, uint64_t a)
{
    uint64_t size = a & (exact_sign(format) - 1);
    return size && size >> (FORMATS[format].precision - 1) == 0;
}

static number unpack(exact_format format, uint64_t a)
{
    const format_info *f = &FORMATS[format];
    uint64_t size = a & (exact_sign(format) - 1), hidden = (uint64_t)1 << (f->precision - 1);
    uint64_t field = size >> (f->precision - 1);
    number n = {.negative = (a & exact_sign(format)) != 0};
    n.m = field ? (size & (hidden - 1)) | hidden : size;
    n.x = f->lowest + (field ? (int)field - 1 : 0);
    return n;
}

static int top_bit(u128 m)
{
    uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
    return high ? 64 + (int)msw_bits_highest(high) : low ? (int)msw_bits_highest(low) : -1;
}

static bool round_up(exact_rounding rounding, bool negative, bool odd, int half)
{
    /* half: what was cut off, -1 none, 0 below, 1 exactly, 2 above one half */
    switch (rounding) {
    case EXACT_RN:
        return half == 2 || (half == 1 && odd);
    case EXACT_RNA:
        return half >= 1;
    case EXACT_RM:
        return negative && half >= 0;
    case EXACT_RP:
        return !negative && half >= 0;
    default:
        return false;
    }
}

/* Cuts `shift` bits off; says where what was cut off lies about one half. */
static u128 cut(u128 m, int shift, bool sticky, int *half)
{
    if (shift <= 0) {
        *half = sticky ? 0 : -1;
        return m << -shift;
    }
    u128 kept = shift > 127 ? 0 : m >> shift;
    u128 rest = shift > 127 ? m : m & (((u128)1 << shift) - 1);
    u128 middle = shift > 128 ? 0 : (u128)1 << (shift - 1);
    if (!rest && !sticky)
        *half = -1;
    else if (!middle || rest < middle)
        *half = 0;
    else
        *half = rest == middle && !sticky ? 1 : 2;
    return kept;
}

static uint64_t overflow(exact_format format, exact_rounding rounding, bool negative)
{
    uint64_t infinity = exact_infinity(format), sign = negative ? exact_sign(format) : 0;
    bool stays = rounding == EXACT_RZ || rounding == (negative ? EXACT_RP : EXACT_RM);
    return sign | (stays ? infinity - 1 : infinity);
}

static uint64_t pack(exact_format format, exact_rounding rounding, const number *n)
{
    const format_info *f = &FORMATS[format];
    uint64_t sign = n->negative ? exact_sign(format) : 0;
    int top = top_bit(n->m), unit, half;
    unit = n->x + top - (f->precision - 1);
    if (top < 0 && !n->sticky)
        return sign;
    if (unit < f->lowest)
        unit = f->lowest;
    uint64_t m = (uint64_t)cut(n->m, unit - n->x, n->sticky, &half);
    m += round_up(rounding, n->negative, m & 1, half);
    /* A carry out of the significand falls into the exponent by itself. */
    uint64_t field = (uint64_t)(unit - f->lowest);
    uint64_t bits = (field << (f->precision - 1)) + m;
    return field > 4096 || bits >= exact_infinity(format) ? overflow(format, rounding, n->negative)
                                                          : sign | bits;
}

static void align(number *n, int top)
{
    int shift = top - top_bit(n->m);
    n->m <<= shift;
    n->x -= shift;
}

/* a + b; both are not 0 and have no sticky bit. */
static number sum(number a, number b)
{
    align(&a, 124);
    align(&b, 124);
    if (a.x < b.x || (a.x == b.x && a.m < b.m)) {
        number c = a;
        a = b;
        b = c;
    }
    int shift = a.x - b.x;
    if (shift > 127) {
        a.sticky = true;
        b.m = 0;
    } else {
        a.sticky = (b.m & (((u128)1 << shift) - 1)) != 0;
        b.m >>= shift;
    }
    a.m = a.negative == b.negative ? a.m + b.m : a.m - b.m - a.sticky;
    return a;
}

static uint64_t signed_zero(exact_format format, bool negative)
{
    return negative ? exact_sign(format) : 0;
}

/* The product of two significands is exact in the wide integer, so there is one rounding, at the
 * end. A zero sum is negative only when both terms are, or when rounding down. */
uint64_t exact_fma(exact_format format, exact_rounding rounding, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sign = exact_sign(format), infinity = exact_infinity(format);
    bool negative = ((a ^ b) & sign) != 0, c_negative = (c & sign) != 0;
    if (exact_is_nan(format, a) || exact_is_nan(format, b) || exact_is_nan(format, c))
        return exact_nan(format);
    if (is_infinite(format, a) || is_infinite(format, b)) {
        bool none = is_zero(format, a) || is_zero(format, b) ||
                    (is_infinite(format, c) && c_negative != negative);
        return none ? exact_nan(format) : infinity | (negative ? sign : 0);
    }
    if (is_infinite(format, c))
        return c;
    number x = unpack(format, a), y = unpack(format, b), z = unpack(format, c);
    x.m *= y.m;
    x.x += y.x;
    x.negative = negative;
    if (!x.m && !z.m)
        return signed_zero(format, negative == c_negative ? negative : rounding == EXACT_RM);
    if (!x.m)
        return c;
    if (!z.m)
        return pack(format, rounding, &x);
    x = sum(x, z);
    if (!x.m && !x.sticky)
        return signed_zero(format, rounding == EXACT_RM);
    return pack(format, rounding, &x);
}

static uint64_t one(exact_format format)
{
    return exact_from_int(format, EXACT_RN, false, 1);
}

/* Rounded once, as fma is exact up to its end: a x 1 + b, and a x b + a zero of the product's sign.
 * */
uint64_t exact_add(exact_format format, exact_rounding rounding, uint64_t a, uint64_t b)
{
    return exact_fma(format, rounding, a, one(format), b);
}

uint64_t exact_mul(exact_format format, exact_rounding rounding, uint64_t a, uint64_t b)
{
    return exact_fma(format, rounding, a, b, (a ^ b) & exact_sign(format));
}

uint64_t exact_div(exact_format format, exact_rounding rounding, uint64_t a, uint64_t b)
{
    uint64_t sign = (a ^ b) & exact_sign(format);
    bool none = (is_infinite(format, a) && is_infinite(format, b)) ||
                (is_zero(format, a) && is_zero(format, b));
    if (none || exact_is_nan(format, a) || exact_is_nan(format, b))
        return exact_nan(format);
    if (is_infinite(format, a) || is_zero(format, b))
        return sign | exact_infinity(format);
    if (is_infinite(format, b) || is_zero(format, a))
        return sign;
    number x = unpack(format, a), y = unpack(format, b);
    /* 122 bits by 53 leave 69 or more: enough for any format, with the remainder as sticky bit. */
    align(&x, 122);
    align(&y, 53);
    number q = {.negative = sign != 0, .x = x.x - y.x};
    q.m = x.m / y.m;
    q.sticky = x.m % y.m != 0;
    return pack(format, rounding, &q);
}

/* Digit by digit from the highest bit: slow, but plainly right. */
static u128 root(u128 m, bool *exact)
{
    u128 low = 0, bit = (u128)1 << 62;
    for (; bit; bit >>= 1)
        if ((low | bit) * (low | bit) <= m)
            low |= bit;
    *exact = low * low == m;
    return low;
}

uint64_t exact_sqrt(exact_format format, exact_rounding rounding, uint64_t a)
{
    if (exact_is_nan(format, a) || (a & exact_sign(format) && !is_zero(format, a)))
        return exact_nan(format);
    if (is_zero(format, a) || is_infinite(format, a))
        return a;
    number n = unpack(format, a);
    bool exact;
    align(&n, 122);
    if (n.x & 1) {
        n.m <<= 1;
        n.x--;
    }
    n.m = root(n.m, &exact);
    n.x /= 2;
    n.sticky = !exact;
    return pack(format, rounding, &n);
}

uint64_t exact_convert(exact_format from, exact_format to, exact_rounding rounding, uint64_t a)
{
    if (exact_is_nan(from, a))
        return exact_nan(to);
    uint64_t sign = a & exact_sign(from) ? exact_sign(to) : 0;
    if (is_infinite(from, a))
        return sign | exact_infinity(to);
    number n = unpack(from, a);
    return pack(to, rounding, &n);
}

uint64_t exact_from_int(exact_format to, exact_rounding rounding, bool negative, uint64_t magnitude)
{
    number n = {.negative = negative && magnitude, .m = magnitude};
    return pack(to, rounding, &n);
}

/* The whole number next to a finite one; UINT64_MAX stands for all above 64 bits. */
static uint64_t whole(const number *n, exact_rounding rounding)
{
    int half;
    if (n->m && n->x + top_bit(n->m) > 63)
        return UINT64_MAX;
    u128 m = cut(n->m, -n->x, false, &half);
    m += round_up(rounding, n->negative, (uint64_t)m & 1, half);
    return m >> 64 ? UINT64_MAX : (uint64_t)m;
}

uint64_t exact_to_int(exact_format from, exact_rounding rounding, uint64_t a, bool is_signed,
                      unsigned bits)
{
    if (exact_is_nan(from, a))
        return 0;
    number n = unpack(from, a);
    uint64_t all = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    uint64_t most = is_signed ? all >> 1 : all, least = is_signed ? (all >> 1) + 1 : 0;
    uint64_t size = is_infinite(from, a) ? UINT64_MAX : whole(&n, rounding);
    if (n.negative)
        return (0 - (size < least ? size : least)) & all;
    return msw_min_u64(size, most);
}

uint64_t exact_integral(exact_format format, exact_rounding rounding, uint64_t a)
{
    if (exact_is_nan(format, a))
        return exact_nan(format);
    number n = unpack(format, a);
    if (is_infinite(format, a) || n.x >= 0)
        return a;
    uint64_t sign = a & exact_sign(format);
    return sign | exact_from_int(format, EXACT_RN, false, whole(&n, rounding));
}
