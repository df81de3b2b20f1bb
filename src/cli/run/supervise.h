/* SPDX-License-Identifier: MIT */
/* Private to cli: the hidden command that starts programs for a worker. */
#ifndef MSW_CLI_RUN_SUPERVISE_H
#define MSW_CLI_RUN_SUPERVISE_H

#include "memsweep/program/child.h"

/* Serves the worker at the other end of the socket until it is gone. Returns an exit code. */
int cli_supervise(void);

#endif
