/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"

typedef struct settings {
    const char *command;
    bool all;
} settings;

static const char *const NAMES[] = {
#define COMMAND(name) #name,
#include "cli/commands.h"
#undef COMMAND
    NULL,
};

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "command", .kind = CLI_CHOICE, .count = CLI_OPTIONAL,
            .help = "the command to explain", .offset = offsetof(settings, command),
            .choices = NAMES),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_ALL(settings, "shows all options, not only those that matter first"),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep help run", "memsweep help pareto --all", NULL};

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_text text = MSW_TEXT_EMPTY;
    if (s->command)
        cli_help(cli_find_command(c, s->command), s->all, &text);
    else
        cli_overview(c, &text);
    return cli_print(&text);
}

const cli_command cli_command_help = {
    .name = "help",
    .doc = "explains how to use memsweep or one of its commands",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
