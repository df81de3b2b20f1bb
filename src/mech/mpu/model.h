/* SPDX-License-Identifier: MIT */
/* Private to mpu: the functions of its record, and what its artifacts hold. The V100 as the
 * reference has frozen constants from public sources and runs the same launches: its DRAM bytes are
 * what two caches leave of its accesses, its time the largest of what issue, shared memory, L2 and
 * DRAM take and of the latencies that its resident warps do not hide (README.md, "V100"). */
#ifndef MSW_MECH_MPU_MODEL_H
#define MSW_MECH_MPU_MODEL_H

#include "mech/mpu/config.h"
#include "mech/mpu/kernel/kernel.h"
#include "memsweep/mech/mechanism.h"

/* ---- the V100: v100.c ---- */

typedef struct mpu_v100_constant {
    const char *name, *unit;
    double value;
    const char *source;
} mpu_v100_constant;

enum {
    V100_SMS,
    V100_SCHEDULERS,
    V100_CLOCK,
    V100_LANES,
    V100_DRAM_PEAK,
    V100_DRAM_SHARE,
    V100_L2_BANDWIDTH,
    V100_L1_BYTES,
    V100_L2_BYTES,
    V100_WARPS,
    V100_CTAS,
    V100_SHARED_BYTES,
    V100_REGISTERS,
    V100_ALU_CYCLES,
    V100_SPECIAL_CYCLES,
    V100_SHARED_CYCLES,
    V100_L1_CYCLES,
    V100_L2_CYCLES,
    V100_DRAM_CYCLES,
    V100_POWER,
    V100_IDLE_POWER,
    V100_CONSTANTS,
};

/* In that order. A test holds their digest: they do not change. */
extern const msw_self_check mpu_checks[];
extern const mpu_v100_constant mpu_v100_constants[V100_CONSTANTS];

/* The launches of a workload on the reference. Depends on the workload alone. */
typedef struct mpu_v100 {
    double seconds, dram_bytes, l2_bytes, instructions, flops;
    double bound_seconds[5]; /* time of launches bound by issue, shared, L2, DRAM, latency */
} mpu_v100;

int mpu_v100_run(const msw_simt_product *product, msw_arena *arena, mpu_v100 *out, msw_err *err);

/* ---- artifacts ---- */

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

/* ---- functions of the record ---- */

enum { MPU_STRATA_MOST = 64 };

extern const msw_law mpu_laws[];
int mpu_analytic(const msw_task *task, double *metrics, msw_err *err);
void mpu_derive(const msw_task *task, double *metrics);
void mpu_price_logic(const void *config, double *metrics); /* area */
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
