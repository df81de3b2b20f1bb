/* SPDX-License-Identifier: MIT */
/* Private to mpu: launches that are alike, so that one of them speaks for all. Launches of a group
 * have kernel, grid, block, dynamic shared memory and all arguments in common. */
#ifndef MSW_MECH_MPU_COUNT_GROUPS_H
#define MSW_MECH_MPU_COUNT_GROUPS_H

#include "memsweep/base/arena.h"
#include "memsweep/workload/simt.h"

typedef struct mpu_group {
    uint32_t stage;  /* of the launch that is run */
    double launches; /* that it speaks for */
} mpu_group;

typedef struct mpu_groups {
    const mpu_group *list; /* in the order of stages */
    uint32_t count;
    bool merged;              /* groups that differ in arguments speak for each other */
    const uint32_t *of_stage; /* of launches: the number in the list of what speaks for it; NULL:
                                 each for itself */
} mpu_groups;

/* Groups the launches of a program. Of groups that differ in arguments alone at most `most` are
 * kept: the middle ones of as many runs of them, each for its run. 0: all are kept. Returns 0, or
 * -1. */
int mpu_groups_of(const msw_simt_product *product, uint32_t most, msw_arena *arena, mpu_groups *out,
                  msw_err *err);

/* Makes a group of every launch. Returns 0, or -1. */
int mpu_groups_each(const msw_simt_product *product, msw_arena *arena, mpu_groups *out,
                    msw_err *err);

#endif
