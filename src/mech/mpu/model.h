/* SPDX-License-Identifier: MIT */
/* Private to mpu: the functions of its record and what its artifacts hold. */
#ifndef MSW_MECH_MPU_MODEL_H
#define MSW_MECH_MPU_MODEL_H

#include "mech/mpu/config.h"
#include "mech/mpu/kernel/kernel.h"
#include "mech/mpu/v100.h"
#include "memsweep/mech/mechanism.h"

/* In the order of task->artifacts. */
enum {
    MPU_ARTIFACT_PROGRAM, /* mpu_program */
    MPU_ARTIFACT_V100,    /* mpu_v100 */
    MPU_ARTIFACT_PROFILE, /* mpu_profile (closed/profile.h); analytic and what predicts */
    MPU_ARTIFACT_UNITS,   /* mpu_units (machine/units.c); sampled and full */
};

int mpu_build_profile(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int mpu_build_units(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err);

static inline const mpu_program *mpu_program_of(const msw_task *task)
{
    return task->artifacts[MPU_ARTIFACT_PROGRAM];
}

/* Returns the mm2 of the logic on a DRAM die, each part in proportion to its count and size. */
double mpu_area(const mpu_config *config);

enum { MPU_STRATA_MOST = 64 };

/* Functions of the record. */
extern const msw_law mpu_laws[];
int mpu_analytic(const msw_task *task, double *metrics, msw_err *err);
void mpu_derive(const msw_task *task, double *metrics);
void mpu_bounds(const msw_task *task, double *metrics);
size_t mpu_state_bytes(const msw_task *task);
int mpu_begin(const msw_task *task, void *state, msw_err *err);
int mpu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int mpu_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int mpu_finish(const msw_task *task, void *state, msw_err *err);
double mpu_lead(const msw_task *task, const void *state);
int mpu_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_unit_out *out,
                msw_err *err);

#endif
