/* SPDX-License-Identifier: MIT */
/* cost: energy and area of SRAM, DRAM, links and logic, the same for every mechanism: bytes, mm2 at
 * a stated node, pJ per access. Equations, constants and sources: docs/models/costs.md.
 *
 * Every constant is declared once, with its value at 45 nm, unit, source and source class, and
 * lives in a field of msw_cost; a mechanism may set any of them. msw_cost_at moves a set of
 * constants to another node. Off-chip energies (DRAM, links between chips) do not scale with the
 * node.
 *
 * No model calls, but tests do: msw_cost_entries, msw_cost_nodes, msw_cost_node_at. */
#ifndef MEMSWEEP_SIM_COST_H
#define MEMSWEEP_SIM_COST_H

#include "memsweep/base/err.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct msw_cost {
    double int_add8_pj, int_add32_pj, int_mul8_pj, int_mul32_pj;
    double fp_add16_pj, fp_add32_pj, fp_mul16_pj, fp_mul32_pj;
    double int_add8_um2, int_add32_um2, int_mul8_um2, int_mul32_um2;
    double fp_add16_um2, fp_add32_um2, fp_mul16_um2, fp_mul32_um2;
    double sram_8kib_pj_per_64b, sram_size_exponent, sram_write_factor;
    double sram_cell_um2, sram_efficiency, sram_leakage_nw_per_bit;
    double cam_search_fj_per_bit, cam_cell_factor;
    double gate_um2, gate_leakage_nw, flipflop_um2, flipflop_fj;
    double wire_fj_per_bit_mm;
    double dram_pj_per_bit, hbm_pj_per_bit, chip_link_pj_per_bit, package_link_pj_per_bit;
} msw_cost;

typedef enum msw_cost_class { MSW_COST_PUBLIC, MSW_COST_INFERRED, MSW_COST_UNKNOWN } msw_cost_class;

/* What a constant scales with when the node changes. */
typedef enum msw_cost_kind {
    MSW_COST_ENERGY,
    MSW_COST_AREA,
    MSW_COST_LEAKAGE,
    MSW_COST_FIXED,
} msw_cost_kind;

typedef struct msw_cost_entry {
    const char *name, *unit;
    double value;       /* at 45 nm */
    double least, most; /* plausible range */
    msw_cost_kind kind;
    msw_cost_class source_class;
    const char *source;
    size_t offset; /* in msw_cost */
} msw_cost_entry;

typedef struct msw_cost_node {
    double nm, area, energy, leakage; /* factors against 45 nm */
} msw_cost_node;

/* The declared constants. Returns the first of `count`. */
const msw_cost_entry *msw_cost_entries(size_t *count);

/* The declared node factors, from 45 nm down. Returns the first of `count`. */
const msw_cost_node *msw_cost_nodes(size_t *count);

/* Fills in the declared values, at 45 nm. */
void msw_cost_init(msw_cost *cost);

/* Interpolates the factors of a node between the declared ones. Returns 0, or -1 outside them. */
int msw_cost_node_at(double nm, msw_cost_node *node, msw_err *err);

/* Scales constants given at 45 nm to another node. Returns 0, or -1 outside the declared nodes. */
int msw_cost_at(const msw_cost *cost, double nm, msw_cost *scaled, msw_err *err);

typedef struct msw_sram {
    double bytes;       /* data */
    double access_bits; /* read or written per access */
    double entries;     /* tags; 0: a plain memory */
    double tag_bits;
    double ways;   /* tags compared per look-up; all entries: a content-addressed memory */
    bool all_ways; /* a read fetches the data of all ways, not only of the one that hits */
} msw_sram;

typedef struct msw_sram_cost {
    double read_pj, write_pj; /* data and tags */
    double lookup_pj;         /* tags alone: what a miss costs */
    double area_um2, leakage_mw;
} msw_sram_cost;

/* Returns the cost of an SRAM with the constants given. */
msw_sram_cost msw_cost_sram(const msw_cost *cost, const msw_sram *sram);

/* Returns picojoules for moving bytes at a price per bit. */
static inline double msw_cost_move_pj(double pj_per_bit, double bytes)
{
    return pj_per_bit * bytes * 8;
}

/* Returns the whole bytes of a structure: what every metric sram_bytes adds up. */
static inline double msw_cost_bytes(double entries, double entry_bits)
{
    return ceil(entries * entry_bits / 8);
}

/* Returns the area of `gates` NAND2 equivalents and `flipflops` bits of registers. */
double msw_cost_logic_um2(const msw_cost *cost, double gates, double flipflops);

#endif
