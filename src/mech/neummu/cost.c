/* SPDX-License-Identifier: MIT */
/* Energy of translation, and what the structures cost: README.md, "Cost". */
#include "mech/neummu/cost.h"
#include "mech/neummu/model.h"
#include "mech/shared/rows.h"
#include "mech/shared/rules.h"
#include "mech/shared/storage.h"
#include "memsweep/sim/energy.h"
#include "memsweep/workload/npu.h"

#include <math.h>

enum { TAG_BITS = MSW_STORAGE_PAGE_BITS, ENTRY_BITS = MSW_STORAGE_ENTRY_BITS, PATH_BITS = 27 };

static msw_sram tlb_sram(int64_t entries, int64_t ways)
{
    double compared = (double)msw_ways_of(entries, ways);
    return (msw_sram){.bytes = (double)entries * ENTRY_BITS / 8,
                      .access_bits = ENTRY_BITS,
                      .entries = (double)entries,
                      .tag_bits = TAG_BITS,
                      .ways = compared};
}

/* Merge slots per walker that hardware would have: unlimited means one for every other transaction
 * of a page. */
static double slots_of(const neummu_config *c)
{
    double page = (double)(c->page_size / c->dma_bytes - 1);
    if (!c->scoreboard)
        return 0;
    return (uint32_t)c->prmb_slots == MSW_MSHR_UNLIMITED ? page : (double)c->prmb_slots;
}

/* The bytes of each structure other than the TLBs. */
typedef struct structures {
    double merge, path, scoreboard, lines;
} structures;

static double level_entries(const neummu_config *c)
{
    double lower = (double)(c->path_l4_entries + c->path_l3_entries + c->path_l2_entries);
    return lower + (c->table_levels == 5 ? (double)c->path_l5_entries : 0);
}

static structures structures_of(const neummu_config *c)
{
    double walkers = (double)c->ptw_count, path = 0;
    if (c->path_cache == NEUMMU_PATH_REGISTER)
        path = walkers * (double)c->path_register_bytes;
    else if (c->path_cache == NEUMMU_PATH_SHARED)
        path = (double)(c->path_entries * c->path_register_bytes);
    else if (c->path_cache == NEUMMU_PATH_UNIFIED)
        path = (double)c->path_entries * 2 * ENTRY_BITS / 8;
    else if (c->path_cache == NEUMMU_PATH_LEVELS)
        path = level_entries(c) * 2 * ENTRY_BITS / 8;
    return (structures){.merge = walkers * slots_of(c) * (double)c->slot_bytes,
                        .path = path,
                        .scoreboard = c->scoreboard ? walkers * (double)c->scoreboard_bytes : 0,
                        .lines = (double)c->table_lines * (NEUMMU_LINE_BYTES + ENTRY_BITS / 8)};
}

msw_storage neummu_storage(const neummu_config *c)
{
    msw_storage all = {0};
    structures s = structures_of(c);
    if (c->oracle)
        return all;
    msw_storage_add(&all, (double)c->tlb_entries, MSW_STORAGE_TLB_BITS);
    msw_storage_add(&all, (double)c->tlb2_entries, MSW_STORAGE_TLB_BITS);
    msw_storage_add(&all, s.merge, 8);
    msw_storage_add(&all, s.path, 8);
    msw_storage_add(&all, s.scoreboard, 8);
    msw_storage_add(&all, s.lines, 8);
    msw_storage_add_waiting(&all, (double)c->walk_queue, c->slot_bytes);
    return all;
}

double neummu_sram_bits(const void *config)
{
    return neummu_storage(config).bits;
}

static int cost_at(const neummu_config *config, msw_cost *cost, msw_err *err)
{
    msw_cost declared;
    msw_cost_init(&declared);
    return msw_cost_at(&declared, config->node, cost, err);
}

static msw_sram plain(double bytes, double bits)
{
    return (msw_sram){.bytes = bytes, .access_bits = bits};
}

