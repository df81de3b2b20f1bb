/* SPDX-License-Identifier: MIT */
/* Private to neummu: what the detail tables `layers` and `walk_latency` show, gathered step by
 * step.
 */
#ifndef MSW_MECH_NEUMMU_LEDGER_H
#define MSW_MECH_NEUMMU_LEDGER_H

#include "mech/neummu/stream.h"

/* The detail tables of the record, in its order. */
enum { NEUMMU_TABLE_BURSTS, NEUMMU_TABLE_LAYERS, NEUMMU_TABLE_LATENCY, NEUMMU_TABLE_WALKERS };

/* Sums over what was measured. A sample knows layers by their strata only: a layer's steps are
 * taken to be as the measured ones of their strata. */
typedef struct neummu_ledger {
    const msw_task *task; /* NULL: nobody wants the tables */
    double *layers;       /* by layer: metrics */
    double *strata;       /* by stratum: metrics */
    double *latency;      /* by stratum: walks by bucket of cycles */
    uint64_t *measured;   /* by stratum: units */
    uint64_t layer_count, all;
} neummu_ledger;

/* Takes room if the tables are wanted. Returns 0, or -1. */
int neummu_ledger_open(neummu_ledger *ledger, const msw_task *task, msw_err *err);

/* Adds what a step gave. */
void neummu_ledger_add(neummu_ledger *ledger, uint64_t stratum, uint64_t step,
                       const double *totals);

/* Counts walks that took this many cycles. */
void neummu_ledger_walks(neummu_ledger *ledger, uint64_t stratum, double cycles, double count);

/* Writes the tables. Returns 0, or -1. */
int neummu_ledger_write(neummu_ledger *ledger, msw_err *err);

#endif
