/* SPDX-License-Identifier: MIT */
/* Metrics. issue to idle add up to the cycles. */
#include "mech/mpu/config.h"
#include "mech/mpu/model.h"

#include "mech/shared/tables.h"

#include <assert.h>

#define PART(...) TOTAL(.unit = "nJ", .energy = true, __VA_ARGS__)

const msw_metric mpu_metrics[] = {
    [MPU_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                         .doc = "core cycles, launches one after the other"),
    [MPU_TIME] = DERIVED(.name = "time_us", .unit = "us", .goal = MSW_GOAL_LOWER, .max = 1e15,
                         .doc = "the same in microseconds"),
    [MPU_SPEEDUP] = DERIVED(.name = "speedup_v100", .unit = "", .goal = MSW_GOAL_HIGHER, .max = 1e6,
                            .doc = "time of the V100 model over time"),
    [MPU_RELATIVE_TIME] =
        PAIRED(.name = "relative_time", .num = "cycles", .den = "cycles", .reference = "base_die",
               .max = 1e6, .doc = "cycles over those with all logic on the logic die"),
    [MPU_ISSUE] = CAUSE(.name = "issue", .doc = "mean over sub-cores: an instruction is issued"),
    [MPU_STALL_ALU] = CAUSE(.name = "stall_alu",
                            .doc = "mean over sub-cores: waiting for results of computation"),
    [MPU_STALL_DRAM] =
        CAUSE(.name = "stall_dram",
              .doc = "mean over sub-cores: waiting for data of the banks of the core"),
    [MPU_STALL_TSV] =
        CAUSE(.name = "stall_tsv",
              .doc = "mean over sub-cores: waiting while the TSVs of the core are taken"),
    [MPU_STALL_NETWORK] = CAUSE(.name = "stall_network",
                                .doc = "mean over sub-cores: waiting for data of other cores"),
    [MPU_STALL_SHARED] =
        CAUSE(.name = "stall_shared", .doc = "mean over sub-cores: waiting for shared memory"),
    [MPU_STALL_BARRIER] =
        CAUSE(.name = "stall_barrier", .doc = "mean over sub-cores: waiting at barriers"),
    [MPU_STALL_UNIT] =
        CAUSE(.name = "stall_unit",
              .doc = "mean over sub-cores: collectors, engines, tables or units are taken"),
    [MPU_IDLE] = CAUSE(.name = "idle", .doc = "mean over sub-cores: no warp is there"),
    [MPU_INSNS] = TOTAL(.name = "instructions", .unit = "instructions", .doc = "of warps"),
    [MPU_INSNS_NEAR] =
        TOTAL(.name = "near_instructions", .unit = "instructions",
              .doc =
                  "executed on the DRAM die: computation there, accesses to shared memory there"),
    [MPU_INSNS_FAR] = TOTAL(.name = "far_instructions", .unit = "instructions",
                            .doc = "executed on the logic die, global accesses among them"),
    [MPU_INSNS_OFFLOADED] = TOTAL(.name = "offloaded", .unit = "instructions",
                                  .doc = "sent over the TSVs, whole loads and stores among them"),
    [MPU_NEAR_SHARE] = RATIO(.name = "near_share", .unit = "", .num = "near_instructions",
                             .den = "instructions", .max = 1, .doc = "near instructions over all"),
    [MPU_IPC] = RATIO(.name = "ipc", .unit = "instructions/cycle", .goal = MSW_GOAL_HIGHER,
                      .num = "instructions", .den = "cycles", .max = 1e6,
                      .doc = "instructions of warps per cycle, whole machine"),
    [MPU_LOADS] =
        TOTAL(.name = "loads", .unit = "instructions", .doc = "loads of global memory, of warps"),
    [MPU_STORES] =
        TOTAL(.name = "stores", .unit = "instructions", .doc = "stores to global memory, of warps"),
    [MPU_ATOMICS] = TOTAL(.name = "atomics", .unit = "instructions",
                          .doc = "atomics on global memory, of warps"),
    [MPU_WHOLE_LOADS] = TOTAL(.name = "whole_loads", .unit = "instructions",
                              .goal = MSW_GOAL_HIGHER, .doc = "loads that are offloaded whole"),
    [MPU_WHOLE_STORES] = TOTAL(.name = "whole_stores", .unit = "instructions",
                               .goal = MSW_GOAL_HIGHER, .doc = "stores that are offloaded whole"),
    [MPU_WHOLE_SHARE] =
        DERIVED(.name = "whole_share", .unit = "", .goal = MSW_GOAL_HIGHER, .max = 1,
                .doc = "whole loads and stores over all loads and stores of global memory"),
    [MPU_LOCAL_LINES] = TOTAL(.name = "local_lines", .unit = "lines",
                              .doc = "lines of 128 bytes, or parts, of accesses to the own core"),
    [MPU_REMOTE_LINES] = TOTAL(.name = "remote_lines", .unit = "lines", .goal = MSW_GOAL_LOWER,
                               .doc = "the same, of other cores"),
    [MPU_LOCAL_SHARE] = DERIVED(.name = "local_share", .unit = "", .goal = MSW_GOAL_HIGHER,
                                .max = 1, .doc = "local lines over all"),
    [MPU_SHARED_ACCESSES] = TOTAL(.name = "shared_accesses", .unit = "instructions",
                                  .doc = "accesses to shared memory, of warps"),
    [MPU_MOVES_NEAR] = TOTAL(.name = "moves_near", .unit = "registers", .goal = MSW_GOAL_LOWER,
                             .doc = "registers of warps moved to the DRAM die"),
    [MPU_MOVES_FAR] = TOTAL(.name = "moves_far", .unit = "registers", .goal = MSW_GOAL_LOWER,
                            .doc = "registers of warps moved to the logic die"),
    [MPU_TSV_BYTES] = TOTAL(.name = "tsv_bytes", .unit = "B", .goal = MSW_GOAL_LOWER,
                            .doc = "data bytes over TSVs, all causes"),
    [MPU_TSV_OFFLOAD] = TOTAL(.name = "tsv_offload", .unit = "B",
                              .doc = "of these, offloaded instructions but for accesses"),
    [MPU_TSV_ACCESS] = TOTAL(.name = "tsv_access", .unit = "B",
                             .doc = "of these, loads and stores offloaded whole"),
    [MPU_TSV_DATA] = TOTAL(.name = "tsv_data", .unit = "B",
                           .doc = "of these, data of DRAM transactions, remote ones too"),
    [MPU_TSV_REQUEST] = TOTAL(.name = "tsv_request", .unit = "B",
                              .doc = "of these, addresses of DRAM transactions"),
    [MPU_TSV_WRITEBACK] =
        TOTAL(.name = "tsv_writeback", .unit = "B",
              .doc =
                  "of these, loaded values that were gathered on the logic die, to near registers"),
    [MPU_TSV_VALUE] =
        TOTAL(.name = "tsv_value", .unit = "B",
              .doc = "of these, near values of stores that are not offloaded, to the logic die"),
    [MPU_TSV_MOVE] = TOTAL(.name = "tsv_move", .unit = "B", .doc = "of these, register moves"),
    [MPU_TSV_SHARED] =
        TOTAL(.name = "tsv_shared", .unit = "B", .doc = "of these, shared memory in another die"),
    [MPU_TSV_COMMIT] = TOTAL(.name = "tsv_commit", .unit = "B",
                             .doc = "of these, returns of offloaded instructions"),
    [MPU_TSV_PER_BYTE] =
        RATIO(.name = "tsv_per_byte", .unit = "", .goal = MSW_GOAL_LOWER, .num = "tsv_bytes",
              .den = "dram_bytes", .max = 1e6, .doc = "TSV bytes over DRAM bytes"),
    [MPU_TSV_BUSY] = TOTAL(.name = "tsv_busy", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                           .doc = "cycles that data take of the TSVs of a core, mean over cores"),
    [MPU_READS] =
        TOTAL(.name = "dram_reads", .unit = "accesses", .doc = "reads of banks, of bank_io_bytes"),
    [MPU_WRITES] = TOTAL(.name = "dram_writes", .unit = "accesses",
                         .doc = "writes of banks, of bank_io_bytes"),
    [MPU_DRAM_BYTES] =
        TOTAL(.name = "dram_bytes", .unit = "B", .doc = "bytes of these reads and writes"),
    [MPU_BANDWIDTH] = DERIVED(.name = "bandwidth", .unit = "GB/s", .goal = MSW_GOAL_HIGHER,
                              .max = 1e7, .doc = "DRAM bytes over time"),
    [MPU_ROW_HITS] = TOTAL(.name = "row_hits", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
                           .doc = "accesses of banks that did not open their row"),
    [MPU_ROW_CLOSED] = TOTAL(.name = "row_closed", .unit = "accesses",
                             .doc = "accesses that opened a row in an empty buffer"),
    [MPU_ROW_CONFLICTS] = TOTAL(.name = "row_conflicts", .unit = "accesses", .goal = MSW_GOAL_LOWER,
                                .doc = "accesses that closed another row first"),
    [MPU_ROW_MISSES] = TOTAL(.name = "row_misses", .unit = "accesses", .goal = MSW_GOAL_LOWER,
                             .doc = "accesses that opened their row"),
    [MPU_ROW_MISS_RATE] = DERIVED(.name = "row_miss_rate", .unit = "", .goal = MSW_GOAL_LOWER,
                                  .max = 1, .doc = "row misses over accesses of banks"),
    [MPU_ACTIVATES] = TOTAL(.name = "activates", .unit = "commands", .goal = MSW_GOAL_LOWER,
                            .doc = "ACT commands"),
    [MPU_PRECHARGES] = TOTAL(.name = "precharges", .unit = "commands", .goal = MSW_GOAL_LOWER,
                             .doc = "PRE commands"),
    [MPU_REFRESHES] = TOTAL(.name = "refreshes", .unit = "commands", .doc = "refreshes, of banks"),
    [MPU_ON_CHIP_BYTES] = TOTAL(.name = "on_chip_bytes", .unit = "B", .goal = MSW_GOAL_LOWER,
                                .doc = "bytes over links between cores, each link counted"),
    [MPU_OFF_CHIP_BYTES] = TOTAL(.name = "off_chip_bytes", .unit = "B", .goal = MSW_GOAL_LOWER,
                                 .doc = "bytes over links between cubes, each link counted"),
    [MPU_RF_ACCESSES] = TOTAL(.name = "rf_accesses", .unit = "accesses",
                              .doc = "register file reads and writes, 128 bytes each"),
    [MPU_COLLECTOR_ACCESSES] = TOTAL(.name = "collector_accesses", .unit = "accesses",
                                     .doc = "operand collector accesses"),
    [MPU_LSU_ACCESSES] =
        TOTAL(.name = "lsu_accesses", .unit = "accesses", .doc = "LSU-extension accesses"),
    [MPU_ENERGY] =
        TOTAL(.name = "energy_nj", .unit = "nJ", .goal = MSW_GOAL_LOWER, .doc = "all parts"),
    [MPU_ENERGY_ALU] = PART(.name = "energy_alu_nj", .doc = "computation"),
    [MPU_ENERGY_DRAM] = PART(.name = "energy_dram_nj", .doc = "banks"),
    [MPU_ENERGY_RF] = PART(.name = "energy_rf_nj", .doc = "operand collectors and register files"),
    [MPU_ENERGY_TSV] = PART(.name = "energy_tsv_nj", .doc = "TSVs"),
    [MPU_ENERGY_NETWORK] =
        PART(.name = "energy_network_nj", .doc = "links between cores and cubes"),
    [MPU_ENERGY_SHARED] = PART(.name = "energy_shared_nj", .doc = "shared memory"),
    [MPU_ENERGY_LSU] = PART(.name = "energy_lsu_nj", .doc = "LSU-extensions"),
    [MPU_ENERGY_FRONT] = PART(.name = "energy_front_nj", .doc = "instruction caches and decoders"),
    [MPU_POWER] = DERIVED(.name = "power_w", .unit = "W", .goal = MSW_GOAL_LOWER, .max = 1e6,
                          .doc = "energy over time, whole machine"),
    [MPU_POWER_DENSITY] = DERIVED(.name = "power_density", .unit = "mW/mm2", .goal = MSW_GOAL_LOWER,
                                  .max = 1e6, .doc = "power of a cube over its footprint"),
    [MPU_REGS_NEAR] = DERIVED(.name = "regs_near", .unit = "registers", .max = 1e9,
                              .doc = "registers of the kernels' PTX on the DRAM die alone"),
    [MPU_REGS_FAR] = DERIVED(.name = "regs_far", .unit = "registers", .max = 1e9,
                             .doc = "registers of the kernels' PTX on the logic die alone"),
    [MPU_REGS_BOTH] = DERIVED(.name = "regs_both", .unit = "registers", .max = 1e9,
                              .doc = "registers of the kernels' PTX on both"),
    [MPU_REGS_UNKNOWN] =
        DERIVED(.name = "regs_unknown", .unit = "registers", .max = 1e9,
                .doc = "registers of the kernels' PTX that the annotation leaves open"),
    [MPU_ALLOCATED_NEAR] =
        DERIVED(.name = "allocated_near", .unit = "registers", .max = 1e9,
                .doc = "registers that allocation leaves, each kind apart: annotated near"),
    [MPU_ALLOCATED_FAR] = DERIVED(.name = "allocated_far", .unit = "registers", .max = 1e9,
                                  .doc = "the same, annotated far or left open"),
    [MPU_ALLOCATED_BOTH] = DERIVED(.name = "allocated_both", .unit = "registers", .max = 1e9,
                                   .doc = "the same, annotated with both sides"),
    [MPU_NEAR_DEMAND] =
        DERIVED(.name = "near_demand", .unit = "registers", .goal = MSW_GOAL_LOWER, .max = 1e9,
                .doc = "32-bit near registers of a warp, largest of all kernels"),
    [MPU_FAR_DEMAND] =
        DERIVED(.name = "far_demand", .unit = "registers", .goal = MSW_GOAL_LOWER, .max = 1e9,
                .doc = "32-bit far registers of a warp, largest of all kernels"),
    [MPU_OCCUPANCY] = DERIVED(.name = "occupancy", .unit = "warps", .goal = MSW_GOAL_HIGHER,
                              .max = 1e6, .doc = "warps of a core at once, mean over launches"),
    [MPU_AREA] = DERIVED(.name = "area_mm2", .exact = true, .priced = true, .unit = "mm2",
                         .goal = MSW_GOAL_LOWER, .max = 1e6, .doc = "logic on a DRAM die"),
    [MPU_AREA_SHARE] =
        DERIVED(.name = "area_share", .exact = true, .priced = true, .unit = "",
                .goal = MSW_GOAL_LOWER, .max = 1e3, .doc = "the same over the footprint of a die"),
    [MPU_V100_TIME] =
        DERIVED(.name = "v100_us", .unit = "us", .max = 1e15, .doc = "time of the V100 model"),
    [MPU_V100_BANDWIDTH] = DERIVED(.name = "v100_bandwidth", .unit = "GB/s", .max = 1e6,
                                   .doc = "DRAM bandwidth of the V100 model"),
    [MPU_V100_BANDWIDTH_SHARE] = DERIVED(.name = "v100_bandwidth_share", .unit = "", .max = 1,
                                         .doc = "the same over its peak"),
    [MPU_V100_ALU_SHARE] = DERIVED(.name = "v100_alu_share", .unit = "", .max = 1,
                                   .doc = "f32 operations of the V100 model over its peak"),
    [MPU_BANDWIDTH_RATIO] = DERIVED(.name = "bandwidth_ratio", .unit = "", .goal = MSW_GOAL_HIGHER,
                                    .max = 1e6, .doc = "bandwidth over that of the V100 model"),
    [MPU_INTENSITY] =
        RATIO(.name = "intensity", .unit = "B/instruction", .num = "dram_bytes",
              .den = "instructions", .max = 1e6, .doc = "DRAM bytes per instruction of a warp"),
    [MPU_LEAST_ISSUE] =
        LEAST(.name = "least_issue",
              .doc = "so many sub-cores need at least this to issue all instructions"),
    [MPU_LEAST_TSV] = LEAST(.name = "least_tsv",
                            .doc = "so many TSVs need at least this for the data of the row"),
    [MPU_LEAST_BANKS] =
        LEAST(.name = "least_banks",
              .doc = "so many banks need at least this for the commands of the row"),
    [MPU_BOUND_SHARE] = BOUND_SHARE,
    [MPU_METRICS] = {0},
};
static_assert(sizeof mpu_metrics / sizeof *mpu_metrics == MPU_METRICS + 1, "one row per metric");

/* Laws within every answer, at any fidelity. */
const msw_self_check mpu_checks[] = {
    {.left = "issue + stall_alu + stall_dram + stall_tsv + stall_network + stall_shared + "
             "stall_barrier + stall_unit + idle",
     .right = "cycles",
     .equal = true},
    {.left = "near_instructions + far_instructions", .right = "instructions", .equal = true},
    {.left = "offloaded", .right = "instructions"},
    {.left = "whole_loads", .right = "loads"},
    {.left = "whole_stores", .right = "stores"},
    {.left = "row_hits + row_misses", .right = "dram_reads + dram_writes"},
    {.left = "row_closed + row_conflicts", .right = "row_misses", .equal = true},
    {.left = "tsv_offload + tsv_access + tsv_data + tsv_request + tsv_writeback + tsv_value + "
             "tsv_move + tsv_shared + tsv_commit",
     .right = "tsv_bytes",
     .equal = true},
    {.left = "energy_alu_nj + energy_dram_nj + energy_rf_nj + energy_tsv_nj + energy_network_nj + "
             "energy_shared_nj + energy_lsu_nj + energy_front_nj",
     .right = "energy_nj",
     .equal = true},
    {0},
};
