/* SPDX-License-Identifier: MIT */
/* Operations on whole numbers and bits that have no loop of their own. */
#include "workload/simt/lanes/lanes.h"

#include "memsweep/base/bits.h"

uint64_t simt_cut_to(msw_simt_type type, uint64_t a)
{
    unsigned bits = 8 * msw_simt_type_bytes(type);
    if (bits == 64)
        return a;
    a &= ((uint64_t)1 << bits) - 1;
    return simt_is_signed(type) && a >> (bits - 1) ? a | ~(((uint64_t)1 << bits) - 1) : a;
}

uint64_t simt_saturate(msw_simt_type to, msw_simt_type from, uint64_t a)
{
    unsigned bits = 8 * msw_simt_type_bytes(to);
    bool negative = simt_is_signed(from) && (int64_t)a < 0, is_signed = simt_is_signed(to);
    uint64_t most = is_signed ? ((uint64_t)1 << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    uint64_t least = is_signed ? 0 - most - 1 : 0;
    if (negative)
        return !is_signed || (int64_t)a < (int64_t)least ? least : a;
    return msw_min_u64(a, most);
}

uint64_t simt_extract_bits(const msw_simt_detail *d, const uint64_t src[5])
{
    unsigned bits = 8 * msw_simt_type_bytes(d->type);
    unsigned from = src[1] & 255, length = src[2] & 255;
    bool is_signed = simt_is_signed(d->type);
    uint64_t a = simt_cut_to(d->type, src[0]);
    if (!length)
        return 0;
    if (is_signed)
        a = (uint64_t)((int64_t)a >> (from < 63 ? from : 63));
    else
        a = from < bits ? a >> from : 0;
    if (length >= bits)
        return a;
    a <<= 64 - length;
    return is_signed ? (uint64_t)((int64_t)a >> (64 - length)) : a >> (64 - length);
}

uint64_t simt_insert_bits(const msw_simt_detail *d, const uint64_t src[5])
{
    unsigned bits = 8 * msw_simt_type_bytes(d->type);
    unsigned to = src[2] & 255, length = src[3] & 255;
    if (!length || to >= bits)
        return src[1];
    uint64_t field = (length >= 64 ? UINT64_MAX : ((uint64_t)1 << length) - 1) << to;
    return (src[1] & ~field) | (src[0] << to & field);
}

uint64_t simt_find_bit(const msw_simt_detail *d, uint64_t a)
{
    unsigned bits = 8 * msw_simt_type_bytes(d->type);
    a = simt_cut_to(d->type, a);
    if (simt_is_signed(d->type) && (int64_t)a < 0)
        a = ~a;
    if (!a)
        return UINT32_MAX;
    unsigned at = msw_bits_highest(a);
    return simt_has(d, W_SHIFTAMT) ? bits - 1 - at : at;
}

/* The n-th set bit from a base on; UINT32_MAX when there is none. */
uint64_t simt_find_nth(uint32_t a, uint32_t base, int32_t n)
{
    int32_t step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;
    if (n == 0)
        return a >> (base & 31) & 1 ? base & 31 : UINT32_MAX;
    for (int32_t at = (int32_t)(base & 31); at >= 0 && at < 32; at += step)
        if (a >> at & 1 && --left == 0)
            return (uint64_t)at;
    return UINT32_MAX;
}

/* prmt with a mode takes the whole selection from its lowest two bits. */
uint64_t simt_permute(const msw_simt_detail *d, const uint64_t src[5])
{
    static const struct {
        simt_word word;
        uint16_t selections[4];
    } MODES[] = {
        {W_F4E, {0x3210, 0x4321, 0x5432, 0x6543}}, {W_B4E, {0x5670, 0x6701, 0x7012, 0x0123}},
        {W_RC8, {0x0000, 0x1111, 0x2222, 0x3333}}, {W_ECL, {0x3210, 0x3211, 0x3222, 0x3333}},
        {W_ECR, {0x0000, 0x1110, 0x2210, 0x3210}}, {W_RC16, {0x1010, 0x3232, 0x1010, 0x3232}}};
    uint64_t both = src[1] << 32 | (src[0] & UINT32_MAX), out = 0;
    uint32_t selection = (uint32_t)src[2];
    for (size_t m = 0; m < sizeof MODES / sizeof *MODES; m++)
        if (simt_has(d, MODES[m].word))
            selection = MODES[m].selections[src[2] & 3];
    for (int k = 0; k < 4; k++)
        out |= (both >> (8 * (selection >> (4 * k) & 7)) & 255) << (8 * k);
    return out;
}

uint64_t simt_dot_two(const msw_simt_detail *d, const uint64_t src[5])
{
    uint64_t sum = src[2];
    for (int k = 0; k < 2; k++) {
        uint64_t a = src[0] >> (16 * k) & 0xffff,
                 b = src[1] >> (8 * k + 16 * simt_has(d, W_HI)) & 255;
        int64_t x = simt_is_signed(d->type) ? (int16_t)a : (int64_t)a;
        int64_t y = simt_is_signed(d->type2) ? (int8_t)b : (int64_t)b;
        sum += (uint64_t)(x * y);
    }
    return sum;
}

uint64_t simt_multiply_24(const msw_simt_detail *d, const uint64_t src[5])
{
    int64_t a = (int64_t)(src[0] & 0xffffff), b = (int64_t)(src[1] & 0xffffff);
    bool is_signed = simt_is_signed(d->type);
    if (is_signed) {
        a = (int64_t)((uint64_t)a << 40) >> 40;
        b = (int64_t)((uint64_t)b << 40) >> 40;
    }
    int64_t product =
        simt_has(d, W_HI) ? a * b >> 16 : (int64_t)simt_cut_to(d->type, (uint64_t)(a * b));
    product = (int64_t)simt_cut_to(d->type, (uint64_t)product);
    if (d->op == OP_MUL24)
        return (uint64_t)product;
    int64_t sum = product + (int64_t)simt_cut_to(d->type, src[2]);
    return simt_has(d, W_SAT) ? simt_saturate(d->type, MSW_SIMT_S64, (uint64_t)sum) : (uint64_t)sum;
}

uint64_t simt_difference(const msw_simt_detail *d, const uint64_t src[5])
{
    uint64_t a = simt_cut_to(d->type, src[0]), b = simt_cut_to(d->type, src[1]);
    bool less = simt_is_signed(d->type) ? (int64_t)a < (int64_t)b : a < b;
    return (less ? b - a : a - b) + src[2];
}

/* add.sat.s32, sub.sat.s32, mad.hi.sat.s32 and what is left of 16 bits. */
uint64_t simt_integer(const msw_simt_detail *d, const uint64_t src[5])
{
    int64_t a = (int64_t)simt_cut_to(d->type, src[0]), b = (int64_t)simt_cut_to(d->type, src[1]);
    int64_t c = (int64_t)simt_cut_to(d->type, src[2]), sum;
    unsigned bits = 8 * msw_simt_type_bytes(d->type);
    switch (d->op) {
    case OP_ADD:
        sum = a + b;
        break;
    case OP_SUB:
        sum = a - b;
        break;
    default:
        sum = (a * b >> bits) + c;
        break;
    }
    return simt_has(d, W_SAT) ? simt_saturate(d->type, MSW_SIMT_S64, (uint64_t)sum) : (uint64_t)sum;
}

uint64_t simt_reverse_bits(uint64_t a)
{
    uint64_t out = 0;
    for (int i = 0; i < 64; i++)
        out |= (a >> i & 1) << (63 - i);
    return out;
}
