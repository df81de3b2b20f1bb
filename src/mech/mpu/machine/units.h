/* SPDX-License-Identifier: MIT */
/* Private to mpu: the units of a program. At full, and where a program has few launches, they are
 * windows of instructions (units.c); of a program of many launches a sample takes whole launches
 * (sample.c). */
#ifndef MSW_MECH_MPU_MACHINE_UNITS_H
#define MSW_MECH_MPU_MACHINE_UNITS_H

#include "mech/mpu/machine/machine.h"
#include "mech/mpu/model.h"

/* Launches that are alike, in the order of the program. */
typedef struct mpu_launches {
    uint64_t *stages;
    uint64_t *times; /* how many launches come before each */
    uint64_t count;
    double insns; /* of all of them, estimated */
} mpu_launches;

/* Units of each stage and of each stratum, one behind the other: number `first[s]` is the first of
 * stage s. An artifact. */
typedef struct mpu_units {
    uint64_t *first; /* [stage], one more at the end */
    size_t stages;
    uint64_t stratum[MPU_STRATA_MOST + 1]; /* likewise */
    size_t strata;
    mpu_launches launches[MPU_STRATA_MOST];
    size_t launch_strata;
    uint64_t launch_count;
    double *insns; /* [stage] estimated */
} mpu_units;

/* Sorts the launches into strata of those that are alike; `units->insns` is filled. Returns 0, or
 * -1. */
int mpu_launches_sort(const msw_simt_product *product, msw_arena *arena, mpu_units *units,
                      msw_err *err);

/* Whether a sample of this task takes launches: its pilot, and one of twice its units, then cost
 * less than all. */
bool mpu_samples_launches(const msw_task *task, const mpu_units *units);

/* Fills the strata of launches. */
void mpu_launch_strata(const mpu_units *units, msw_stratum *strata);

/* Sub-cores of cores that are simulated. */
uint64_t mpu_simulated_subcores(const mpu_config *config);

/* Warp-instructions that run in detail, uncounted, before a unit that is measured: what was passed
 * over has left rows open. */
uint64_t mpu_lead_insns(const mpu_config *config);

/* The first of the stages from `from` to `stage` whose launches are to run in detail before that
 * one is measured. */
size_t mpu_launch_lead_from(const msw_task *task, const mpu_units *units, size_t from,
                            size_t stage);

/* How many launches run before one, on the mean. */
double mpu_launch_lead(const msw_task *task, const mpu_units *units);

/* Runs a launch as a whole. Returns 0, or -1. */
int mpu_launch_whole(mpu_machine *m, size_t stage, msw_err *err);

#endif
