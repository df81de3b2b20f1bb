/* SPDX-License-Identifier: MIT */
/* Private to `run`: the progress line on standard error. */
#ifndef MSW_CLI_RUN_PROGRESS_H
#define MSW_CLI_RUN_PROGRESS_H

#include "memsweep/run/run.h"

/* How often to report, in seconds: a terminal is redrawn, a log gets lines. */
double cli_progress_seconds(void);

/* For msw_run_options.progress. */
void cli_progress(void *context, const msw_progress *progress);

/* Ends the line on a terminal. */
void cli_progress_end(void);

#endif
