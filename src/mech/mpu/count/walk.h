/* SPDX-License-Identifier: MIT */
/* Private to mpu: the CTAs of one core (or SM) run without time, and the longest chain of
 * dependences of a warp, and of a CTA with its barriers, as counts of what lies on it. Resident
 * warps take turns, each until it accesses memory, arrives at a barrier or ends. Nominal weights
 * decide which chain is the longest; the models that have the latencies say how long it is. A warp
 * issues in order and does not wait for a result before an instruction reads it. */
#ifndef MSW_MECH_MPU_COUNT_WALK_H
#define MSW_MECH_MPU_COUNT_WALK_H

#include "mech/mpu/kernel/kernel.h"

#include "memsweep/workload/simt.h"

enum {
    MPU_ON_PATH_ISSUE = MPU_LATENCIES, /* after the latency classes */
    MPU_ON_PATH_CONST,
    MPU_ON_PATH_SHARED,
    MPU_ON_PATH_LOCAL,  /* global accesses to the own core */
    MPU_ON_PATH_REMOTE, /* to another */
    MPU_ON_PATH_MOVE,   /* registers from side to side */
    MPU_ON_PATH_OFFLOAD,
    MPU_ON_PATH_CONTROL, /* branches, barriers: the next instruction waits for their end */
    MPU_ON_PATH_KINDS,
};

typedef struct mpu_path {
    float length; /* with nominal weights */
    float of[MPU_ON_PATH_KINDS];
} mpu_path;

typedef struct mpu_path_weights {
    float of[MPU_ON_PATH_KINDS];
} mpu_path_weights;

/* The chains of one warp: one behind every register. */
typedef struct mpu_chain {
    mpu_path now;   /* to the last issue */
    mpu_path last;  /* to the end of the access that ends last */
    mpu_path *regs; /* [register] to the value */
} mpu_chain;

void mpu_chain_start(mpu_chain *chain, uint32_t regs);

/* What an instruction adds: kinds with counts. */
typedef struct mpu_link {
    uint8_t kind[4];
    uint8_t count;
} mpu_link;

/* Issues an instruction whose result, or end, comes after `link`. */
void mpu_chain_issue(mpu_chain *chain, const msw_simt_insn *insn, const mpu_link *link,
                     const mpu_path_weights *weights);

/* Takes the longer of two. */
void mpu_path_join(mpu_path *path, const mpu_path *other);

typedef struct mpu_walk_at {
    uint32_t slot, warp; /* of the resident CTAs; of the CTA */
    uint64_t cta;
} mpu_walk_at;

/* Who listens. All return 0, or -1 with `err`. */
typedef struct mpu_walk_listener {
    void *self;
    int (*starts)(void *self, const mpu_walk_at *at, msw_err *err); /* every warp of a new CTA */
    int (*step)(void *self, const mpu_walk_at *at, const msw_simt_step *step, msw_err *err);
    int (*released)(void *self, const mpu_walk_at *at, msw_err *err); /* all warps of a barrier */
    int (*ends)(void *self, const mpu_walk_at *at, msw_err *err);     /* the CTA */
} mpu_walk_listener;

/* CTAs first, first + stride, ...: `count` of them, `slots` at once. */
typedef struct mpu_walk_ctas {
    uint64_t first, stride, count;
    uint32_t slots;
} mpu_walk_ctas;

/* Runs them. Scratch comes from the arena. Returns 0, or -1. */
int mpu_walk(const msw_simt_code *code, const mpu_walk_ctas *ctas,
             const mpu_walk_listener *listener, msw_arena *arena, msw_err *err);

#endif
