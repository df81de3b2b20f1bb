/* SPDX-License-Identifier: MIT */
/* Private to mpu: the cycle model as units. */
#ifndef MSW_MECH_MPU_MACHINE_UNITS_H
#define MSW_MECH_MPU_MACHINE_UNITS_H

#include "memsweep/mech/mechanism.h"

enum { MPU_STRATA_MOST = 64 };

/* Units of each stage and of each stratum, one behind the other: number `first[s]` is the first of
 * stage s. An artifact. */
typedef struct mpu_units {
    uint64_t *first; /* [stage], one more at the end */
    size_t stages;
    uint64_t stratum[MPU_STRATA_MOST + 1]; /* likewise */
    size_t strata;
} mpu_units;

/* Plans units: builds the artifact. Returns 0, or -1. */
int mpu_build_units(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err);

/* Functions of the record. */
size_t mpu_state_bytes(const msw_task *task);
int mpu_begin(const msw_task *task, void *state, msw_err *err);
int mpu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int mpu_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int mpu_finish(const msw_task *task, void *state, msw_err *err);
double mpu_lead(const msw_task *task, const void *state);
int mpu_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_unit_out *out,
                msw_err *err);

#endif