static msw_sram scoreboard_sram(const neummu_config *c, const structures *s)
{
    double entries = s->scoreboard > 0 ? (double)c->ptw_count : 0;
    return (msw_sram){
        .entries = entries, .tag_bits = (double)c->scoreboard_bytes * 8, .ways = entries};
}

int neummu_price(const neummu_config *c, neummu_prices *prices, msw_err *err)
{
    msw_cost cost;
    structures s = structures_of(c);
    msw_sram tlb = tlb_sram(c->tlb_entries, c->tlb_ways), board = scoreboard_sram(c, &s);
    msw_sram slots = plain(s.merge, (double)c->slot_bytes * 8), paths = plain(s.path, PATH_BITS);
    if (cost_at(c, &cost, err))
        return -1;
    msw_sram_cost first = msw_cost_sram(&cost, &tlb), second = {0};
    if (c->tlb2_entries) {
        msw_sram tlb2 = tlb_sram(c->tlb2_entries, c->tlb2_ways);
        second = msw_cost_sram(&cost, &tlb2);
    }
    *prices = (neummu_prices){
        .lookup = first.read_pj,
        .lookup2 = second.read_pj,
        .fill = first.write_pj + second.write_pj,
        .access = msw_cost_move_pj(c->dram_pj_per_bit, MSW_PAGETABLE_ENTRY_BYTES),
    };
    if (s.scoreboard > 0)
        prices->scoreboard = msw_cost_sram(&cost, &board).lookup_pj;
    if (s.merge > 0) {
        msw_sram_cost merge = msw_cost_sram(&cost, &slots);
        prices->merge = merge.read_pj + merge.write_pj;
    }
    if (s.path > 0)
        prices->path = msw_cost_sram(&cost, &paths).read_pj;
    return 0;
}

double neummu_energy(const neummu_config *c, const neummu_prices *p, const double *t)
{
    if (c->oracle)
        return 0;
    double missed = t[NEUMMU_TLB_MISSES] - t[NEUMMU_TLB2_HITS];
    double pj = t[NEUMMU_TRANSLATIONS] * p->lookup + t[NEUMMU_TLB_MISSES] * p->lookup2 +
                t[NEUMMU_WALKS] * (p->fill + p->path) + t[NEUMMU_MERGED] * p->merge +
                t[NEUMMU_WALK_ACCESSES] * p->access;
    pj += t[NEUMMU_PREFETCH_LOOKUPS] * (p->lookup + p->lookup2 + p->scoreboard);
    return (pj + missed * p->scoreboard) / 1000;
}

static void add(const msw_cost *cost, const msw_sram *sram, double *metrics)
{
    msw_sram_cost c = msw_cost_sram(cost, sram);
    metrics[NEUMMU_AREA] += c.area_um2 / 1e6;
    metrics[NEUMMU_LEAKAGE] += c.leakage_mw;
}

static void add_tlb(const msw_cost *cost, int64_t entries, int64_t ways, double *metrics)
{
    msw_sram tlb = tlb_sram(entries, ways);
    tlb.tag_bits += MSW_STORAGE_VALID_BITS + MSW_STORAGE_ORDER_BITS;
    if (entries)
        add(cost, &tlb, metrics);
}

static msw_sram queue_sram(const neummu_config *c)
{
    msw_storage queue = {0};
    msw_storage_add_waiting(&queue, (double)c->walk_queue, c->slot_bytes);
    return plain(queue.bytes, 64);
}

/* What the array and the scratchpads are, and did for the whole product. Returns their bytes. */
static double array_of(const msw_task *task, msw_array_use *use)
{
    const msw_npu_config *npu = task->workload_config;
    const msw_npu_product *product = task->product->data;
    *use = (msw_array_use){.macs = (double)product->macs,
                           .rows = (double)npu->rows,
                           .cols = (double)npu->cols,
                           .element_bytes = (uint32_t)npu->element_bytes,
                           .weight_bytes = (double)product->load_bytes};
    return (double)(npu->spm_activation + npu->spm_weight);
}

