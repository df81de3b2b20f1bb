/* SPDX-License-Identifier: MIT */
/* Energy of translation, and what the structures cost: README.md, "Cost". */
#include "memsweep/sim/cost.h"
#include "mech/htmmu/memory.h"
#include "mech/htmmu/model.h"
#include "mech/shared/rules.h"
#include "mech/shared/storage.h"
#include "memsweep/base/bits.h"

#include <math.h>

enum {
    TAG_BITS = MSW_STORAGE_PAGE_BITS,
    TRANSLATION_BITS = MSW_STORAGE_ENTRY_BITS,
    PATH_BITS = 27,
    LINE_BITS = 8 * HTMMU_LINE_BYTES + MSW_STORAGE_ENTRY_BITS, /* a line and its address */
    PAGE_BITS = MSW_STORAGE_PAGE_BITS
};

static msw_sram tlb_sram(const htmmu_config *c, int64_t pages, int64_t ways, int64_t coalesce)
{
    double entries = (double)(pages / coalesce);
    return (msw_sram){.bytes = entries * (double)c->tlb_entry_bytes - entries * TAG_BITS / 8,
                      .access_bits = TRANSLATION_BITS,
                      .entries = entries,
                      .tag_bits = TAG_BITS,
                      .ways = ways ? fmin((double)ways, entries) : entries};
}

/* The structures of a config; both TLBs' tags are within their entries' bytes. */
typedef struct structures {
    msw_sram bank, l2, board, items, paths, lines;
} structures;

static double path_entries(const htmmu_config *c)
{
    if (c->path_cache == HTMMU_PATH_NONE)
        return 0;
    return (double)(c->path_cache == HTMMU_PATH_REGISTER ? c->merge_entries : c->tpc_entries);
}

static structures structures_of(const htmmu_config *c)
{
    double walkers = (double)c->merge_entries, paths = path_entries(c);
    double board = walkers * 2 * (double)c->item_bytes - walkers * PAGE_BITS / 8;
    double ways = c->path_cache == HTMMU_PATH_UNIFIED && c->tpc_ways
                      ? (double)msw_min_i64(c->tpc_ways, c->tpc_entries)
                      : paths;
    return (structures){
        .bank = tlb_sram(c, htmmu_bank_entries(c), c->l1_ways, c->l1_coalesce),
        .l2 = tlb_sram(c, c->l2_entries, c->l2_ways, c->l2_coalesce),
        .board = {.bytes = fmax(board, 0),
                  .access_bits = PAGE_BITS,
                  .entries = walkers,
                  .tag_bits = PAGE_BITS,
                  .ways = walkers},
        .items = {.bytes = walkers * (double)(c->merge_items * c->item_bytes),
                  .access_bits = (double)c->item_bytes * 8},
        .paths = {.bytes = paths * (double)c->tpc_entry_bytes - paths * PATH_BITS / 8,
                  .access_bits = TRANSLATION_BITS,
                  .entries = paths,
                  .tag_bits = PATH_BITS,
                  .ways = ways},
        .lines = {.bytes = (double)c->table_lines * HTMMU_LINE_BYTES,
                  .access_bits = 8 * HTMMU_LINE_BYTES,
                  .entries = (double)c->table_lines,
                  .tag_bits = MSW_STORAGE_ENTRY_BITS,
                  .ways = (double)msw_ways_of(c->table_lines, c->table_line_ways)},
    };
}

static int cost_at(const htmmu_config *config, msw_cost *cost, msw_err *err)
{
    msw_cost declared;
    msw_cost_init(&declared);
    return msw_cost_at(&declared, config->node, cost, err);
}

static msw_sram_cost price(const msw_cost *cost, const msw_sram *sram)
{
    return sram->bytes > 0 ? msw_cost_sram(cost, sram) : (msw_sram_cost){0};
}

int htmmu_price(const htmmu_config *c, htmmu_prices *prices, msw_err *err)
{
    structures s = structures_of(c);
    msw_cost cost;
    if (cost_at(c, &cost, err))
        return -1;
    msw_sram_cost l1 = price(&cost, &s.bank), l2 = price(&cost, &s.l2);
    msw_sram_cost items = price(&cost, &s.items), lines = price(&cost, &s.lines);
    double bytes = c->table_lines ? HTMMU_LINE_BYTES : MSW_PAGETABLE_ENTRY_BYTES;
    *prices = (htmmu_prices){
        .l1 = l1.read_pj,
        .l2 = l2.read_pj,
        .fill_l1 = l1.write_pj,
        .fill_l2 = l2.write_pj,
        .scoreboard = price(&cost, &s.board).lookup_pj,
        .item = items.read_pj + items.write_pj,
        .path = price(&cost, &s.paths).read_pj,
        .access = msw_cost_move_pj(c->dram_pj_per_bit, bytes),
        .line_hit = lines.read_pj,
        .line_miss = lines.lookup_pj + lines.write_pj,
    };
    return 0;
}

