/* SPDX-License-Identifier: MIT */
/* Private to mpu: a core goes on without time. */
#ifndef MSW_MECH_MPU_MACHINE_LAND_H
#define MSW_MECH_MPU_MACHINE_LAND_H

#include "mech/mpu/machine/machine.h"

/* Instructions of a warp by which a core may go on further than it should. */
enum { MPU_LANDING = 256 };

/* Lets the CTAs of a core, and those that come behind them, go on by about this many
 * warp-instructions. Returns how many. */
uint64_t mpu_core_jump(mpu_machine *machine, mpu_core *core, double wanted);

#endif
