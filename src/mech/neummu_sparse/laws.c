/* SPDX-License-Identifier: MIT */
/* neummu_sparse: what must hold between its answers (README.md, "Laws, tested"), and what the use
 * of each resource takes at least (docs/models/bounds.md). */
#include "mech/neummu_sparse/model.h"

#include "mech/neummu_sparse/batch.h"
#include "mech/shared/tables.h"

#include <math.h>

/* Rates of links are ratios of whole numbers: a little above what was asked for. */
static double at_rate(const neummu_sparse_config *c, double bytes, double bandwidth)
{
    double rate = bandwidth / c->mmu.frequency, cycles = 1;
    while (cycles < 4096 && rate * 2 * cycles < 1 << 19)
        cycles *= 2;
    return bytes / fmax(rate, fmax(floor(rate * cycles + 0.5), 1) / cycles);
}

static double link_time(const neummu_sparse_config *c, const double *m)
{
    double others = (double)c->devices - 1;
    if (c->mode == NEUMMU_SPARSE_COPY)
        return others > 0
                   ? at_rate(c, m[NEUMMU_SPARSE_REMOTE_BYTES] * (1 + 1 / others), c->pcie_bandwidth)
                   : 0;
    return at_rate(c, m[NEUMMU_SPARSE_MOVED_BYTES],
                   neummu_sparse_over_pcie(c) ? c->pcie_bandwidth : c->fast_bandwidth);
}

/* Rows that are read from the memory here. */
static double local_bytes(const neummu_sparse_config *c, const double *m)
{
    double there = c->mode == NEUMMU_SPARSE_DEMAND ? 0 : m[NEUMMU_SPARSE_REMOTE_BYTES];
    return m[NEUMMU_SPARSE_BYTES] - there;
}

void neummu_sparse_bounds(const msw_task *task, double *m)
{
    const neummu_sparse_config *c = task->config;
    bool copies = c->mode == NEUMMU_SPARSE_COPY;
    double fault = floor(neummu_sparse_cycles(c, c->fault_latency));
    double rate = (double)c->array_cells * c->mlp_utilization;
    m[NEUMMU_SPARSE_LEAST_ISSUE] = copies ? 0 : m[NEUMMU_SPARSE_REQUESTS];
    m[NEUMMU_SPARSE_LEAST_MEMORY] = at_rate(c, local_bytes(c, m), c->mmu.bandwidth);
    m[NEUMMU_SPARSE_LEAST_LINK] = link_time(c, m);
    m[NEUMMU_SPARSE_LEAST_WALKERS] = m[NEUMMU_SPARSE_WALK_ACCESSES] *
                                     (double)c->mmu.walk_level_cycles / (double)c->mmu.ptw_count;
    m[NEUMMU_SPARSE_LEAST_HANDLERS] = m[NEUMMU_SPARSE_FAULTS] * fault / (double)c->fault_parallel;
    m[NEUMMU_SPARSE_LEAST_CPU] =
        copies ? neummu_sparse_cycles(c, m[NEUMMU_SPARSE_REMOTE] * c->cpu_row) : 0;
    m[NEUMMU_SPARSE_LEAST_ARRAY] = m[NEUMMU_SPARSE_REQUESTS] * c->mlp_macs / rate;
}

/* Where the laws of the MMU start: translations that cost something, all that wait for a walk
 * answered at its end. */
static const msw_law_change LOADED[] = {SET("oracle", "off"), SET("return_cycles", "0"), {0}};
#define MMU "mode <> 'copy'"

/* One answer for all that wait for a walk, at its end, and walks of one length. */
static const msw_law_change PROMPT[] = {SET("oracle", "off"),      SET("mode", "numa_fast"),
                                        SET("scoreboard", "on"),   SET("prmb_slots", "unlimited"),
                                        SET("return_cycles", "0"), SET("reprobe", "on"),
                                        SET("path_cache", "none"), {0}};

/* The same, and every miss walks. */
static const msw_law_change ALONE[] = {SET("oracle", "off"),
                                       SET("scoreboard", "off"),
                                       SET("prmb_slots", "unlimited"),
                                       SET("return_cycles", "0"),
                                       SET("reprobe", "on"),
                                       SET("path_cache", "none"),
                                       {0}};

/* README.md, "Laws, tested": why some configs are slower with more of a resource. */
#define A1 "A1: walks that start otherwise leave other paths, and misses that were held up walk"
#define A2 "A2: pages come in another order, and the TLB then holds others"
#define A3                                                                                         \
    "A3: the closed form takes the path of the walk as many walks before as there are walkers"
#define MAY(part, why) .share = part, .exception = why

#define MORE(what, why) .doc = "more " why " are not slower", .metric = "cycles", MORE_OF(what)
#define LONGER(what, why)                                                                          \
    .doc = why, .change = CHANGES(TWICE(what)), .metric = "cycles", .relation = MSW_LAW_NOT_BELOW
#define CLOCK                                                                                      \
    CHANGES(TWICE("frequency"), TWICE("bandwidth"), TWICE("pcie_bandwidth"),                       \
            TWICE("fast_bandwidth"), HALF("cpu_call"), HALF("cpu_row"), HALF("fault_latency"))

