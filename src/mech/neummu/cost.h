/* SPDX-License-Identifier: MIT */
/* Private to neummu: energy of translation, and what the structures cost. */
#ifndef MSW_MECH_NEUMMU_COST_H
#define MSW_MECH_NEUMMU_COST_H

#include "mech/neummu/config.h"
#include "mech/shared/storage.h"

#include "memsweep/mech/mechanism.h"

/* Energy of one event of each kind, in pJ. */
typedef struct neummu_prices {
    double lookup, lookup2, fill, scoreboard, merge, path, access;
} neummu_prices;

/* Fills in what events cost. Returns 0, or -1. */
int neummu_price(const neummu_config *config, neummu_prices *prices, msw_err *err);

/* Adds up the translation energy of a set of totals. Returns nJ. */
double neummu_energy(const neummu_config *config, const neummu_prices *prices,
                     const double *totals);

/* Returns the SRAM that the MMU adds: README.md, "Cost". */
msw_storage neummu_storage(const neummu_config *config);

/* The same in bits, for the record. */
double neummu_sram_bits(const void *config);

/* Fills in what the structures cost. */
void neummu_derive(const msw_task *task, double *metrics);

/* Fills SRAM, area and leakage. */
void neummu_price_parts(const void *config, double *metrics);

#endif
