/* SPDX-License-Identifier: MIT */
/* The list of commands. Only main sees it; who needs it gets it through struct cli. */
#include "cli/cli.h"

#define COMMAND(name) extern const cli_command cli_command_##name;
#include "cli/commands.h"
#undef COMMAND

const cli_command *const cli_commands[] = {
#define COMMAND(name) &cli_command_##name,
#include "cli/commands.h"
#undef COMMAND
    NULL,
};
