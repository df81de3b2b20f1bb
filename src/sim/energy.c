/* SPDX-License-Identifier: MIT */
/* Energy of a whole chip: docs/models/costs.md, 'The whole chip'.
 *
 * DDR3 and DDR4 follow from the currents of DRAMsim3's configurations (their datasheets'), for all
 * devices of a rank, in picojoules, times in ns and currents in mA:
 *
 *     activation  V (IDD0 RC - IDD3N RAS - IDD2N RP)
 *     a burst     V (IDD4R - IDD3N) BL / 2
 *     refresh     V (IDD5 - IDD3N) RFC, standby V IDD3N
 *
 * Known value: DDR4-3200 x4, 16 devices: 1.2 x (52 x 74 - 47 x 52 - 37 x 22) x 0.625 x 16 = 7080 pJ
 * for an activation, 1.2 x 96 x 4 x 0.625 x 16 / 512 = 9 pJ a bit. */
#include "memsweep/sim/energy.h"

#include <math.h>

#define FGDRAM                                                                                     \
    "O'Connor et al., Fine-Grained DRAM, MICRO 2017, table of HBM2 energies (remembered): 909 pJ " \
    "for 1 KiB, 1.51 + 1.17 pJ/bit inside, 0.80 out"
#define CURRENTS "currents of DRAMsim3 configs/"
#define LIKE     "taken from "

const msw_dram_price msw_dram_prices[] = {
    {"mpu_nbu", 909, 1.51, 0, 7605, 8.25, 0.5, 2, MSW_COST_INFERRED,
     LIKE "HBM2, without what carries bits across the die and out"},
    {"hbm2", 1818, 2.68, 0.8, 60840, 66, 0.8, 1.8, MSW_COST_PUBLIC,
     FGDRAM "; refresh and standby: " CURRENTS "HBM2_8Gb_x128.ini"},
    {"ddr4_3200", 7080, 9, 5, 1364160, 902, 0.7, 1.5, MSW_COST_INFERRED,
     CURRENTS "DDR4_8Gb_x4_3200.ini, 16 devices; pins: unknown, 2 to 10"},
    {"ddr3_1600", 10652, 7.8, 5, 733320, 551, 0.7, 1.5, MSW_COST_INFERRED,
     CURRENTS "DDR3_8Gb_x8_1600.ini, 8 devices; pins: unknown, 2 to 10"},
    {"ddr5_4800", 5950, 7.6, 4.2, 1146000, 758, 0.5, 2, MSW_COST_INFERRED,
     LIKE "ddr4_3200, by the square of 1.1 V over 1.2 V"},
    {"lpddr5_6400", 1818, 2.7, 1.3, 120000, 30, 0.5, 2, MSW_COST_UNKNOWN,
     "rows as HBM2's of that size; bits so that a stream takes about 4 pJ, as is commonly said of "
     "LPDDR4 and 5"},
    {"gddr6_14", 1818, 4, 1.5, 60840, 66, 0.6, 1.5, MSW_COST_INFERRED,
     "rows as HBM2's of that size; bits so that a stream takes 5.5 to 7.5 pJ: Jouppi et al., Ten "
     "lessons, ISCA 2021, table 2 (remembered): 350 to 480 pJ per 64 bits"},
    {"gddr6_16", 1818, 4, 1.5, 60840, 66, 0.6, 1.5, MSW_COST_INFERRED, LIKE "gddr6_14"},
    {"hbm2e_3200", 909, 2.68, 0.8, 30420, 33, 0.7, 1.8, MSW_COST_INFERRED,
     LIKE "HBM2, for a pseudo-channel"},
    {"hbm3_5200", 909, 2.68, 0.8, 30420, 33, 0.6, 1.8, MSW_COST_INFERRED,
     LIKE "HBM2, for a pseudo-channel"},
    {"hbm3_6400", 909, 2.68, 0.8, 30420, 33, 0.6, 1.8, MSW_COST_INFERRED,
     LIKE "HBM2, for a pseudo-channel"},
    {.preset = NULL},
};

double msw_dram_energy_nj(const msw_dram_price *price, const msw_dram_config *config,
                          const msw_dram_use *use)
{
    double interval = (double)config->t.refi * (double)config->clock_ps * 1e-12;
    double refreshes = config->t.refi ? use->ranks * use->seconds / interval : 0;
    double pj = use->acts * price->act_pj + refreshes * price->refresh_pj +
                use->bits * (price->column_pj_per_bit + price->io_pj_per_bit);
    return pj / 1e3 + price->standby_mw * use->ranks * use->seconds * 1e6;
}

double msw_dram_least_acts(const msw_dram_config *config, double bytes)
{
    return bytes / ((double)config->burst_bytes * (double)config->columns);
}

double msw_cost_mac_pj(const msw_cost *cost, uint32_t element_bytes)
{
    return element_bytes == 1   ? cost->int_mul8_pj + cost->int_add32_pj
           : element_bytes == 2 ? cost->fp_mul16_pj + cost->fp_add32_pj
                                : cost->fp_mul32_pj + cost->fp_add32_pj;
}

/* Bits of a cell's registers that a multiplication writes: an operand that moves on, and a sum. */
static double cell_bits(const msw_array_use *use)
{
    return 8.0 * use->element_bytes + 32;
}

double msw_pads_mm2(const msw_cost *cost, double pads)
{
    return pads * 8 * cost->sram_cell_um2 / cost->sram_efficiency / 1e6;
}

/* Of a bit that is read or written: a bank of its own, and a way of half the scratchpad's side. */
static double pad_pj_per_bit(const msw_cost *cost, double pads)
{
    msw_sram bank = {.bytes = fmin(pads, MSW_PAD_BANK_BYTES), .access_bits = 64};
    double way = sqrt(msw_pads_mm2(cost, pads)) / 2;
    return msw_cost_sram(cost, &bank).read_pj / 64 + way * cost->wire_fj_per_bit_mm / 1e3;
}

msw_array_energy msw_array_energy_of(const msw_cost *cost, const msw_array_use *use, double pads,
                                     double moved)
{
    double cell =
        msw_cost_mac_pj(cost, use->element_bytes) + cell_bits(use) * cost->flipflop_fj / 1e3;
    /* an activation serves a row of cells; sums of a column are read and written once a fold */
    double bits = use->macs * 8 * use->element_bytes / use->cols + use->macs * 64 / use->rows +
                  8 * use->weight_bytes + 8 * moved;
    return (msw_array_energy){use->macs * cell / 1e3, bits * pad_pj_per_bit(cost, pads) / 1e3};
}

static double mac_um2(const msw_cost *cost, uint32_t element_bytes)
{
    return element_bytes == 1   ? cost->int_mul8_um2 + cost->int_add32_um2
           : element_bytes == 2 ? cost->fp_mul16_um2 + cost->fp_add32_um2
                                : cost->fp_mul32_um2 + cost->fp_add32_um2;
}

double msw_array_area_mm2(const msw_cost *cost, const msw_array_use *use, double pads)
{
    double weight = 8.0 * use->element_bytes; /* a cell keeps one, too */
    double cell =
        mac_um2(cost, use->element_bytes) + msw_cost_logic_um2(cost, 0, cell_bits(use) + weight);
    return use->rows * use->cols * cell / 1e6 + msw_pads_mm2(cost, pads);
}

double msw_pads_leakage_mw(const msw_cost *cost, double pads)
{
    msw_sram all = {.bytes = pads, .access_bits = 64};
    return msw_cost_sram(cost, &all).leakage_mw;
}
