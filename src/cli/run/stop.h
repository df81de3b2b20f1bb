/* SPDX-License-Identifier: MIT */
/* Private to `run`: stopping on request. */
#ifndef MSW_CLI_RUN_STOP_H
#define MSW_CLI_RUN_STOP_H

#include <stdatomic.h>

/* Catches SIGINT, SIGTERM and SIGUSR1 from now on. Returns the flag they raise; a second one ends
 * the process at once. */
const atomic_int *cli_catch_stop(void);

#endif
