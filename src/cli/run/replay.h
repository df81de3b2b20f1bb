/* SPDX-License-Identifier: MIT */
/* Private to the commands that run sweeps: a sweep that comes from an archive. */
#ifndef MSW_CLI_RUN_REPLAY_H
#define MSW_CLI_RUN_REPLAY_H

#include "cli/cli.h"

#include "memsweep/pack/packed.h"

/* What is asked for, and the archive on the rank that reads it. */
typedef struct cli_replay {
    const char *file;
    bool anyway, quiet;
    char *database; /* where its rows go when nobody says */
    msw_packed packed;
} cli_replay;

/* Opens the archive, says what it is, and fills in how its sweep is planned. Returns an exit code.
 */
int cli_replay_open(cli_replay *replay, const cli *c, msw_plan_options *options);

/* Says which versions are others here. Returns EXIT_OK when it may run, or an exit code. */
int cli_replay_check(const cli_replay *replay, const msw_plan *plan);

/* Compares the rows in a database with those that were packed; `before` of them were in it already.
 * Returns an exit code. */
int cli_replay_compare(const cli_replay *replay, const msw_plan *plan, const char *database,
                       uint64_t before);

void cli_replay_close(cli_replay *replay);

#endif
