/* SPDX-License-Identifier: MIT */
/* layout: where registers and constants lie while a launch is decoded. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_MACHINE_LAYOUT_H
#define MEMSWEEP_WORKLOAD_SIMT_MACHINE_LAYOUT_H

#include "workload/simt/machine/code.h"

typedef struct simt_constant {
    uint64_t value;
    uint32_t bytes, offset;
} simt_constant;

typedef struct simt_decoder {
    msw_simt_code *code;
    const simt_loops *loops;
    msw_arena *arena;
    msw_err *err;
    uint32_t *offsets; /* [register] in a warp's block */
    simt_constant *constants;
    uint32_t constant_room, constant_count; /* room: a power of two, for hashing */
    uint32_t pool_bytes;
    simt_special_slot *specials;
    uint32_t special_room;
    int scalar, moves[3]; /* functions: mov of 2, 4 and 8 bytes */
} simt_decoder;

/* Gives every register its place. Returns 0, or -1. */
int simt_place_registers(simt_decoder *d);

/* Finds or adds the place of a constant, or of a special register. Return 0, or -1. */
int simt_place_constant(simt_decoder *d, uint64_t value, uint32_t bytes, uint32_t *offset);
int simt_place_special(simt_decoder *d, simt_special special, uint32_t bytes, uint32_t *offset);

/* Writes the constants into the pool. Returns 0, or -1. */
int simt_fill_pool(simt_decoder *d);

/* decode.c: decodes all instructions. Returns 0, or -1. */
int simt_decode_insns(simt_decoder *d);

#endif
