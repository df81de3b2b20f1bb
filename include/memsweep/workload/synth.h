/* SPDX-License-Identifier: MIT */
/* synth: a synthetic workload of units in strata whose totals and variances are known exactly; with
 * it the sampler, the store and the analysis are tested against numbers, not against each other. */
#ifndef MEMSWEEP_WORKLOAD_SYNTH_H
#define MEMSWEEP_WORKLOAD_SYNTH_H

#include "memsweep/workload/workload.h"

typedef struct msw_synth_config {
    int64_t strata, units, shape;
    double cv, growth;
} msw_synth_config;

/* Product (MSW_PRODUCT_UNITS): weights[h * units + i] of unit i in stratum h. The weights of
 * stratum h have mean 1000 growth^h and coefficient of variation cv over the stratum, exactly up to
 * rounding; which unit has which weight depends on the seed. */
typedef struct msw_synth_product {
    uint64_t strata, units;
    const double *weights;
    double total; /* exact sum of all weights */
} msw_synth_product;

extern const msw_frontend msw_frontend_synth;

#endif
