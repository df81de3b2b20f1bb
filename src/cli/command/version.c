/* SPDX-License-Identifier: MIT */
#include "cli/run/sweep_run.h"

static int run(const cli *c, const void *given)
{
    (void)c, (void)given;
    msw_text text = MSW_TEXT_EMPTY;
    msw_text_add(&text, "memsweep %s (compiler %s%s%s)\n", MEMSWEEP_VERSION, __VERSION__,
                 *cli_revision ? ", commit " : "", cli_revision);
    return cli_print(&text);
}

const cli_command cli_command_version = {
    .name = "version",
    .doc = "prints the version and the compiler it was built with",
    .run = run,
};
