/* SPDX-License-Identifier: MIT */
/* Private to the commands that run sweeps: who runs (the record of a run), and stopping on
 * request. */
#ifndef MSW_CLI_RUN_PROCESS_H
#define MSW_CLI_RUN_PROCESS_H

#include "cli/cli.h"

#include "memsweep/store/store.h"

#include <stdatomic.h>

/* Catches SIGINT, SIGTERM and SIGUSR1 from now on. Returns the flag they raise; a second one ends
 * the process at once. */
const atomic_int *cli_catch_stop(void);

/* Reads the next line of standard input, without its end, into `line`, which has room for `most` +
 * 2 bytes: of a longer one `most` + 1 are kept. Returns whether there was one. */
bool cli_next_line(char *line, size_t most, size_t *size);

/* The commit of the source, made while building; empty when it is not known. */
extern const char cli_revision[];

/* Who writes: the texts behind a msw_run_info, which live as long as this does. */
typedef struct cli_who {
    char host[256];
    msw_text line;
    msw_run_info info;
} cli_who;

/* Fills it in; its `line` is the caller's to free. */
void cli_who_am_i(const cli *c, int ranks, int threads, cli_who *who);

/* Opens a run record that names host, command line and size. Returns 0 and its id, or -1. */
int cli_begin_run(const cli *c, msw_store *store, int64_t sweep, int ranks, int threads,
                  int64_t *run, msw_err *err);

#endif
