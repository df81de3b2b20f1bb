/* SPDX-License-Identifier: MIT */
/* Private to `run`: its line of progress on standard error, and what it prints before and after. */
#ifndef MSW_CLI_RUN_PROGRESS_H
#define MSW_CLI_RUN_PROGRESS_H

#include "cli/run/sweep_run.h"

#include "memsweep/run/run.h"

/* How often to report, in seconds: a terminal is redrawn, a log gets lines. */
double cli_progress_seconds(void);

/* For msw_run_options.progress. */
void cli_progress(void *context, const msw_progress *progress);

/* Ends the line on a terminal. */
void cli_progress_end(void);

/* Says how many points there are and how many are to be evaluated, on how many threads. */
void cli_print_todo(const cli_sweep_run *r);

/* Says what was evaluated, which points failed, and what to do about it. Returns the exit code of a
 * run that had no trouble of its own. */
int cli_print_outcome(const cli_sweep_run *r);

#endif
