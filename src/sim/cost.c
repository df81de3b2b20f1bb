/* SPDX-License-Identifier: MIT */
/* Energy and area: the constants with their sources, their scaling by node, and SRAM.
 *
 * A read of b bits from S bytes costs e8 x (S / 8 KiB)^x x b / 64. Tags are an SRAM of their own of
 * which `ways` tags are read; when all entries are compared at once they are a CAM, charged per
 * bit. Area is cells / efficiency; leakage is per bit. */
#include "memsweep/sim/cost.h"

#include "memsweep/base/math.h"

#include <math.h>
#include <string.h>

#define HOROWITZ "Horowitz, Computing's energy problem, ISSCC 2014, fig. 1.1.9 (45 nm, 0.9 V)"
#define AREAS    "Horowitz, ISSCC 2014 slides (45 nm synthesis), as collected by Dally, NIPS 2015"
#define NANGATE  "NanGate FreePDK45 open cell library"

static double *field(msw_cost *cost, const msw_cost_entry *entry)
{
    return (double *)((char *)cost + entry->offset);
}

#define AT(field) offsetof(msw_cost, field)

#define ENERGY(field, value, source)                                                               \
    {                                                                                              \
#field, "pJ", value, (value) / 2.0, (value)*2.0, MSW_COST_ENERGY, MSW_COST_PUBLIC, source, \
            AT(field)                                                                              \
    }
#define AREA(field, value, source)                                                                 \
    {                                                                                              \
#field, "um2", value, (value) / 2.0, (value)*2.0, MSW_COST_AREA, MSW_COST_PUBLIC, source,  \
            AT(field)                                                                              \
    }

