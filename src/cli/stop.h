/* Private to `run`: stopping on request. */
#ifndef MEMSWEEP_CLI_STOP_H
#define MEMSWEEP_CLI_STOP_H

#include <signal.h>

/* Catches SIGINT, SIGTERM and SIGUSR1 from now on. Returns the flag they raise; a second one ends
 * the process at once. */
const volatile sig_atomic_t *cli_catch_stop(void);

#endif
