/* SPDX-License-Identifier: MIT */
/* Decoding: registers and constants get their place, operations their function. */
#include "workload/simt/machine/code.h"

#include "memsweep/base/vec.h"

#include <string.h>

static uint32_t slot_bytes(uint32_t bytes)
{
    return bytes ? (bytes * MSW_SIMT_LANES + 63) / 64 * 64 : 64;
}

int simt_place_registers(simt_decoder *d)
{
    const msw_simt_kernel *kernel = d->code->kernel;
    uint64_t at = SIMT_FIRST_PRED;
    d->offsets = msw_arena_take(d->arena, (kernel->reg_count + 1u) * sizeof *d->offsets);
    d->specials = msw_arena_zero(d->arena, 3 * SPECIALS, sizeof *d->specials);
    if (!d->offsets || !d->specials)
        return msw_fail_memory(d->err);
    d->special_room = 3 * SPECIALS;
    for (uint32_t r = 0; r < kernel->reg_count; r++)
        if (kernel->regs[r].bytes == 0) {
            d->offsets[r] = (uint32_t)at;
            at += 4;
        }
    at = (at + 63) / 64 * 64;
    for (uint32_t r = 0; r < kernel->reg_count; r++)
        if (kernel->regs[r].bytes) {
            d->offsets[r] = (uint32_t)at;
            at += slot_bytes(kernel->regs[r].bytes);
        }
    d->code->reg_bytes = (uint32_t)at;
    return 0;
}

/* Finds or adds the place of a constant. A predicate has 0 bytes; in the list it has 1. */
static int simt_place_constant(simt_decoder *d, uint64_t value, uint32_t bytes, uint32_t *offset)
{
    uint32_t key = bytes ? bytes : 1;
    size_t at;
    if (bytes < 8)
        value &= ((uint64_t)1 << (bytes ? 8 * bytes : 1)) - 1;
    uint32_t hash = msw_map_hash(value + key);
    for (uint32_t i = msw_index_first(&d->constant_index, hash, &at); i != MSW_NOWHERE;
         i = msw_index_next(&d->constant_index, hash, &at))
        if (d->constants[i].bytes == key && d->constants[i].value == value) {
            *offset = d->constants[i].offset;
            return 0;
        }
    d->constant_index.arena = d->arena;
    MSW_TRY(msw_vec_reserve_in(d->arena, &d->constants, &d->constant_room, d->constant_count + 1,
                               sizeof *d->constants, d->err));
    MSW_TRY(msw_index_add(&d->constant_index, hash, (uint32_t)d->constant_count, d->err));
    *offset = d->pool_bytes;
    d->constants[d->constant_count++] = (simt_constant){value, key, d->pool_bytes};
    d->pool_bytes += slot_bytes(bytes);
    return 0;
}

static int simt_place_special(simt_decoder *d, simt_special special, uint32_t bytes,
                              uint32_t *offset)
{
    msw_simt_code *code = d->code;
    for (uint32_t i = 0; i < code->special_count; i++)
        if (d->specials[i].special == special && d->specials[i].bytes == bytes) {
            *offset = d->specials[i].offset;
            return 0;
        }
    *offset = code->reg_bytes;
    d->specials[code->special_count++] = (simt_special_slot){special, bytes, *offset};
    code->reg_bytes += slot_bytes(bytes);
    return 0;
}

static void fill_constant(unsigned char *at, const simt_constant *constant)
{
    if (constant->bytes == 1) {
        uint32_t bits = constant->value & 1 ? UINT32_MAX : 0;
        memcpy(at, &bits, sizeof bits);
        return;
    }
    for (uint32_t lane = 0; lane < MSW_SIMT_LANES; lane++)
        memcpy(at + lane * constant->bytes, &constant->value, constant->bytes);
}

int simt_fill_pool(simt_decoder *d)
{
    d->code->pool = msw_arena_zero(d->arena, d->pool_bytes + 64u, 1);
    if (!d->code->pool)
        return msw_fail_memory(d->err);
    for (size_t i = 0; i < d->constant_count; i++)
        fill_constant(d->code->pool + d->constants[i].offset, &d->constants[i]);
    d->code->specials = d->specials;
    return 0;
}

static int refuse(const simt_decoder *d, uint32_t index, const char *what)
{
    const msw_simt_insn *insn = &d->code->kernel->insns[index];
    return msw_fail(d->err, "%s:%u: '%s': %s", d->code->kernel->file, insn->line, insn->text, what);
}

/* The value of an operand that is the same in all lanes. */
static int constant_of(const simt_decoder *d, uint32_t index, const simt_operand *operand,
                       uint64_t *value)
{
    const msw_simt_launch *launch = &d->code->launch;
    *value = operand->value;
    if (operand->kind == O_DYNAMIC)
        *value += d->code->kernel->dynamic_offset;
    if (operand->kind != O_GLOBAL)
        return 0;
    if (!launch->variable_addresses)
        return refuse(d, index, "the launch gives no addresses of the module's variables");
    *value += launch->variable_addresses[operand->reg];
    return 0;
}

