/* SPDX-License-Identifier: MIT */
/* Everything that is measured. The first eight after cycles and slowdown add up to the cycles. */
#include "mech/neummu/metrics.h"
#include "mech/neummu/mmu_rows.h"
#include "mech/shared/metrics.h"

#include <assert.h>

/* Known of every unit before it is measured. */
#define EXACTLY                                                                                    \
    {                                                                                              \
        .largest = 1e-9, .typical = 1e-9                                                           \
    }

const msw_metric neummu_metrics[] = {
    [NEUMMU_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                            .doc = "time from the first load to the last store",
                            .predicted = {.largest = 1, .typical = 0.3}),
    [NEUMMU_SLOWDOWN] =
        PAIRED(.name = "slowdown", .num = "cycles", .den = "cycles", .reference = "oracle",
               .min = 0.999999, .floor = 0.999999, .max = 1e6,
               .doc = "cycles over those with every translation known at once"),
    [NEUMMU_LAYER_START] =
        CAUSE(.name = "layer_start", .doc = "a layer's first tile waits for translations"),
    [NEUMMU_FILL] = CAUSE(.name = "fill", .doc = "a layer's first tile waits for its data"),
    [NEUMMU_TRANSLATION] = CAUSE(.name = "translation", .doc = "other tiles wait for translations"),
    [NEUMMU_MEMORY] = CAUSE(.name = "memory", .doc = "other tiles wait for their data"),
    [NEUMMU_COMPUTE] = CAUSE(.name = "compute", .doc = "the array computes", .predicted = EXACTLY),
    [NEUMMU_WRITE_BACK] =
        CAUSE(.name = "write_back", .doc = "outputs are stored and nothing else can be done"),
    [NEUMMU_STORE_TRANSLATION] =
        CAUSE(.name = "store_translation", .doc = "such stores wait for translations"),
    [NEUMMU_TILES] =
        TOTAL(.name = "tiles", .unit = "tiles", .doc = "tiles computed", .predicted = EXACTLY),
    [NEUMMU_TRANSLATIONS] = TOTAL(.name = "translations", .unit = "requests",
                                  .doc = "DMA transactions, each translated once"),
    [NEUMMU_PAGES] = TOTAL(.name = "page_touches", .unit = "pages",
                           .doc = "distinct pages loaded, summed over tiles", .predicted = EXACTLY),
    [NEUMMU_PAGES_PER_TILE] =
        RATIO(.name = "pages_per_tile", .unit = "pages", .num = "page_touches", .den = "tiles",
              .max = 1e9, .doc = "distinct pages a tile loads, mean"),
    [NEUMMU_PAGES_MAX] = MAXIMUM(.name = "pages_max", .unit = "pages", .max = 1e9,
                                 .doc = "distinct pages a tile loads, largest"),
    [NEUMMU_TLB_HITS] = TOTAL(NEUMMU_TLB_HITS_ROW),
    [NEUMMU_TLB_MISSES] = TOTAL(NEUMMU_TLB_MISSES_ROW),
    [NEUMMU_TLB_HIT_RATE] =
        RATIO(.name = "tlb_hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "tlb_hits",
              .den = "translations", .max = 1, .doc = "TLB hit rate"),
    [NEUMMU_TLB2_HITS] = TOTAL(.name = "tlb2_hits", .unit = "requests", .goal = MSW_GOAL_HIGHER,
                               .doc = "misses the second-level TLB answers"),
    [NEUMMU_MERGED] = TOTAL(.name = "merged", .unit = "requests",
                            .doc = "misses merged into a walk of their page"),
    [NEUMMU_WALKS] = TOTAL(.name = "walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
                           .doc = "page-table walks, redundant ones and prefetches included"),
    [NEUMMU_REPLAYED] = TOTAL(.name = "replayed", .unit = "requests",
                              .doc = "blocked misses that found their page after all"),
    [NEUMMU_REDUNDANT] = TOTAL(.name = "redundant_walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
                               .doc = "walks begun while another for the page was under way"),
    [NEUMMU_BLOCKED_WALKERS] =
        TOTAL(.name = "blocked_walkers", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "DMA engine held up by busy walkers"),
    [NEUMMU_BLOCKED_SLOTS] =
        TOTAL(.name = "blocked_slots", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "DMA engine held up by full merge slots"),
    [NEUMMU_BLOCKED_OUTSTANDING] =
        TOTAL(.name = "blocked_outstanding", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "DMA engine held up by the limit of unanswered misses"),
    [NEUMMU_WALK_STEPS] = TOTAL(.name = "walk_steps", .unit = "accesses",
                                .doc = "page-table entries needed, saved or not"),
    [NEUMMU_WALK_ACCESSES] = TOTAL(.name = "walk_accesses", .unit = "accesses",
                                   .goal = MSW_GOAL_LOWER, .doc = "page-table accesses to memory"),
    [NEUMMU_PATH_HITS_L4] =
        TOTAL(.name = "path_hits_l4", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
              .doc = "level 4 accesses the path cache saves"),
    [NEUMMU_PATH_HITS_L3] =
        TOTAL(.name = "path_hits_l3", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
              .doc = "level 3 accesses the path cache saves"),
    [NEUMMU_PATH_HITS_L2] =
        TOTAL(.name = "path_hits_l2", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
              .doc = "level 2 accesses the path cache saves"),
    [NEUMMU_PATH_RATE_L4] =
        RATIO(.name = "path_rate_l4", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "path_hits_l4",
              .den = "walks", .max = 1, .doc = "share of walks that skip level 4"),
    [NEUMMU_PATH_RATE_L3] =
        RATIO(.name = "path_rate_l3", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "path_hits_l3",
              .den = "walks", .max = 1, .doc = "share of walks that skip level 3"),
    [NEUMMU_PATH_RATE_L2] =
        RATIO(.name = "path_rate_l2", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "path_hits_l2",
              .den = "walks", .max = 1, .doc = "share of walks that skip level 2"),
    [NEUMMU_ACCESSES_PER_WALK] =
        RATIO(.name = "accesses_per_walk", .unit = "accesses", .goal = MSW_GOAL_LOWER,
              .num = "walk_accesses", .den = "walks", .max = 5,
              .doc = "page-table accesses of a walk, mean"),
    [NEUMMU_PREFETCH_LOOKUPS] =
        TOTAL(.name = "prefetch_lookups", .unit = "requests", .doc = "pages looked up ahead"),
    [NEUMMU_PREFETCHES] =
        TOTAL(.name = "prefetches", .unit = "walks", .doc = "walks begun for pages not asked for"),
    [NEUMMU_PREFETCHES_USEFUL] =
        TOTAL(.name = "prefetches_useful", .unit = "walks", .goal = MSW_GOAL_HIGHER,
              .doc = "prefetches whose page a TLB held when it was asked for"),
    [NEUMMU_PREFETCHES_LATE] = TOTAL(.name = "prefetches_late", .unit = "walks",
                                     .doc = "prefetches under way when their page was asked for"),
    [NEUMMU_ENERGY] =
        TOTAL(.name = "energy_translation_nj", .unit = "nJ", .goal = MSW_GOAL_LOWER,
              .doc = "TLB, scoreboard, merge slots, path cache and page-table accesses"),
    [NEUMMU_SRAM] =
        DERIVED(.name = "sram_bytes", .exact = true, .unit = "B", .goal = MSW_GOAL_LOWER,
                .max = 1e15, .doc = "SRAM of TLBs, merge slots, path cache, scoreboard and queue"),
    [NEUMMU_AREA] = DERIVED(.name = "area_mm2", .exact = true, .unit = "mm2",
                            .goal = MSW_GOAL_LOWER, .max = 1e15, .doc = "area of the same"),
    [NEUMMU_LEAKAGE] = DERIVED(.name = "leakage_mw", .unit = "mW", .goal = MSW_GOAL_LOWER,
                               .max = 1e15, .doc = "leakage of the same"),
    [NEUMMU_PREFETCHES_USELESS] =
        DERIVED(.name = "prefetches_useless", .unit = "walks", .goal = MSW_GOAL_LOWER, .max = 1e15,
                .doc = "prefetches thrown out before their page was asked for, or for nothing"),
    [NEUMMU_LEAST_ARRAY] =
        LEAST(.name = "least_array", .doc = "cycles at least in which the array computes"),
    [NEUMMU_LEAST_ISSUE] =
        LEAST(.name = "least_issue", .doc = "cycles at least in which translations are asked for"),
    [NEUMMU_LEAST_MEMORY] =
        LEAST(.name = "least_memory", .doc = "cycles at least in which bytes move"),
    [NEUMMU_LEAST_WALKERS] =
        LEAST(.name = "least_walkers", .doc = "cycles at least in which walkers walk"),
    [NEUMMU_LEAST_OUTSTANDING] =
        LEAST(.name = "least_outstanding", .doc = "cycles at least in which misses are unanswered"),
    [NEUMMU_BOUND_SHARE] = BOUND_SHARE,
    [NEUMMU_METRICS] = {0},
};
static_assert(sizeof neummu_metrics / sizeof *neummu_metrics == NEUMMU_METRICS + 1,
              "one row per metric");