/* Of tiles that are listed nobody knows the multiplications: their energy is not known either. */
static void fill_energy(const msw_task *task, double *metrics)
{
    const neummu_config *c = task->config;
    const msw_npu_product *product = task->product->data;
    const msw_dram_config *memory = msw_memory_of(c->memory_preset);
    double seconds = metrics[NEUMMU_CYCLES] / (c->frequency * 1e9), area = 0, leakage = 0;
    double bytes = (double)product->load_bytes + (double)product->store_bytes;
    msw_array_use use;
    msw_cost cost;
    msw_err err;
    double pads = array_of(task, &use), parts[NEUMMU_METRICS] = {0};
    if (cost_at(c, &cost, &err) || !product->macs) {
        for (int m = NEUMMU_ENERGY_ARRAY; m <= NEUMMU_AREA_ALL; m++)
            metrics[m] = NAN;
        return;
    }
    neummu_price_parts(c, parts);
    area = msw_array_area_mm2(&cost, &use, pads) + parts[NEUMMU_AREA];
    leakage = msw_pads_leakage_mw(&cost, pads) + parts[NEUMMU_LEAKAGE];
    msw_array_energy array = msw_array_energy_of(&cost, &use, pads, bytes);
    msw_dram_use dram = {msw_dram_least_acts(memory, bytes), 8 * bytes, seconds,
                         (double)neummu_channels(c) * memory->ranks};
    metrics[NEUMMU_ENERGY_ARRAY] = array.array_nj;
    metrics[NEUMMU_ENERGY_PADS] = array.pads_nj;
    metrics[NEUMMU_ENERGY_MEMORY] =
        msw_dram_energy_nj(&msw_dram_prices[c->memory_preset], memory, &dram);
    metrics[NEUMMU_ENERGY_STATIC] = leakage * seconds * 1e6;
    metrics[NEUMMU_ENERGY_ALL] = metrics[NEUMMU_ENERGY];
    for (int m = NEUMMU_ENERGY_ARRAY; m <= NEUMMU_ENERGY_STATIC; m++)
        metrics[NEUMMU_ENERGY_ALL] += metrics[m];
    metrics[NEUMMU_EDP] = metrics[NEUMMU_ENERGY_ALL] * 1e-9 * seconds;
    metrics[NEUMMU_AREA_ALL] = area;
}

void neummu_derive(const msw_task *task, double *metrics)
{
    fill_energy(task, metrics);
    metrics[NEUMMU_PREFETCHES_USELESS] =
        fmax(0, metrics[NEUMMU_PREFETCHES] - metrics[NEUMMU_PREFETCHES_USEFUL] -
                    metrics[NEUMMU_PREFETCHES_LATE]);
}

void neummu_price_parts(const void *config, double *metrics)
{
    const neummu_config *c = config;
    structures s = structures_of(c);
    msw_sram board = scoreboard_sram(c, &s), slots = plain(s.merge, 64), paths = plain(s.path, 64);
    msw_sram queue = queue_sram(c), lines = plain(s.lines, NEUMMU_LINE_BYTES * 8);
    msw_cost cost;
    msw_err err;
    metrics[NEUMMU_SRAM] = neummu_storage(c).bytes;
    metrics[NEUMMU_PEAK] =
        c->memory_model == NEUMMU_MEMORY_FLAT
            ? c->bandwidth
            : msw_dram_peak_gbs(msw_memory_of(c->memory_preset), neummu_channels(c));
    metrics[NEUMMU_AREA] = metrics[NEUMMU_LEAKAGE] = 0;
    if (c->oracle || cost_at(c, &cost, &err))
        return;
    add_tlb(&cost, c->tlb_entries, c->tlb_ways, metrics);
    add_tlb(&cost, c->tlb2_entries, c->tlb2_ways, metrics);
    add(&cost, &board, metrics);
    add(&cost, &slots, metrics);
    add(&cost, &paths, metrics);
    add(&cost, &queue, metrics);
    if (c->table_lines)
        add(&cost, &lines, metrics);
}
