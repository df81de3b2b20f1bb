/* SPDX-License-Identifier: MIT */
#include "cli/reading.h"

#include <string.h>

typedef struct settings {
    const char *shell;
    cli_words words;
} settings;

static const char *const SHELLS[] = {"bash", "zsh", "words", NULL};

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "shell", .kind = CLI_CHOICE, .count = CLI_ONE,
            .help = "bash or zsh; words: what the last word of a command line can become",
            .offset = offsetof(settings, shell), .choices = SHELLS),
    MSW_ROW(.name = "word", .kind = CLI_TEXT, .count = CLI_ANY,
            .help = "for `words`: the command line, after --", .offset = offsetof(settings, words)),
    {0},
};

static const char *const EXAMPLES[] = {"source <(memsweep completion bash)",
                                       "memsweep completion zsh >~/.zfunc/_memsweep",
                                       "memsweep completion words -- memsweep run qui", NULL};

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_text text = MSW_TEXT_EMPTY;
    if (strcmp(s->shell, "bash") == 0)
        cli_completion_bash(&text);
    else if (strcmp(s->shell, "zsh") == 0)
        cli_completion_zsh(&text);
    else
        cli_complete(c, s->words.list, s->words.count, &text);
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
