/* SPDX-License-Identifier: MIT */
/* Private to mpu: its configuration, and the numbers of its metrics. */
#ifndef MSW_MECH_MPU_CONFIG_H
#define MSW_MECH_MPU_CONFIG_H

#include "memsweep/param/metric.h"
#include "memsweep/param/param.h"

#include <stdbool.h>

typedef struct mpu_config {
    /* organisation */
    int64_t processors, processor_columns, dies, cores, core_columns, subcores;
    int64_t banks, bank_groups, bank_bytes, bank_io_bytes, row_bytes;
    int64_t row_buffers, row_placement, row_hash;
    /* where data, CTAs and warps are */
    int64_t placement, array_gap, dispatch, binding;
    /* pipeline */
    int64_t pipeline, shared_side, layout, policy, annotation;
    int64_t guard_side, special_side, atomic_shared_side, atomic_global_side, shuffle_side,
        vote_side, barrier_side, sfu_side, both_side, unknown_side;
    int64_t warps, ctas, scheduler, issue_width;
    int64_t far_alus, near_alus, sfus, lsus, far_collectors, near_collectors;
    int64_t offload_engines, move_engines, pending, stage_buffers;
    int64_t far_rf_bytes, near_rf_bytes, shared_bytes, remote_cache_bytes;
    /* clocks */
    double core_ghz, tsv_ghz, router_ghz, on_chip_ghz, off_chip_ghz;
    /* buses */
    int64_t tsv_bits, tsv_duplex, tsv_cycles, tsv_command_cycles;
    int64_t offload_bytes, immediate_bytes, access_bytes, request_bytes, commit_bytes;
    int64_t on_chip_bits, off_chip_bits, router_cycles, packet_bytes, header_bytes;
    /* latencies */
    int64_t front_cycles, collect_cycles, writeback_cycles, lsu_cycles, shared_cycles;
    int64_t alu_cycles, half_cycles, double_cycles, int_div_cycles, float_div_cycles,
        double_div_cycles, root_cycles, rsqrt_cycles, exp_cycles, sin_cycles;
    /* DRAM, in cycles of the core clock */
    int64_t t_rcd, t_rcd_write, t_ccd, t_ccd_short, t_rtp, t_rp, t_ras, t_rfc, t_refi, t_cl, t_cwl,
        t_rrd, t_rrd_short, t_faw, t_wr, t_wtr, t_wtr_short, t_select, t_sibling_read,
        t_sibling_write;
    int64_t dram_queue, dram_window, closing, hit_cap;
    /* energy */
    double read_nj, write_nj, activate_nj, precharge_nj, refresh_nj, rf_nj, shared_nj, collector_nj,
        lsu_extension_nj, icache_nj, decode_nj;
    double tsv_pj, on_chip_pj, off_chip_pj;
    double int_nj, mul_nj, float_nj, float_add_nj, double_nj, int_div_nj, float_div_nj, root_nj,
        rcp_nj, exp_nj, convert_nj;
    /* area on a DRAM die at the sizes of Table II */
    double die_mm2, area_shared_mm2, area_rf_mm2, area_controller_mm2, area_collector_mm2,
        area_alu_mm2, area_lsu_mm2, area_row_buffer_mm2, area_core_mm2;
    /* what the near-bank side leaves open */
    int64_t bank_buses, open_ahead, store_update, gathered_bytes, cta_refill, immediates_far,
        predicate_bytes;
    /* how it is simulated */
    int64_t simulated_cores, window;
} mpu_config;

enum { MPU_ROWS_MOD, MPU_ROWS_LRU };                                /* row_placement */
enum { MPU_HASH_NONE, MPU_HASH_XOR };                               /* row_hash */
enum { MPU_PLACEMENT_LINE, MPU_PLACEMENT_ROW, MPU_PLACEMENT_BANK }; /* placement */
enum { MPU_DISPATCH_ROUND_ROBIN, MPU_DISPATCH_OWNER };              /* dispatch */
enum { MPU_BIND_MODULO, MPU_BIND_FREE };                            /* binding */
enum { MPU_PIPELINE_HYBRID, MPU_PIPELINE_BASE, MPU_PIPELINE_DRAM }; /* pipeline */
enum { MPU_SHARED_NEAR, MPU_SHARED_FAR };                           /* shared_side */
enum { MPU_LAYOUT_HORIZONTAL, MPU_LAYOUT_VERTICAL };                /* layout */
enum {
    MPU_POLICY_ANNOTATION,
    MPU_POLICY_DEFAULT,
    MPU_POLICY_NEAR,
    MPU_POLICY_FAR,
    MPU_POLICY_RELEASED_NEAR
};                                                        /* policy */
enum { MPU_ANNOTATION_INTENDED, MPU_ANNOTATION_PRINTED }; /* annotation */
enum {
    MPU_AT_FAR,
    MPU_AT_NEAR,
    MPU_AT_TABLE, /* *_side: the track table, of guard_side
                     where the instruction is */
    MPU_AT_BOTH   /* executed on each side */
};
enum { MPU_SCHEDULER_GTO, MPU_SCHEDULER_ROUND_ROBIN }; /* scheduler */
enum { MPU_CLOSE_OLDER, MPU_CLOSE_LAST };              /* closing */
enum { MPU_BUSES_SHARED, MPU_BUSES_OWN };              /* bank_buses */
enum { MPU_REFILL_EACH, MPU_REFILL_BATCH };            /* cta_refill */

enum {
    MPU_LANES = 32,
    MPU_LINE_BYTES = 128, /* of a coalesced access */
    MPU_REG_BYTES = 128,  /* a 32-bit register of a warp */
};

extern const msw_param mpu_params[];

/* Rules across parameters. Returns 0, or -1 with why the config cannot exist. */
int mpu_check(const void *config, msw_err *err);

/* Returns the cores, sub-cores (each with its near-bank unit) and banks of the whole machine. */
static inline int64_t mpu_core_count(const mpu_config *c)
{
    return c->processors * c->cores;
}
static inline int64_t mpu_unit_count(const mpu_config *c)
{
    return mpu_core_count(c) * c->subcores;
}
static inline int64_t mpu_bank_count(const mpu_config *c)
{
    return mpu_unit_count(c) * c->banks;
}

/* Returns the bytes that the TSVs of one core carry in a core cycle. */
static inline double mpu_tsv_bytes_per_cycle(const mpu_config *c)
{
    return (double)c->tsv_bits / (double)c->cores / 8 * c->tsv_ghz / c->core_ghz;
}

/* The numbers of its metrics. Both models fill the TOTAL slots; the rest is
 * computed from them (derive.c). */

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