/* `where` says whether an operand lies among the warp's registers (0) or in the pool of constants
 * (1), so a loop reads both in the same way. */
static int decode_src(simt_decoder *d, uint32_t index, const simt_operand *operand, uint32_t k)
{
    simt_insn *insn = &d->code->insns[index];
    uint64_t value;
    uint32_t bytes = msw_simt_type_bytes(operand->type);
    if (operand->negated)
        insn->negated |= (uint8_t)(1u << k);
    if (operand->kind == O_REG) {
        insn->src[k] = d->offsets[operand->reg];
        insn->src_bytes[k] = d->code->kernel->regs[operand->reg].bytes;
        return 0;
    }
    insn->src_bytes[k] = (uint8_t)(bytes == 1 ? 2 : bytes);
    if (operand->kind == O_SPECIAL)
        return simt_place_special(d, (simt_special)operand->reg, bytes, &insn->src[k]);
    insn->where[k] = 1;
    MSW_TRY(constant_of(d, index, operand, &value));
    return simt_place_constant(d, value, insn->src_bytes[k], &insn->src[k]);
}

/* Results that nobody reads go to a sink: a loop needs no test for them. */
static void decode_dst(simt_decoder *d, uint32_t index)
{
    simt_insn *insn = &d->code->insns[index];
    const msw_simt_detail *detail = insn->detail;
    bool pred = false;
    for (uint32_t k = 0; k < detail->dst_count && k < 4; k++) {
        const simt_operand *dst = &detail->dst[k];
        pred = dst->type == MSW_SIMT_PRED;
        insn->dst[k] = pred ? SIMT_PRED_SINK : SIMT_SINK;
        if (dst->kind != O_REG)
            continue;
        insn->dst[k] = d->offsets[dst->reg];
        insn->dst_bytes = d->code->kernel->regs[dst->reg].bytes;
    }
    if (!insn->dst_bytes && detail->dst_count && !pred) {
        uint32_t bytes = msw_simt_type_bytes(detail->dst[0].type);
        insn->dst_bytes = (uint8_t)(bytes == 1 ? 2 : bytes);
    }
    insn->dst2 = detail->dst2.kind == O_REG ? d->offsets[detail->dst2.reg] : SIMT_PRED_SINK;
}

static simt_unit unit_of(const msw_simt_detail *detail)
{
    switch (detail->op) {
    case OP_LD:
        return UNIT_LOAD;
    case OP_ST:
        return UNIT_STORE;
    case OP_ATOM:
    case OP_RED:
        return UNIT_ATOMIC;
    case OP_BAR:
        return simt_has(detail, W_WARP) ? UNIT_LANES : UNIT_BARRIER;
    case OP_BARRIER:
        return UNIT_BARRIER;
    case OP_BRA:
        return UNIT_BRANCH;
    case OP_EXIT:
        return UNIT_EXIT;
    case OP_TRAP:
        return UNIT_TRAP;
    case OP_MOV:
    case OP_CVT:
        for (uint32_t k = 0; k < detail->src_count; k++)
            if (detail->src[k].kind == O_SPECIAL && detail->src[k].reg >= S_CLOCK)
                return UNIT_CLOCK;
        return UNIT_LANES;
    default:
        return UNIT_LANES;
    }
}

/* The widths that the loops take: those of the types. */
static bool widths_fit(const simt_insn *insn)
{
    uint32_t to = msw_simt_type_bytes(insn->detail->type);
    uint32_t from = msw_simt_type_bytes(insn->detail->type2);
    return insn->dst_bytes == (to == 1 ? 2 : to) && insn->src_bytes[0] == (from == 1 ? 2 : from);
}

static int choose_function(simt_decoder *d, uint32_t index)
{
    simt_insn *insn = &d->code->insns[index];
    const msw_simt_detail *detail = insn->detail;
    int found = simt_lanes_find(detail);
    if (detail->op == OP_CVT && !widths_fit(insn))
        found = simt_scalar_knows(detail) ? d->scalar : -1;
    if (found < 0)
        return refuse(d, index, "is not run on these types");
    insn->run = d->loops->functions[found];
    return 0;
}

