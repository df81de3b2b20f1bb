/* SPDX-License-Identifier: MIT */
/* Private to `run`: a sweep at fidelity auto. */
#ifndef MSW_CLI_RUN_AUTO_RUN_H
#define MSW_CLI_RUN_AUTO_RUN_H

#include "cli/run/sweep_run.h"

/* Computes every point by the closed form, then the chosen ones in full, and says what can be said
 * of the others; on all ranks. Returns 0, or -1 with `r->err`. */
int cli_run_auto(cli_sweep_run *r);

#endif
