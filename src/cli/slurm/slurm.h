/* SPDX-License-Identifier: MIT */
/* Private to `submit` and `status`: job scripts, talking to Slurm's commands, and a sweep given to
 * it. */
#ifndef MSW_CLI_SLURM_SLURM_H
#define MSW_CLI_SLURM_SLURM_H

#include "cli/cli.h"
#include "memsweep/run/slurm.h"
#include "memsweep/sweep/sweep.h"

/* Job scripts, and talking to Slurm's commands. */

/* What fills the templates in slurm/. */
typedef struct cli_script {
    const char *name, *time;
    char numbers[6][24]; /* nodes, tasks, CPUs, memory, warning, lives */
    char round[24];
    msw_text file, output, sweep, options, join, more, merge_more, log, merge_log, launch;
    msw_text prologue;
    /* of the job that builds what the jobs of an array read */
    msw_text build_output, build_options, build_more, build_log;
    msw_text words, state; /* of the `submit` that the job after a round starts */
} cli_script;

void cli_script_free(cli_script *script);

/* Appends the script made from slurm/<kind>.sh.in. Returns 0, or -1. */
int cli_script_write(const cli *c, const cli_script *script, const char *kind, msw_text *out,
                     msw_err *err);

/* Writes it to <file>.<kind>.sh (kinds: job, merge, artifacts, next) and submits it; without
 * `after` the job is held until released, with it ("afterany:12") the job depends on others.
 * Returns 0 and the job's number, or -1. */
int cli_script_submit(const cli *c, const cli_script *script, const char *kind, const char *file,
                      const char *after, char id[64], msw_err *err);

/* Whether a line of #SBATCH can hold a value (NULL: nothing); nothing can be quoted there. Returns
 * 0, or -1 naming the option. */
int cli_script_check(const char *option, const char *value, msw_err *err);

/* Takes jobs back (empty numbers are none; the list ends with NULL), as far as that goes. */
void cli_script_cancel(const char *const *ids);

int cli_script_release(const char *id, msw_err *err);

/* Fails, and says what to do instead, where there is no sbatch on PATH. Returns 0, or -1. */
int cli_script_need_slurm(const char *sweep, msw_err *err);

/* Seconds of a time limit as sbatch reads it: minutes[:seconds], hours:minutes:seconds,
 * days-hours[:minutes[:seconds]]. Returns 0 for no limit and for other words. */
int64_t cli_slurm_seconds(const char *time);

/* Whether any task of a job was cancelled, as far as squeue or sacct still know. */
bool cli_job_cancelled(const char *id);

/* Adds the state of each job to a table with the column `job`: what squeue says, "ended" for one it
 * knows no more, "unknown" where it cannot be asked. Returns 0, or -1. */
int cli_add_job_states(msw_table *jobs, msw_err *err);

/* A sweep given to Slurm as the command's options say. */

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
