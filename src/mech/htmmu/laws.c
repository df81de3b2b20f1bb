/* SPDX-License-Identifier: MIT */
/* htmmu: what must hold between its answers (README.md, "Laws, tested"). */
#include "mech/htmmu/model.h"

#include "mech/shared/laws.h"

#define TIMES                                                                                      \
    TWICE("l1_cycles"), TWICE("l2_cycles"), TWICE("tpc_cycles"), TWICE("level_cycles"),            \
        TWICE("table_line_cycles")

/* Every miss on a page finds its walk, and what waited looks again: nothing that comes in another
 * order costs more. */
static const msw_law_change PROMPT[] = {
    SET("reprobe", "on"),    SET("merge_items", "1024"),   SET("path_cache", "none"),
    SET("table_lines", "0"), SET("memory_model", "fixed"), SET("policy", "lru"),
    SET("router", "bits"),   SET("l1_coalesce", "1"),      SET("l2_coalesce", "1"),
    SET("large_page", "0"),  SET("requester", "closed"),   {0}};

/* README.md, "Laws, tested": why some configs are slower with more of a resource. */
#define A1             "A1: misses that waited walk again, wait for items or find another walk's path"
#define A2             "A2: pages come in another order, and TLBs then hold others"
#define A3             "A3: other channels and banks lie behind an address, and fewer rows stay open"
#define MAY(part, why) .share = part, .exception = why

#define MORE(what, why) .doc = "more " why " are not slower", .metric = "cycles", MORE_OF(what)
#define LONGER(what, why)                                                                          \
    .doc = why, .change = CHANGES(TWICE(what)), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW
#define BASELINE                                                                                   \
    SET("streams", "1"), SET("router", "none"), SET("router_by", "address"),                       \
        SET("router_bit", "30"), SET("free_choice", "next"), SET("divert", "busy"),                \
        SET("l1_entries", "64"), SET("l1_ways", "4"), SET("l2_entries", "512"),                    \
        SET("l2_ways", "4"), SET("merge_entries", "16"), SET("merge_items", "4"),                  \
        SET("path_cache", "shared"), SET("tpc_entries", "32"), SET("tpc_ways", "0")

