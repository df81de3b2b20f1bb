#include "cli/cli.h"

typedef struct settings {
    const char *shell;
} settings;

static const char *const SHELLS[] = {"bash", NULL};

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "shell", .kind = CLI_CHOICE, .count = CLI_ONE, .help = "bash",
            .offset = offsetof(settings, shell), .choices = SHELLS),
    {0},
};

static const char *const EXAMPLES[] = {"source <(memsweep completion bash)", NULL};

static int run(const cli *c, const void *given)
{
    (void)given;
    msw_text text = MSW_TEXT_EMPTY;
    cli_completion_bash(c, &text);
    return cli_print(&text);
}

const cli_command cli_command_completion = {
    .name = "completion",
    .doc = "prints a script that completes commands, options and names",
    .operands = OPERANDS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
