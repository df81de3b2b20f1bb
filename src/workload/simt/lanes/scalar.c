/* SPDX-License-Identifier: MIT */
/* One lane of what has no loop of its own: halves, directed roundings, odd conversions, ... */
#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/workload/simt/memory.h"
#include "workload/simt/lanes/exact.h"
#include "workload/simt/lanes/lanes.h"

#include <string.h>

static exact_format format_of(msw_simt_type type)
{
    return type == MSW_SIMT_F64    ? EXACT_F64
           : type == MSW_SIMT_F32  ? EXACT_F32
           : type == MSW_SIMT_BF16 ? EXACT_BF16
                                   : EXACT_F16;
}

static exact_rounding rounding_of(const msw_simt_detail *d)
{
    if (simt_has(d, W_RZ) || simt_has(d, W_RZI))
        return EXACT_RZ;
    if (simt_has(d, W_RM) || simt_has(d, W_RMI))
        return EXACT_RM;
    if (simt_has(d, W_RP) || simt_has(d, W_RPI))
        return EXACT_RP;
    return simt_has(d, W_RNA) ? EXACT_RNA : EXACT_RN;
}

static uint64_t flush(const msw_simt_detail *d, exact_format format, uint64_t a)
{
    if (format == EXACT_F64 || !simt_has(d, W_FTZ) || !exact_is_subnormal(format, a))
        return a;
    return a & exact_sign(format);
}

