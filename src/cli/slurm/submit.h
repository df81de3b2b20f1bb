/* SPDX-License-Identifier: MIT */
/* Private to `submit`: a sweep given to Slurm as the command's options say. */
#ifndef MSW_CLI_SLURM_SUBMIT_H
#define MSW_CLI_SLURM_SUBMIT_H

#include "cli/slurm/script.h"

#include "memsweep/sweep/sweep.h"

/* The settings of `submit`; text may be NULL, but `time` has a default. */
typedef struct cli_submit_options {
    const char *sweep, *file, *fidelity, *time, *partition, *scratch;
    const char *program, *work; /* of a sweep whose mechanism is a program */
    double point_timeout;       /* seconds */
    int64_t nodes, tasks, cpus, array, seed, memory, rounds;
    bool dry_run, retry, until_done;
} cli_submit_options;

/* What the options leave to find out. */
typedef struct cli_job_plan {
    const char *name, *sweep, *file; /* of the sweep, its file, the database */
    const char *digest;              /* of the sweep */
    int64_t memory_mib, warning_s;   /* of a node; before the time limit */
    bool builds;                     /* a job builds what the jobs of an array read */
    const msw_plan_jobs *jobs;       /* what the sweep file asks for */
} cli_job_plan;

/* ---- compose.c ---- */

/* Finds how long before the time limit the job is to be warned. Returns 0, or -1 where every start
 * would stop at once. */
int cli_find_warning(const cli_submit_options *ask, const msw_plan_jobs *jobs, int64_t *warning,
                     msw_err *err);

/* Makes the words of the script; the caller frees it. */
void cli_compose_script(const cli_submit_options *ask, const cli_job_plan *plan,
                        cli_script *script);

/* Checks further options of sbatch: words "name" or "name=value" that submit does not set itself.
 * Returns 0, or -1. */
int cli_check_sbatch(const char *options, msw_err *err);

/* What would be submitted, in words, as comments above the scripts. `missing`: points to compute of
 * `points`. */
void cli_explain(const cli_submit_options *ask, const cli_job_plan *plan, uint64_t points,
                 uint64_t missing, msw_text *out);

/* ---- submit.c ---- */

/* Writes the job scripts and submits them, or prints them. Returns an exit code. */
int cli_submit_sweep(const cli *c, const cli_submit_options *ask);

#endif
