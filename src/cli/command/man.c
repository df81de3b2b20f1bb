#include "cli/cli.h"

static int run(const cli *c, const void *given)
{
    (void)given;
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
