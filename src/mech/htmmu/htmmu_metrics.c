/* Everything that is measured. issue to stall_memory add up to the cycles. */
#include "mech/htmmu/htmmu.h"

#include "mech/metrics.h"

#define QUANTILE(name, level, doc)                                                                 \
    {                                                                                              \
        name, "cycles", MSW_GOAL_LOWER, MSW_QUANTILE, "wait", NULL, NULL, level, false, 0, 1e18,   \
            doc                                                                                    \
    }
#define PAIRED(name, what, doc)                                                                    \
    {                                                                                              \
        name, "", MSW_GOAL_LOWER, MSW_PAIRED, what, what, "baseline", 0, false, 0, 1e6, doc        \
    }
#define DERIVED(name, unit, goal, max, doc)                                                        \
    {                                                                                              \
        name, unit, goal, MSW_DERIVED, NULL, NULL, NULL, 0, false, 0, max, doc                     \
    }

const msw_metric htmmu_metrics[] = {
    TOTAL("cycles", "cycles", MSW_GOAL_LOWER, "time until the last request is answered"),
    PAIRED("relative_time", "cycles", "cycles over those of the baseline"),
    DERIVED("speedup", "", MSW_GOAL_HIGHER, 1e6, "cycles of the baseline over cycles"),
    CAUSE("issue", "the ports are taken by other requests"),
    CAUSE("idle", "no request has been made"),
    CAUSE("stall_bank", "the bank takes another request in this cycle"),
    CAUSE("stall_mshr", "the bank waits for a miss register"),
    CAUSE("stall_merge", "the merge items of a walk are full"),
    CAUSE("stall_walkers", "all walkers are busy and a miss waits for one"),
    CAUSE("stall_memory", "the window is full of requests whose answers are on their way"),
    TOTAL("requests", "requests", MSW_GOAL_NONE, "translations asked for, each answered once"),
    RATIO("throughput", "requests/cycle", MSW_GOAL_HIGHER, "requests", "cycles", 16,
          "translations per cycle"),
    TOTAL("wait_cycles", "cycles", MSW_GOAL_LOWER, "waits from request to answer, summed"),
    TOTAL("wait_accepted_cycles", "cycles", MSW_GOAL_LOWER,
          "waits from acceptance by a bank to answer, summed"),
    RATIO("mean_wait", "cycles", MSW_GOAL_LOWER, "wait_cycles", "requests", 1e15,
          "wait from request to answer, mean"),
    RATIO("mean_wait_accepted", "cycles", MSW_GOAL_LOWER, "wait_accepted_cycles", "requests", 1e15,
          "wait from acceptance by a bank to answer, mean"),
    PAIRED("relative_wait", "wait_cycles", "mean wait over that of the baseline"),
    QUANTILE("wait_p50", 0.5, "wait from request to answer, median"),
    QUANTILE("wait_p99", 0.99, "wait from request to answer, 99th percentile"),
    {"wait_max", "cycles", MSW_GOAL_LOWER, MSW_MAXIMUM, NULL, NULL, NULL, 0, false, 0, 1e18,
     "wait from request to answer, longest"},
    TOTAL("diverted", "requests", MSW_GOAL_NONE, "requests sent to another bank than the named"),
    TOTAL("busiest_bank", "requests", MSW_GOAL_LOWER,
          "requests of the bank with most of them, summed over windows"),
    DERIVED("bank_imbalance", "", MSW_GOAL_LOWER, 16,
            "requests of the busiest bank over the mean of all, by windows"),
    TOTAL("l1_hits", "requests", MSW_GOAL_HIGHER, "requests the first TLB answers"),
    TOTAL("l1_misses", "requests", MSW_GOAL_LOWER, "requests it does not"),
    RATIO("l1_hit_rate", "", MSW_GOAL_HIGHER, "l1_hits", "requests", 1,
          "hit rate of the first TLB"),
    TOTAL("held", "requests", MSW_GOAL_NONE, "misses merged in a miss register"),
    TOTAL("l2_lookups", "requests", MSW_GOAL_LOWER, "look-ups in the second TLB"),
    TOTAL("l2_hits", "requests", MSW_GOAL_HIGHER, "requests it answers"),
    RATIO("l2_hit_rate", "", MSW_GOAL_HIGHER, "l2_hits", "l2_lookups", 1,
          "hit rate of the second TLB"),
    TOTAL("replayed", "requests", MSW_GOAL_NONE, "misses that found their page after waiting"),
    TOTAL("ptu_requests", "requests", MSW_GOAL_LOWER, "misses that reach the page-table unit"),
    TOTAL("merged", "requests", MSW_GOAL_NONE, "of these, merged to a walk of their page"),
    TOTAL("walks", "walks", MSW_GOAL_LOWER, "page-table walks, redundant ones included"),
    TOTAL("redundant_walks", "walks", MSW_GOAL_LOWER,
          "walks begun while another for the page was under way"),
    RATIO("merged_share", "", MSW_GOAL_HIGHER, "merged", "repeated", 1,
          "of the misses on a page that was being walked, those merged"),
    TOTAL("repeated", "requests", MSW_GOAL_NONE, "misses on a page that was being walked"),
    RATIO("repeated_share", "", MSW_GOAL_NONE, "repeated", "ptu_requests", 1e3,
          "of the misses that reach the page-table unit, those on a page being walked"),
    TOTAL("walk_steps", "accesses", MSW_GOAL_NONE, "page-table entries needed, saved or not"),
    TOTAL("walk_accesses", "accesses", MSW_GOAL_LOWER, "page-table accesses to memory"),
    DERIVED("path_rate", "", MSW_GOAL_HIGHER, 1, "page-table accesses that the path cache saves"),
    RATIO("accesses_per_walk", "accesses", MSW_GOAL_LOWER, "walk_accesses", "walks", 5,
          "page-table accesses of a walk, mean"),
    TOTAL("memory_reads", "accesses", MSW_GOAL_LOWER,
          "page-table accesses that banks of memory answered; with memory_model: fixed 0"),
    TOTAL("memory_row_hits", "accesses", MSW_GOAL_HIGHER, "of these, to an open row"),
    TOTAL("memory_read_cycles", "cycles", MSW_GOAL_LOWER,
          "from walker to memory and back, summed over memory_reads"),
    RATIO("row_hit_rate", "", MSW_GOAL_HIGHER, "memory_row_hits", "memory_reads", 1,
          "of the accesses that banks of memory answered, those to an open row"),
    RATIO("memory_latency", "cycles", MSW_GOAL_LOWER, "memory_read_cycles", "memory_reads", 1e15,
          "from walker to memory with banks and back, mean"),
    DERIVED("memory_busy", "", MSW_GOAL_NONE, 1,
            "part of the time that page-table accesses take of the channels' data buses"),
    TOTAL("energy_translation_nj", "nJ", MSW_GOAL_LOWER,
          "TLBs, scoreboard, merge items, path cache and page-table accesses"),
    DERIVED("sram_bits", "bits", MSW_GOAL_LOWER, 1e15,
            "both TLBs, scoreboard, merge items and path cache"),
    DERIVED("area_mm2", "mm2", MSW_GOAL_LOWER, 1e6, "area of the same and of the banks' logic"),
    DERIVED("leakage_mw", "mW", MSW_GOAL_LOWER, 1e6, "leakage of the memories"),
    {0},
};
