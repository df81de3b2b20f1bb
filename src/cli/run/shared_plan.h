/* SPDX-License-Identifier: MIT */
/* Private to `run`: the command on several ranks. */
#ifndef MSW_CLI_RUN_SHARED_PLAN_H
#define MSW_CLI_RUN_SHARED_PLAN_H

#include "cli/cli.h"
#include "cli/run/replay.h"

#include "memsweep/run/ranks.h"
#include "memsweep/sweep/bundle.h"

/* Which plan: of a sweep file as users name it, or of a database (NULL: none), which says itself at
 * which fidelity and with which seed. */
typedef struct cli_plan_ask {
    const char *word, *fidelity;
    int64_t seed;
    cli_replay *replay;
    size_t keep; /* bytes of files that are worth keeping where no other rank needs them */
} cli_plan_ask;

/* What rank 0 made a plan from: the files, and where they are. */
typedef struct cli_plan_files {
    msw_recorder files;
    msw_text paths;
} cli_plan_files;
void cli_plan_files_free(cli_plan_files *files);

/* Loads the plan on all ranks from the files rank 0 reads, and checks that it is the same on all.
 * `files` are filled in on rank 0.
 * Returns EXIT_OK, without a plan where another rank has said why there is none, or an exit code.
 */
int cli_load_plan_shared(const cli *c, const msw_ranks *ranks, const cli_plan_ask *ask,
                         cli_plan_files *files, msw_plan **plan);

/* Threads of this rank when nobody says: a fair part of the CPUs it may use. */
int cli_rank_threads(void);

/* Warns when a rank was given more threads than CPUs. */
void cli_check_binding(const cli *c, const msw_ranks *ranks, int threads);

/* Logs what all ranks know on rank 0 alone, and what only this rank knows on this one. Returns an
 * exit code. */
int cli_fail_shared(const msw_ranks *ranks, msw_err *err);

#endif
