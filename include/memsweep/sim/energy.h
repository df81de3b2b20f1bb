/* SPDX-License-Identifier: MIT */
/* energy: of a whole chip: array, scratchpads, memory by command, links, leakage. Built on the
 * constants of cost.h; equations, sources and what they were compared with: docs/models/costs.md,
 * 'The whole chip'.
 *
 * A mechanism says what it used, and gets picojoules that it cannot get wrong on its own. */
#ifndef MEMSWEEP_SIM_ENERGY_H
#define MEMSWEEP_SIM_ENERGY_H

#include "memsweep/sim/cost.h"
#include "memsweep/sim/dram.h"

/* Prices of a preset's commands: a row that is opened, a bit from or to the row buffer and over the
 * pins, a refresh of a rank; and the power of a rank that does nothing. */
typedef struct msw_dram_price {
    const char *preset;
    double act_pj, column_pj_per_bit, io_pj_per_bit, refresh_pj, standby_mw;
    double least, most; /* all of them may be so many times as much */
    msw_cost_class source_class;
    const char *source;
} msw_dram_price;

/* In the order of msw_dram_presets; the last one has a NULL preset. */
extern const msw_dram_price msw_dram_prices[];

/* The work of a memory in some time. */
typedef struct msw_dram_use {
    double acts, bits, seconds;
    double ranks; /* of all channels */
} msw_dram_use;

/* Returns nanojoules; `config` says how often a rank is refreshed. */
double msw_dram_energy_nj(const msw_dram_price *price, const msw_dram_config *config,
                          const msw_dram_use *use);

/* Returns the least activations that so many bytes need: each row is opened once. */
double msw_dram_least_acts(const msw_dram_config *config, double bytes);

/* Operations of 8 bits are whole numbers, wider ones floating point; sums have 32 bits. Returns
 * picojoules of a multiplication and its addition. */
double msw_cost_mac_pj(const msw_cost *cost, uint32_t element_bytes);

/* A systolic array: its operands move through registers from cell to cell. */
typedef struct msw_array_use {
    double macs, rows, cols;
    uint32_t element_bytes;
    double weight_bytes; /* of weights that are shifted in */
} msw_array_use;

typedef struct msw_array_energy {
    double array_nj, pads_nj; /* cells; reads and writes of scratchpads */
} msw_array_energy;

/* `pads` bytes of scratchpads, made of banks, and as far away as they are large; `moved` bytes come
 * in from memory or go out. Returns nanojoules. */
msw_array_energy msw_array_energy_of(const msw_cost *cost, const msw_array_use *use, double pads,
                                     double moved);

/* Returns mm2 of an array and of its scratchpads, of memory cells alone, and milliwatts that these
 * leak. */
double msw_array_area_mm2(const msw_cost *cost, const msw_array_use *use, double pads);
double msw_pads_mm2(const msw_cost *cost, double pads);
double msw_pads_leakage_mw(const msw_cost *cost, double pads);

/* Bytes of a bank of scratchpad. */
#define MSW_PAD_BANK_BYTES 32768.0

#endif
