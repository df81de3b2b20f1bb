/* SPDX-License-Identifier: MIT */
/* Energy of the whole chip: docs/models/costs.md, 'The whole chip'. What a task takes of cache and
 * NPUs is that of derive.c; here memory is charged by the commands of its preset, lines by their
 * way over the mesh, translations by their TLBs and entries read, and what leaks by the time that
 * NPUs run. Lines move past tiles as large as their slice. */
#include "mech/camdn/model.h"

#include "memsweep/mech/mechanism.h"
#include "memsweep/sim/energy.h"

#include "mech/shared/rows.h"
#include "mech/shared/storage.h"

#include <math.h>

/* Lines that the mesh carries, hop by hop. */
static double mesh_nj(const camdn_config *c, const msw_cost *cost, const double *metrics)
{
    double bits = metrics[CAMDN_REQUESTS] * (double)c->line * 8;
    double slice_mm2 = msw_pads_mm2(cost, (double)c->cache / (double)c->slices);
    double way = camdn_mesh_load_of(c).hops * sqrt(slice_mm2);
    return bits * way * cost->wire_fj_per_bit_mm / 1e6;
}

static double translation_nj(const camdn_config *c, const msw_cost *cost, const double *metrics)
{
    const camdn_translation *t = &c->translation;
    double entries = (double)t->tlb_entries;
    msw_sram tlb = {.bytes = entries * MSW_STORAGE_ENTRY_BITS / 8,
                    .access_bits = MSW_STORAGE_ENTRY_BITS,
                    .entries = entries,
                    .tag_bits = MSW_STORAGE_PAGE_BITS,
                    .ways = t->tlb_ways ? (double)t->tlb_ways : entries};
    if (t->kind <= CAMDN_TRANSLATE_IDEAL || !entries) /* known at once: by no TLB */
        return 0;
    msw_sram_cost one = msw_cost_sram(cost, &tlb);
    double read = msw_cost_move_pj(cost->dram_pj_per_bit, MSW_STORAGE_ENTRY_BITS / 8.0);
    return (metrics[CAMDN_TRANSLATIONS] * one.read_pj + metrics[CAMDN_WALKS] * one.write_pj +
            metrics[CAMDN_WALK_ACCESSES] * read) /
           1e3;
}

void camdn_energy_chip(const camdn_config *c, double *metrics)
{
    const msw_dram_config *memory = msw_memory_of(c->memory_preset);
    double running = (double)camdn_running(c), bytes = metrics[CAMDN_TRAFFIC];
    double cycles = (metrics[CAMDN_CYCLES] - metrics[CAMDN_WAIT_START]) / running;
    double seconds = cycles / (c->frequency * 1e9);
    double sram = (double)c->cache + running * (double)c->scratchpad;
    msw_dram_use dram = {msw_dram_least_acts(memory, bytes), 8 * bytes, seconds,
                         (double)camdn_channels(c) * memory->ranks};
    msw_cost cost;
    msw_cost_init(&cost);
    metrics[CAMDN_ENERGY_DRAM] =
        msw_dram_energy_nj(&msw_dram_prices[c->memory_preset], memory, &dram);
    metrics[CAMDN_ENERGY_LINKS] = mesh_nj(c, &cost, metrics);
    metrics[CAMDN_ENERGY_TRANSLATION] = translation_nj(c, &cost, metrics);
    metrics[CAMDN_ENERGY_STATIC] = msw_pads_leakage_mw(&cost, sram) * seconds * 1e6;
    metrics[CAMDN_ENERGY_ALL] = metrics[CAMDN_ENERGY_CACHE] + metrics[CAMDN_ENERGY_NPU];
    for (int m = CAMDN_ENERGY_DRAM; m <= CAMDN_ENERGY_STATIC; m++)
        metrics[CAMDN_ENERGY_ALL] += metrics[m];
    metrics[CAMDN_PEAK] = c->memory == CAMDN_MEMORY_FIXED
                              ? c->bandwidth
                              : msw_dram_peak_gbs(memory, (uint32_t)camdn_channels(c));
    metrics[CAMDN_EDP] = metrics[CAMDN_ENERGY_ALL] * 1e-9 * seconds;
}
