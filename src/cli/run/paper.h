/* SPDX-License-Identifier: MIT */
/* Private to `reproduce` and `calibrate`: on which ranks a paper is made, who follows its runs, and
 * what came out, printed. */
#ifndef MSW_CLI_RUN_PAPER_H
#define MSW_CLI_RUN_PAPER_H

#include "cli/cli.h"

#include "memsweep/reproduce/paper.h"

/* Progress on standard error unless `quiet`; signals stop the run. Returns the watch, which needs
 * `c` as long as it lives. */
msw_paper_watch cli_paper_watch(const cli *c, bool quiet);

/* Makes papers on rank 0, with so many threads on each. Returns an exit code. */
typedef int (*cli_paper_fn)(const cli *c, msw_shared *shared, int threads, const void *settings);

/* Calls `make` on rank 0 and computes with it on the others; `threads` 0: nobody said. Returns an
 * exit code, the same on all ranks. */
int cli_run_paper(const cli *c, int64_t threads, cli_paper_fn make, const void *settings);

/* Prints the claims: one table per published figure for people, one in all for programs. Returns an
 * exit code. */
int cli_show_paper(const msw_paper *paper, const char *format);

/* Prints the trivial models that pass each claim, too. Returns an exit code. */
int cli_show_trivial(const msw_paper *paper, const char *format);

#endif
