/* SPDX-License-Identifier: MIT */
#include "cli/run/launch.h"

#include "memsweep/base/quote.h"

#include <string.h>

typedef struct settings {
    const char *file;
} settings;

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "file", .kind = CLI_FILE, .count = CLI_ONE,
            .help = "the definition of a program", .offset = offsetof(settings, file)),
    {0},
};

static const cli_option OPTIONS[] = {{0}};

static const char *const EXAMPLES[] = {"memsweep allow cachegrind.yaml", NULL};

static void add_command(const char *before, const char *const *words, msw_text *out)
{
    if (!words)
        return;
    msw_text_add(out, "%s", before);
    for (size_t i = 0; words[i]; i++) {
        msw_text_add(out, " ");
        msw_text_add_shell(out, words[i]);
    }
    msw_text_add(out, "\n");
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_program *p = NULL;
    msw_err err = {0};
    msw_text text = MSW_TEXT_EMPTY;
    (void)c;
    if (cli_load_program(s->file, &p, &err) || cli_allow(p, &err)) {
        msw_program_free(p);
        return cli_fail(&err);
    }
    msw_text_add(&text,
                 "sweeps may start this from now on, as long as %s and its templates stay "
                 "as they are:\n",
                 s->file);
    add_command(" ", p->command, &text);
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++)
        add_command(" ", p->fidelities[f].command, &text);
    add_command(" ", p->version, &text);
    msw_program_free(p);
    return cli_print(&text);
}

const cli_command cli_command_allow = {
    .name = "allow",
    .doc = "lets sweeps start the program of a definition",
    .about = "A sweep whose mechanism is a program of yours starts that program on every point. "
             "'run' and 'eval' do so, and nothing else does, and only where you said so: by "
             "--program FILE, or once by this command. What is remembered is a digest of the "
             "definition, its place and its templates, in memsweep/allowed of your configuration "
             "folder; a definition that changed asks again.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
