/* SPDX-License-Identifier: MIT */
/* htmmu: rules across its parameters, what must hold between its answers (README.md, "Laws,
 * tested"), and what the use of each resource takes at least (docs/models/bounds.md). */
#include "mech/htmmu/model.h"

#include "mech/htmmu/memory.h"
#include "mech/shared/rules.h"
#include "mech/shared/tables.h"

#include "memsweep/sim/assoc.h"
#include "memsweep/workload/accesses.h"

static int check_tlb(int64_t pages, int64_t ways, int64_t coalesce, const char *name, msw_err *err)
{
    int64_t entries = pages / coalesce;
    if (pages % coalesce)
        return msw_fail(err, "%lld pages in a bank of %s are not a multiple of %s_coalesce = %lld",
                        (long long)pages, name, name, (long long)coalesce);
    if (ways && entries > ways && entries % ways)
        return msw_fail(err, "%lld entries in a bank of %s are not a multiple of %s_ways = %lld",
                        (long long)entries, name, name, (long long)ways);
    return 0;
}

static int check_tree(const htmmu_config *c, int64_t entries, int64_t ways, const char *name,
                      msw_err *err)
{
    return msw_rule_tree(c->policy == MSW_POLICY_TREE, "policy", entries, ways, name, err);
}

int htmmu_check(const void *config, msw_err *err)
{
    const htmmu_config *c = config;
    if (msw_rule_power(c->page_size, "page_size", err) ||
        msw_rule_power(c->large_page, "large_page", err) ||
        msw_rule_power(c->l1_coalesce, "l1_coalesce", err) ||
        msw_rule_power(c->l2_coalesce, "l2_coalesce", err) ||
        msw_rule_power(c->memory_channels, "memory_channels", err) ||
        msw_rule_power(c->memory_banks, "memory_banks", err))
        return -1;
    if (c->l1_entries % c->streams)
        return msw_fail(err, "l1_entries = %lld is not a multiple of streams = %lld",
                        (long long)c->l1_entries, (long long)c->streams);
    if (c->large_page && c->large_page <= c->page_size)
        return msw_fail(err, "large_page is not larger than page_size");
    if (check_tlb(htmmu_bank_entries(c), c->l1_ways, c->l1_coalesce, "l1", err) ||
        check_tree(c, htmmu_bank_entries(c) / c->l1_coalesce, c->l1_ways, "l1", err))
        return -1;
    if (c->l2_entries && (check_tlb(c->l2_entries, c->l2_ways, c->l2_coalesce, "l2", err) ||
                          check_tree(c, c->l2_entries / c->l2_coalesce, c->l2_ways, "l2", err)))
        return -1;
    if (msw_rule_sets(c->table_lines, "table_lines", c->table_line_ways, "table_line_ways", err))
        return -1;
    if (c->path_cache == HTMMU_PATH_UNIFIED && c->tpc_ways && c->tpc_entries > c->tpc_ways &&
        c->tpc_entries % c->tpc_ways)
        return msw_fail(err, "tpc_entries is not a multiple of tpc_ways");
    return 0;
}

/* Cycles of all walks together. */
static double walk_time(const htmmu_config *c, const double *m)
{
    double look_ups = c->path_cache == HTMMU_PATH_NONE ? 0 : m[HTMMU_WALKS];
    double accesses = c->memory_model == HTMMU_MEMORY_FIXED
                          ? m[HTMMU_WALK_ACCESSES] * (double)c->level_cycles
                          : m[HTMMU_READ_CYCLES];
    return accesses + look_ups * (double)c->tpc_cycles;
}

/* When the last request is made. */
static double last_made(const msw_task *task)
{
    const htmmu_config *c = task->config;
    const msw_accesses *a = task->product->data;
    uint64_t last = a->count - 1, burst = (uint64_t)c->burst;
    if (c->requester == HTMMU_CLOSED || a->count == 0)
        return 0;
    if (c->requester == HTMMU_TIMED)
        return a->cycles ? (double)a->cycles[last] : 0;
    return floor((double)(last / burst) * ((double)burst / c->rate) +
                 (double)(last % burst) / c->peak_rate);
}

/* Of buses, banks and activations the busiest. */
static double memory_time(const htmmu_config *c, const double *m)
{
    msw_dram_config dram;
    msw_err err;
    if (c->memory_model == HTMMU_MEMORY_FIXED || htmmu_memory_config(c, &dram, &err))
        return 0;
    double reads = m[HTMMU_READS], opened = reads - m[HTMMU_ROW_HITS];
    double channels = dram.channels, ranks = channels * dram.ranks;
    double banks = ranks * dram.groups * dram.banks * dram.buffers;
    double bus = reads * (double)dram.t.bl / channels;
    /* The first opening of a bank, and the first four of a rank, wait for none. */
    double bank = (opened / banks - 1) * (double)dram.t.rc;
    double activations = (opened / (4 * ranks) - 1) * (double)dram.t.faw;
    return fmax(bus, fmax(bank, activations));
}

/* From what the two TLBs, the walkers and the memory did. */
static void bound_misses(const msw_task *task, double *m)
{
    const htmmu_config *c = task->config;
    double walks = walk_time(c, m), registers = (double)(c->streams * c->l1_mshrs);
    double further = c->l2_entries ? m[HTMMU_L2_HITS] + m[HTMMU_MERGED] + m[HTMMU_WALKS] : 0;
    double held = further * (double)c->l2_cycles + walks;
    double all = m[HTMMU_REQUESTS] * (double)c->l1_cycles + held;
    m[HTMMU_LEAST_WINDOW] = all / (double)c->window;
    m[HTMMU_LEAST_L2_PORTS] = m[HTMMU_L2_LOOKUPS] / (double)c->l2_ports;
    m[HTMMU_LEAST_REGISTERS] = c->register_holds == HTMMU_HOLDS_MISS ? held / registers : 0;
    m[HTMMU_LEAST_WALKERS] = walks / (double)c->merge_entries;
    m[HTMMU_LEAST_MEMORY] = memory_time(c, m);
}

void htmmu_bounds(const msw_task *task, double *m)
{
    const htmmu_config *c = task->config;
    double streams = c->router == HTMMU_ROUTER_NONE ? 1 : (double)c->streams;
    m[HTMMU_LEAST_REQUESTER] = last_made(task);
    m[HTMMU_LEAST_PORTS] = m[HTMMU_REQUESTS] / streams;
    bound_misses(task, m);
}

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
    CLOSED_LAW(.name = "window_closed", MAY(0.04, A2), MORE("outstanding", "requests under way"),
               .fixed = PROMPT, .region = "l2_entries >= 4 * streams * l1_mshrs"),
    CLOSED_LAW(.name = "level_time_closed", LONGER("level_cycles", "longer accesses take longer"),
               .region = "memory_model = 'fixed'"),
    CLOSED_LAW(.name = "ideal_closed",
               .doc = "with all that the paper changes put back it is the reference",
               .change = CHANGES(BASELINE), .metric = "relative_time", .than = "1"),
    {0},
};
