/* SPDX-License-Identifier: MIT */
/* Private to neummu: a step in detail, and what it adds to the metrics. */
#ifndef MSW_MECH_NEUMMU_MACHINE_TOTALS_H
#define MSW_MECH_NEUMMU_MACHINE_TOTALS_H

#include "mech/neummu/cost.h"
#include "mech/neummu/machine/timeline.h"
#include "mech/neummu/metrics.h"

/* Metrics that units fill; the rest is derived. */
enum { NEUMMU_UNIT_METRICS = NEUMMU_LEAKAGE + 1 };

/* A machine on its way through the steps. */
typedef struct neummu_execution {
    neummu_machine machine;
    neummu_timeline line;
    neummu_prices prices;
    neummu_ledger ledger;
    neummu_walk_log log;
} neummu_execution;

/* Executes a step of a stratum and fills the metrics of all its executions; what is left to store
 * after the last step counts with it. Returns 0, or -1. */
int neummu_total_step(neummu_execution *x, const msw_task *task, uint64_t stratum, uint64_t step,
                      double *totals, msw_err *err);

/* Executes all steps in order on one machine, which keeps its state. `totals` gets
 * NEUMMU_UNIT_METRICS a step, `events` the visits of each. Returns 0, or -1. */
int neummu_total_pass(neummu_execution *x, const msw_task *task, double *totals, uint64_t *events,
                      msw_err *err);

#endif
