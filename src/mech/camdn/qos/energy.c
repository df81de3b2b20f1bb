/* SPDX-License-Identifier: MIT */
/* Energy of a task from the cost table (docs/models/costs.md), at 45 nm: ../README.md, "Energy". */
#include "mech/camdn/qos/service.h"

#include "memsweep/sim/cost.h"

/* Operations of 8 bits are whole numbers, wider ones floating point. */
static double mac_pj(const msw_cost *cost, uint32_t element_bytes)
{
    return element_bytes == 1   ? cost->int_mul8_pj + cost->int_add32_pj
           : element_bytes == 2 ? cost->fp_mul16_pj + cost->fp_add32_pj
                                : cost->fp_mul32_pj + cost->fp_add32_pj;
}

static msw_sram slice_of(const camdn_config *c)
{
    double bytes = (double)c->cache / (double)c->slices, lines = bytes / (double)c->line;
    msw_sram sram = {.bytes = bytes, .access_bits = 8 * (double)c->line};
    if (c->control == CAMDN_PAGED) /* pages have no tags */
        return sram;
    sram.entries = lines;
    sram.tag_bits = 48 - (double)msw_bits_highest((uint64_t)(c->cache / c->ways));
    sram.ways = (double)c->ways;
    return sram;
}

double camdn_macs(const msw_graph_network *net)
{
    double macs = 0;
    for (uint32_t o = 0; o < net->op_count; o++)
        macs += (double)net->ops[o].macs;
    return macs;
}

void camdn_energy_fill(const camdn_config *c, uint32_t element_bytes, double macs, double *totals)
{
    msw_cost cost;
    msw_cost_init(&cost);
    msw_sram slice = slice_of(c), own = {.bytes = (double)c->scratchpad};
    own.access_bits = slice.access_bits;
    msw_sram_cost cache = msw_cost_sram(&cost, &slice), pad = msw_cost_sram(&cost, &own);
    double requests = totals[CAMDN_REQUESTS], fills = totals[CAMDN_READ] / (double)c->line;
    double memory = msw_cost_move_pj(cost.dram_pj_per_bit, totals[CAMDN_TRAFFIC]);
    double inside = macs * mac_pj(&cost, element_bytes) + requests * pad.write_pj;
    totals[CAMDN_ENERGY_MEMORY] = memory / 1e3;
    totals[CAMDN_ENERGY_CACHE] = (requests * cache.read_pj + fills * cache.write_pj) / 1e3;
    totals[CAMDN_ENERGY_NPU] = inside / 1e3;
    totals[CAMDN_ENERGY] =
        totals[CAMDN_ENERGY_MEMORY] + totals[CAMDN_ENERGY_CACHE] + totals[CAMDN_ENERGY_NPU];
}
