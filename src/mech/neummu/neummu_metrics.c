/* Everything that is measured. The first eight after cycles and slowdown add up to the cycles. */
#include "mech/neummu/neummu.h"

#include "mech/metrics.h"

#define DERIVED(name, unit, doc)                                                                   \
    {                                                                                              \
        name, unit, MSW_GOAL_LOWER, MSW_DERIVED, NULL, NULL, NULL, 0, false, 0, 1e15, doc          \
    }

const msw_metric neummu_metrics[] = {
    TOTAL("cycles", "cycles", MSW_GOAL_LOWER, "time from the first load to the last store"),
    {"slowdown", "", MSW_GOAL_LOWER, MSW_PAIRED, "cycles", "cycles", "oracle", 0, false, 0.999999,
     1e6, "cycles over those with every translation known at once"},
    CAUSE("layer_start", "a layer's first tile waits for translations"),
    CAUSE("fill", "a layer's first tile waits for its data"),
    CAUSE("translation", "other tiles wait for translations"),
    CAUSE("memory", "other tiles wait for their data"),
    CAUSE("compute", "the array computes"),
    CAUSE("write_back", "outputs are stored and nothing else can be done"),
    TOTAL("tiles", "tiles", MSW_GOAL_NONE, "tiles computed"),
    TOTAL("translations", "requests", MSW_GOAL_NONE, "DMA transactions, each translated once"),
    TOTAL("page_touches", "pages", MSW_GOAL_NONE, "distinct pages loaded, summed over tiles"),
    RATIO("pages_per_tile", "pages", MSW_GOAL_NONE, "page_touches", "tiles", 1e9,
          "distinct pages a tile loads, mean"),
    {"pages_max", "pages", MSW_GOAL_NONE, MSW_MAXIMUM, NULL, NULL, NULL, 0, false, 0, 1e9,
     "distinct pages a tile loads, largest"},
    TOTAL("tlb_hits", "requests", MSW_GOAL_HIGHER, "translations the TLB answers"),
    TOTAL("tlb_misses", "requests", MSW_GOAL_LOWER, "translations it does not"),
    RATIO("tlb_hit_rate", "", MSW_GOAL_HIGHER, "tlb_hits", "translations", 1, "TLB hit rate"),
    TOTAL("tlb2_hits", "requests", MSW_GOAL_HIGHER, "misses the second-level TLB answers"),
    TOTAL("merged", "requests", MSW_GOAL_NONE, "misses merged to a walk of their page"),
    TOTAL("walks", "walks", MSW_GOAL_LOWER, "page-table walks, redundant ones included"),
    TOTAL("replayed", "requests", MSW_GOAL_NONE, "blocked misses that found their page after all"),
    TOTAL("redundant_walks", "walks", MSW_GOAL_LOWER,
          "walks begun while another for the page was under way"),
    TOTAL("blocked_walkers", "cycles", MSW_GOAL_LOWER, "DMA engine held up by busy walkers"),
    TOTAL("blocked_slots", "cycles", MSW_GOAL_LOWER, "DMA engine held up by full merge slots"),
    TOTAL("blocked_outstanding", "cycles", MSW_GOAL_LOWER,
          "DMA engine held up by the limit of unanswered misses"),
    TOTAL("walk_steps", "accesses", MSW_GOAL_NONE, "page-table entries needed, saved or not"),
    TOTAL("walk_accesses", "accesses", MSW_GOAL_LOWER, "page-table accesses to memory"),
    TOTAL("path_hits_l4", "accesses", MSW_GOAL_HIGHER, "level 4 accesses the path cache saves"),
    TOTAL("path_hits_l3", "accesses", MSW_GOAL_HIGHER, "level 3 accesses the path cache saves"),
    TOTAL("path_hits_l2", "accesses", MSW_GOAL_HIGHER, "level 2 accesses the path cache saves"),
    RATIO("path_rate_l4", "", MSW_GOAL_HIGHER, "path_hits_l4", "walks", 1,
          "share of walks that skip level 4"),
    RATIO("path_rate_l3", "", MSW_GOAL_HIGHER, "path_hits_l3", "walks", 1,
          "share of walks that skip level 3"),
    RATIO("path_rate_l2", "", MSW_GOAL_HIGHER, "path_hits_l2", "walks", 1,
          "share of walks that skip level 2"),
    RATIO("accesses_per_walk", "accesses", MSW_GOAL_LOWER, "walk_accesses", "walks", 5,
          "page-table accesses of a walk, mean"),
    TOTAL("energy_translation_nj", "nJ", MSW_GOAL_LOWER,
          "TLB, scoreboard, merge slots, path cache and page-table accesses"),
    DERIVED("sram_bytes", "B", "merge slots, path cache and scoreboard"),
    DERIVED("area_mm2", "mm2", "area of the same"),
    DERIVED("leakage_mw", "mW", "leakage of the same"),
    {0},
};
