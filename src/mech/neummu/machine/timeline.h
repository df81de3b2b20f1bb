/* SPDX-License-Identifier: MIT */
/* Private to neummu: the order of loads, computing and stores around one tile, and what a step
 * adds to the metrics. */
#ifndef MSW_MECH_NEUMMU_MACHINE_TIMELINE_H
#define MSW_MECH_NEUMMU_MACHINE_TIMELINE_H

#include "mech/neummu/cost.h"
#include "mech/neummu/machine/machine.h"
#include "mech/neummu/model.h"

/* How far the execution has come: the tile before has all its operands. */
typedef struct neummu_timeline {
    uint64_t start, end;   /* of its computing */
    uint64_t ready;        /* the end of computing of the step whose store waits behind it */
    uint32_t last, behind; /* steps; their stores have not been issued */
} neummu_timeline;

/* Ticks by cause from the start of computing of the tile before to that of this one. */
typedef struct neummu_period {
    uint64_t compute, write_back, store_translation, memory, translation;
} neummu_period;

/* Executes a step. Returns where its time went. */
neummu_period neummu_execute_step(neummu_machine *machine, const neummu_stream *stream,
                                  neummu_timeline *line, uint32_t step);

/* Executes a step of which only `tile` is left to load. Returns where its time went. */
neummu_period neummu_execute_tile(neummu_machine *machine, const neummu_stream *stream,
                                  neummu_timeline *line, uint32_t step, const neummu_tile *tile);

/* Computes and stores what is left after the last step. Returns where the time went. */
neummu_period neummu_finish(neummu_machine *machine, const neummu_stream *stream,
                            neummu_timeline *line);

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
