/* SPDX-License-Identifier: MIT */
/* Private to mpu: its detail tables. */
#ifndef MSW_MECH_MPU_MACHINE_DETAILS_H
#define MSW_MECH_MPU_MACHINE_DETAILS_H

#include "memsweep/base/err.h"

#include <stdint.h>

enum { MPU_TABLE_LAUNCHES, MPU_TABLE_BANKS, MPU_TABLE_KINDS };

/* Totals at the end of the launch before. */
typedef struct mpu_launch_note {
    uint64_t cycles;
    double totals[8];
} mpu_launch_note;

struct mpu_machine;

/* Adds the row of a launch that has ended. Returns 0, or -1. */
int mpu_note_launch(struct mpu_machine *machine, mpu_launch_note *note, uint64_t number,
                    msw_err *err);

/* Adds the rows of near-bank units and of kinds of instructions. Returns 0, or -1. */
int mpu_add_details(struct mpu_machine *machine, msw_err *err);

#endif
