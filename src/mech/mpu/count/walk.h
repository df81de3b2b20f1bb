/* SPDX-License-Identifier: MIT */
/* Private to mpu: the CTAs of one core (or SM), run without time: resident warps take turns, each
 * until it accesses memory, arrives at a barrier or ends. */
#ifndef MSW_MECH_MPU_COUNT_WALK_H
#define MSW_MECH_MPU_COUNT_WALK_H

#include "memsweep/workload/simt.h"

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
