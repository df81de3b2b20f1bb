/* SPDX-License-Identifier: MIT */
#include "memsweep/mech/engine.h"
#include "memsweep/workload/workload.h"

#include "cli/cli.h"

/* Making the manual page is part of building the program: the tables of mechanisms and front ends,
 * of which an unsound one would give wrong help and wrong columns, are checked here, once, and not
 * at every start. */
static int run(const cli *c, const void *given)
{
    (void)given;
    msw_err err = {0};
    if (msw_mechs_check(&err) || msw_frontends_check(&err))
        return cli_fail(&err);
    msw_text text = MSW_TEXT_EMPTY;
    cli_man(c, &text);
    return cli_print(&text);
}

static const char *const EXAMPLES[] = {"memsweep man | man -l -", NULL};

const cli_command cli_command_man = {
    .name = "man",
    .doc = "prints the manual page",
    .examples = EXAMPLES,
    .run = run,
};
