/* SPDX-License-Identifier: MIT */
/* Everything that can be set. Tables and sections are those of the paper (README.md). */
#include "mech/mpu/choices.h"
#include "mech/mpu/config.h"
#include "mech/mpu/rows_core.h"
#include "mech/mpu/rows_cost.h"
#include "mech/mpu/rows_machine.h"
#include "mech/mpu/rows_near.h"

#define TABLE_2       "table II"
#define SILENT        "the paper does not say"
#define RELEASED_WORD "the authors' released simulator (GD06/mpu-sim_distribution)"
#define RELEASED      "the paper does not say; " RELEASED_WORD
#define FIELD(f)      offsetof(mpu_config, f)
#define MIB           1048576

const msw_param mpu_params[] = {
    MPU_ROWS_OF_ORGANISATION, MPU_ROWS_OF_CORE, MPU_ROWS_OF_COST, MPU_ROWS_OF_NEAR_SIDE, {0},
};
