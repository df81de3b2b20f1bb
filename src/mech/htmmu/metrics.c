/* SPDX-License-Identifier: MIT */
/* Everything that is measured. issue to stall_memory add up to the cycles. */
#include "mech/htmmu/model.h"
#include "mech/shared/tables.h"

#include <assert.h>

const msw_metric htmmu_metrics[] = {
    [HTMMU_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                           .doc = "time until the last request is answered"),
    [HTMMU_RELATIVE_TIME] =
        PAIRED(.name = "relative_time", .num = "cycles", .den = "cycles", .reference = "baseline",
               .max = 1e6, .doc = "cycles over those of the baseline"),
    [HTMMU_SPEEDUP] = DERIVED(.name = "speedup", .unit = "", .goal = MSW_GOAL_HIGHER, .max = 1e6,
                              .doc = "cycles of the baseline over cycles"),
    [HTMMU_ISSUE] = CAUSE(.name = "issue", .doc = "the ports are taken by other requests"),
    [HTMMU_IDLE] = CAUSE(.name = "idle", .doc = "no request has been made"),
    [HTMMU_STALL_BANK] =
        CAUSE(.name = "stall_bank", .doc = "the bank takes another request in this cycle"),
    [HTMMU_STALL_MSHR] = CAUSE(.name = "stall_mshr", .doc = "the bank waits for a miss register"),
    [HTMMU_STALL_MERGE] = CAUSE(.name = "stall_merge", .doc = "the merge items of a walk are full"),
    [HTMMU_STALL_WALKERS] =
        CAUSE(.name = "stall_walkers", .doc = "all walkers are busy and a miss waits for one"),
    [HTMMU_STALL_MEMORY] =
        CAUSE(.name = "stall_memory",
              .doc = "the window is full of requests whose answers are on their way"),
    [HTMMU_REQUESTS] = TOTAL(.name = "requests", .unit = "requests",
                             .doc = "translations asked for, each answered once"),
    [HTMMU_THROUGHPUT] =
        RATIO(.name = "throughput", .unit = "requests/cycle", .goal = MSW_GOAL_HIGHER,
              .num = "requests", .den = "cycles", .max = 16, .doc = "translations per cycle"),
    [HTMMU_WAIT] = TOTAL(.name = "wait_cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                         .doc = "waits from request to answer, summed"),
    [HTMMU_WAIT_ACCEPTED] =
        TOTAL(.name = "wait_accepted_cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "waits from acceptance by a bank to answer, summed"),
    [HTMMU_MEAN_WAIT] =
        RATIO(.name = "mean_wait", .unit = "cycles", .goal = MSW_GOAL_LOWER, .num = "wait_cycles",
              .den = "requests", .max = 1e15, .doc = "wait from request to answer, mean"),
    [HTMMU_MEAN_WAIT_ACCEPTED] =
        RATIO(.name = "mean_wait_accepted", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .num = "wait_accepted_cycles", .den = "requests", .max = 1e15,
              .doc = "wait from acceptance by a bank to answer, mean"),
    [HTMMU_RELATIVE_WAIT] =
        PAIRED(.name = "relative_wait", .num = "wait_cycles", .den = "wait_cycles",
               .reference = "baseline", .max = 1e6, .doc = "mean wait over that of the baseline"),
    [HTMMU_WAIT_P50] =
        QUANTILE(.name = "wait_p50", .unit = "cycles", .goal = MSW_GOAL_LOWER, .num = "wait",
                 .level = 0.5, .max = 1e18, .doc = "wait from request to answer, median"),
    [HTMMU_WAIT_P99] =
        QUANTILE(.name = "wait_p99", .unit = "cycles", .goal = MSW_GOAL_LOWER, .num = "wait",
                 .level = 0.99, .max = 1e18, .doc = "wait from request to answer, 99th percentile"),
    [HTMMU_WAIT_MAX] = MAXIMUM(.name = "wait_max", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                               .max = 1e18, .doc = "wait from request to answer, longest"),
    [HTMMU_DIVERTED] = TOTAL(.name = "diverted", .unit = "requests",
                             .doc = "requests sent to another bank than the named"),
    [HTMMU_BUSIEST_BANK] =
        TOTAL(.name = "busiest_bank", .unit = "requests", .goal = MSW_GOAL_LOWER,
              .doc = "requests of the bank with most of them, summed over windows"),
    [HTMMU_IMBALANCE] =
        DERIVED(.name = "bank_imbalance", .unit = "", .goal = MSW_GOAL_LOWER, .max = 16,
                .doc = "requests of the busiest bank over the mean of all, by windows"),
    [HTMMU_L1_HITS] = TOTAL(.name = "l1_hits", .unit = "requests", .goal = MSW_GOAL_HIGHER,
                            .doc = "requests the first TLB answers"),
    [HTMMU_L1_MISSES] = TOTAL(.name = "l1_misses", .unit = "requests", .goal = MSW_GOAL_LOWER,
                              .doc = "requests it does not"),
    [HTMMU_L1_HIT_RATE] =
        RATIO(.name = "l1_hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "l1_hits",
              .den = "requests", .max = 1, .doc = "hit rate of the first TLB"),
    [HTMMU_HELD] =
        TOTAL(.name = "held", .unit = "requests", .doc = "misses merged in a miss register"),
    [HTMMU_L2_LOOKUPS] = TOTAL(.name = "l2_lookups", .unit = "requests", .goal = MSW_GOAL_LOWER,
                               .doc = "look-ups in the second TLB"),
    [HTMMU_L2_HITS] = TOTAL(.name = "l2_hits", .unit = "requests", .goal = MSW_GOAL_HIGHER,
                            .doc = "requests it answers"),
    [HTMMU_L2_HIT_RATE] =
        RATIO(.name = "l2_hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "l2_hits",
              .den = "l2_lookups", .max = 1, .doc = "hit rate of the second TLB"),
    [HTMMU_REPLAYED] = TOTAL(.name = "replayed", .unit = "requests",
                             .doc = "misses that found their page after waiting"),
    [HTMMU_PTU_REQUESTS] = TOTAL(.name = "ptu_requests", .unit = "requests", .goal = MSW_GOAL_LOWER,
                                 .doc = "misses that reach the page-table unit"),
    [HTMMU_MERGED] = TOTAL(.name = "merged", .unit = "requests",
                           .doc = "of these, merged into a walk of their page"),
    [HTMMU_WALKS] = TOTAL(.name = "walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
                          .doc = "page-table walks, redundant ones included"),
    [HTMMU_REDUNDANT] = TOTAL(.name = "redundant_walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
                              .doc = "walks begun while another for the page was under way"),
    [HTMMU_MERGED_SHARE] =
        RATIO(.name = "merged_share", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "merged",
              .den = "repeated", .max = 1,
              .doc = "of the misses on a page that was being walked, those merged"),
    [HTMMU_REPEATED] = TOTAL(.name = "repeated", .unit = "requests",
                             .doc = "misses on a page that was being walked"),
    [HTMMU_REPEATED_SHARE] =
        RATIO(.name = "repeated_share", .unit = "", .num = "repeated", .den = "ptu_requests",
              .max = 1e3,
              .doc = "of the misses that reach the page-table unit, those on a page being walked"),
    [HTMMU_WALK_STEPS] = TOTAL(.name = "walk_steps", .unit = "accesses",
                               .doc = "page-table entries needed, saved or not"),
    [HTMMU_WALK_ACCESSES] = TOTAL(.name = "walk_accesses", .unit = "accesses",
                                  .goal = MSW_GOAL_LOWER, .doc = "page-table accesses to memory"),
    [HTMMU_PATH_RATE] = DERIVED(.name = "path_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .max = 1,
                                .doc = "page-table accesses that the path cache saves"),
    [HTMMU_ACCESSES_PER_WALK] =
        RATIO(.name = "accesses_per_walk", .unit = "accesses", .goal = MSW_GOAL_LOWER,
              .num = "walk_accesses", .den = "walks", .max = 5,
              .doc = "page-table accesses of a walk, mean"),
    [HTMMU_READS] =
        TOTAL(.name = "memory_reads", .unit = "accesses", .goal = MSW_GOAL_LOWER,
              .doc =
                  "page-table accesses that banks of memory answered; with memory_model: fixed 0"),
    [HTMMU_ROW_HITS] = TOTAL(.name = "memory_row_hits", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
                             .doc = "of these, to an open row"),
    [HTMMU_READ_CYCLES] =
        TOTAL(.name = "memory_read_cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "from walker to memory and back, summed over memory_reads"),
    [HTMMU_ROW_HIT_RATE] =
        RATIO(.name = "row_hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "memory_row_hits",
              .den = "memory_reads", .max = 1,
              .doc = "of the accesses that banks of memory answered, those to an open row"),
    [HTMMU_READ_LATENCY] = RATIO(.name = "memory_latency", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                                 .num = "memory_read_cycles", .den = "memory_reads", .max = 1e15,
                                 .doc = "from walker to memory with banks and back, mean"),
    [HTMMU_MEMORY_BUSY] =
        DERIVED(.name = "memory_busy", .unit = "", .max = 1,
                .doc =
                    "part of the time that page-table accesses take of the channels' data buses"),
    [HTMMU_ENERGY] =
        TOTAL(.name = "energy_translation_nj", .unit = "nJ", .goal = MSW_GOAL_LOWER,
              .doc = "TLBs, scoreboard, merge items, path cache and page-table accesses"),
    [HTMMU_SRAM] = DERIVED(.name = "sram_bytes", .exact = true, .priced = true, .unit = "B",
                           .goal = MSW_GOAL_LOWER, .max = 1e15,
                           .doc = "SRAM of TLBs, scoreboard, merge items, path cache, miss "
                                  "registers and queue"),
    [HTMMU_AREA] =
        DERIVED(.name = "area_mm2", .exact = true, .priced = true, .unit = "mm2",
                .goal = MSW_GOAL_LOWER, .max = 1e6,
                .doc = "area of TLBs, scoreboard, merge items, path cache and the banks' logic"),
    [HTMMU_LEAKAGE] = DERIVED(.name = "leakage_mw", .priced = true, .unit = "mW",
                              .goal = MSW_GOAL_LOWER, .max = 1e6, .doc = "leakage of the memories"),
    [HTMMU_LEAST_REQUESTER] =
        LEAST(.name = "least_requester",
              .doc = "the requester needs at least so many cycles to make all requests"),
    [HTMMU_LEAST_PORTS] =
        LEAST(.name = "least_ports", .doc = "so many ports need at least this for all requests"),
    [HTMMU_LEAST_WINDOW] =
        LEAST(.name = "least_window",
              .doc = "so many requests under way need at least this for all of them"),
    [HTMMU_LEAST_L2_PORTS] =
        LEAST(.name = "least_l2_ports",
              .doc = "so many ports of the second TLB need at least this for its look-ups"),
    [HTMMU_LEAST_REGISTERS] =
        LEAST(.name = "least_registers",
              .doc = "so many miss registers need at least this for the misses of the row"),
    [HTMMU_LEAST_WALKERS] =
        LEAST(.name = "least_walkers",
              .doc = "so many walkers need at least this for the walks of the row"),
    [HTMMU_LEAST_MEMORY] =
        LEAST(.name = "least_memory",
              .doc = "banks, activations and buses of memory need at least this for the walks"),
    [HTMMU_BOUND_SHARE] = BOUND_SHARE,
    [HTMMU_METRICS] = {0},
};
static_assert(sizeof htmmu_metrics / sizeof *htmmu_metrics == HTMMU_METRICS + 1,
              "one row per metric");

/* Laws within every answer, at any fidelity. */
const msw_self_check htmmu_checks[] = {
    {.left = "issue + idle + stall_bank + stall_mshr + stall_merge + stall_walkers + stall_memory",
     .right = "cycles",
     .equal = true},
    {.left = "l1_hits + l1_misses", .right = "requests", .equal = true},
    {.left = "held", .right = "l1_misses"},
    {.left = "l2_hits", .right = "l2_lookups"},
    {.left = "walks", .right = "ptu_requests"},
    {.left = "redundant_walks", .right = "walks"},
    {.left = "merged", .right = "ptu_requests"},
    {.left = "merged", .right = "repeated"},
    {.left = "walk_accesses", .right = "walk_steps"},
    {.left = "memory_row_hits", .right = "memory_reads"},
    {.left = "wait_accepted_cycles", .right = "wait_cycles"},
    {.left = "diverted", .right = "requests"},
    {.left = "busiest_bank", .right = "requests"},
    {0},
};
