/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"

#include <string.h>

typedef struct settings {
    const char *what, *pattern, *format;
    bool all;
} settings;

static const char *const WHATS[] = {"mechanisms", "workloads", "designs", "presets",
                                    "parameters", "metrics",   NULL};

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "what", .kind = CLI_CHOICE, .count = CLI_OPTIONAL,
            .help = "mechanisms, workloads, designs, presets, parameters or metrics; the first "
                    "four when left out",
            .offset = offsetof(settings, what), .choices = WHATS),
    MSW_ROW(.name = "pattern", .kind = CLI_TEXT, .count = CLI_OPTIONAL,
            .help = "only names that match, e.g. 'synth/*'", .offset = offsetof(settings, pattern)),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_ALL(settings, "shows examples too, which are there to be copied"),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep list", "memsweep list workloads 'synth/*'", NULL};

static bool wanted(const settings *s, const cli_named *n)
{
    static const struct {
        const char *word;
        cli_what what;
        bool always; /* listed when nobody says what */
    } KINDS[] = {{"mechanisms", CLI_MECHANISM, true},  {"workloads", CLI_WORKLOAD, true},
                 {"designs", CLI_DESIGN, true},        {"presets", CLI_PRESET, true},
                 {"parameters", CLI_PARAMETER, false}, {"metrics", CLI_METRIC, false}};
    if (s->pattern && !msw_glob_match(s->pattern, n->name))
        return false;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (n->what == KINDS[i].what)
            return s->what ? strcmp(s->what, KINDS[i].word) == 0 : KINDS[i].always;
    return false;
}

static int fill_table(const settings *s, msw_table *table, msw_err *err)
{
    cli_names names = {0};
    int rc = cli_names_all(&names, s->all, err);
    static const char *const COLUMNS[] = {"kind", "name", "of", "about"};
    for (size_t c = 0; c < 4 && rc == 0; c++)
        rc = msw_table_text_column(table, COLUMNS[c], err);
    for (size_t i = 0; i < names.count && rc == 0; i++) {
        const cli_named *n = &names.list[i];
        const char *owner = *n->owner ? n->owner : NULL;
        if (wanted(s, n))
            rc = msw_table_text_row(
                table, (const char *[]){cli_what_names[n->what], n->name, owner, n->doc}, err);
    }
    cli_names_free(&names);
    return rc;
}

static int run(const cli *c, const void *given)
{
    (void)c;
    const settings *s = given;
    msw_err err = {0};
    msw_table table = {0};
    msw_format_style style = {.width = cli_terminal_width(), .no_footer = true};
    int code = fill_table(s, &table, &err) ? cli_fail(&err) : EXIT_OK;
    if (code == EXIT_OK && !table.rows && s->pattern) {
        msw_fail(&err, "nothing is called '%s' ('memsweep list' shows all)", s->pattern);
        code = cli_fail(&err);
    } else if (code == EXIT_OK) {
        code = cli_print_table(&table, s->format, &style);
    }
    msw_table_free(&table);
    return code;
}

const cli_command cli_command_list = {
    .name = "list",
    .doc = "lists mechanisms, workloads, designs and presets",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
