/* SPDX-License-Identifier: MIT */
/* Private to `run`: the database that a run writes to, and a sweep evaluated as the command's
 * options say. */
#ifndef MSW_CLI_RUN_SWEEP_RUN_H
#define MSW_CLI_RUN_SWEEP_RUN_H

#include "cli/cli.h"
#include "cli/run/shared_plan.h"

#include "memsweep/run/run.h"
#include "memsweep/store/store.h"

typedef struct cli_target {
    char *path; /* where the results are to be */
    uint64_t shard, shards;
    msw_scratch *scratch; /* where they are written before, or NULL */
} cli_target;

/* What the options of a command say about it; members may be NULL. */
typedef struct cli_target_options {
    const char *file, *shard, *scratch;
    bool take_over;
    double wait; /* seconds, while somebody else writes */
} cli_target_options;

/* Finds the path, makes the folders, warns about network file systems, opens the database or its
 * copy in the scratch folder for writing. Returns 0, or -1. */
int cli_target_open(cli_target *target, const cli *c, const char *sweep,
                    const cli_target_options *options, msw_store **store, msw_err *err);

/* Copies what is committed from the scratch folder to where it is to be, in one step for whoever
 * reads there. What can pass by is warned of. Returns 0, or -1 when it makes no sense to go on. */
int cli_target_publish(cli_target *target, const cli *c, msw_store *store, msw_err *err);

/* Closes the store (NULL is fine), copies it and removes the copy in the scratch folder. Returns 0,
 * or -1. */
int cli_target_finish(cli_target *target, msw_store *store, msw_err *err);

void cli_target_close(cli_target *target);

/* Reads "2/5". Returns 0, or -1. */
int cli_shard_parse(const char *word, uint64_t *shard, uint64_t *shards, msw_err *err);

/* What `ask` wants instead of rows. */
typedef struct cli_asking {
    int64_t count;
    double lease, wait; /* seconds */
    const char *format;
    bool again; /* also points whose lease has not expired */
} cli_asking;

/* The settings of `run`; text may be NULL. */
typedef struct cli_run_options {
    const char *sweep, *file, *fidelity, *shard, *scratch, *artifacts, *expect;
    const char *program, *work; /* of a sweep whose mechanism is a program */
    const char *inputs;         /* which are kept: small, all, none */
    int64_t threads, seed, round;
    double point_timeout;
    bool artifacts_only, retry, shuffle, no_store, take_over, quiet;
} cli_run_options;

/* One run on its way: what was asked, what there is to do, what came out. */
typedef struct cli_sweep_run {
    const cli *c;
    const cli_run_options *ask;
    const cli_asking *asking; /* points are handed out; NULL: they are computed */
    cli_replay *replay;       /* the database that the sweep comes from; NULL: a file */
    cli_plan_files read;      /* what the plan was made from, on the rank that reads it */
    msw_ranks ranks;
    msw_plan *plan;
    msw_launches *launches;       /* start the program that the plan's mechanism is; or NULL */
    msw_store *store, *artifacts; /* that is written; that kept artifacts are read from, too */
    cli_target target;
    int64_t sweep, run;
    int threads;
    msw_todo todo;
    msw_run_result result;
    msw_forest forest; /* of a sweep that does not keep all rows */
    msw_infeasible infeasible;
    msw_text nearest; /* where few rows keep the limits: what comes nearest */
    bool handed;      /* points were handed out, or it was said that there are none */
    int told;         /* exit code of rank 0 that ended this one; 0: none */
    msw_err err;
} cli_sweep_run;

/* The steps of such a run: opening the database and finding what is missing, its record, the
 * settings of its points, computing them. Return 0, or -1. */
int cli_sweep_todo(cli_sweep_run *r);
msw_run_options cli_sweep_options(cli_sweep_run *r);
int cli_sweep_evaluate(cli_sweep_run *r);

/* Closes the record of the run, of which `rc` says how it went. Returns 0, or -1. */
int cli_sweep_end(cli_sweep_run *r, int rc);

/* Hands out points of a plan that are missing, and not handed out yet, as `ask` wants; prints them.
 * Returns 0, or -1. */
int cli_hand_out(cli_sweep_run *r, const msw_plan *plan, int64_t sweep, const msw_todo *todo,
                 msw_err *err);

/* Keeps the files that a plan was made from in its database, as the options say. Returns 0, or -1.
 */
int cli_sweep_keep_inputs(cli_sweep_run *r, const msw_plan *plan);

/* Computes every point by the closed form, then the chosen ones in full (fidelity auto), and says
 * what can be said of the others; on all ranks. Returns 0, or -1 with `r->err`. */
int cli_run_auto(cli_sweep_run *r);

/* Of a sweep that does not keep all rows: on rank 0, with the database open, finds the leaves that
 * are not summarised yet; summarises all points and stores the rows that are kept. Return 0, or
 * -1. */
int cli_keep_todo(cli_sweep_run *r);
int cli_run_keep(cli_sweep_run *r);

/* Computes what is missing of a sweep, on all ranks, and says how it went. `replay` (NULL: none) is
 * the database that the sweep comes from. Returns an exit code. */
int cli_run_sweep(const cli *c, const cli_run_options *ask, cli_replay *replay);

/* Hands out points of a sweep whose answers are told. Returns an exit code. */
int cli_ask_sweep(const cli *c, const cli_run_options *ask, const cli_asking *asking);

#endif
