/* SPDX-License-Identifier: MIT */
/* Private to template: what can be set, the numbers of the metrics, the functions of the record. */
#ifndef MSW_MECH_TEMPLATE_TEMPLATE_H
#define MSW_MECH_TEMPLATE_TEMPLATE_H

#include "memsweep/mech/mechanism.h"

/* One field per parameter: int64_t, or double for reals. */
typedef struct template_config {
    int64_t in_flight, latency;
    double bytes_per_cycle;
} template_config;

/* In the order of the columns. */
enum {
    TEMPLATE_CYCLES,
    TEMPLATE_SLOWDOWN,
    TEMPLATE_WAIT,
    TEMPLATE_TRANSFER,
    TEMPLATE_BYTES,
    TEMPLATE_THROUGHPUT,
    TEMPLATE_LEAST_WINDOW,
    TEMPLATE_LEAST_MEMORY,
    TEMPLATE_BOUND_SHARE,
    TEMPLATE_METRICS,
};

int template_analytic(const msw_task *task, double *metrics, msw_err *err);
int template_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int template_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                     msw_unit_out *out, msw_err *err);
void template_bounds(const msw_task *task, double *metrics);

extern const msw_law template_laws[];

#endif
