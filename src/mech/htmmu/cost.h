/* SPDX-License-Identifier: MIT */
/* Private to htmmu: energy of translation, and what the structures cost. */
#ifndef MSW_MECH_HTMMU_COST_H
#define MSW_MECH_HTMMU_COST_H

#include "mech/htmmu/config.h"

#include "memsweep/mech/mechanism.h"

/* Picojoules of one event each. */
typedef struct htmmu_prices {
    double l1, l2, fill_l1, fill_l2, scoreboard, item, path, access;
    double line_hit, line_miss; /* of the cache of table lines; miss: with the line brought in */
} htmmu_prices;

/* Prices of a config. Returns 0, or -1. */
int htmmu_price(const htmmu_config *config, htmmu_prices *prices, msw_err *err);

/* Energy of translation, in nJ, from the counts among the metrics and the page-table accesses that
 * path caches did not save. */
double htmmu_energy(const htmmu_prices *prices, const double *metrics, double accesses);

/* Returns the bits of SRAM that a config adds. */
double htmmu_sram_bits(const void *config);

/* Fills DERIVED slots. */
void htmmu_derive(const msw_task *task, double *metrics);

/* Fills SRAM, area and leakage. */
void htmmu_price_parts(const void *config, double *metrics);

#endif
