/* SPDX-License-Identifier: MIT */
/* Private to mpu: the numbers of its metrics. Both models fill the TOTAL slots; the rest is
 * computed from them (derive.c). */
#ifndef MSW_MECH_MPU_METRICS_H
#define MSW_MECH_MPU_METRICS_H

#include "memsweep/param/metric.h"

/* In the order of the columns. */
enum {
    MPU_CYCLES, /* core cycles, all launches one after the other */
    MPU_TIME,
    MPU_SPEEDUP,
    MPU_RELATIVE_TIME,
    /* the cycle stack: mean over sub-cores, adds up to the cycles */
    MPU_ISSUE,
    MPU_STALL_ALU,     /* results of computation */
    MPU_STALL_DRAM,    /* data of own banks */
    MPU_STALL_TSV,     /* TSVs of the core are taken */
    MPU_STALL_NETWORK, /* data of other cores */
    MPU_STALL_SHARED,
    MPU_STALL_BARRIER,
    MPU_STALL_UNIT, /* collectors, engines, tables, units are taken */
    MPU_IDLE,       /* no warp is there */
    /* instructions, of warps */
    MPU_INSNS,
    MPU_INSNS_NEAR,
    MPU_INSNS_FAR,
    MPU_INSNS_OFFLOADED, /* sent over the TSVs, accesses too */
    MPU_NEAR_SHARE,
    MPU_IPC,
    /* global accesses, of warps */
    MPU_LOADS,
    MPU_STORES,
    MPU_ATOMICS,
    MPU_WHOLE_LOADS,
    MPU_WHOLE_STORES,
    MPU_WHOLE_SHARE,
    /* lines of 128 bytes, or parts of them */
    MPU_LOCAL_LINES,
    MPU_REMOTE_LINES,
    MPU_LOCAL_SHARE,
    MPU_SHARED_ACCESSES, /* of warps */
    /* register moves, of one warp's register */
    MPU_MOVES_NEAR, /* to the near side */
    MPU_MOVES_FAR,
    /* bytes over TSVs, all cores, by cause */
    MPU_TSV_BYTES,
    MPU_TSV_OFFLOAD,   /* offloaded instructions but for accesses */
    MPU_TSV_ACCESS,    /* whole loads and stores */
    MPU_TSV_DATA,      /* data of DRAM transactions, remote ones too */
    MPU_TSV_REQUEST,   /* addresses of DRAM transactions */
    MPU_TSV_WRITEBACK, /* loaded values, gathered on the far side, to near registers */
    MPU_TSV_VALUE,     /* values of stores that the logic die sends on, to it */
    MPU_TSV_MOVE,      /* register moves */
    MPU_TSV_SHARED,    /* shared memory in another die (vertical layout) */
    MPU_TSV_COMMIT,
    MPU_TSV_PER_BYTE,
    MPU_TSV_BUSY, /* cycles, mean over cores */
    /* DRAM: accesses of bank_io_bytes */
    MPU_READS,
    MPU_WRITES,
    MPU_DRAM_BYTES,
    MPU_BANDWIDTH,
    MPU_ROW_HITS,
    MPU_ROW_CLOSED,
    MPU_ROW_CONFLICTS,
    MPU_ROW_MISSES,
    MPU_ROW_MISS_RATE,
    MPU_ACTIVATES,
    MPU_PRECHARGES,
    MPU_REFRESHES,
    /* network: bytes times links */
    MPU_ON_CHIP_BYTES,
    MPU_OFF_CHIP_BYTES,
    /* accesses of 128 bytes: a warp's 32-bit register */
    MPU_RF_ACCESSES,
    MPU_COLLECTOR_ACCESSES,
    MPU_LSU_ACCESSES, /* of the LSU-extension */
    /* energy by part, nJ */
    MPU_ENERGY,
    MPU_ENERGY_ALU,
    MPU_ENERGY_DRAM,
    MPU_ENERGY_RF, /* operand collectors and register files */
    MPU_ENERGY_TSV,
    MPU_ENERGY_NETWORK,
    MPU_ENERGY_SHARED,
    MPU_ENERGY_LSU,
    MPU_ENERGY_FRONT,
    MPU_POWER,
    MPU_POWER_DENSITY,
    /* the static passes */
    MPU_REGS_NEAR,
    MPU_REGS_FAR,
    MPU_REGS_BOTH,
    MPU_REGS_UNKNOWN,
    MPU_ALLOCATED_NEAR,
    MPU_ALLOCATED_FAR,
    MPU_ALLOCATED_BOTH,
    MPU_NEAR_DEMAND,
    MPU_FAR_DEMAND,
    MPU_OCCUPANCY,
    /* area */
    MPU_AREA,
    MPU_AREA_SHARE,
    /* the GPU */
    MPU_V100_TIME,
    MPU_V100_BANDWIDTH,
    MPU_V100_BANDWIDTH_SHARE,
    MPU_V100_ALU_SHARE,
    MPU_BANDWIDTH_RATIO,
    MPU_INTENSITY,
    /* bounds */
    MPU_LEAST_ISSUE,
    MPU_LEAST_TSV,
    MPU_LEAST_BANKS,
    MPU_BOUND_SHARE,
    MPU_METRICS,
};

enum { MPU_CAUSES = MPU_IDLE - MPU_ISSUE + 1 }; /* in the order of the cycle stack */

extern const msw_metric mpu_metrics[];

/* From counts to energy: fills energy_nj and its parts from the TOTAL slots of counts, but for
 * energy_alu_nj, which counting has filled. */
void mpu_energy(const void *config, double *metrics);

#endif
