/* SPDX-License-Identifier: MIT */
/* Private to `submit` and `status`: job scripts, and talking to Slurm's commands. */
#ifndef MSW_CLI_SLURM_SCRIPT_H
#define MSW_CLI_SLURM_SCRIPT_H

#include "cli/cli.h"

#include "memsweep/run/slurm.h"

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

#endif
