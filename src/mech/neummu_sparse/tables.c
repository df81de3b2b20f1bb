/* SPDX-License-Identifier: MIT */
/* neummu_sparse: everything that can be set and measured. The MMU's entries say the same as those
 * of neummu. */
#include "mech/shared/tables.h"
#include "mech/neummu/mmu_rows.h"
#include "mech/neummu_sparse/config.h"
#include "mech/neummu_sparse/model.h"

#include <assert.h>

static const msw_choice MODES[] = {
    [NEUMMU_SPARSE_COPY] =
        {.name = "copy",
         .doc = "no MMU: rows of other devices are copied to the CPU, and from there"},
    [NEUMMU_SPARSE_NUMA_SLOW] = {.name = "numa_slow",
                                 .doc = "rows of other devices are read in place, over PCIe"},
    [NEUMMU_SPARSE_NUMA_FAST] =
        {.name = "numa_fast",
         .doc = "rows of other devices are read in place, over the link between devices"},
    [NEUMMU_SPARSE_DEMAND] =
        {.name = "demand",
         .doc = "pages of other devices are moved here when first touched, and stay"},
    {0},
};
static const msw_choice PLACEMENTS[] = {
    [NEUMMU_SPARSE_TABLES] = {.name = "tables", .doc = "whole tables, one device after the other"},
    [NEUMMU_SPARSE_ROWS] = {.name = "rows",
                            .doc = "the rows of every table, one device after the other"},
    {0},
};
static const msw_choice PAGE_LINKS[] = {
    [NEUMMU_SPARSE_PCIE] = {.name = "pcie", .doc = "the link to the CPU"},
    [NEUMMU_SPARSE_FAST] = {.name = "fast", .doc = "the link between devices"},
    {0},
};

#define FIELD(f) offsetof(neummu_sparse_config, f)

