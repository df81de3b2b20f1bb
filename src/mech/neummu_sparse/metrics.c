/* SPDX-License-Identifier: MIT */
/* Everything that is measured. */
#include "mech/neummu_sparse/metrics.h"
#include "mech/neummu/mmu_rows.h"
#include "mech/shared/metrics.h"

#include <assert.h>

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
              .doc = "walks for a page that was being walked"),
    [NEUMMU_SPARSE_WALK_ACCESSES] = TOTAL(.name = "walk_accesses", .unit = "accesses",
                                          .goal = MSW_GOAL_LOWER, .doc = "page-table accesses"),
    [NEUMMU_SPARSE_PER_WALK] = RATIO(.name = "accesses_per_walk", .unit = "accesses",
                                     .goal = MSW_GOAL_LOWER, .num = "walk_accesses", .den = "walks",
                                     .max = 5, .doc = "page-table accesses of a walk"),
    [NEUMMU_SPARSE_SRAM] =
        DERIVED(.name = "sram_bytes", .exact = true, .unit = "B", .goal = MSW_GOAL_LOWER,
                .max = 1e15, .doc = "SRAM of TLB, merge slots, path cache and scoreboard"),
    [NEUMMU_SPARSE_LEAST_ISSUE] =
        LEAST(.name = "least_issue", .doc = "cycles at least in which translations are asked for"),
    [NEUMMU_SPARSE_LEAST_MEMORY] =
        LEAST(.name = "least_memory", .doc = "cycles at least in which rows are read here"),
    [NEUMMU_SPARSE_LEAST_LINK] =
        LEAST(.name = "least_link",
              .doc = "cycles at least in which bytes come from other devices"),
    [NEUMMU_SPARSE_LEAST_WALKERS] =
        LEAST(.name = "least_walkers", .doc = "cycles at least in which walkers walk"),
    [NEUMMU_SPARSE_LEAST_HANDLERS] =
        LEAST(.name = "least_handlers", .doc = "cycles at least in which faults are handled"),
    [NEUMMU_SPARSE_LEAST_CPU] =
        LEAST(.name = "least_cpu",
              .doc = "cycles at least in which the CPU puts rows in their places"),
    [NEUMMU_SPARSE_LEAST_ARRAY] =
        LEAST(.name = "least_array",
              .doc = "cycles at least in which the dense layers are computed"),
    [NEUMMU_SPARSE_BOUND_SHARE] = BOUND_SHARE,
    [NEUMMU_SPARSE_METRICS] = {0},
};
static_assert(sizeof neummu_sparse_metrics / sizeof *neummu_sparse_metrics ==
                  NEUMMU_SPARSE_METRICS + 1,
              "one row per metric");
