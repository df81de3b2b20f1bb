/* SPDX-License-Identifier: MIT */
/* Private to `run`: what it prints before and after. */
#ifndef MSW_CLI_RUN_SUMMARY_H
#define MSW_CLI_RUN_SUMMARY_H

#include "cli/run/sweep_run.h"

/* Says how many points there are and how many are to be evaluated, on how many threads. */
void cli_print_todo(const cli_sweep_run *r);

/* Says what was evaluated, which points failed, and what to do about it. Returns the exit code of a
 * run that had no trouble of its own. */
int cli_print_outcome(const cli_sweep_run *r);

#endif
