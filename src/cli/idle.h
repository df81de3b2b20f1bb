/* SPDX-License-Identifier: MIT */
/* Private to cli: settings that change nothing. */
#ifndef MSW_CLI_IDLE_H
#define MSW_CLI_IDLE_H

#include "cli/cli.h"
#include "memsweep/sweep/sweep.h"

/* Appends a line for each factor of a plan, or (`words`, NAME=VALUE each) each of these settings,
 * that acts at none of the points tried. Returns 0, or -1. */
int cli_idle_settings(const msw_plan *plan, const cli_words *words, msw_text *out, msw_err *err);

#endif