const msw_param neummu_sparse_params[] = {
    MSW_ROW(.name = "mode", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_SPARSE_NUMA_FAST,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(MODES),
            .doc = "how rows of other devices come here", .source = MSW_PAPER,
            .reference = NEUMMU_PAPER "section V", .offset = FIELD(mode)),
    MSW_ROW(.name = "devices", .kind = MSW_INTEGER, .unit = "", .min = 1,
            .max = NEUMMU_SPARSE_DEVICES, .def = 4, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "devices that the rows lie on; the first one gathers", .source = MSW_UNKNOWN,
            .reference = "not recovered", .plausible_min = 2, .plausible_max = 16,
            .offset = FIELD(devices)),
    MSW_ROW(.name = "placement", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_SPARSE_TABLES,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(PLACEMENTS),
            .doc = "what is spread over the devices", .source = MSW_UNKNOWN,
            .reference = "not recovered", .acts = "devices > 1", .offset = FIELD(placement)),
    {NEUMMU_ORACLE_ROW, .acts = "mode <> 'copy'", .offset = FIELD(mmu.oracle)},
    MSW_ROW(.name = "page_size", .kind = MSW_SIZE, .unit = "B", .min = 4096, .max = 1073741824,
            .def = 4096, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "size of all pages, a power of two", .source = MSW_PAPER,
            .reference = NEUMMU_PAPER "section V", .offset = FIELD(mmu.page_size)),
    {NEUMMU_TLB_ENTRIES_ROW, .acts = "mode <> 'copy' AND NOT oracle",
     .offset = FIELD(mmu.tlb_entries)},
    {NEUMMU_TLB_WAYS_ROW, .acts = "mode <> 'copy' AND NOT oracle AND tlb_entries > 1",
     .offset = FIELD(mmu.tlb_ways)},
    {NEUMMU_TLB_CYCLES_ROW, .acts = "mode <> 'copy' AND NOT oracle",
     .offset = FIELD(mmu.tlb_cycles)},
    {NEUMMU_PTW_COUNT_ROW, .acts = "mode <> 'copy' AND NOT oracle", .offset = FIELD(mmu.ptw_count)},
    {NEUMMU_WALK_LEVEL_CYCLES_ROW, .acts = "mode <> 'copy' AND NOT oracle",
     .offset = FIELD(mmu.walk_level_cycles)},
    {NEUMMU_SCOREBOARD_ROW, .acts = "mode <> 'copy' AND NOT oracle",
     .offset = FIELD(mmu.scoreboard)},
    {NEUMMU_PRMB_SLOTS_ROW, .acts = "mode <> 'copy' AND NOT oracle AND scoreboard",
     .offset = FIELD(mmu.prmb_slots)},
    {NEUMMU_SLOTS_FULL_ROW,
     .acts = "mode <> 'copy' AND NOT oracle AND scoreboard AND ptw_count > 1",
     .offset = FIELD(mmu.slots_full)},
    {NEUMMU_REPROBE_ROW, .acts = "mode <> 'copy' AND NOT oracle", .offset = FIELD(mmu.reprobe)},
    {NEUMMU_RETURN_CYCLES_ROW,
     .acts = "mode <> 'copy' AND NOT oracle AND scoreboard AND prmb_slots > 0",
     .offset = FIELD(mmu.return_cycles)},
    {NEUMMU_PATH_CACHE_ROW, .acts = "mode <> 'copy' AND NOT oracle",
     .offset = FIELD(mmu.path_cache)},
    MSW_ROW(.name = "path_entries", .kind = MSW_INTEGER, .unit = "entries", .min = 1, .max = 65536,
            .def = 16, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "paths (shared) or page-table entries (unified) kept", .source = MSW_UNKNOWN,
            .reference = "not recovered", .plausible_min = 1, .plausible_max = 1024,
            .acts = "mode <> 'copy' AND NOT oracle AND path_cache IN ('shared', 'unified')",
            .offset = FIELD(mmu.path_entries)),
    MSW_ROW(.name = "frequency", .kind = MSW_REAL, .unit = "GHz", .min = 0.25, .max = 4, .def = 1,
            .neutral = MSW_NO_NEUTRAL, .doc = "clock of array, DMA engine and MMU",
            .source = MSW_INFERRED, .reference = NEUMMU_TABLE, .plausible_min = 0.7,
            .plausible_max = 1.5, .offset = FIELD(mmu.frequency)),
    MSW_ROW(.name = "bandwidth", .kind = MSW_REAL, .unit = "GB/s", .min = 1, .max = 4096,
            .def = 600, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "bandwidth of the gathering device's memory", .source = MSW_INFERRED,
            .reference = NEUMMU_TABLE, .plausible_min = 300, .plausible_max = 900,
            .offset = FIELD(mmu.bandwidth)),
    {NEUMMU_MEMORY_CYCLES_ROW, .offset = FIELD(mmu.memory_cycles)},
    MSW_ROW(.name = "pcie_bandwidth", .kind = MSW_REAL, .unit = "GB/s", .min = 1, .max = 4096,
            .def = 16, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "bandwidth between a device and the CPU", .source = MSW_INFERRED,
            .reference = NEUMMU_TABLE, .plausible_min = 12, .plausible_max = 32,
            .acts = "devices > 1", .offset = FIELD(pcie_bandwidth)),
    MSW_ROW(.name = "pcie_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 100000,
            .def = 600, .neutral = MSW_NO_NEUTRAL, .doc = "latency of that link",
            .source = MSW_UNKNOWN, .reference = "not recovered", .plausible_min = 300,
            .plausible_max = 2000, .acts = "devices > 1", .offset = FIELD(pcie_cycles)),
    MSW_ROW(.name = "fast_bandwidth", .kind = MSW_REAL, .unit = "GB/s", .min = 1, .max = 4096,
            .def = 160, .neutral = MSW_NO_NEUTRAL, .scale = MSW_LOG,
            .doc = "bandwidth between devices, into the gathering one", .source = MSW_INFERRED,
            .reference = NEUMMU_TABLE, .plausible_min = 100, .plausible_max = 300,
            .acts =
                "devices > 1 AND (mode = 'numa_fast' OR (mode = 'demand' AND page_link = 'fast'))",
            .offset = FIELD(fast_bandwidth)),
    MSW_ROW(.name = "fast_cycles", .kind = MSW_INTEGER, .unit = "cycles", .min = 0, .max = 100000,
            .def = 150, .neutral = MSW_NO_NEUTRAL, .doc = "latency of that link",
            .source = MSW_INFERRED, .reference = NEUMMU_TABLE, .plausible_min = 100,
            .plausible_max = 700,
            .acts =
                "devices > 1 AND (mode = 'numa_fast' OR (mode = 'demand' AND page_link = 'fast'))",
            .offset = FIELD(fast_cycles)),
    MSW_ROW(.name = "cpu_call", .kind = MSW_REAL, .unit = "ns", .min = 0, .max = 1e6, .def = 10000,
            .neutral = MSW_NO_NEUTRAL, .doc = "copy: the CPU starts one transfer",
            .source = MSW_UNKNOWN, .reference = "not recovered", .plausible_min = 2000,
            .plausible_max = 20000, .acts = "devices > 1", .offset = FIELD(cpu_call)),
    MSW_ROW(.name = "cpu_row", .kind = MSW_REAL, .unit = "ns", .min = 0, .max = 1e5, .def = 50,
            .neutral = MSW_NO_NEUTRAL, .doc = "copy: the CPU puts one row in its place",
            .source = MSW_UNKNOWN, .reference = "not recovered", .plausible_min = 10,
            .plausible_max = 200, .acts = "devices > 1", .offset = FIELD(cpu_row)),
    MSW_ROW(.name = "fault_latency", .kind = MSW_REAL, .unit = "ns", .min = 0, .max = 1e7,
            .def = 20000, .neutral = MSW_NO_NEUTRAL,
            .doc = "demand: from a fault to the start of its page's transfer",
            .source = MSW_UNKNOWN, .reference = "not recovered", .plausible_min = 5000,
            .plausible_max = 50000, .acts = "devices > 1 AND mode = 'demand'",
            .offset = FIELD(fault_latency)),
    MSW_ROW(.name = "fault_parallel", .kind = MSW_INTEGER, .unit = "faults", .min = 1, .max = 1024,
            .def = 16, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "demand: faults handled at the same time", .source = MSW_UNKNOWN,
            .reference = "not recovered", .plausible_min = 1, .plausible_max = 256,
            .acts = "devices > 1 AND mode = 'demand' AND fault_latency > 0",
            .offset = FIELD(fault_parallel)),
    MSW_ROW(.name = "page_link", .kind = MSW_CHOICE, .unit = "", .def = NEUMMU_SPARSE_FAST,
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(PAGE_LINKS),
            .doc = "demand: the link that pages come over", .source = MSW_UNKNOWN,
            .reference = "not recovered", .acts = "devices > 1 AND mode = 'demand'",
            .offset = FIELD(page_link)),
    MSW_ROW(.name = "mlp_macs", .kind = MSW_REAL, .unit = "", .min = 0, .max = 1e9, .def = 18245,
            .neutral = MSW_NO_NEUTRAL, .doc = "multiplications of the dense layers per request",
            .source = MSW_PUBLIC,
            .reference = "DLRM's layers for Criteo Kaggle: 474368 per sample of 26 look-ups",
            .plausible_min = 1000, .plausible_max = 200000, .offset = FIELD(mlp_macs)),
    MSW_ROW(.name = "mlp_utilization", .kind = MSW_REAL, .unit = "", .min = 0.01, .max = 1,
            .def = 0.5, .neutral = MSW_NO_NEUTRAL, .doc = "share of the array's cells that work",
            .source = MSW_UNKNOWN, .reference = "small layers", .plausible_min = 0.1,
            .plausible_max = 1, .acts = "mlp_macs > 0", .offset = FIELD(mlp_utilization)),
    MSW_ROW(.name = "array_cells", .kind = MSW_INTEGER, .unit = "cells", .min = 1, .max = 1048576,
            .def = 16384, .neutral = MSW_NO_NEUTRAL, .scale = MSW_POW2,
            .doc = "multipliers of the array", .source = MSW_INFERRED, .reference = NEUMMU_TABLE,
            .plausible_min = 4096, .plausible_max = 65536, .acts = "mlp_macs > 0",
            .offset = FIELD(array_cells)),
    {0},
};