static double to_double(exact_format format, uint64_t a)
{
    uint64_t bits = exact_convert(format, EXACT_F64, EXACT_RN, a);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t from_double(exact_format format, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return exact_convert(EXACT_F64, format, EXACT_RN, bits);
}

static uint64_t one_of(exact_format format)
{
    return exact_from_int(format, EXACT_RN, false, 1);
}

/* 0 ... 1, NaN gives 0; or what is negative gives 0. */
static uint64_t clamp(const msw_simt_detail *d, exact_format format, uint64_t a)
{
    if (simt_has(d, W_RELU) && a & exact_sign(format) && !exact_is_nan(format, a))
        return 0;
    if (!simt_has(d, W_SAT))
        return a;
    if (exact_is_nan(format, a) || a & exact_sign(format))
        return 0;
    return a > one_of(format) ? one_of(format) : a;
}

static uint64_t smaller(exact_format format, uint64_t a, uint64_t b, bool larger)
{
    double x = to_double(format, a), y = to_double(format, b);
    if (x == y)
        return larger ? a & b : a | b;
    return (x < y) != larger ? a : b;
}

static uint64_t extreme(const msw_simt_detail *d, exact_format format, uint64_t a, uint64_t b)
{
    uint64_t sign = exact_sign(format), result_sign = 0;
    if (simt_has(d, W_XORSIGN)) {
        result_sign = (a ^ b) & sign;
        a &= ~sign;
        b &= ~sign;
    }
    bool a_nan = exact_is_nan(format, a), b_nan = exact_is_nan(format, b);
    if ((a_nan && b_nan) || (simt_has(d, W_NAN_MINMAX) && (a_nan || b_nan)))
        return exact_nan(format);
    if (a_nan || b_nan)
        return (a_nan ? b : a) | result_sign;
    return smaller(format, a, b, d->op == OP_MAX) | result_sign;
}

static uint64_t operate(const msw_simt_detail *d, exact_format format, const uint64_t v[3])
{
    exact_rounding rounding = rounding_of(d);
    uint64_t sign = exact_sign(format);
    bool is_nan = exact_is_nan(format, v[0]);
    switch (d->op) {
    case OP_ADD:
        return exact_add(format, rounding, v[0], v[1]);
    case OP_SUB:
        return exact_add(format, rounding, v[0], v[1] ^ sign);
    case OP_MUL:
        return exact_mul(format, rounding, v[0], v[1]);
    case OP_MAD:
    case OP_FMA:
        return exact_fma(format, rounding, v[0], v[1], v[2]);
    case OP_DIV:
        return exact_div(format, rounding, v[0], v[1]);
    case OP_RCP:
        return exact_div(format, rounding, one_of(format), v[0]);
    case OP_SQRT:
        return exact_sqrt(format, rounding, v[0]);
    case OP_NEG:
        return is_nan ? exact_nan(format) : v[0] ^ sign;
    case OP_ABS:
        return is_nan ? exact_nan(format) : v[0] & ~sign;
    case OP_EX2:
        return from_double(format, msw_math_exp2(to_double(format, v[0])));
    case OP_TANH:
        return from_double(format, msw_math_tanh(to_double(format, v[0])));
    case OP_MIN:
    case OP_MAX: {
        uint64_t first = extreme(d, format, v[0], v[1]);
        return d->src_count > 2 ? extreme(d, format, first, v[2]) : first;
    }
    default:
        return 0;
    }
}

static uint64_t float_lane(const msw_simt_detail *d, exact_format format, const uint64_t src[5])
{
    uint64_t v[3];
    for (int k = 0; k < 3; k++)
        v[k] = k < d->src_count ? flush(d, format, src[k]) : 0;
    return clamp(d, format, flush(d, format, operate(d, format, v)));
}

static uint64_t float_any(const msw_simt_detail *d, const uint64_t src[5])
{
    if (d->type != MSW_SIMT_F16X2)
        return float_lane(d, format_of(d->type), src);
    uint64_t low[5], high[5];
    for (int k = 0; k < 5; k++) {
        low[k] = src[k] & 0xffff;
        high[k] = src[k] >> 16 & 0xffff;
    }
    return float_lane(d, EXACT_F16, low) | float_lane(d, EXACT_F16, high) << 16;
}

static uint64_t convert_float(const msw_simt_detail *d, uint64_t a)
{
    exact_format from = format_of(d->type2);
    bool whole =
        simt_has(d, W_RNI) || simt_has(d, W_RZI) || simt_has(d, W_RMI) || simt_has(d, W_RPI);
    exact_rounding rounding = rounding_of(d);
    if (d->type2 == MSW_SIMT_F32)
        a = flush(d, from, a);
    if (!simt_is_float(d->type)) {
        unsigned bits = 8 * msw_simt_type_bytes(d->type);
        return simt_cut_to(d->type, exact_to_int(from, rounding, a, simt_is_signed(d->type), bits));
    }
    exact_format to = format_of(d->type);
    uint64_t out = whole ? exact_convert(from, to, EXACT_RN, exact_integral(from, rounding, a))
                         : exact_convert(from, to, rounding, a);
    if (d->type == MSW_SIMT_F32)
        out = flush(d, to, out);
    return clamp(d, to, out);
}

static bool is_pair(msw_simt_type type)
{
    return type == MSW_SIMT_F16X2 || type == MSW_SIMT_BF16X2;
}

static uint64_t convert(const msw_simt_detail *d, const uint64_t src[5])
{
    if (is_pair(d->type)) {
        msw_simt_detail one = *d;
        one.type = d->type == MSW_SIMT_F16X2 ? MSW_SIMT_F16 : MSW_SIMT_BF16;
        return convert_float(&one, src[0] & UINT32_MAX) << 16 |
               convert_float(&one, src[1] & UINT32_MAX);
    }
    uint64_t a = simt_cut_to(d->type2, src[0]);
    if (simt_is_float(d->type2))
        return convert_float(d, a);
    if (simt_is_float(d->type)) {
        bool negative = simt_is_signed(d->type2) && (int64_t)a < 0;
        exact_format to = format_of(d->type);
        return clamp(d, to, exact_from_int(to, rounding_of(d), negative, negative ? 0 - a : a));
    }
    return simt_has(d, W_SAT) ? simt_saturate(d->type, d->type2, a) : simt_cut_to(d->type, a);
}

static bool compare_floats(const msw_simt_detail *d, double a, double b)
{
    bool apart = a != a || b != b;
    if (simt_has(d, W_NUM) || simt_has(d, W_NAN))
        return apart == simt_has(d, W_NAN);
    if (apart)
        return simt_has(d, W_EQU) || simt_has(d, W_NEU) || simt_has(d, W_LTU) ||
               simt_has(d, W_LEU) || simt_has(d, W_GTU) || simt_has(d, W_GEU);
    if (a < b)
        return simt_has(d, W_LT) || simt_has(d, W_LE) || simt_has(d, W_NE) || simt_has(d, W_LTU) ||
               simt_has(d, W_LEU) || simt_has(d, W_NEU);
    if (a > b)
        return simt_has(d, W_GT) || simt_has(d, W_GE) || simt_has(d, W_NE) || simt_has(d, W_GTU) ||
               simt_has(d, W_GEU) || simt_has(d, W_NEU);
    return simt_has(d, W_EQ) || simt_has(d, W_LE) || simt_has(d, W_GE) || simt_has(d, W_EQU) ||
           simt_has(d, W_LEU) || simt_has(d, W_GEU);
}

static bool compare_values(const msw_simt_detail *d, msw_simt_type type, uint64_t a, uint64_t b)
{
    if (simt_is_float(type)) {
        exact_format format = format_of(type);
        return compare_floats(d, to_double(format, flush(d, format, a)),
                              to_double(format, flush(d, format, b)));
    }
    a = simt_cut_to(type, a);
    b = simt_cut_to(type, b);
    bool less = simt_is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
    if (a == b)
        return simt_has(d, W_EQ) || simt_has(d, W_LE) || simt_has(d, W_GE) || simt_has(d, W_LS) ||
               simt_has(d, W_HS);
    if (simt_has(d, W_NE))
        return true;
    return less ? simt_has(d, W_LT) || simt_has(d, W_LE) || simt_has(d, W_LO) || simt_has(d, W_LS)
                : simt_has(d, W_GT) || simt_has(d, W_GE) || simt_has(d, W_HI) || simt_has(d, W_HS);
}

uint32_t simt_combine(const msw_simt_detail *d, uint32_t bits, uint32_t third)
{
    if (simt_has(d, W_AND))
        return bits & third;
    return simt_has(d, W_OR) ? bits | third : bits ^ third;
}

/* Bit 0: the predicate; bit 1: the one behind '|'. */
static uint64_t compare(const msw_simt_detail *d, const uint64_t src[5])
{
    uint32_t holds = compare_values(d, d->type, src[0], src[1]), third = src[2] & 1;
    if (d->src_count < 3)
        return holds | (uint64_t)!holds << 1;
    return simt_combine(d, holds, third) | (uint64_t)simt_combine(d, !holds, third) << 1;
}

static uint64_t set_lane(const msw_simt_detail *d, msw_simt_type from, uint64_t a, uint64_t b,
                         uint64_t third, msw_simt_type to)
{
    uint32_t holds = compare_values(d, from, a, b);
    if (d->src_count > 2)
        holds = simt_combine(d, holds, third & 1);
    if (!holds)
        return 0;
    return simt_is_float(to) ? one_of(format_of(to)) : UINT64_MAX;
}

static uint64_t set(const msw_simt_detail *d, const uint64_t src[5])
{
    if (d->type2 != MSW_SIMT_F16X2)
        return set_lane(d, d->type2, src[0], src[1], src[2], d->type);
    msw_simt_type to = simt_is_float(d->type) ? MSW_SIMT_F16 : MSW_SIMT_U16;
    uint64_t low = set_lane(d, MSW_SIMT_F16, src[0] & 0xffff, src[1] & 0xffff, src[2], to);
    uint64_t high =
        set_lane(d, MSW_SIMT_F16, src[0] >> 16 & 0xffff, src[1] >> 16 & 0xffff, src[2], to);
    return (low & 0xffff) | (high & 0xffff) << 16;
}

static uint64_t select_by_sign(const msw_simt_detail *d, const uint64_t src[5])
{
    if (d->type2 == MSW_SIMT_S32)
        return (int32_t)src[2] >= 0 ? src[0] : src[1];
    return to_double(EXACT_F32, flush(d, EXACT_F32, src[2])) >= 0 ? src[0] : src[1];
}

static bool test(const msw_simt_detail *d, uint64_t a)
{
    exact_format format = format_of(d->type);
    bool nan = exact_is_nan(format, a), subnormal = exact_is_subnormal(format, a);
    uint64_t size = a & (exact_sign(format) - 1);
    bool infinite = size == exact_infinity(format);
    if (simt_has(d, W_FINITE))
        return !nan && !infinite;
    if (simt_has(d, W_INFINITE))
        return infinite;
    if (simt_has(d, W_NUMBER))
        return !nan;
    if (simt_has(d, W_NOTANUMBER))
        return nan;
    return simt_has(d, W_NORMAL) ? !nan && !infinite && !subnormal && size : subnormal;
}

static bool in_space(const msw_simt_detail *d, uint64_t address)
{
    uint64_t window = (address - MSW_SIMT_WINDOW_BASE) >> 32;
    switch (d->space) {
    case MSW_SIMT_SHARED:
        return window == 1;
    case MSW_SIMT_LOCAL:
        return window == 2;
    case MSW_SIMT_CONST:
        return window == 3;
    case MSW_SIMT_PARAM:
        return window == 4;
    default:
        return address < MSW_SIMT_WINDOW_BASE;
    }
}

static bool knows_integer(const msw_simt_detail *d)
{
    bool add = d->op == OP_ADD || d->op == OP_SUB;
    if (add)
        return d->type == MSW_SIMT_S32;
    return d->op == OP_MAD && msw_simt_type_bytes(d->type) < 8 && simt_has(d, W_HI);
}

static bool knows_float(const msw_simt_detail *d)
{
    bool half = d->type == MSW_SIMT_F16 || d->type == MSW_SIMT_F16X2;
    switch (d->op) {
    case OP_EX2:
    case OP_TANH:
        return half;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_FMA:
    case OP_MAD:
    case OP_NEG:
    case OP_ABS:
    case OP_MIN:
    case OP_MAX:
        return true;
    case OP_DIV:
    case OP_RCP:
    case OP_SQRT:
        return !half && !simt_has(d, W_APPROX);
    default:
        return false;
    }
}

bool simt_scalar_knows(const msw_simt_detail *d)
{
    switch (d->op) {
    case OP_CVT:
        return is_pair(d->type) ? d->type2 == MSW_SIMT_F32 && d->src_count == 2
                                : !is_pair(d->type2) && d->src_count == 1;
    case OP_SETP:
        return d->type != MSW_SIMT_F16X2;
    case OP_SET:
        return d->type2 == MSW_SIMT_F16X2 ? msw_simt_type_bytes(d->type) == 4
                                          : d->type != MSW_SIMT_F16X2;
    case OP_SLCT:
    case OP_BFE:
    case OP_BFI:
    case OP_BFIND:
    case OP_BREV:
    case OP_FNS:
    case OP_PRMT:
    case OP_DP2A:
    case OP_MUL24:
    case OP_MAD24:
    case OP_CNOT:
    case OP_COPYSIGN:
    case OP_TESTP:
    case OP_ISSPACEP:
    case OP_SAD:
        return true;
    default:
        return simt_is_float(d->type) ? knows_float(d) : knows_integer(d);
    }
}

static uint64_t copy_sign(const msw_simt_detail *d, const uint64_t src[5])
{
    uint64_t sign = exact_sign(format_of(d->type));
    return (src[1] & ~sign) | (src[0] & sign);
}

uint64_t simt_scalar(const msw_simt_detail *d, const uint64_t src[5])
{
    switch (d->op) {
    case OP_CVT:
        return convert(d, src);
    case OP_SETP:
        return compare(d, src);
    case OP_SET:
        return set(d, src);
    case OP_SLCT:
        return select_by_sign(d, src);
    case OP_BFE:
        return simt_extract_bits(d, src);
    case OP_BFI:
        return simt_insert_bits(d, src);
    case OP_BFIND:
        return simt_find_bit(d, src[0]);
    case OP_BREV:
        return simt_reverse_bits(src[0]);
    case OP_FNS:
        return simt_find_nth((uint32_t)src[0], (uint32_t)src[1], (int32_t)src[2]);
    case OP_PRMT:
        return simt_permute(d, src);
    case OP_DP2A:
        return simt_dot_two(d, src);
    case OP_MUL24:
    case OP_MAD24:
        return simt_multiply_24(d, src);
    case OP_CNOT:
        return src[0] == 0;
    case OP_COPYSIGN:
        return copy_sign(d, src);
    case OP_TESTP:
        return test(d, src[0]);
    case OP_ISSPACEP:
        return in_space(d, src[0]);
    case OP_SAD:
        return simt_difference(d, src);
    default:
        return simt_is_float(d->type) ? float_any(d, src) : simt_integer(d, src);
    }
}
