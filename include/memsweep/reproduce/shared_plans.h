/* SPDX-License-Identifier: MIT */
/* shared plans: the ranks that make a paper together.
 *
 * Rank 0 does all of it but the points of its plans. The others wait for one plan after the other,
 * make it from the files that rank 0 made it from, compute points of it, and end when rank 0 says
 * so. They read no file and write none. */
#ifndef MEMSWEEP_REPRODUCE_SHARED_PLANS_H
#define MEMSWEEP_REPRODUCE_SHARED_PLANS_H

#include "memsweep/run/run.h"

typedef struct msw_shared {
    msw_ranks ranks;
    bool lost; /* one of them can no longer be reached: end with msw_ranks_abort */
} msw_shared;

/* What another rank makes a plan from: fidelity, sweep file and data folders, a line each, and the
 * files. Empty where there is no other rank. */
typedef struct msw_origin {
    msw_text where, files;
} msw_origin;

/* Loads a plan and keeps what the others need for it; `shared` NULL: this process is alone. Returns
 * 0, or -1. */
int msw_shared_load(const msw_shared *shared, const char *path, const msw_plan_options *options,
                    msw_plan **plan, msw_origin *origin, msw_err *err);
void msw_origin_free(msw_origin *origin);

/* A run of a plan: where its rows go and what is missing. */
typedef struct msw_shared_run {
    const msw_plan *plan;
    msw_origin *origin;
    msw_store *store;
    int64_t sweep, run;
    msw_todo *todo;
} msw_shared_run;

/* On rank 0: tells the others that it is over, and the exit code. */
void msw_shared_dismiss(msw_shared *shared, int code);

/* On the others: computes until it is over. Returns 0 and the exit code, or -1 when this rank
 * cannot go on; then `lost` is set. */
int msw_shared_serve(msw_shared *shared, const msw_run_options *options, int *code, msw_err *err);

#endif
