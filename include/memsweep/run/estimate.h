/* SPDX-License-Identifier: MIT */
/* estimate: what a run will take, found by evaluating a few points. */
#ifndef MEMSWEEP_RUN_ESTIMATE_H
#define MEMSWEEP_RUN_ESTIMATE_H

#include "memsweep/sweep/sweep.h"

typedef struct msw_run_estimate {
    uint64_t tried;           /* points evaluated */
    uint64_t failed, timeout; /* of them */
    uint64_t left_out;        /* not tried: what they need is kept, and long to build */
    uint64_t whole;           /* of them: sampled points of which every unit was measured */
    uint64_t predicted;       /* of them: sampled points whose units are predicted */
    double measured, units;   /* of those */
    double point_seconds;     /* mean work per point; a lower bound when some timed out */
    double memory_bytes;      /* of a run */
    double file_bytes;        /* of its rows */
    char nearest[400];        /* where few of them keep the limits: what comes nearest; else "" */
    double write_seconds;     /* for storing them, in addition to the evaluation */
} msw_run_estimate;

/* Evaluates points spread over the plan for about `seconds`. Returns 0, or -1. */
int msw_run_estimate_plan(const msw_plan *plan, double seconds, msw_run_estimate *estimate,
                          msw_err *err);

/* Memory of a node that runs `ranks` ranks of a plan, in MiB, with room to spare. Returns 0, or -1.
 */
int msw_run_node_memory(const msw_plan *plan, int64_t ranks, int64_t *mib, msw_err *err);

/* Who computes. */
typedef struct msw_run_size {
    int ranks, threads; /* threads of each rank */
} msw_run_size;

typedef struct msw_run_forecast {
    double seconds;            /* of the whole run */
    double writing, answering; /* shares of rank 0's time */
    double messages_per_second;
    int shards; /* that would take the load off rank 0; 1: none needed */
} msw_run_forecast;

/* Forecasts a run from measured rates of messages and rows. Returns the forecast. */
msw_run_forecast msw_run_forecast_make(const msw_plan *plan, const msw_run_estimate *estimate,
                                       const msw_run_size *size);

/* Appends what a plan will compute and, unless `trial` is 0, what a run of that size will take,
 * from points tried for about so many seconds. Returns 0, or -1. */
int msw_run_summary(const msw_plan *plan, const msw_run_size *size, double trial, msw_text *out,
                    msw_err *err);

/* Writes what a point takes: "12.3 us", "4.5 ms", "2.0 s". Returns `buffer`. */
const char *msw_point_time_text(double seconds, char buffer[32]);

#endif
