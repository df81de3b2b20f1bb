/* Private to the commands that run sweeps: the record of a run. */
#ifndef MSW_CLI_RUN_RECORD_H
#define MSW_CLI_RUN_RECORD_H

#include "cli/cli.h"

#include "memsweep/store/store.h"

/* Opens a run record that names host, command line and size. Returns 0 and its id, or -1. */
int cli_begin_run(const cli *c, msw_store *store, int64_t sweep, int ranks, int threads,
                  int64_t *run, msw_err *err);

#endif
