/* SPDX-License-Identifier: MIT */
/* Private to mpu: the functions of its record and what its artifacts hold. */
#ifndef MSW_MECH_MPU_MODEL_H
#define MSW_MECH_MPU_MODEL_H

#include "mech/mpu/config.h"
#include "mech/mpu/kernel/kernel.h"
#include "mech/mpu/v100/v100.h"
#include "memsweep/mech/mechanism.h"

/* In the order of task->artifacts. */
enum {
    MPU_ARTIFACT_PROGRAM, /* mpu_program */
    MPU_ARTIFACT_V100,    /* mpu_v100 */
    MPU_ARTIFACT_PROFILE, /* mpu_profile (closed/profile.h); analytic and what predicts */
    MPU_ARTIFACT_UNITS,   /* mpu_units (machine/units.h); sampled and full */
};

int mpu_build_program(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int mpu_build_v100(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                   msw_err *err);
int mpu_build_profile(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);

static inline const mpu_program *mpu_program_of(const msw_task *task)
{
    return task->artifacts[MPU_ARTIFACT_PROGRAM];
}

/* Why the first launch that cannot run cannot: not even one CTA fits a core. Returns 0, or -1. */
int mpu_check_fit(const msw_task *task, msw_err *err);

/* Area of the logic on a DRAM die, mm2: area.c. Returns it. */
double mpu_area(const mpu_config *config);

extern const msw_law mpu_laws[];
int mpu_analytic(const msw_task *task, double *metrics, msw_err *err);
void mpu_derive(const msw_task *task, double *metrics);
void mpu_bounds(const msw_task *task, double *metrics);

#endif
