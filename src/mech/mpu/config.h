/* SPDX-License-Identifier: MIT */
/* Private to mpu: its configuration. */
#ifndef MSW_MECH_MPU_CONFIG_H
#define MSW_MECH_MPU_CONFIG_H

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

#endif
