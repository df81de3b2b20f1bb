/* SPDX-License-Identifier: MIT */
/* neummu: what must hold between its answers (README.md, "Laws, tested"). */
#include "mech/neummu/model.h"

#include "mech/shared/laws.h"

/* Where every law starts: translations that cost something, walks as long as their accesses. */
static const msw_law_change LOADED[] = {
    SET("oracle", "off"), SET("walk_cycles", "0"), SET("return_cycles", "0"), {0}};
static const msw_law_change FLAT[] = {SET("oracle", "off"),
                                      SET("walk_cycles", "0"),
                                      SET("return_cycles", "0"),
                                      SET("memory_model", "flat"),
                                      {0}};
/* Nothing that page-table accesses could wait for. */
static const msw_law_change FIXED[] = {SET("oracle", "off"),        SET("walk_cycles", "0"),
                                       SET("memory_model", "flat"), SET("walk_memory", "fixed"),
                                       SET("table_lines", "0"),     SET("walk_traffic", "off"),
                                       SET("large_page_size", "0"), {0}};

/* One length of walk, one answer for all that wait for it: nothing that comes in another order
 * costs more. */
#define PROMPTLY                                                                                   \
    SET("oracle", "off"), SET("walk_cycles", "0"), SET("memory_model", "flat"),                    \
        SET("walk_memory", "fixed"), SET("table_lines", "0"), SET("walk_traffic", "off"),          \
        SET("prmb_slots", "unlimited"), SET("return_cycles", "0"), SET("reprobe", "on"),           \
        SET("queue_reprobe", "on"), SET("path_cache", "none"), SET("tlb_policy", "lru")
static const msw_law_change PROMPT[] = {PROMPTLY, SET("scoreboard", "on"), {0}};

/* The same, and every miss walks. */
static const msw_law_change ALONE[] = {PROMPTLY, SET("scoreboard", "off"), {0}};

/* Every time but those of computing and of asking. */
#define TIMES                                                                                      \
    TWICE("tlb_cycles"), TWICE("tlb2_cycles"), TWICE("walk_level_cycles"), TWICE("walk_cycles"),   \
        TWICE("return_cycles"), TWICE("path_cycles"), TWICE("memory_cycles"),                      \
        TWICE("table_line_cycles"), HALF("bandwidth")

#define TICK 3e-3 /* data end at a tick: a cycle over issue_width */

/* README.md, "Laws, tested": why some configs are slower with more of a resource. */
#define A1             "A1: misses that are let in earlier walk once more, or wait for a walk that ends later"
#define A2             "A2: which path, line or walker a walk finds depends on the walks before it"
#define A3             "A3: the closed form rounds walks of a page to rounds of all walkers"
#define MAY(part, why) .share = part, .exception = why

#define MORE(what, why) .doc = "more " why " are not slower", .metric = "cycles", MORE_OF(what)
#define LONGER(what, why)                                                                          \
    .doc = why, .fixed = LOADED, .change = CHANGES(TWICE(what)), .metric = "cycles",               \
    .relation = MSW_LAW_NOT_BELOW

