/* SPDX-License-Identifier: MIT */
/* Private to `describe`: how each kind of thing is described. */
#ifndef MSW_CLI_DESCRIBE_H
#define MSW_CLI_DESCRIBE_H

#include "cli/cli.h"

#include "memsweep/mech/mechanism.h"
#include "memsweep/workload/workload.h"

/* Appends the line that says what a thing is. */
void cli_describe_head(const cli_named *named, msw_text *out);

/* Options of the description of a workload. */
typedef struct cli_describe_more {
    bool mapping;
    const char *values; /* an array of a program; NULL: none */
    cli_words settings; /* NAME=VALUE of the front end's parameters */
} cli_describe_more;

/* Appends a workload as its name sets it, and what its front end says about its content. `named`
 * is one of the list, or a name with settings or a user's file. Returns 0, or -1. */
int cli_describe_workload(const cli *c, const cli_named *named, cli_describe_more more,
                          msw_text *out, msw_err *err);

/* Appends what is known about one thing but a workload, for people: of a mechanism what fits one
 * screen, or `all`. */
void cli_describe_one(const cli_named *named, bool all, msw_text *out);

/* Appends which parameters a preset switches off: they act by default, and not behind it. */
void cli_add_switched_off(const msw_mech *mech, const msw_preset *preset, msw_text *out);

#endif
