/* SPDX-License-Identifier: MIT */
/* Private to mpu: whether the flow of a program depends on what it computes: a launch takes
 * addresses or predicates from an array that it, or one of others that it speaks for, finds
 * changed. Who runs some CTAs of some launches then sees another flow than that of all. */
#ifndef MSW_MECH_MPU_COUNT_STEER_H
#define MSW_MECH_MPU_COUNT_STEER_H

#include "mech/mpu/count/groups.h"

enum { MPU_STEER_ARRAYS = 64 }; /* told apart; others share their bits */

/* One launch. */
typedef struct mpu_steer {
    const msw_simt_kernel *kernel;
    const uint8_t *slice;   /* [instruction] whether addresses or predicates need it */
    uint64_t read, written; /* bit per array: for addresses or predicates; at all */
} mpu_steer;

/* Starts a launch. Returns 0, or -1. */
int mpu_steer_start(mpu_steer *steer, const msw_simt_kernel *kernel, msw_arena *arena,
                    msw_err *err);

/* Sees an access to global memory. */
void mpu_steer_see(mpu_steer *steer, const msw_simt_product *product, const msw_simt_step *step);

/* A kernel whose flow depends on data, who writes them, and where. */
typedef struct mpu_steered {
    const msw_simt_kernel *reader, *writer; /* NULL: nothing does */
    const msw_simt_array *array;
} mpu_steered;

/* Finds the first of the groups' launches that others, or it itself, steer. */
mpu_steered mpu_steer_find(const msw_simt_product *product, const mpu_groups *groups,
                           const mpu_steer *steers);

#endif