const msw_law neummu_laws[] = {
    FULL_LAW(.name = "walkers", MAY(0.05, A2), MORE("ptw_count", "walkers"), .fixed = LOADED),
    FULL_LAW(.name = "slots", MAY(0.1, A1), MORE("prmb_slots", "merge slots"), .fixed = LOADED,
             .region = "scoreboard"),
    FULL_LAW(.name = "queue", MAY(0.03, A1), MORE("walk_queue", "positions to wait in"),
             .fixed = LOADED),
    FULL_LAW(.name = "outstanding", MAY(0.05, A1), MORE("outstanding", "misses under way"),
             .fixed = LOADED),
    FULL_LAW(.name = "tlb", MORE("tlb_entries", "entries of the TLB"), .fixed = LOADED),
    FULL_LAW(.name = "tlb2", MORE("tlb2_entries", "entries of the second TLB"), .fixed = LOADED),
    FULL_LAW(.name = "issue", MAY(0.2, A1), MORE("issue_width", "translations a cycle"),
             .fixed = LOADED),
    FULL_LAW(.name = "bandwidth", MORE("bandwidth", "bytes a cycle"), .fixed = FLAT),
    FULL_LAW(.name = "channels", MORE("memory_channels", "channels"), .fixed = LOADED,
             .region = "memory_model = 'banks'"),
    FULL_LAW(.name = "table_lines", MORE("table_lines", "lines of the page table"),
             .fixed = LOADED),
    FULL_LAW(.name = "paths", MAY(0.02, A2), MORE("path_entries", "paths"), .fixed = LOADED,
             .region = "path_cache IN ('shared', 'unified')"),
    FULL_LAW(.name = "scoreboard", MAY(0.04, A1), .doc = "walks that are shared are not slower",
             .fixed = ALONE, .change = CHANGES(SET("scoreboard", "on")), .metric = "cycles",
             .relation = MSW_LAW_NOT_ABOVE),
    FULL_LAW(.name = "tlb_misses", .doc = "a larger LRU TLB does not miss more",
             .fixed = CHANGES(SET("oracle", "off"), SET("walk_cycles", "0"),
                              SET("tlb_policy", "lru"), SET("tlb_ways", "0")),
             .metric = "tlb_misses", MORE_OF("tlb_entries")),
    FULL_LAW(.name = "page_walks", .doc = "larger pages are not walked more", .fixed = FIXED,
             .region = "scoreboard", .metric = "walks", MORE_OF("page_size")),
    FULL_LAW(.name = "page_touches", .doc = "larger pages are not more pages", .fixed = FIXED,
             .metric = "page_touches", MORE_OF("page_size")),
    FULL_LAW(.name = "level_time", LONGER("walk_level_cycles", "longer accesses take longer")),
    FULL_LAW(.name = "tlb_time", LONGER("tlb_cycles", "longer look-ups take longer")),
    FULL_LAW(.name = "return_time", MAY(0.05, A1), .doc = "slower answers take longer",
             .fixed = CHANGES(SET("oracle", "off"), SET("walk_cycles", "0")),
             .change = CHANGES(TWICE("return_cycles")), .metric = "cycles",
             .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "memory_time", LONGER("memory_cycles", "a farther memory takes longer")),
    FULL_LAW(.name = "clock", .doc = "a clock twice as fast beside memory twice as fast",
             .fixed = FLAT, .change = CHANGES(TWICE("frequency"), TWICE("bandwidth")),
             .metric = "cycles"),
    FULL_LAW(.name = "times_up", .doc = "times twice as long take at most twice as long",
             .fixed = FLAT, .change = CHANGES(TIMES), .metric = "cycles",
             .relation = MSW_LAW_NOT_ABOVE, .than = "2 * cycles"),
    FULL_LAW(.name = "times_down", .doc = "times twice as long are not faster", .fixed = FLAT,
             .change = CHANGES(TIMES), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW),
    FULL_LAW(.name = "ideal", .doc = "with every translation known it is the reference",
             .change = CHANGES(SET("oracle", "on")), .metric = "slowdown", .than = "1"),
    FULL_LAW(.name = "oracle", .doc = "translation does not save time", .metric = "slowdown",
             .relation = MSW_LAW_NOT_BELOW, .than = "1"),
    FULL_LAW(.name = "stack", .doc = "the causes add up", .metric = "cycles",
             .than = "layer_start + fill + translation + memory + compute + write_back + "
                     "store_translation"),
    FULL_LAW(.name = "look_ups", .doc = "every translation hits or misses",
             .metric = "translations", .than = "tlb_hits + tlb_misses"),
    FULL_LAW(.name = "by_hand", .doc = "one transaction of 64 B behind one walk",
             .workloads = "workloads/npu/tiles/one.csv", .fixed = PROMPT, .metric = "cycles",
             .than = "tlb_cycles + (tlb2_entries > 0) * tlb2_cycles + memory_cycles + "
                     "walk_level_cycles * walk_accesses + 10 + 64 * frequency / bandwidth",
             .tolerance = TICK),
    FULL_LAW(.name = "walkers_prompt", MORE("ptw_count", "walkers"), .fixed = PROMPT),
    FULL_LAW(.name = "queue_prompt", MORE("walk_queue", "positions to wait in"), .fixed = PROMPT),
    FULL_LAW(.name = "outstanding_prompt", MORE("outstanding", "misses under way"),
             .fixed = PROMPT),
    FULL_LAW(.name = "tlb_prompt", MORE("tlb_entries", "entries of the TLB"), .fixed = PROMPT),
    FULL_LAW(.name = "tlb2_prompt", MORE("tlb2_entries", "entries of the second TLB"),
             .fixed = PROMPT),
    FULL_LAW(.name = "issue_prompt", MORE("issue_width", "translations a cycle"), .fixed = PROMPT,
             .tolerance = TICK),
    CLOSED_LAW(.name = "walkers_closed", MAY(0.02, A3), MORE("ptw_count", "walkers"),
               .fixed = LOADED),
    CLOSED_LAW(.name = "bandwidth_closed", MORE("bandwidth", "bytes a cycle"), .fixed = FLAT),
    CLOSED_LAW(.name = "level_time_closed",
               LONGER("walk_level_cycles", "longer accesses take longer")),
    CLOSED_LAW(.name = "clock_closed", .doc = "a clock twice as fast beside memory twice as fast",
               .fixed = FLAT, .change = CHANGES(TWICE("frequency"), TWICE("bandwidth")),
               .metric = "cycles"),
    CLOSED_LAW(.name = "ideal_closed", .doc = "with every translation known it is the reference",
               .change = CHANGES(SET("oracle", "on")), .metric = "slowdown", .than = "1"),
    {0},
};