static int decode_lanes(simt_decoder *d, uint32_t index)
{
    simt_insn *insn = &d->code->insns[index];
    const msw_simt_detail *detail = insn->detail;
    insn->vector = (uint8_t)(detail->dst_vector ? detail->dst_count : detail->src_count);
    insn->element = (uint8_t)msw_simt_type_bytes(detail->type);
    if (detail->op == OP_EXTRACT || detail->op == OP_INSERT) {
        insn->value = detail->src[1].value;
        insn->src_count = 1;
        if (simt_is_signed(detail->type) && insn->element < 8)
            insn->sign_bits = (uint8_t)(8 * insn->element);
    }
    if (detail->op == OP_LOP3) {
        if (detail->src[3].kind != O_VALUE)
            return refuse(d, index, "its table is a number");
        insn->value = detail->src[3].value;
    }
    if (detail->op == OP_CVTA) {
        uint64_t window = msw_simt_window_of(detail->space);
        insn->where[1] = 1;
        if (simt_place_constant(d, simt_has(detail, W_TO) ? 0 - window : window, insn->src_bytes[0],
                                &insn->src[1]))
            return -1;
    }
    return choose_function(d, index);
}

/* ld.param of one element at a known place is a constant. */
static int decode_param(simt_decoder *d, uint32_t index)
{
    simt_insn *insn = &d->code->insns[index];
    uint64_t at = insn->detail->src[0].value, value = 0, size = d->code->kernel->param_bytes;
    if (insn->element > size || at > size - insn->element)
        return refuse(d, index, "beyond the kernel's parameters");
    memcpy(&value, d->code->params + at, insn->element);
    if (insn->sign_bits)
        value = (uint64_t)((int64_t)(value << (64 - insn->sign_bits)) >> (64 - insn->sign_bits));
    insn->unit = UNIT_LANES;
    insn->where[0] = 1;
    insn->run = d->loops->functions[d->moves[insn->dst_bytes / 4]];
    return simt_place_constant(d, value, insn->dst_bytes, &insn->src[0]);
}

static int decode_access(simt_decoder *d, uint32_t index)
{
    simt_insn *insn = &d->code->insns[index];
    const msw_simt_detail *detail = insn->detail;
    insn->space = (uint8_t)detail->space;
    insn->element = (uint8_t)msw_simt_type_bytes(detail->type);
    insn->vector = (uint8_t)(simt_has(detail, W_V4) ? 4 : simt_has(detail, W_V2) ? 2 : 1);
    if (simt_is_signed(detail->type) && insn->element < 8)
        insn->sign_bits = (uint8_t)(8 * insn->element);
    if (insn->element * insn->vector > 16)
        return refuse(d, index, "more than 16 bytes");
    const simt_operand *address = &detail->src[0];
    if (address->kind == O_REG) {
        insn->addend = address->value;
        return 0;
    }
    if (detail->op == OP_LD && detail->space == MSW_SIMT_PARAM && insn->vector == 1)
        return decode_param(d, index);
    uint64_t value;
    insn->src_bytes[0] = 8;
    MSW_TRY(constant_of(d, index, address, &value));
    return simt_place_constant(d, value, 8, &insn->src[0]);
}

static void decode_branch(simt_decoder *d, uint32_t index)
{
    const msw_simt_kernel *kernel = d->code->kernel;
    simt_insn *insn = &d->code->insns[index];
    uint32_t meet = kernel->blocks[kernel->insns[index].block].post_dominator;
    insn->target = insn->detail->target;
    insn->reconverge = meet == MSW_SIMT_NONE ? MSW_SIMT_NONE : kernel->blocks[meet].first;
}

/* Everything that does not depend on values is worked out here once per launch: where operands lie,
 * which loop runs them, where branches go and where they meet again. */
static int decode_insn(simt_decoder *d, uint32_t index)
{
    const msw_simt_kernel *kernel = d->code->kernel;
    const msw_simt_insn *from = &kernel->insns[index];
    const msw_simt_block *block = &kernel->blocks[from->block];
    simt_insn *insn = &d->code->insns[index];
    const msw_simt_detail *detail = from->detail;
    *insn = (simt_insn){.detail = detail, .index = index, .src_count = detail->src_count};
    insn->unit = (uint8_t)unit_of(detail);
    insn->ends = index + 1 == block->first + block->count;
    insn->guard = from->guard == MSW_SIMT_NONE ? SIMT_ONES : d->offsets[from->guard];
    insn->guard_flip = from->guard_negated ? UINT32_MAX : 0;
    decode_dst(d, index);
    for (uint32_t k = 0; k < detail->src_count && k < 5; k++)
        if (decode_src(d, index, &detail->src[k], k))
            return -1;
    switch (insn->unit) {
    case UNIT_LANES:
    case UNIT_CLOCK:
        return decode_lanes(d, index);
    case UNIT_LOAD:
    case UNIT_STORE:
    case UNIT_ATOMIC:
        return decode_access(d, index);
    case UNIT_BRANCH:
        decode_branch(d, index);
        return 0;
    default:
        return 0;
    }
}

int simt_decode_insns(simt_decoder *d)
{
    for (uint32_t i = 0; i < d->code->kernel->insn_count; i++)
        if (decode_insn(d, i))
            return -1;
    return 0;
}
