/* SPDX-License-Identifier: MIT */
/* Everything that is measured. busy to host add up to the cycles. */
#include "mech/uvm/model.h"

#include "mech/shared/tables.h"

#include "memsweep/base/math.h"

#include <assert.h>

const msw_metric uvm_metrics[] = {
    [UVM_CYCLES] = TOTAL(.name = "cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                         .doc = "from the start of the program to its end, or to the cut"),
    [UVM_CHARGED] =
        TOTAL(.name = "cycles_charged", .unit = "cycles", .goal = MSW_GOAL_LOWER,
              .doc = "cycles, and where faults are excluded far_faults x their latency"),
    [UVM_BUSY] = CAUSE(.name = "busy", .doc = "some warp issues"),
    [UVM_MEMORY] = CAUSE(.name = "memory", .doc = "no warp can issue, and none waits for a page"),
    [UVM_FAULT_WAIT] =
        CAUSE(.name = "fault_wait_cycles", .doc = "no warp can issue, and some wait for pages"),
    [UVM_LAUNCH] = CAUSE(.name = "launch", .doc = "before launches"),
    [UVM_HOST] = CAUSE(.name = "host", .doc = "copies before the program and back at the end of "
                                              "launches"),
    [UVM_INSTRUCTIONS] =
        TOTAL(.name = "instructions", .unit = "instructions", .doc = "instructions of threads"),
    [UVM_IPC] = RATIO(.name = "ipc", .unit = "instructions/cycle", .goal = MSW_GOAL_HIGHER,
                      .num = "instructions", .den = "cycles", .max = 1e6,
                      .doc = "instructions of threads per cycle"),
    [UVM_WARP_INSTRUCTIONS] =
        TOTAL(.name = "warp_instructions", .unit = "instructions", .doc = "instructions of warps"),
    [UVM_ACCESSES] = TOTAL(.name = "accesses", .unit = "accesses",
                           .doc = "loads, stores and atomics of warps to global memory"),
    [UVM_LINES_ASKED] =
        TOTAL(.name = "lines", .unit = "accesses", .doc = "lines of 128 B that these touch"),
    [UVM_TLB_HITS] = TOTAL(.name = "tlb_hits", .unit = "accesses", .goal = MSW_GOAL_HIGHER,
                           .doc = "lines of managed arrays that the TLB of their SM translates",
                           .unstated = true),
    [UVM_TLB_MISSES] = TOTAL(.name = "tlb_misses", .unit = "accesses", .goal = MSW_GOAL_LOWER,
                             .doc = "lines that it does not", .unstated = true),
    [UVM_WALKS] = TOTAL(.name = "walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
                        .doc = "page walks", .unstated = true),
    [UVM_WALK_HITS] =
        TOTAL(.name = "walk_hits", .unit = "walks", .goal = MSW_GOAL_HIGHER,
              .doc = "walks that find their page on the device when they end", .unstated = true),
    [UVM_HIT_RATE] =
        RATIO(.name = "page_hit_rate", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "walk_hits",
              .den = "walks", .max = 1, .doc = "walks that find their page, of all"),
    [UVM_JOINED] =
        TOTAL(.name = "joined", .unit = "accesses", .goal = MSW_GOAL_LOWER,
              .doc = "misses that find their page asked for and not yet here", .unstated = true),
    [UVM_FAULTS] = TOTAL(.name = "far_faults", .unit = "faults", .goal = MSW_GOAL_LOWER,
                         .doc = "pages neither here nor asked for when a walk ends"),
    [UVM_TOUCHED] =
        TOTAL(.name = "pages_touched", .unit = "pages", .doc = "different pages that were touched"),
    [UVM_FIRST] = TOTAL(.name = "first_touches", .unit = "pages",
                        .doc = "first touches of pages, again after a page went back"),
    [UVM_FIRST_MET] =
        TOTAL(.name = "first_touches_met", .unit = "pages", .goal = MSW_GOAL_HIGHER,
              .doc = "of these, those that find the page on the device or on its way"),
    [UVM_LATE] = TOTAL(.name = "late_prefetches", .unit = "pages", .goal = MSW_GOAL_LOWER,
                       .doc = "first touches of prefetched pages that are still on their way"),
    [UVM_PAGES_IN] = TOTAL(.name = "pages_in", .unit = "pages", .goal = MSW_GOAL_LOWER,
                           .doc = "migrations to the device"),
    [UVM_PAGES_USED] = TOTAL(.name = "pages_used", .unit = "pages",
                             .doc = "migrations to the device whose page was touched"),
    [UVM_PAGES_AHEAD] = TOTAL(.name = "pages_prefetched", .unit = "pages",
                              .doc = "migrations without a fault of their own"),
    [UVM_AHEAD_USED] = TOTAL(.name = "prefetched_used", .unit = "pages",
                             .doc = "of these, those whose page was touched"),
    [UVM_A1] = RATIO(.name = "accuracy", .unit = "", .goal = MSW_GOAL_HIGHER, .num = "pages_used",
                     .den = "pages_in", .max = 1, .doc = "A1: used migrations, of all"),
    [UVM_A2] = RATIO(.name = "accuracy_prefetched", .unit = "", .goal = MSW_GOAL_HIGHER,
                     .num = "prefetched_used", .den = "pages_prefetched", .max = 1,
                     .doc = "A2: used prefetched migrations, of all prefetched ones"),
    [UVM_C1] = DERIVED(.name = "coverage", .unit = "", .goal = MSW_GOAL_HIGHER, .max = 1,
                       .doc = "C1: 1 - far_faults / first_touches"),
    [UVM_C2] = RATIO(.name = "coverage_met", .unit = "", .goal = MSW_GOAL_HIGHER,
                     .num = "first_touches_met", .den = "first_touches", .max = 1,
                     .doc = "C2: first touches that meet their page, of all"),
    [UVM_UNITY] = DERIVED(.name = "unity", .unit = "", .goal = MSW_GOAL_HIGHER, .max = 1,
                          .doc = "cube root of accuracy x coverage x page_hit_rate"),
    [UVM_AGAIN] =
        TOTAL(.name = "pages_again", .unit = "pages", .goal = MSW_GOAL_LOWER,
              .doc = "migrations of pages that had been on the device before", .unstated = true),
    [UVM_PAGES_BACK] = TOTAL(.name = "pages_back", .unit = "pages", .goal = MSW_GOAL_LOWER,
                             .doc = "migrations to the host"),
    [UVM_PREDICTED] =
        TOTAL(.name = "predictions", .unit = "predictions", .doc = "that the prefetcher made"),
    [UVM_DROPPED] =
        TOTAL(.name = "predictions_dropped", .unit = "predictions", .goal = MSW_GOAL_LOWER,
              .doc = "that it did not make, since predict_queue were under way", .unstated = true),
    [UVM_STATE] = TOTAL(.name = "predictor_bytes", .unit = "B", .goal = MSW_GOAL_LOWER,
                        .doc = "storage of the predictor"),
    [UVM_EVICTIONS] = TOTAL(.name = "evictions", .unit = "evictions", .goal = MSW_GOAL_LOWER,
                            .doc = "units that left because memory was short", .unstated = true),
    [UVM_EVICTED] = TOTAL(.name = "pages_evicted", .unit = "pages", .goal = MSW_GOAL_LOWER,
                          .doc = "pages in them", .unstated = true),
    [UVM_REMOTE] =
        TOTAL(.name = "remote", .unit = "accesses", .goal = MSW_GOAL_LOWER,
              .doc = "walks that are served from the memory of the host", .unstated = true),
    [UVM_STALLED] =
        TOTAL(.name = "stalled_walks", .unit = "walks", .goal = MSW_GOAL_LOWER,
              .doc = "walks that stalled because all fault_registers of their SM were taken",
              .unstated = true),
    [UVM_NOTICES] = TOTAL(.name = "counter_notices", .unit = "granules",
                          .doc = "granules that reached counter_threshold"),
    [UVM_NAPS] = TOTAL(.name = "naps", .unit = "faults", .goal = MSW_GOAL_LOWER,
                       .doc = "faults on pages that thrash that were put off", .unstated = true),
    [UVM_PINS] = TOTAL(.name = "pins", .unit = "pages", .goal = MSW_GOAL_LOWER,
                       .doc = "pages that thrashed that were pinned to the host", .unstated = true),
    [UVM_BYTES_IN] = TOTAL(.name = "bytes_in", .unit = "B", .goal = MSW_GOAL_LOWER,
                           .doc = "over the link to the device, transfers that have begun"),
    [UVM_BYTES_OUT] = TOTAL(.name = "bytes_out", .unit = "B", .goal = MSW_GOAL_LOWER,
                            .doc = "over the link to the host"),
    [UVM_TRANSFERS] = TOTAL(.name = "transfers", .unit = "transfers", .doc = "over the link"),
    [UVM_LINK_IN] = TOTAL(.name = "link_in_cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                          .doc = "in which the link carries pages to the device"),
    [UVM_LINK_OUT] = TOTAL(.name = "link_out_cycles", .unit = "cycles", .goal = MSW_GOAL_LOWER,
                           .doc = "in which it carries pages to the host"),
    [UVM_LINK_BUSY] =
        RATIO(.name = "link_utilisation", .unit = "", .num = "link_in_cycles", .den = "cycles",
              .max = 1e6,
              .doc = "link_in_cycles over cycles; above 1 where transfers outlast the "
                     "program"),
    [UVM_LINK_RATE] = RATIO(.name = "link_rate", .unit = "B/cycle", .goal = MSW_GOAL_HIGHER,
                            .num = "bytes_in", .den = "link_in_cycles", .max = 1e6,
                            .doc = "bytes per cycle in which the link carries pages to the device"),
    [UVM_ENERGY] = TOTAL(.name = "energy_link_nj", .unit = "nJ", .goal = MSW_GOAL_LOWER,
                         .doc = "of the bits over the link, both directions"),
    [UVM_METRICS] = {0},
};
static_assert(sizeof uvm_metrics / sizeof *uvm_metrics == UVM_METRICS + 1, "one row per metric");

void uvm_derive(const msw_task *task, double *m)
{
    (void)task;
    double coverage = m[UVM_FIRST] > 0 ? 1 - m[UVM_FAULTS] / m[UVM_FIRST] : 0;
    m[UVM_C1] = coverage > 0 ? coverage : 0;
    m[UVM_UNITY] = msw_math_cbrt(m[UVM_A1] * m[UVM_C1] * m[UVM_HIT_RATE]);
}

/* Laws within every answer, at any fidelity. */
const msw_self_check uvm_checks[] = {
    {.left = "busy + memory + fault_wait_cycles + launch + host", .right = "cycles", .equal = true},
    {.left = "tlb_hits + tlb_misses", .right = "lines"},
    {.left = "walk_hits", .right = "walks"},
    {.left = "first_touches_met", .right = "first_touches"},
    {.left = "pages_used", .right = "pages_in"},
    {.left = "pages_prefetched", .right = "pages_in"},
    {.left = "prefetched_used", .right = "pages_prefetched"},
    {.left = "pages_again", .right = "pages_in"},
    {.left = "far_faults", .right = "walks"},
    {.left = "late_prefetches", .right = "first_touches"},
    {.left = "warp_instructions", .right = "instructions"},
    {0},
};
