/* SPDX-License-Identifier: MIT */
/* Private to `tell`: answers that came from elsewhere become rows. */
#ifndef MSW_CLI_RUN_TELL_H
#define MSW_CLI_RUN_TELL_H

#include "cli/cli.h"

typedef struct cli_tell_options {
    const char *sweep, *file, *fidelity;
    int64_t seed;
    double wait;
    bool quiet;
} cli_tell_options;

/* Reads lines of JSON from standard input and stores them, all or none. Returns an exit code. */
int cli_tell(const cli *c, const cli_tell_options *ask);

#endif
