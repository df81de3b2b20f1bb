/* SPDX-License-Identifier: MIT */
/* code: a decoded launch, and the state of a CTA. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_MACHINE_CODE_H
#define MEMSWEEP_WORKLOAD_SIMT_MACHINE_CODE_H

#include "workload/simt/lanes/lanes.h"

#include "memsweep/base/map.h"
#include "memsweep/workload/simt/machine.h"

enum {
    SIMT_SINK = 0,   /* where destinations that nobody reads lie: 256 bytes */
    SIMT_ONES = 256, /* a predicate that always holds: no guard */
    SIMT_PRED_SINK = 260,
    SIMT_FIRST_PRED = 264,
    SIMT_FRAMES = 100, /* a divergent branch splits its lanes: at most 3 frames a lane */
    SIMT_BARRIERS = 16,
    SIMT_SPANS = 8,
    SIMT_FIRST_LOOK = 1 << 12, /* instructions of a warp: does it go in circles? */
};

/* A special register in the form of one operand. */
typedef struct simt_special_slot {
    simt_special special;
    uint32_t bytes, offset;
} simt_special_slot;

/* State that the CTAs of a launch share. */
typedef struct simt_common {
    uint64_t changes; /* of memory, so far */
    bool waits;       /* a warp waits for what nobody does */
} simt_common;

/* What is the same for all CTAs of a launch: instructions whose operands are places in a warp's
 * registers or in the pool. */
struct msw_simt_code {
    msw_simt_launch launch;
    const msw_simt_kernel *kernel;
    const simt_loops *loops;
    simt_insn *insns;
    unsigned char *pool; /* constants, one value in all lanes */
    const simt_special_slot *specials;
    uint32_t special_count;
    uint32_t reg_bytes; /* of one warp */
    uint32_t threads, warps;
    uint64_t ctas;
    uint64_t shared_bytes, local_bytes;
    const unsigned char *params, *constants;
    uint64_t most_instructions;
    simt_common *common;
    size_t warp_offset, reg_offset, shared_offset, local_offset, cta_bytes; /* in a CTA's block */
};

/* Lanes that run from one instruction on, until they come to another. */
typedef struct simt_frame {
    uint32_t pc, reconverge, mask;
} simt_frame;

/* frames[depth - 1] is the one that runs. Depth 0: all lanes have left. */
typedef struct simt_warp {
    unsigned char *regs;
    uint32_t depth;
    uint32_t live; /* lanes that have not left */
    uint32_t state, barrier;
    const simt_insn *reduction; /* bar.red: waits for its result */
    uint32_t reduction_mask;
    uint64_t issued;
    uint64_t seen; /* digest of its state when it was last looked at */
    uint32_t seen_pc, looks;
    uint64_t next_look, idle_from;       /* instructions */
    uint64_t seen_changes, idle_changes; /* one more than `changes` then; 0: none */
    simt_frame frames[SIMT_FRAMES];
} simt_warp;

typedef struct simt_barrier {
    uint32_t arrived, expected; /* warps; expected 0: all that live */
    uint32_t all, any, count;   /* of bar.red */
} simt_barrier;

/* Does a warp go in circles until somebody changes memory? */
static inline bool simt_is_idle(const struct msw_simt_code *code, const simt_warp *warp)
{
    return warp->idle_changes == code->common->changes + 1;
}

struct msw_simt_cta {
    const msw_simt_code *code;
    uint64_t number;
    uint32_t id[3];
    uint32_t live_warps;
    simt_warp *warps;
    unsigned char *shared, *local;
    msw_simt_counts *counts;
    simt_barrier barriers[SIMT_BARRIERS];
    msw_simt_span spans[2][SIMT_SPANS]; /* [written][instruction]: found last */
};

/* A load, store or atomic of the lanes of `mask`; fills the step. Returns 0, or -1. */
int simt_access(msw_simt_cta *cta, uint32_t warp, const simt_insn *insn, uint32_t mask,
                msw_simt_step *step, msw_err *err);

/* Moves the values of an access whose lanes' addresses lie in [origin, ...) at `data`;
 * lane l's bytes begin `stride` x l further. Returns whether memory may have changed. */
bool simt_transfer(const simt_insn *insn, unsigned char *const base[2], uint32_t mask,
                   const uint64_t *addresses, uint64_t origin, unsigned char *data,
                   uint64_t stride);

/* Says that a warp waits for what nobody does. Returns -1. */
int simt_fail_wait(const struct msw_simt_code *code, msw_err *err);

/* Puts file, line, kernel, CTA and warp in front of a message. Returns -1. */
int simt_fault(const msw_simt_cta *cta, uint32_t warp, const simt_insn *insn, msw_err *err);

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
    size_t constant_room, constant_count;
    msw_index constant_index; /* by value and bytes */
    uint32_t pool_bytes;
    simt_special_slot *specials;
    uint32_t special_room;
    int scalar, moves[3]; /* functions: mov of 2, 4 and 8 bytes */
} simt_decoder;

/* Gives every register its place. Returns 0, or -1. */
int simt_place_registers(simt_decoder *d);

/* Writes the constants into the pool. Returns 0, or -1. */
int simt_fill_pool(simt_decoder *d);

/* Decodes all instructions. Returns 0, or -1. */
int simt_decode_insns(simt_decoder *d);

#endif
