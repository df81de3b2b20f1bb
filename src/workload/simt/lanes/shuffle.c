/* SPDX-License-Identifier: MIT */
/* Exchanges between lanes, and sums with carries. */
#include "workload/simt/lanes/lanes.h"

__extension__ typedef unsigned __int128 u128;

/* As the PTX manual defines it: c holds the bound in bits 0 to 4 and, in bits 8 to 12, the mask
 * that cuts the warp into segments. A lane whose source lies outside reads itself. */
uint32_t simt_shuffle(const msw_simt_detail *detail, const uint32_t *b, const uint32_t *c,
                      uint32_t from[MSW_SIMT_LANES])
{
    uint32_t in = 0;
    for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++) {
        uint32_t offset = b[lane] & 31, bound = c[lane] & 31, segment = c[lane] >> 8 & 31;
        uint32_t low = lane & segment, high = low | (bound & ~segment), source;
        bool fits;
        if (simt_has(detail, W_UP)) {
            source = lane - offset;
            fits = (int32_t)source >= (int32_t)high;
        } else {
            source = simt_has(detail, W_DOWN)   ? lane + offset
                     : simt_has(detail, W_BFLY) ? lane ^ offset
                                                : low | (offset & ~segment);
            fits = source <= high;
        }
        from[lane] = fits ? source & 31 : lane;
        in |= (uint32_t)fits << lane;
    }
    return in;
}

uint32_t simt_match(const msw_simt_detail *detail, const uint64_t *values, const uint32_t *members,
                    uint32_t mask, uint32_t same[MSW_SIMT_LANES])
{
    uint32_t agree = 0;
    for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++) {
        uint32_t group = members[lane] & mask;
        same[lane] = 0;
        for (uint32_t other = 0; other < MSW_SIMT_LANES; other++)
            if (group >> other & 1 && values[other] == values[lane])
                same[lane] |= 1u << other;
        bool all = same[lane] == group;
        agree |= (uint32_t)all << lane;
        if (simt_has(detail, W_ALL))
            same[lane] = all ? group : 0;
    }
    return agree;
}

static uint32_t combine(const msw_simt_detail *detail, uint32_t a, uint32_t b)
{
    bool is_signed = simt_is_signed(detail->type);
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;
    if (simt_has(detail, W_ADD))
        return a + b;
    if (simt_has(detail, W_MIN))
        return less ? a : b;
    if (simt_has(detail, W_MAX))
        return less ? b : a;
    if (simt_has(detail, W_AND))
        return a & b;
    return simt_has(detail, W_OR) ? a | b : a ^ b;
}

void simt_reduce(const msw_simt_detail *detail, const uint32_t *values, const uint32_t *members,
                 uint32_t mask, uint32_t result[MSW_SIMT_LANES])
{
    for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++) {
        bool first = true;
        result[lane] = 0;
        for (uint32_t other = 0; other < MSW_SIMT_LANES; other++) {
            if (!((members[lane] & mask) >> other & 1))
                continue;
            result[lane] = first ? values[other] : combine(detail, result[lane], values[other]);
            first = false;
        }
    }
}

static u128 product_part(const msw_simt_detail *detail, uint64_t a, uint64_t b, unsigned bits)
{
    u128 all = (u128)a * b;
    bool is_signed = simt_is_signed(detail->type);
    if (is_signed && a >> (bits - 1))
        all -= (u128)b << bits;
    if (is_signed && b >> (bits - 1))
        all -= (u128)a << bits;
    uint64_t kept = bits == 64 ? UINT64_MAX : UINT32_MAX;
    return (uint64_t)(simt_has(detail, W_HI) ? all >> bits : all) & kept;
}

uint64_t simt_carry(const msw_simt_detail *detail, const uint64_t v[3], bool *carry)
{
    unsigned bits = 8 * msw_simt_type_bytes(detail->type);
    uint64_t kept = bits == 64 ? UINT64_MAX : UINT32_MAX;
    u128 sum;
    switch (detail->op) {
    case OP_SUB:
    case OP_SUBC:
        sum = (u128)v[0] - v[1] - *carry;
        break;
    case OP_MAD:
    case OP_MADC:
        sum = product_part(detail, v[0], v[1], bits) + v[2] + *carry;
        break;
    default:
        sum = (u128)v[0] + v[1] + *carry;
        break;
    }
    *carry = sum >> bits & 1;
    return (uint64_t)sum & kept;
}
