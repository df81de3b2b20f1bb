/* SPDX-License-Identifier: MIT */
/* The values of loads, stores and atomics: moved between registers and memory, or combined there.
 */
#include "workload/simt/lanes/exact.h"
#include "workload/simt/machine/code.h"
#include "workload/simt/ops.h"

#include "memsweep/base/bits.h"

#include <string.h>

static uint64_t atomic_add(const msw_simt_detail *d, uint64_t a, uint64_t b)
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

static bool atomic_less(const msw_simt_detail *d, uint64_t a, uint64_t b)
{
    if (d->type == MSW_SIMT_S32)
        return (int32_t)a < (int32_t)b;
    if (d->type == MSW_SIMT_S64)
        return (int64_t)a < (int64_t)b;
    return a < b;
}

/* Returns the new value; b is compared or added, c is what cas writes. */
static uint64_t new_value(const msw_simt_detail *d, uint64_t old, uint64_t b, uint64_t c)
{
    if (simt_has(d, W_ADD))
        return atomic_add(d, old, b);
    if (simt_has(d, W_CAS))
        return old == b ? c : old;
    if (simt_has(d, W_EXCH))
        return b;
    if (simt_has(d, W_MIN))
        return atomic_less(d, b, old) ? b : old;
    if (simt_has(d, W_MAX))
        return atomic_less(d, old, b) ? b : old;
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

static uint64_t read_value(const unsigned char *at, unsigned bytes)
{
    uint64_t value = 0;
    switch (bytes) {
    case 1:
        return *at;
    case 2:
        memcpy(&value, at, 2);
        return value;
    case 4:
        memcpy(&value, at, 4);
        return value;
    default:
        memcpy(&value, at, 8);
        return value;
    }
}

static void write_value(unsigned char *at, unsigned bytes, uint64_t value)
{
    switch (bytes) {
    case 1:
        memcpy(at, &value, 1);
        return;
    case 2:
        memcpy(at, &value, 2);
        return;
    case 4:
        memcpy(at, &value, 4);
        return;
    default:
        memcpy(at, &value, 8);
        return;
    }
}

static uint64_t extend(uint64_t value, unsigned sign_bits)
{
    return sign_bits ? (uint64_t)((int64_t)(value << (64 - sign_bits)) >> (64 - sign_bits)) : value;
}

/* One access on its way: value k of lane l is at data + (addresses[l] - origin) + stride * l. */
typedef struct moving {
    const simt_insn *insn;
    unsigned char *const *base;
    unsigned char *data;
    const uint64_t *addresses;
    uint64_t origin, stride;
    uint32_t mask;
} moving;

static unsigned char *lane_data(const moving *m, uint32_t lane)
{
    return m->data + (m->addresses[lane] - m->origin) + m->stride * lane;
}

static const unsigned char *source(const moving *m, uint32_t k)
{
    return m->base[m->insn->where[k]] + m->insn->src[k];
}

/* The most frequent load has a loop of its own, with copies of constant size and all lanes in
 * order. */
static void load_words(const moving *m)
{
    unsigned char *d = m->base[0] + m->insn->dst[0];
    for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++)
        if (m->mask >> lane & 1)
            memcpy(d + 4 * lane, lane_data(m, lane), 4);
}

static void load(const moving *m)
{
    const simt_insn *insn = m->insn;
    unsigned wide = insn->dst_bytes, element = insn->element;
    unsigned sign_bits = wide > element ? insn->sign_bits : 0;
    if (insn->vector == 1 && wide == 4 && element == 4) {
        load_words(m);
        return;
    }
    for (uint32_t rest = m->mask; rest; rest &= rest - 1) {
        uint32_t lane = msw_bits_lowest(rest);
        const unsigned char *from = lane_data(m, lane);
        for (unsigned k = 0; k < insn->vector; k++)
            write_value(m->base[0] + insn->dst[k] + (insn->dst[k] ? lane * wide : 0), wide,
                        extend(read_value(from + k * element, element), sign_bits));
    }
}

static void store(const moving *m)
{
    const simt_insn *insn = m->insn;
    for (uint32_t rest = m->mask; rest; rest &= rest - 1) {
        uint32_t lane = msw_bits_lowest(rest);
        unsigned char *to = lane_data(m, lane);
        for (unsigned k = 0; k < insn->vector; k++) {
            unsigned from = insn->src_bytes[1 + k];
            write_value(to + k * insn->element, insn->element,
                        read_value(source(m, 1 + k) + lane * from, from));
        }
    }
}

/* Lane by lane in rising order: PTX leaves the order open, and one that is fixed gives the same
 * bits on every machine. */
static bool atomic(const moving *m)
{
    const simt_insn *insn = m->insn;
    bool changed = false;
    bool returns = insn->detail->op == OP_ATOM, third = insn->src_count > 2;
    unsigned element = insn->element;
    for (uint32_t rest = m->mask; rest; rest &= rest - 1) {
        uint32_t lane = msw_bits_lowest(rest);
        unsigned char *at = lane_data(m, lane);
        uint64_t old = read_value(at, element);
        uint64_t b = read_value(source(m, 1) + lane * element, element);
        uint64_t c = third ? read_value(source(m, 2) + lane * element, element) : 0;
        uint64_t now = new_value(insn->detail, old, b, c);
        changed = changed || now != old;
        write_value(at, element, now);
        if (returns)
            write_value(m->base[0] + insn->dst[0] + lane * insn->dst_bytes, insn->dst_bytes, old);
    }
    return changed;
}

bool simt_transfer(const simt_insn *insn, unsigned char *const base[2], uint32_t mask,
                   const uint64_t *addresses, uint64_t origin, unsigned char *data, uint64_t stride)
{
    moving m = {insn, base, data, addresses, origin, stride, mask};
    if (insn->unit == UNIT_LOAD)
        load(&m);
    else if (insn->unit == UNIT_STORE)
        store(&m);
    else
        return atomic(&m);
    return insn->unit == UNIT_STORE;
}
