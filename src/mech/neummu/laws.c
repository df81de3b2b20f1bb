/* SPDX-License-Identifier: MIT */
/* neummu: rules across its parameters, what must hold between its answers (README.md, "Laws,
 * tested"), and what the use of each resource takes at least (docs/models/bounds.md). */
#include "mech/neummu/model.h"

#include "mech/neummu/config.h"
#include "mech/shared/rows.h"
#include "mech/shared/rules.h"
#include "mech/shared/tables.h"

#include "memsweep/workload/npu.h"

static int check_tree(const neummu_config *c, int64_t entries, int64_t ways, const char *name,
                      msw_err *err)
{
    return msw_rule_tree(c->tlb_policy == MSW_POLICY_TREE, "tlb_policy", entries, ways, name, err);
}

static int check_walks(const neummu_config *c, msw_err *err)
{
    if (c->walk_cycles && neummu_times_accesses(c))
        return msw_fail(err,
                        "walk_cycles = %lld is a whole walk: with walk_memory = shared or "
                        "table_lines its accesses are timed one by one; set it to 0",
                        (long long)c->walk_cycles);
    return msw_rule_sets(c->table_lines, "table_lines", c->table_line_ways, "table_line_ways", err);
}

int neummu_check(const void *config, msw_err *err)
{
    const neummu_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err) ||
        msw_rule_power(c->large_page_size, "large_page_size", err) ||
        msw_rule_power(c->dma_bytes, "dma_bytes", err) ||
        msw_rule_ways(c->tlb_entries, c->tlb_ways, "tlb", err) ||
        msw_rule_ways(c->tlb2_entries, c->tlb2_ways, "tlb2", err) ||
        check_tree(c, c->tlb_entries, c->tlb_ways, "the TLB", err) ||
        check_tree(c, c->tlb2_entries, c->tlb2_ways, "tlb2", err))
        return -1;
    msw_memory_size size = neummu_memory_size(c);
    MSW_TRY(msw_memory_check(msw_memory_of(c->memory_preset), &size, err));
    if (check_walks(c, err))
        return -1;
    if (c->large_page_size && c->large_page_size <= c->page_size)
        return msw_fail(err, "large_page_size = %lld is not above page_size = %lld",
                        (long long)c->large_page_size, (long long)c->page_size);
    if (c->large_page_size && c->tlb_prefetch == NEUMMU_PREFETCH_NEXT_PAGE)
        return msw_fail(err, "tlb_prefetch = next_page knows pages of one size: set "
                             "large_page_size to 0, or tlb_prefetch to tile");
    if (c->path_cache == NEUMMU_PATH_UNIFIED)
        return msw_rule_ways(c->path_entries, c->path_ways, "path", err);
    return 0;
}

#define LEVELS_MOST 5

/* What walks take at least: so many, with so many accesses in all. */
static double walk_time(const neummu_config *c, double walks, double accesses)
{
    double access = (double)c->walk_level_cycles;
    if (c->walk_cycles)
        return walks * (double)c->walk_cycles;
    if (neummu_reads_memory(c))
        access = c->memory_model == NEUMMU_MEMORY_FLAT ? (double)c->memory_cycles : 0;
    double look_ups = c->path_cache == NEUMMU_PATH_NONE ? 0 : walks;
    return accesses * access + look_ups * (double)c->path_cycles;
}

/* Prefetches may still walk when all data are there, one in each walker. */
static double finished_time(const neummu_config *c, const double *m)
{
    double open = fmin((double)c->ptw_count, m[NEUMMU_PREFETCHES]);
    double time = walk_time(c, m[NEUMMU_WALKS], m[NEUMMU_WALK_ACCESSES]);
    return fmax(time - walk_time(c, open, open * LEVELS_MOST), 0);
}

/* Of misses alone; with prefetches it is not known whose accesses are whose: one each. */
static double missed_time(const neummu_config *c, const double *m)
{
    double walks = m[NEUMMU_WALKS] - m[NEUMMU_PREFETCHES];
    return walk_time(c, walks, m[NEUMMU_PREFETCHES] > 0 ? walks : m[NEUMMU_WALK_ACCESSES]);
}

