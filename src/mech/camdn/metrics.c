/* SPDX-License-Identifier: MIT */
/* Metrics. */
#include "mech/camdn/config.h"
#include "mech/shared/tables.h"

#include <assert.h>

const msw_metric camdn_metrics[] = {
    [CAMDN_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                           .doc = "sum of the latencies of tasks, from arrival to last store"),
    [CAMDN_COMPUTE] = CAUSE(.name = "compute", .doc = "an array or vector unit computes"),
    [CAMDN_WAIT_CACHE] = CAUSE(.name = "wait_cache",
                               .doc = "it waits for the cache: operands that lie there, stores"),
    [CAMDN_WAIT_MEMORY] = CAUSE(.name = "wait_memory", .doc = "it waits for operands from memory"),
    [CAMDN_WAIT_PAGES] =
        CAUSE(.name = "wait_pages", .doc = "an operator waits for pages and their table"),
    [CAMDN_WAIT_NPU] = CAUSE(.name = "wait_npu", .doc = "it is another tenant's turn"),
    [CAMDN_WAIT_START] =
        CAUSE(.name = "wait_start", .doc = "a task has arrived and waits for an NPU"),
    [CAMDN_WAIT_TRANSLATION] =
        CAUSE(.name = "wait_translation", .doc = "it waits for translations of addresses"),
    [CAMDN_STOPPED] = TOTAL(.name = "stopped", .unit = "cycles",
                            .doc = "a DMA is stopped by throttling, which computing may cover"),
    [CAMDN_TASKS] = TOTAL(.name = "counted", .unit = "tasks", .doc = "tasks that are counted"),
    [CAMDN_LATENCY] =
        RATIO(.name = "latency", .unit = "cycles", .goal = MSW_GOAL_LOWER, .num = "cycles",
              .den = "counted", .max = 1e15, .doc = "mean of a task"),
    [CAMDN_TARGETED] = TOTAL(.name = "targeted", .unit = "tasks",
                             .doc = "counted tasks that have a target of latency"),
    [CAMDN_IN_TIME] = TOTAL(.name = "in_time", .unit = "tasks", .goal = MSW_GOAL_HIGHER,
                            .doc = "of them, those whose latency is below it"),
    [CAMDN_SLA] = RATIO(.name = "sla", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "in_time",
                        .den = "targeted", .max = 1, .doc = "tasks in time of those with a target"),
    [CAMDN_REQUESTS] =
        TOTAL(.name = "requests", .unit = "requests", .doc = "lines that NPUs ask for"),
    [CAMDN_HITS] = TOTAL(.name = "hits", .unit = "requests", .doc = "of them found in the cache"),
    [CAMDN_HIT_RATE] = RATIO(.name = "hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "hits",
                             .den = "requests", .max = 1, .doc = "hits of requests"),
    [CAMDN_READ] = TOTAL(.name = "memory_read", .unit = "B", .doc = "bytes read from memory"),
    [CAMDN_WRITTEN] =
        TOTAL(.name = "memory_written", .unit = "B", .doc = "bytes written to memory"),
    [CAMDN_TRAFFIC] = TOTAL(.name = "traffic", .unit = "B", .goal = MSW_GOAL_LOWER,
                            .doc = "bytes read from and written to memory"),
    [CAMDN_TRAFFIC_TASK] =
        RATIO(.name = "traffic_task", .unit = "B", .goal = MSW_GOAL_LOWER, .num = "traffic",
              .den = "counted", .max = 1e15, .doc = "traffic of a task"),
    [CAMDN_UNCACHED] = TOTAL(.name = "uncached", .unit = "B",
                             .doc = "traffic if memory served every request of the tiles"),
    [CAMDN_LAYERWISE] = TOTAL(.name = "layerwise", .unit = "B",
                              .doc = "traffic if every operator moved its own data once"),
    [CAMDN_FUSED] = TOTAL(.name = "fused", .unit = "B",
                          .doc = "traffic if nothing that passes between operators left the cache"),
    [CAMDN_FUSED_PAGES] =
        TOTAL(.name = "fused_in_pages", .unit = "B",
              .doc = "traffic of a tenant that has all pages, with the best blocks"),
    [CAMDN_FIXED] = TOTAL(.name = "fixed_shares", .unit = "B",
                          .doc = "traffic with the best fixed numbers of pages"),
    [CAMDN_CLAIRVOYANT] =
        DERIVED(.name = "clairvoyant", .unit = "B", .max = 1e18,
                .doc = "traffic if pages went where they are worth most, and never all at once"),
    [CAMDN_ENERGY] = TOTAL(.name = "energy", .unit = "nJ", .goal = MSW_GOAL_LOWER,
                           .doc = "energy of memory, cache and NPUs, but for leakage, at 45 nm"),
    [CAMDN_ENERGY_MEMORY] = TOTAL(.name = "energy_memory", .unit = "nJ", .goal = MSW_GOAL_LOWER,
                                  .doc = "of it bytes to and from memory"),
    [CAMDN_ENERGY_CACHE] =
        TOTAL(.name = "energy_cache", .unit = "nJ", .goal = MSW_GOAL_LOWER, .energy = true,
              .doc = "of it lines that slices give, take and fill"),
    [CAMDN_ENERGY_NPU] = TOTAL(.name = "energy_npu", .unit = "nJ", .energy = true,
                               .doc = "of it multiplications, and lines in scratchpads"),
    [CAMDN_ENERGY_TASK] =
        RATIO(.name = "energy_task", .unit = "nJ", .goal = MSW_GOAL_LOWER, .num = "energy",
              .den = "counted", .max = 1e15, .doc = "energy of a task"),
    [CAMDN_USED_ONCE] = DERIVED(.name = "used_once", .unit = "", .max = 1,
                                .doc = "of a network's data, what is used once: mean of networks"),
    [CAMDN_BEYOND_1MIB] = DERIVED(.name = "beyond_1mib", .unit = "", .max = 1,
                                  .doc = "of its intermediates, what comes back after 1 MiB"),
    [CAMDN_BEYOND_2MIB] =
        DERIVED(.name = "beyond_2mib", .unit = "", .max = 1, .doc = "the same after 2 MiB"),
    [CAMDN_CPU_SLOWDOWN] =
        DERIVED(.name = "cpu_slowdown", .unit = "", .goal = MSW_GOAL_LOWER, .max = 1e6,
                .doc = "time of the CPU side over what it takes with the whole cache"),
    [CAMDN_TABLE_SHARE] = DERIVED(.name = "table_share", .unit = "", .max = 1,
                                  .doc = "page table's part of an NPU's area"),
    [CAMDN_NEC_SHARE] = DERIVED(.name = "nec_share", .unit = "", .max = 1,
                                .doc = "page controller's part of a slice's area"),
    [CAMDN_TRANSLATIONS] =
        TOTAL(.name = "translations", .unit = "requests", .doc = "lines that are translated"),
    [CAMDN_TLB_HITS] = TOTAL(.name = "tlb_hits", .unit = "requests",
                             .doc = "translations that a TLB of the first level answers"),
    [CAMDN_TLB_MISSES] = TOTAL(.name = "tlb_misses", .unit = "requests", .goal = MSW_GOAL_LOWER,
                               .doc = "translations that it does not"),
    [CAMDN_WALKS] =
        TOTAL(.name = "walks", .unit = "walks", .goal = MSW_GOAL_LOWER, .doc = "page-table walks"),
    [CAMDN_MERGED] = TOTAL(.name = "merged", .unit = "requests",
                           .doc = "misses that wait for a walk that another one began"),
    [CAMDN_WALK_ACCESSES] = TOTAL(.name = "walk_accesses", .unit = "requests",
                                  .doc = "page-table entries that walks read"),
    [CAMDN_ENERGY_DRAM] =
        ENERGY_PART(.name = "energy_dram_nj",
                    .doc =
                        "memory by commands: rows opened, bits, refresh, standby of memory_preset"),
    [CAMDN_ENERGY_LINKS] =
        ENERGY_PART(.name = "energy_links_nj", .doc = "lines on their way over the mesh"),
    [CAMDN_ENERGY_TRANSLATION] =
        ENERGY_PART(.name = "energy_translation_nj", .doc = "TLBs, and page-table entries read"),
    [CAMDN_ENERGY_STATIC] =
        ENERGY_PART(.name = "energy_static_nj", .doc = "leakage of cache and scratchpads"),
    [CAMDN_ENERGY_ALL] = ENERGY_ALL(.doc = "the four above, energy_cache and energy_npu"),
    [CAMDN_EDP] = EDP,
    [CAMDN_PEAK] = DERIVED(.name = "peak_bandwidth", .unit = "GB/s", .exact = true, .max = 1e6,
                           .doc = "what the memory's pins carry"),
    [CAMDN_LEAST_ARRAY] =
        LEAST(.name = "least_array",
              .doc = "arrays and vector units of this size need at least this for all tasks"),
    [CAMDN_LEAST_PORT] = LEAST(.name = "least_port",
                               .doc = "a port of this width needs at least this for all lines"),
    [CAMDN_LEAST_MEMORY] =
        LEAST(.name = "least_memory",
              .doc =
                  "this bandwidth, all of it for each tenant, needs at least this for bytes read"),
    [CAMDN_LEAST_FLIGHT] =
        LEAST(.name = "least_flight",
              .doc = "so many lines in flight need at least this for all requests (Little)"),
    [CAMDN_LEAST_WALK] =
        LEAST(.name = "least_walk",
              .doc = "so many walkers, all of them for each tenant, need at least this for walks "
                     "of fixed length"),
    [CAMDN_BOUND_SHARE] = BOUND_SHARE,
    [CAMDN_METRICS] = {0},
};
static_assert(sizeof camdn_metrics / sizeof *camdn_metrics == CAMDN_METRICS + 1,
              "one row per metric");

/* Laws within every answer, at any fidelity. */
const msw_self_check camdn_checks[] = {
    {.left = "compute + wait_cache + wait_memory + wait_pages + wait_npu + wait_start + "
             "wait_translation",
     .right = "cycles",
     .equal = true},
    {.left = "hits", .right = "requests"},
    {.left = "tlb_hits + tlb_misses", .right = "translations", .equal = true},
    {.left = "walks + merged", .right = "tlb_misses"},
    {.left = "memory_read + memory_written", .right = "traffic", .equal = true},
    {.left = "in_time", .right = "targeted"},
    {.left = "targeted", .right = "counted"},
    {.left = "energy_memory + energy_cache + energy_npu", .right = "energy", .equal = true},
    {0},
};
