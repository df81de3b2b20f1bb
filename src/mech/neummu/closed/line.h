/* SPDX-License-Identifier: MIT */
/* Private to neummu's closed form: the order of loads, computing and stores, step after step. */
#ifndef MSW_MECH_NEUMMU_CLOSED_LINE_H
#define MSW_MECH_NEUMMU_CLOSED_LINE_H

#include "mech/neummu/closed/flow.h"

/* When the engine and the memory are free; a flow moves both. */
typedef struct neummu_path {
    const neummu_rates *rates;
    double issue, memory;
    double ahead;   /* how much before the end of issue a look-ahead past the flow may begin */
    uint32_t layer; /* of the flow moved last */
} neummu_path;

/* How far the timeline has come: machine/timeline.h. */
typedef struct neummu_line {
    double start, end, ready;
    uint32_t last, behind;
} neummu_line;

/* The closed form on its way through the steps. */
typedef struct neummu_closed {
    const neummu_stream *stream;
    const neummu_flow_model *models, *known; /* by traffic; known: with all translations known */
    const neummu_flow_model *ahead;          /* asked for before the flow begins; NULL: never are */
    neummu_rates rates;
    neummu_path at;
    neummu_line line;
    double times, *metrics; /* executions of the step, what its counts are added to */
} neummu_closed;

/* Starts before the first step; memory comes from `arena`. Returns 0, or -1. */
int neummu_closed_open(neummu_closed *closed, const neummu_config *config,
                       const neummu_stream *stream, msw_arena *arena, msw_err *err);

/* Adds the next step, number `i`, to the metrics. */
void neummu_closed_step(neummu_closed *closed, uint64_t i, double *metrics);

/* Adds what is left to store behind the last step, and moves nothing. */
void neummu_closed_rest(const neummu_closed *closed, double *metrics);

/* Fills in the totals that others add up to. */
void neummu_closed_totals(double *metrics);

#endif
