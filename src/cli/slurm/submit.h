/* SPDX-License-Identifier: MIT */
/* Private to `submit`: a sweep given to Slurm as the command's options say. */
#ifndef MSW_CLI_SLURM_SUBMIT_H
#define MSW_CLI_SLURM_SUBMIT_H

#include "cli/slurm/script.h"

/* The settings of `submit`; text may be NULL, but `time` and `launcher` have defaults. */
typedef struct cli_submit_options {
    const char *sweep, *file, *fidelity, *time, *partition, *account, *launcher, *scratch;
    const char *sbatch, *prologue;
    const char *round;    /* what the job after a round says of it, see rounds.c */
    double point_timeout; /* seconds */
    int64_t nodes, tasks, cpus, array, lives, warning, seed, memory, rounds;
    bool dry_run, retry, until_done;
} cli_submit_options;

/* A round of --until-done: jobs that are submitted together. Zero before the first. */
typedef struct cli_round {
    int64_t number;  /* the one that ended, from 1 */
    int64_t rows;    /* points with a row before it */
    int64_t idle;    /* rounds before it, in a row, that added none */
    char job[64];    /* that computed in it */
    char digest[40]; /* of the sweep then */
} cli_round;

/* What the options leave to find out. */
typedef struct cli_job_plan {
    const char *name, *sweep, *file; /* of the sweep, its file, the database */
    const char *digest;              /* of the sweep */
    int64_t memory_mib, warning_s;   /* of a node; before the time limit */
    bool builds;                     /* a job builds what the jobs of an array read */
} cli_job_plan;

/* ---- compose.c ---- */

/* Finds how long before the time limit the job is to be warned. Returns 0, or -1 where every start
 * would stop at once. */
int cli_find_warning(const cli_submit_options *ask, int64_t *warning, msw_err *err);

/* Makes the words of the script; the caller frees it. */
void cli_compose_script(const cli_submit_options *ask, const cli_job_plan *plan,
                        cli_script *script);

/* Checks further options of sbatch: words "name" or "name=value" that submit does not set itself.
 * Returns 0, or -1. */
int cli_check_sbatch(const char *options, msw_err *err);

/* ---- rounds.c ---- */

/* Reads "3,120,0,4711,<digest>". Returns 0, or -1. */
int cli_round_read(const char *text, cli_round *round, msw_err *err);

/* The same words for the job after the next round, which starts with `rows`. */
void cli_round_write(const cli_round *ended, uint64_t rows, const char *job, const char *digest,
                     msw_text *out);

/* Whether another round is to follow, said on standard output. Of `points` this many are missing.
 */
typedef enum cli_verdict { CLI_GO_ON, CLI_DONE, CLI_STOP } cli_verdict;
cli_verdict cli_round_judge(const cli_round *ended, const cli_submit_options *ask, uint64_t points,
                            uint64_t missing);

/* Whether the sweep is still that of the round before, which is said. */
bool cli_round_is_of(const cli_round *ended, const char *digest);

/* The words of this command for the next round. */
void cli_round_words(const cli *c, const cli_submit_options *ask, const char *file, msw_text *out);

/* ---- explain.c ---- */

/* What would be submitted, in words, as comments above the scripts. `missing`: points to compute of
 * `points`. */
void cli_explain(const cli_submit_options *ask, const cli_job_plan *plan, uint64_t points,
                 uint64_t missing, msw_text *out);

/* ---- submit.c ---- */

/* Writes the job scripts and submits them, or prints them. Returns an exit code. */
int cli_submit_sweep(const cli *c, const cli_submit_options *ask);

#endif
