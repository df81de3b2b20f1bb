/* SPDX-License-Identifier: MIT */
/* Private to cli: learning how far a closed form is from full (agree --learn). */
#ifndef MSW_CLI_RUN_LEARN_H
#define MSW_CLI_RUN_LEARN_H

#include "cli/cli.h"

typedef struct cli_learn_ask {
    const char *mechanism, *workloads;
    const char *output; /* the table; NULL: standard output */
    const char *check;  /* a table to be checked instead; or NULL */
    const char *format;
    int64_t points, seed;
    double seconds; /* of a point in full */
} cli_learn_ask;

/* Returns an exit code. */
int cli_learn(const cli *c, const cli_learn_ask *ask);

#endif