/* Bytes per cycle at most. The flat memory counts in 2^-20 of a tick a byte. */
static double peak(const neummu_config *c)
{
    double width = (double)c->issue_width, unit = (double)(1 << 20);
    if (c->memory_model == NEUMMU_MEMORY_FLAT) {
        double ticks = floor(width * c->frequency / c->bandwidth * unit + 0.5);
        return ticks > 0 ? width * unit / ticks : INFINITY;
    }
    const msw_dram_config *channel = msw_memory_of(c->memory_preset);
    double burst_ns = (double)channel->t.bl * (double)channel->clock_ps / 1000;
    return (double)neummu_channels(c) * (double)channel->burst_bytes / burst_ns / c->frequency;
}

/* Of the outputs of layers' last tiles, what may never leave the chip to come back. */
static double kept(const neummu_config *c, const msw_npu_product *p)
{
    double layers = 0;
    if (c->boundary != NEUMMU_BOUNDARY_FORWARDED)
        return 0;
    for (uint64_t l = 0; l < p->layer_count; l++)
        layers += (double)p->layers[l].repeat;
    return layers * (double)p->kept_bytes;
}

static double memory_time(const msw_task *task, const double *m)
{
    const neummu_config *c = task->config;
    const msw_npu_product *p = task->product->data;
    double bytes = (double)p->load_bytes + (double)p->store_bytes - kept(c, p);
    bool counts = c->walk_traffic || neummu_reads_memory(c);
    if (counts && !c->oracle && task->fidelity != MSW_ANALYTIC)
        bytes += m[NEUMMU_WALK_ACCESSES] * NEUMMU_LINE_BYTES;
    return bytes > 0 ? bytes / peak(c) : 0;
}

/* The share of the tiles that are the first one of a layer's further executions. */
static double repeated_share(const msw_npu_product *p)
{
    double again = 0;
    for (uint64_t l = 0; l < p->layer_count; l++)
        again += (double)p->layers[l].repeat - 1;
    return p->tiles_run ? again / (double)p->tiles_run : 0;
}

/* All executions of a layer after its first are as its second one, whose first tile was loaded in
 * the time of the one before and the next layer's in its own. So where the first tiles of further
 * executions decide whether a bound exceeds the cycles, it is no more than these. */
static double least_of(const msw_task *task, double least, double cycles)
{
    double sure = least * (1 - repeated_share(task->product->data));
    return least > cycles && sure <= cycles ? cycles : least;
}

void neummu_bounds(const msw_task *task, double *m)
{
    const neummu_config *c = task->config;
    const msw_npu_product *p = task->product->data;
    double walkers = c->oracle ? 0 : finished_time(c, m) / (double)c->ptw_count;
    double misses = c->oracle || !c->outstanding ? 0 : missed_time(c, m) / (double)c->outstanding;
    m[NEUMMU_LEAST_ARRAY] = (double)p->compute_cycles;
    m[NEUMMU_LEAST_ISSUE] = m[NEUMMU_TRANSLATIONS] / (double)c->issue_width;
    m[NEUMMU_LEAST_MEMORY] = least_of(task, memory_time(task, m), m[NEUMMU_CYCLES]);
    m[NEUMMU_LEAST_WALKERS] = least_of(task, walkers, m[NEUMMU_CYCLES]);
    m[NEUMMU_LEAST_OUTSTANDING] = least_of(task, misses, m[NEUMMU_CYCLES]);
}

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
#define A1 "A1: misses that are let in earlier walk once more, or wait for a walk that ends later"
#define A2 "A2: which path, line or walker a walk finds depends on the walks before it"
#define A3                                                                                         \
    "A3: the closed form rounds walks of a page to rounds of all walkers, or estimates from a "    \
    "few steps"
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
    FULL_LAW(.name = "table_lines", MAY(0.01, A2), MORE("table_lines", "lines of the page table"),
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
    CLOSED_LAW(.name = "walkers_closed", MAY(0.03, A3), MORE("ptw_count", "walkers"),
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
