#include "cli/cli.h"

#include <string.h>

#define COMMAND(name) extern const cli_command cli_command_##name;
#include "cli/commands.h"
#undef COMMAND

const cli_command *const cli_commands[] = {
#define COMMAND(name) &cli_command_##name,
#include "cli/commands.h"
#undef COMMAND
    NULL,
};

const cli_command *cli_find_command(const char *name)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

const char *cli_nearest_command(const char *wrong)
{
    static const char *const NAMES[] = {
#define COMMAND(name) #name,
#include "cli/commands.h"
#undef COMMAND
        NULL,
    };
    return msw_nearest(wrong, NAMES, sizeof *NAMES);
}