const msw_law neummu_sparse_laws[] = {
    FULL_LAW(.name = "walkers", MAY(0.08, A1), MORE("ptw_count", "walkers"), .fixed = LOADED,
             .region = MMU),
    FULL_LAW(.name = "slots", MAY(0.04, A1), MORE("prmb_slots", "merge slots"), .fixed = LOADED,
             .region = MMU " AND scoreboard"),
    FULL_LAW(.name = "tlb", MAY(0.06, A2), MORE("tlb_entries", "entries of the TLB"),
             .fixed = LOADED, .region = MMU),
    FULL_LAW(.name = "paths", MAY(0.02, A2), MORE("path_entries", "paths"), .fixed = LOADED,
             .region = MMU " AND path_cache IN ('shared', 'unified')"),
    FULL_LAW(.name = "scoreboard", MAY(0.04, A1), .doc = "walks that are shared are not slower",
             .fixed = ALONE, .region = MMU, .change = CHANGES(SET("scoreboard", "on")),
             .metric = "cycles", .relation = MSW_LAW_NOT_ABOVE),
    FULL_LAW(.name = "bandwidth", MORE("bandwidth", "bytes a cycle")),
    FULL_LAW(.name = "fast_link", MORE("fast_bandwidth", "bytes a cycle between devices")),
    FULL_LAW(.name = "pcie", MORE("pcie_bandwidth", "bytes a cycle to the CPU")),
    FULL_LAW(.name = "handlers", MORE("fault_parallel", "faults at once"),
             .region = "mode = 'demand'"),
    FULL_LAW(.name = "array", MORE("array_cells", "multipliers")),
    FULL_LAW(.name = "tlb_misses", .doc = "a larger LRU TLB does not miss more",
             .fixed = CHANGES(SET("oracle", "off"), SET("mode", "numa_fast"), SET("tlb_ways", "0")),
             .metric = "tlb_misses", MORE_OF("tlb_entries")),
    FULL_LAW(.name = "page_walks", MAY(0.03, A2), .doc = "larger pages are not walked more",
             .workloads = "karate, neumf/b64, dlrm/b1",
             .fixed = CHANGES(SET("oracle", "off"), SET("scoreboard", "on"), SET("tlb_ways", "0")),
             .region = MMU, .metric = "walks", MORE_OF("page_size")),
    FULL_LAW(.name = "page_faults", .workloads = "karate, neumf/b64, dlrm/b1",
             .doc = "larger pages are not moved more often", .region = "mode = 'demand'",
             .metric = "page_faults", MORE_OF("page_size")),
    FULL_LAW(.name = "level_time", LONGER("walk_level_cycles", "longer accesses take longer"),
             .fixed = LOADED, .region = MMU),
    FULL_LAW(.name = "memory_time", LONGER("memory_cycles", "a farther memory takes longer")),
    FULL_LAW(.name = "fault_time", LONGER("fault_latency", "slower faults take longer"),
             .region = "mode = 'demand'"),
    FULL_LAW(.name = "clock", .doc = "everything twice as fast takes as many cycles",
             .change = CLOCK, .metric = "cycles"),
    FULL_LAW(.name = "ideal", .doc = "with every translation known it is the reference",
             .change = CHANGES(SET("oracle", "on")), .metric = "slowdown", .than = "1"),
    FULL_LAW(.name = "copy", .doc = "copied through the CPU it is the other reference",
             .change = CHANGES(SET("mode", "copy")), .metric = "relative_latency", .than = "1"),
    FULL_LAW(.name = "oracle", .doc = "translation does not save time", .metric = "slowdown",
             .relation = MSW_LAW_NOT_BELOW, .than = "1"),
    FULL_LAW(.name = "stack", .doc = "the causes add up", .metric = "cycles",
             .than = "translation + transfer + cpu + fault + gather + mlp"),
    FULL_LAW(.name = "look_ups", .doc = "every request hits or misses", .fixed = LOADED,
             .region = MMU, .metric = "requests", .than = "tlb_hits + tlb_misses"),
    FULL_LAW(.name = "by_hand", .doc = "one request of 64 B behind one walk", .workloads = "jumps",
             .region = "NOT oracle AND mode <> 'copy'",
             .fixed = CHANGES(SET("sparse_batch", "1"), SET("sparse_batches", "1"),
                              SET("devices", "1"), SET("mlp_macs", "0")),
             .metric = "cycles",
             .than = "tlb_cycles + walk_accesses * walk_level_cycles + memory_cycles + 1"),
    FULL_LAW(.name = "walkers_prompt", MORE("ptw_count", "walkers"), .fixed = PROMPT),
    FULL_LAW(.name = "tlb_prompt", MAY(0.02, A2), MORE("tlb_entries", "entries of the TLB"),
             .fixed = PROMPT),
    CLOSED_LAW(.name = "walkers_closed", MAY(0.06, A3), MORE("ptw_count", "walkers"),
               .fixed = LOADED, .region = MMU),
    CLOSED_LAW(.name = "clock_closed", .doc = "everything twice as fast takes as many cycles",
               .change = CLOCK, .metric = "cycles"),
    CLOSED_LAW(.name = "ideal_closed", .doc = "with every translation known it is the reference",
               .change = CHANGES(SET("oracle", "on")), .metric = "slowdown", .than = "1"),
    {0},
};
