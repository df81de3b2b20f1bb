/* SPDX-License-Identifier: MIT */
/* SRAM: a read of b bits from S bytes costs e8 x (S / 8 KiB)^x x b / 64. Tags are an SRAM of their
 * own of which `ways` tags are read; when all entries are compared at once they are a CAM, charged
 * per bit. Area is cells / efficiency; leakage is per bit. */
#include "memsweep/sim/cost.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <string.h>

static double *field(msw_cost *cost, const msw_cost_entry *entry)
{
    return (double *)((char *)cost + entry->offset);
}

void msw_cost_init(msw_cost *cost)
{
    size_t count;
    const msw_cost_entry *entries = msw_cost_entries(&count);
    for (size_t i = 0; i < count; i++)
        *field(cost, &entries[i]) = entries[i].value;
}

int msw_cost_node_at(double nm, msw_cost_node *node, msw_err *err)
{
    size_t count;
    const msw_cost_node *nodes = msw_cost_nodes(&count);
    if (!(nm <= nodes[0].nm && nm >= nodes[count - 1].nm))
        return msw_fail(err, "node of %g nm: must be from %g to %g", nm, nodes[count - 1].nm,
                        nodes[0].nm);
    size_t i = 1;
    while (nm < nodes[i].nm)
        i++;
    const msw_cost_node *above = &nodes[i - 1], *below = &nodes[i];
    double share = (above->nm - nm) / (above->nm - below->nm);
    *node = (msw_cost_node){nm, above->area + share * (below->area - above->area),
                            above->energy + share * (below->energy - above->energy),
                            above->leakage + share * (below->leakage - above->leakage)};
    return 0;
}

int msw_cost_at(const msw_cost *cost, double nm, msw_cost *scaled, msw_err *err)
{
    msw_cost_node node;
    size_t count;
    const msw_cost_entry *entries = msw_cost_entries(&count);
    if (msw_cost_node_at(nm, &node, err))
        return -1;
    const double factors[] = {[MSW_COST_ENERGY] = node.energy,
                              [MSW_COST_AREA] = node.area,
                              [MSW_COST_LEAKAGE] = node.leakage,
                              [MSW_COST_FIXED] = 1};
    *scaled = *cost;
    for (size_t i = 0; i < count; i++)
        *field(scaled, &entries[i]) *= factors[entries[i].kind];
    return 0;
}

static double read_pj(const msw_cost *cost, double bytes, double bits)
{
    if (bytes <= 0)
        return 0;
    return cost->sram_8kib_pj_per_64b * msw_math_pow(bytes / 8192, cost->sram_size_exponent) *
           bits / 64;
}

static double lookup_pj(const msw_cost *cost, const msw_sram *sram, bool cam)
{
    double bits = sram->entries * sram->tag_bits;
    if (cam)
        return bits * cost->cam_search_fj_per_bit / 1000;
    return read_pj(cost, bits / 8, sram->ways * sram->tag_bits);
}

msw_sram_cost msw_cost_sram(const msw_cost *cost, const msw_sram *sram)
{
    bool cam = sram->entries > 1 && sram->ways >= sram->entries;
    double tag_bits = sram->entries * sram->tag_bits;
    double cells = sram->bytes * 8 + tag_bits * (cam ? cost->cam_cell_factor : 1);
    double fetched = sram->access_bits * (sram->all_ways && sram->ways > 1 ? sram->ways : 1);
    msw_sram_cost out = {.lookup_pj = lookup_pj(cost, sram, cam)};
    out.read_pj = out.lookup_pj + read_pj(cost, sram->bytes, fetched);
    out.write_pj =
        out.lookup_pj + cost->sram_write_factor * read_pj(cost, sram->bytes, sram->access_bits);
    out.area_um2 = cells * cost->sram_cell_um2 / cost->sram_efficiency;
    out.leakage_mw = cells * cost->sram_leakage_nw_per_bit * 1e-6;
    return out;
}

double msw_cost_logic_um2(const msw_cost *cost, double gates, double flipflops)
{
    return gates * cost->gate_um2 + flipflops * cost->flipflop_um2;
}
