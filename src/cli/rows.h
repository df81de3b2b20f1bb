/* SPDX-License-Identifier: MIT */
/* Private to the commands that show rows as they are. */
#ifndef MSW_CLI_ROWS_H
#define MSW_CLI_ROWS_H

#include "cli/cli.h"

#include "memsweep/results/reading.h"

/* Reads what the query asks of the sweep that --sweep and --fidelity name. Returns 0, or -1. */
int cli_read_rows(const cli *c, const char *file, const cli_which *which, msw_query query,
                  msw_table *table, msw_err *err);

#endif