static const msw_cost_entry ENTRIES[] = {
    ENERGY(int_add8_pj, 0.03, HOROWITZ),
    ENERGY(int_add32_pj, 0.1, HOROWITZ),
    ENERGY(int_mul8_pj, 0.2, HOROWITZ),
    ENERGY(int_mul32_pj, 3.1, HOROWITZ),
    ENERGY(fp_add16_pj, 0.4, HOROWITZ),
    ENERGY(fp_add32_pj, 0.9, HOROWITZ),
    ENERGY(fp_mul16_pj, 1.1, HOROWITZ),
    ENERGY(fp_mul32_pj, 3.7, HOROWITZ),
    AREA(int_add8_um2, 36, AREAS),
    AREA(int_add32_um2, 137, AREAS),
    AREA(int_mul8_um2, 282, AREAS),
    AREA(int_mul32_um2, 3495, AREAS),
    AREA(fp_add16_um2, 1360, AREAS),
    AREA(fp_add32_um2, 4184, AREAS),
    AREA(fp_mul16_um2, 1640, AREAS),
    AREA(fp_mul32_um2, 7700, AREAS),
    ENERGY(sram_8kib_pj_per_64b, 10, HOROWITZ),
    {"sram_size_exponent", "", 0.4746, 0.35, 0.55, MSW_COST_FIXED, MSW_COST_INFERRED,
     "power law through the 8 KiB (10 pJ) and 1 MiB (100 pJ) reads of " HOROWITZ
     "; it gives 19.3 pJ at 32 KiB where the source has 20",
     AT(sram_size_exponent)},
    {"sram_write_factor", "", 1.0, 0.8, 1.5, MSW_COST_FIXED, MSW_COST_UNKNOWN,
     "writes taken to cost what reads cost", AT(sram_write_factor)},
    {"sram_cell_um2", "um2/bit", 0.346, 0.24, 0.6, MSW_COST_AREA, MSW_COST_PUBLIC,
     "Mistry et al., A 45 nm logic technology, IEDM 2007: 6T cell", AT(sram_cell_um2)},
    {"sram_efficiency", "", 0.5, 0.1, 0.75, MSW_COST_FIXED, MSW_COST_INFERRED,
     "share of cells in an SRAM's area; compiled 45 nm macros of 2 MiB with an open generator "
     "reach "
     "0.27 (1.30 um2/bit in Table III of CaMDN, DAC 2025), small ones less",
     AT(sram_efficiency)},
    {"sram_leakage_nw_per_bit", "nW/bit", 75, 0.01, 150, MSW_COST_LEAKAGE, MSW_COST_INFERRED,
     "high-performance transistors, order of magnitude of CACTI; low-power cells leak a thousandth",
     AT(sram_leakage_nw_per_bit)},
    {"cam_search_fj_per_bit", "fJ/bit", 1.0, 0.3, 3, MSW_COST_ENERGY, MSW_COST_INFERRED,
     "Pagiamtzis and Sheikholeslami, CAM circuits and architectures, JSSC 2006: order of magnitude "
     "per bit and search",
     AT(cam_search_fj_per_bit)},
    {"cam_cell_factor", "", 2.0, 1.5, 3, MSW_COST_FIXED, MSW_COST_INFERRED,
     "10T against 6T cell with match line", AT(cam_cell_factor)},
    {"gate_um2", "um2", 0.798, 0.4, 1.6, MSW_COST_AREA, MSW_COST_PUBLIC, NANGATE ": NAND2_X1",
     AT(gate_um2)},
    {"gate_leakage_nw", "nW", 17, 1, 40, MSW_COST_LEAKAGE, MSW_COST_INFERRED,
     NANGATE ": NAND2_X1, mean over inputs, order of magnitude", AT(gate_leakage_nw)},
    {"flipflop_um2", "um2", 4.522, 2, 9, MSW_COST_AREA, MSW_COST_PUBLIC, NANGATE ": DFF_X1",
     AT(flipflop_um2)},
    {"flipflop_fj", "fJ", 5, 1, 20, MSW_COST_ENERGY, MSW_COST_UNKNOWN,
     "one register bit written; no source at hand", AT(flipflop_fj)},
    {"wire_fj_per_bit_mm", "fJ/bit/mm", 100, 40, 200, MSW_COST_ENERGY, MSW_COST_INFERRED,
     "on-chip wire, order of magnitude of Dally's energy tables", AT(wire_fj_per_bit_mm)},
    {"dram_pj_per_bit", "pJ/bit", 20, 10, 45, MSW_COST_FIXED, MSW_COST_PUBLIC,
     HOROWITZ ": 1.3 to 2.6 nJ per 64 bits; 640 pJ per 32 bits", AT(dram_pj_per_bit)},
    {"hbm_pj_per_bit", "pJ/bit", 3.9, 3, 7, MSW_COST_FIXED, MSW_COST_PUBLIC,
     "O'Connor et al., Fine-Grained DRAM, MICRO 2017: HBM2", AT(hbm_pj_per_bit)},
    {"chip_link_pj_per_bit", "pJ/bit", 10, 3, 20, MSW_COST_FIXED, MSW_COST_INFERRED,
     "serial link between boards, order of magnitude", AT(chip_link_pj_per_bit)},
    {"package_link_pj_per_bit", "pJ/bit", 0.54, 0.3, 2, MSW_COST_FIXED, MSW_COST_PUBLIC,
     "Poulton et al., A 0.54 pJ/b 20 Gb/s ground-referenced link, JSSC 2013",
     AT(package_link_pj_per_bit)},
};

/* Stillmaker and Baas, Scaling equations for CMOS from 180 nm to 7 nm, Integration 2017: area table
 * and energy polynomials, the latter at 0.9 V for 45, 32 and 20 nm, 0.8 V for 16 nm and 0.7 V for
 * 7 nm. 28 and 22 nm are linear between 32 and 20. Leakage is taken to scale as energy: inferred.
 */
static const msw_cost_node NODES[] = {
    {45, 1, 1, 1},
    {32, 0.46, 0.6411, 0.6411},
    {28, 0.3767, 0.5067, 0.5067},
    {22, 0.2517, 0.3051, 0.3051},
    {20, 0.21, 0.2378, 0.2378},
    {16, 0.19, 0.1424, 0.1424},
    {7, 0.059, 0.0566, 0.0566},
};

const msw_cost_entry *msw_cost_entries(size_t *count)
{
    *count = sizeof ENTRIES / sizeof *ENTRIES;
    return ENTRIES;
}

const msw_cost_node *msw_cost_nodes(size_t *count)
{
    *count = sizeof NODES / sizeof *NODES;
    return NODES;
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