const msw_metric neummu_sparse_metrics[] = {
    [NEUMMU_SPARSE_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                                   .doc = "time of all batches"),
    [NEUMMU_SPARSE_SLOWDOWN] =
        PAIRED(.name = "slowdown", .num = "cycles", .den = "cycles", .reference = "oracle",
               .min = 0.9, .max = 1e6,
               .doc = "cycles over those with every translation known at once"),
    [NEUMMU_SPARSE_RELATIVE] =
        PAIRED(.name = "relative_latency", .num = "cycles", .den = "cycles", .reference = "copy",
               .max = 1e6, .doc = "cycles over those of the copy through the CPU"),
    [NEUMMU_SPARSE_LATENCY] =
        RATIO(.name = "batch_latency", .unit = "cycles", .goal = MSW_GOAL_LOWER, .num = "cycles",
              .den = "batches", .max = 1e18, .doc = "cycles per batch"),
    [NEUMMU_SPARSE_TRANSLATION] = CAUSE(.name = "translation", .doc = "rows wait for translations"),
    [NEUMMU_SPARSE_TRANSFER] =
        CAUSE(.name = "transfer", .doc = "rows or pages of other devices are on their way"),
    [NEUMMU_SPARSE_CPU] =
        CAUSE(.name = "cpu", .doc = "the CPU starts copies and puts rows in their places"),
    [NEUMMU_SPARSE_FAULT] = CAUSE(.name = "fault", .doc = "faults are handled"),
    [NEUMMU_SPARSE_GATHER] =
        CAUSE(.name = "gather", .doc = "rows are asked for and come out of the memory here"),
    [NEUMMU_SPARSE_MLP] = CAUSE(.name = "mlp", .doc = "the dense layers are computed"),
    [NEUMMU_SPARSE_BATCHES] =
        TOTAL(.name = "batches", .unit = "batches", .doc = "batches gathered and computed"),
    [NEUMMU_SPARSE_REQUESTS] =
        TOTAL(.name = "requests", .unit = "requests", .doc = "requests for rows or parts of them"),
    [NEUMMU_SPARSE_REMOTE] = TOTAL(.name = "remote_requests", .unit = "requests",
                                   .doc = "those for rows of other devices"),
    [NEUMMU_SPARSE_BYTES] = TOTAL(.name = "row_bytes", .unit = "B", .doc = "bytes asked for"),
    [NEUMMU_SPARSE_REMOTE_BYTES] = TOTAL(.name = "remote_bytes", .unit = "B",
                                         .doc = "bytes asked for that other devices had at first"),
    [NEUMMU_SPARSE_MOVED_BYTES] = TOTAL(.name = "moved_bytes", .unit = "B", .goal = MSW_GOAL_LOWER,
                                        .doc = "bytes that came from other devices"),
    [NEUMMU_SPARSE_BLOAT] = RATIO(.name = "bloat", .unit = "", .goal = MSW_GOAL_LOWER,
                                  .num = "moved_bytes", .den = "remote_bytes", .max = 1e9,
                                  .doc = "bytes that came per byte that was asked for"),
    [NEUMMU_SPARSE_FAULTS] = TOTAL(.name = "page_faults", .unit = "pages", .goal = MSW_GOAL_LOWER,
                                   .doc = "pages moved here"),
    [NEUMMU_SPARSE_HITS] = TOTAL(NEUMMU_TLB_HITS_ROW),
    [NEUMMU_SPARSE_MISSES] = TOTAL(NEUMMU_TLB_MISSES_ROW),
    [NEUMMU_SPARSE_HIT_RATE] =
        RATIO(.name = "tlb_hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "tlb_hits",
              .den = "requests", .max = 1, .doc = "TLB hit rate"),
    [NEUMMU_SPARSE_MERGED] = TOTAL(.name = "merged", .unit = "requests", .goal = MSW_GOAL_HIGHER,
                                   .doc = "misses merged into a walk under way"),
    [NEUMMU_SPARSE_WALKS] =
        TOTAL(.name = "walks", .unit = "walks", .goal = MSW_GOAL_LOWER, .doc = "page walks"),
    [NEUMMU_SPARSE_REDUNDANT] =
        TOTAL(.name = "redundant_walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
              .doc = "walks for a page that was being walked", .unstated = true),
    [NEUMMU_SPARSE_WALK_ACCESSES] = TOTAL(.name = "walk_accesses", .unit = "accesses",
                                          .goal = MSW_GOAL_LOWER, .doc = "page-table accesses"),
    [NEUMMU_SPARSE_PER_WALK] = RATIO(.name = "accesses_per_walk", .unit = "accesses",
                                     .goal = MSW_GOAL_LOWER, .num = "walk_accesses", .den = "walks",
                                     .max = 5, .doc = "page-table accesses of a walk"),
    [NEUMMU_SPARSE_SRAM] = DERIVED(.name = "sram_bytes", .exact = true, .priced = true, .unit = "B",
                                   .goal = MSW_GOAL_LOWER, .max = 1e15,
                                   .doc = "SRAM of TLB, merge slots, path cache and scoreboard"),
    [NEUMMU_SPARSE_ENERGY_ARRAY] =
        ENERGY_PART(.name = "energy_array_nj",
                    .doc = "multiplications of the dense layers, and their scratchpads"),
    [NEUMMU_SPARSE_ENERGY_MEMORY] = ENERGY_PART(
            .name = "energy_memory_nj",
            .doc = "two stacks of HBM2: a row opened for each request, bits, refresh, standby"),
    [NEUMMU_SPARSE_ENERGY_LINKS] =
        ENERGY_PART(.name = "energy_links_nj", .doc = "bytes from other devices"),
    [NEUMMU_SPARSE_ENERGY_TRANSLATION] =
        ENERGY_PART(.name = "energy_translation_nj",
                    .doc = "TLB, scoreboard, merge slots, path cache and page-table accesses"),
    [NEUMMU_SPARSE_ENERGY_ALL] =
        ENERGY_ALL(.doc = "array, memory, links and translation, but for leakage"),
    [NEUMMU_SPARSE_EDP] = EDP,
    [NEUMMU_SPARSE_LEAST_ISSUE] =
        LEAST(.name = "least_issue",
              .doc = "one request a cycle needs at least so many cycles for all of them"),
    [NEUMMU_SPARSE_LEAST_MEMORY] =
        LEAST(.name = "least_memory",
              .doc = "this bandwidth needs at least so many cycles for the rows read here"),
    [NEUMMU_SPARSE_LEAST_LINK] =
        LEAST(.name = "least_link",
              .doc = "the links need at least so many cycles for what other devices send"),
    [NEUMMU_SPARSE_LEAST_WALKERS] =
        LEAST(.name = "least_walkers",
              .doc = "so many walkers need at least this for the walks of the row"),
    [NEUMMU_SPARSE_LEAST_HANDLERS] =
        LEAST(.name = "least_handlers",
              .doc = "so many handlers need at least this for the faults of the row"),
    [NEUMMU_SPARSE_LEAST_CPU] =
        LEAST(.name = "least_cpu",
              .doc = "the CPU needs at least so many cycles to put rows in their places"),
    [NEUMMU_SPARSE_LEAST_ARRAY] =
        LEAST(.name = "least_array",
              .doc = "an array of this size needs at least so many cycles for the dense layers"),
    [NEUMMU_SPARSE_BOUND_SHARE] = BOUND_SHARE,
    [NEUMMU_SPARSE_METRICS] = {0},
};
static_assert(sizeof neummu_sparse_metrics / sizeof *neummu_sparse_metrics ==
                  NEUMMU_SPARSE_METRICS + 1,
              "one row per metric");

/* Laws within every answer, at any fidelity. */
const msw_self_check neummu_sparse_checks[] = {
    {.left = "tlb_hits + tlb_misses", .right = "requests", .equal = true},
    {.left = "walks", .right = "tlb_misses"},
    {.left = "merged", .right = "tlb_misses"},
    {.left = "redundant_walks", .right = "walks"},
    {.left = "remote_requests", .right = "requests"},
    {.left = "remote_bytes", .right = "row_bytes"},
    {.left = "translation + transfer + cpu + fault + gather + mlp",
     .right = "cycles",
     .equal = true},
    {0},
};
