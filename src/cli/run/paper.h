/* SPDX-License-Identifier: MIT */
/* Private to `reproduce`: who follows the runs of a paper, and what came out, printed. */
#ifndef MSW_CLI_RUN_PAPER_H
#define MSW_CLI_RUN_PAPER_H

#include "cli/cli.h"

#include "memsweep/reproduce/paper.h"

/* Progress on standard error unless `quiet`; signals stop the run. Returns the watch, which needs
 * `c` as long as it lives. */
msw_paper_watch cli_paper_watch(const cli *c, bool quiet);

/* Prints the claims: one table per published figure for people, one in all for programs. Returns an
 * exit code. */
int cli_show_paper(const msw_paper *paper, const char *format);

#endif
