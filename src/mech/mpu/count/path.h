/* SPDX-License-Identifier: MIT */
/* Private to mpu: the longest chain of dependences of a warp, and of a CTA with its barriers, as
 * counts of what lies on it. Which chain is the longest is decided with nominal weights; how long
 * it is, whoever has the latencies says. A warp issues in order and does not wait for a result
 * before somebody reads it. */
#ifndef MSW_MECH_MPU_COUNT_PATH_H
#define MSW_MECH_MPU_COUNT_PATH_H

#include "mech/mpu/kernel/kernel.h"

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

/* Returns the length with other weights, in cycles. */
double mpu_path_cycles(const double of[MPU_ON_PATH_KINDS], const double weights[MPU_ON_PATH_KINDS]);

#endif
