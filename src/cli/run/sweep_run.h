/* SPDX-License-Identifier: MIT */
/* Private to `run`: a sweep evaluated as the command's options say. */
#ifndef MSW_CLI_RUN_SWEEP_RUN_H
#define MSW_CLI_RUN_SWEEP_RUN_H

#include "cli/cli.h"
#include "cli/run/replay.h"
#include "cli/run/target.h"

#include "memsweep/run/run.h"

/* The settings of `run`; text may be NULL. */
typedef struct cli_run_options {
    const char *sweep, *file, *fidelity, *shard, *scratch, *artifacts, *expect;
    int64_t threads, seed, round;
    double point_timeout;
    bool artifacts_only, retry, shuffle, no_store, take_over, quiet;
} cli_run_options;

/* One run on its way: what was asked, what there is to do, what came out. */
typedef struct cli_sweep_run {
    const cli *c;
    const cli_run_options *ask;
    cli_replay *replay; /* the archive that the sweep comes from; NULL: a file */
    msw_ranks ranks;
    msw_plan *plan;
    msw_store *store, *artifacts; /* that is written; that kept artifacts are read from, too */
    cli_target target;
    int64_t sweep, run;
    int threads;
    msw_todo todo;
    msw_run_result result;
    msw_infeasible infeasible;
    int told; /* exit code of rank 0 that ended this one; 0: none */
    msw_err err;
} cli_sweep_run;

/* The steps of such a run: opening the database and finding what is missing, its record, the
 * settings of its points, computing them. Return 0, or -1. */
int cli_sweep_todo(cli_sweep_run *r);
int cli_sweep_begin(cli_sweep_run *r);
msw_run_options cli_sweep_options(cli_sweep_run *r);
int cli_sweep_evaluate(cli_sweep_run *r);

/* Computes what is missing of a sweep, on all ranks, and says how it went. `replay` (NULL: none) is
 * the archive that the sweep comes from. Returns an exit code. */
int cli_run_sweep(const cli *c, const cli_run_options *ask, cli_replay *replay);

#endif
