/* SPDX-License-Identifier: MIT */
/* Private to the commands that run sweeps: a sweep that comes from a database. */
#ifndef MSW_CLI_RUN_REPLAY_H
#define MSW_CLI_RUN_REPLAY_H

#include "cli/cli.h"

#include "memsweep/results/replay.h"

/* What is asked for, and the sweep on the rank that reads it. */
typedef struct cli_replay {
    const char *file, *sweep; /* as users name them; sweep: NULL for the only or latest one */
    const char *output;       /* the new database, or NULL */
    bool anyway, quiet;
    char *database; /* where its rows go when nobody says */
    msw_replay from;
} cli_replay;

/* Opens the database, says what it holds, and fills in how its sweep is planned, from which file.
 * Returns an exit code. */
int cli_replay_open(cli_replay *replay, const cli *c, msw_plan_options *options, const char **path);

/* Says which versions are others here. Returns EXIT_OK when it may run, or an exit code. */
int cli_replay_check(const cli_replay *replay, const msw_plan *plan);

/* Compares the rows in a new database with those that were stored; `before` of them were in it
 * already. Returns an exit code. */
int cli_replay_compare(const cli_replay *replay, const msw_plan *plan, const char *database,
                       uint64_t before);

void cli_replay_close(cli_replay *replay);

#endif