double htmmu_energy(const htmmu_prices *p, const double *t, double accesses)
{
    double reads = t[HTMMU_WALK_ACCESSES], answered = fmax(accesses - reads, 0);
    double pj = t[HTMMU_REQUESTS] * p->l1 + t[HTMMU_L2_LOOKUPS] * p->l2 +
                (t[HTMMU_L1_MISSES] - t[HTMMU_HELD]) * p->fill_l1 +
                t[HTMMU_PTU_REQUESTS] * p->scoreboard + t[HTMMU_MERGED] * p->item +
                t[HTMMU_WALKS] * (p->fill_l2 + p->path) + reads * (p->access + p->line_miss) +
                answered * p->line_hit;
    return pj / 1000;
}

static void add(const msw_cost *cost, const msw_sram *sram, double times, double *metrics)
{
    msw_sram_cost c = price(cost, sram);
    metrics[HTMMU_AREA] += times * c.area_um2 / 1e6;
    metrics[HTMMU_LEAKAGE] += times * c.leakage_mw;
}

/* The paper's widths of entries have room for tag, valid and replacement bits. */
static msw_storage storage(const htmmu_config *c)
{
    msw_storage all = {0};
    double tlb_bits = 8 * (double)c->tlb_entry_bytes, item_bits = 8 * (double)c->item_bytes;
    msw_storage_add(&all, (double)c->l1_entries / (double)c->l1_coalesce, tlb_bits);
    msw_storage_add(&all, (double)c->l2_entries / (double)c->l2_coalesce, tlb_bits);
    msw_storage_add(&all, (double)c->merge_entries * 2, item_bits);
    msw_storage_add(&all, (double)(c->merge_entries * c->merge_items), item_bits);
    msw_storage_add(&all, path_entries(c), 8 * (double)c->tpc_entry_bytes);
    msw_storage_add_waiting(&all, (double)(c->streams * c->l1_mshrs), c->item_bytes);
    msw_storage_add_waiting(&all, (double)c->l2_mshrs, c->item_bytes);
    msw_storage_add_waiting(&all, (double)c->ptu_queue, c->item_bytes);
    msw_storage_add(&all, (double)c->table_lines, LINE_BITS);
    return all;
}

double htmmu_sram_bits(const void *config)
{
    return storage(config).bits;
}

/* A page-table entry is read in one burst. */
static double memory_busy(const htmmu_config *c, const double *m)
{
    msw_dram_config dram;
    msw_err err;
    if (c->memory_model == HTMMU_MEMORY_FIXED || htmmu_memory_config(c, &dram, &err))
        return NAN;
    return m[HTMMU_READS] * (double)dram.t.bl / ((double)dram.channels * m[HTMMU_CYCLES]);
}

void htmmu_derive(const msw_task *task, double *m)
{
    const htmmu_config *c = task->config;
    double streams = (double)c->streams;
    m[HTMMU_SPEEDUP] = 1 / m[HTMMU_RELATIVE_TIME];
    m[HTMMU_IMBALANCE] = m[HTMMU_BUSIEST_BANK] * streams / m[HTMMU_REQUESTS];
    m[HTMMU_PATH_RATE] = 1 - m[HTMMU_WALK_ACCESSES] / m[HTMMU_WALK_STEPS];
    m[HTMMU_MEMORY_BUSY] = memory_busy(c, m);
}

void htmmu_price_parts(const void *config, double *m)
{
    const htmmu_config *c = config;
    structures s = structures_of(c);
    double streams = (double)c->streams;
    msw_cost cost;
    msw_err err;
    m[HTMMU_SRAM] = storage(c).bytes;
    m[HTMMU_AREA] = m[HTMMU_LEAKAGE] = 0;
    if (cost_at(c, &cost, &err))
        return;
    add(&cost, &s.bank, streams, m);
    add(&cost, &s.l2, 1, m);
    add(&cost, &s.board, 1, m);
    add(&cost, &s.items, 1, m);
    add(&cost, &s.paths, 1, m);
    add(&cost, &s.lines, 1, m);
    m[HTMMU_AREA] += msw_cost_logic_um2(&cost, streams * (double)c->bank_gates, 0) / 1e6;
}
