/* SPDX-License-Identifier: MIT */
/* Private to `run`: sweeps of which not every point gets a row (`keep`). */
#ifndef MSW_CLI_RUN_KEEP_RUN_H
#define MSW_CLI_RUN_KEEP_RUN_H

#include "cli/run/sweep_run.h"

/* On rank 0, with the database open: which leaves are not summarised yet. Returns 0, or -1. */
int cli_keep_todo(cli_sweep_run *r);

/* Summarises all points, then stores the rows that are kept. Returns 0, or -1. */
int cli_run_keep(cli_sweep_run *r);

#endif
