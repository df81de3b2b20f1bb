/* SPDX-License-Identifier: MIT */
#include "workload/simt/lanes/atomic.h"

#include "workload/simt/arith/exact.h"

static uint64_t add(const msw_simt_detail *d, uint64_t a, uint64_t b)
{
    switch (d->type) {
    case MSW_SIMT_F32: {
        /* atom.add.f32 on global memory flushes subnormal numbers on hardware; here it does not. */
        return exact_add(EXACT_F32, EXACT_RN, a, b);
    }
    case MSW_SIMT_F64:
        return exact_add(EXACT_F64, EXACT_RN, a, b);
    case MSW_SIMT_F16:
        return exact_add(EXACT_F16, EXACT_RN, a, b);
    case MSW_SIMT_F16X2:
        return exact_add(EXACT_F16, EXACT_RN, a & 0xffff, b & 0xffff) |
               exact_add(EXACT_F16, EXACT_RN, a >> 16 & 0xffff, b >> 16 & 0xffff) << 16;
    default:
        return a + b;
    }
}

static bool less(const msw_simt_detail *d, uint64_t a, uint64_t b)
{
    if (d->type == MSW_SIMT_S32)
        return (int32_t)a < (int32_t)b;
    if (d->type == MSW_SIMT_S64)
        return (int64_t)a < (int64_t)b;
    return a < b;
}

uint64_t simt_atomic(const msw_simt_detail *d, uint64_t old, uint64_t b, uint64_t c)
{
    if (simt_has(d, W_ADD))
        return add(d, old, b);
    if (simt_has(d, W_CAS))
        return old == b ? c : old;
    if (simt_has(d, W_EXCH))
        return b;
    if (simt_has(d, W_MIN))
        return less(d, b, old) ? b : old;
    if (simt_has(d, W_MAX))
        return less(d, old, b) ? b : old;
    if (simt_has(d, W_AND))
        return old & b;
    if (simt_has(d, W_OR))
        return old | b;
    if (simt_has(d, W_XOR))
        return old ^ b;
    if (simt_has(d, W_INC))
        return old >= b ? 0 : old + 1;
    return old == 0 || old > b ? b : old - 1;
}

bool simt_atomic_knows(const msw_simt_detail *d)
{
    bool is_float = simt_is_float(d->type);
    if (d->type == MSW_SIMT_B16)
        return simt_has(d, W_CAS) || simt_has(d, W_EXCH);
    if (simt_has(d, W_INC) || simt_has(d, W_DEC))
        return d->type == MSW_SIMT_U32;
    if (simt_has(d, W_ADD))
        return is_float || d->type == MSW_SIMT_U32 || d->type == MSW_SIMT_S32 ||
               d->type == MSW_SIMT_U64 || d->type == MSW_SIMT_S64;
    return !is_float && msw_simt_type_bytes(d->type) >= 4;
}