const msw_law htmmu_laws[] = {
    FULL_LAW(.name = "window", MAY(0.02, A2), MORE("outstanding", "requests under way")),
    FULL_LAW(.name = "registers", MAY(0.1, A1), MORE("l1_mshrs", "miss registers")),
    FULL_LAW(.name = "ports", MAY(0.06, A1), MORE("l2_ports", "look-ups a cycle")),
    FULL_LAW(.name = "l2_misses", MAY(0.03, A1),
             MORE("l2_mshrs", "misses of the second TLB under way")),
    FULL_LAW(.name = "queue", MAY(0.03, A1), MORE("ptu_queue", "positions to wait in")),
    FULL_LAW(.name = "walkers", MAY(0.05, A1), MORE("merge_entries", "walkers")),
    FULL_LAW(.name = "items", MAY(0.02, A1), MORE("merge_items", "merge items")),
    FULL_LAW(.name = "l1", MAY(0.05, A2), MORE("l1_entries", "entries of the first TLB")),
    FULL_LAW(.name = "l2", MAY(0.03, A2), MORE("l2_entries", "entries of the second TLB"),
             .region = "l2_entries > 0"),
    FULL_LAW(.name = "paths", MAY(0.06, A1), MORE("tpc_entries", "paths"),
             .region = "path_cache IN ('shared', 'unified')"),
    FULL_LAW(.name = "table_lines", MAY(0.03, A1), MORE("table_lines", "lines of the page table")),
    FULL_LAW(.name = "channels", MAY(0.2, A3), MORE("memory_channels", "channels"),
             .region = "memory_model = 'banks'"),
    FULL_LAW(.name = "banks", MAY(0.2, A3), MORE("memory_banks", "banks"),
             .region = "memory_model = 'banks'"),
    FULL_LAW(.name = "rate", MAY(0.02, A2), MORE("rate", "requests a cycle"),
             .region = "requester = 'open'"),
    FULL_LAW(.name = "l1_misses", .doc = "a larger LRU TLB does not miss more",
             .fixed = CHANGES(SET("policy", "lru"), SET("l1_ways", "0"), SET("l1_coalesce", "1"),
                              SET("router", "bits"), SET("large_page", "0")),
             .metric = "l1_misses", MORE_OF("l1_entries")),
    FULL_LAW(.name = "page_walks", .doc = "larger pages are not walked more",
             .region = "large_page = 0", .metric = "walks", MORE_OF("page_size")),
    FULL_LAW(.name = "level_time", LONGER("level_cycles", "longer accesses take longer"),
             .region = "memory_model = 'fixed'"),
    FULL_LAW(.name = "path_time", MAY(0.02, A2),
             LONGER("memory_path", "a longer way to memory takes longer"),
             .region = "memory_model = 'banks'"),
    FULL_LAW(.name = "l1_time", MAY(0.02, A2), LONGER("l1_cycles", "longer look-ups take longer")),
    FULL_LAW(.name = "l2_time", MAY(0.03, A2), LONGER("l2_cycles", "longer look-ups take longer")),
    FULL_LAW(.name = "times_up", MAY(0.06, A2),
             .doc = "times twice as long take at most twice as long",
             .region = "memory_model = 'fixed' AND requester = 'closed'", .change = CHANGES(TIMES),
             .metric = "cycles", .relation = MSW_LAW_NOT_ABOVE, .than = "2 * cycles"),
    FULL_LAW(.name = "times_down", .doc = "times twice as long are not faster",
             .region = "memory_model = 'fixed' AND requester = 'closed'", .change = CHANGES(TIMES),
             .metric = "cycles", .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "ideal", .doc = "with all that the paper changes put back it is the reference",
             .change = CHANGES(BASELINE), .metric = "relative_time", .than = "1"),
    FULL_LAW(.name = "requests", .doc = "every request hits or misses", .metric = "requests",
             .than = "l1_hits + l1_misses"),
    FULL_LAW(.name = "misses", .doc = "every miss ends in one way", .metric = "l1_misses",
             .than = "held + l2_hits + merged + walks + replayed"),
    FULL_LAW(.name = "stack", .doc = "the causes add up", .metric = "cycles",
             .than = "issue + idle + stall_bank + stall_mshr + stall_merge + stall_walkers + "
                     "stall_memory"),
    FULL_LAW(.name = "by_hand", .doc = "one request: both look-ups, then a walk of all levels",
             .workloads = "jumps", .region = "memory_model = 'fixed' AND table_lines = 0",
             .fixed = CHANGES(SET("sparse_batch", "1"), SET("sparse_batches", "1")),
             .metric = "cycles",
             .than = "l1_cycles + (l2_entries > 0) * l2_cycles + walk_steps * level_cycles + "
                     "tpc_cycles * CASE path_cache WHEN 'none' THEN 0 WHEN 'unified' THEN "
                     "walk_steps ELSE 1 END"),
    FULL_LAW(.name = "window_prompt", MAY(0.04, A2), MORE("outstanding", "requests under way"),
             .fixed = PROMPT, .region = "l2_entries >= 4 * streams * l1_mshrs"),
    FULL_LAW(.name = "registers_prompt", MAY(0.02, A2), MORE("l1_mshrs", "miss registers"),
             .fixed = PROMPT, .region = "l2_entries >= 4 * streams * l1_mshrs"),
    FULL_LAW(.name = "ports_prompt", MORE("l2_ports", "look-ups a cycle"), .fixed = PROMPT),
    FULL_LAW(.name = "l2_misses_prompt", MORE("l2_mshrs", "misses of the second TLB under way"),
             .fixed = PROMPT),
    FULL_LAW(.name = "queue_prompt", MORE("ptu_queue", "positions to wait in"), .fixed = PROMPT),
    FULL_LAW(.name = "walkers_prompt", MORE("merge_entries", "walkers"), .fixed = PROMPT),
    FULL_LAW(.name = "l1_prompt", MORE("l1_entries", "entries of the first TLB"), .fixed = PROMPT),
    FULL_LAW(.name = "l2_prompt", MORE("l2_entries", "entries of the second TLB"), .fixed = PROMPT),
    CLOSED_LAW(.name = "walkers_closed", MORE("merge_entries", "walkers"), .fixed = PROMPT),
    CLOSED_LAW(.name = "level_time_closed", MAY(0.03, A2),
               LONGER("level_cycles", "longer accesses take longer"),
               .region = "memory_model = 'fixed'"),
    CLOSED_LAW(.name = "ideal_closed",
               .doc = "with all that the paper changes put back it is the reference",
               .change = CHANGES(BASELINE), .metric = "relative_time", .than = "1"),
    {0},
};
