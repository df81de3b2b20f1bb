/* SPDX-License-Identifier: MIT */
/* Private to mpu: a V100 as the reference, with frozen constants from public sources. It runs the
 * same launches: its DRAM bytes are what two caches leave of its accesses, its time the largest of
 * what issue, shared memory, L2 and DRAM take and of the latencies that its resident warps do not
 * hide. Equations: README.md, "V100". */
#ifndef MSW_MECH_MPU_V100_H
#define MSW_MECH_MPU_V100_H

#include "mech/mpu/count/walk.h"

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
extern const mpu_v100_constant mpu_v100_constants[V100_CONSTANTS];

/* What the reference does with all launches of a workload. Depends on the workload alone. */
typedef struct mpu_v100 {
    double seconds, dram_bytes, l2_bytes, instructions, flops;
    double bound_seconds[5]; /* time of launches bound by issue, shared, L2, DRAM, latency */
} mpu_v100;

int mpu_v100_run(const msw_simt_product *product, msw_arena *arena, mpu_v100 *out, msw_err *err);

#endif
