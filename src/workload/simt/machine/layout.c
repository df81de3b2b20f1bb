/* SPDX-License-Identifier: MIT */
#include "workload/simt/machine/layout.h"

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

static uint32_t hash_constant(uint64_t value, uint32_t bytes)
{
    uint64_t hash = (value + bytes) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 32);
}

static int grow_constants(simt_decoder *d)
{
    uint32_t room = d->constant_room ? 2 * d->constant_room : 64;
    simt_constant *old = d->constants, *all = msw_arena_zero(d->arena, room, sizeof *all);
    if (!all)
        return msw_fail_memory(d->err);
    for (uint32_t i = 0; i < d->constant_room; i++) {
        if (!old[i].bytes)
            continue;
        uint32_t at = hash_constant(old[i].value, old[i].bytes) & (room - 1);
        while (all[at].bytes)
            at = (at + 1) & (room - 1);
        all[at] = old[i];
    }
    d->constants = all;
    d->constant_room = room;
    return 0;
}

/* A predicate has 0 bytes; in the table it has 1. */
int simt_place_constant(simt_decoder *d, uint64_t value, uint32_t bytes, uint32_t *offset)
{
    uint32_t key = bytes ? bytes : 1;
    if (bytes < 8)
        value &= ((uint64_t)1 << (bytes ? 8 * bytes : 1)) - 1;
    if (2 * d->constant_count >= d->constant_room && grow_constants(d))
        return -1;
    uint32_t at = hash_constant(value, key) & (d->constant_room - 1);
    while (d->constants[at].bytes &&
           (d->constants[at].bytes != key || d->constants[at].value != value))
        at = (at + 1) & (d->constant_room - 1);
    simt_constant *constant = &d->constants[at];
    if (!constant->bytes) {
        *constant = (simt_constant){value, key, d->pool_bytes};
        d->pool_bytes += slot_bytes(bytes);
        d->constant_count++;
    }
    *offset = constant->offset;
    return 0;
}

int simt_place_special(simt_decoder *d, simt_special special, uint32_t bytes, uint32_t *offset)
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

static void fill(unsigned char *at, const simt_constant *constant)
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
    for (uint32_t i = 0; i < d->constant_room; i++)
        if (d->constants[i].bytes)
            fill(d->code->pool + d->constants[i].offset, &d->constants[i]);
    d->code->specials = d->specials;
    return 0;
}
