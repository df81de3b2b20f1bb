/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"

#include "memsweep/mech/mechanism.h"

#include <stdio.h>
#include <string.h>

typedef struct settings {
    const char *what, *pattern, *format;
    bool all;
} settings;

static const char *const WHATS[] = {"mechanisms", "workloads", "designs", "presets",
                                    "parameters", "metrics",   NULL};

static const cli_operand OPERANDS[] = {
    MSW_ROW(.name = "what", .kind = CLI_CHOICE, .count = CLI_OPTIONAL,
            .help = "mechanisms, workloads, designs, presets, parameters or metrics; on one screen "
                    "what there is when left out",
            .offset = offsetof(settings, what), .choices = WHATS),
    MSW_ROW(.name = "pattern", .kind = CLI_TEXT, .count = CLI_OPTIONAL,
            .help = "only names that match, e.g. 'synth/*', or those of one owner, e.g. simt",
            .offset = offsetof(settings, pattern)),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_ALL(settings, "shows test instruments and examples, too"),
    CLI_FORMAT(settings),
    {0},
};

static const char *const EXAMPLES[] = {"memsweep list", "memsweep list workloads simt", NULL};

static bool wanted(const settings *s, const cli_named *n)
{
    static const struct {
        const char *word;
        cli_what what;
    } KINDS[] = {{"mechanisms", CLI_MECHANISM}, {"workloads", CLI_WORKLOAD},
                 {"designs", CLI_DESIGN},       {"presets", CLI_PRESET},
                 {"parameters", CLI_PARAMETER}, {"metrics", CLI_METRIC}};
    if (s->pattern && !msw_glob_match(s->pattern, n->name) && strcmp(s->pattern, n->owner) != 0)
        return false;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (n->what == KINDS[i].what)
            return strcmp(s->what, KINDS[i].word) == 0;
    return false;
}

static int add_columns(msw_table *table, const char *third, msw_err *err)
{
    const char *const columns[] = {"kind", "name", third, "about"};
    for (size_t c = 0; c < 4; c++)
        MSW_TRY(msw_table_text_column(table, columns[c], err));
    return 0;
}

static int fill_table(const settings *s, const cli_names *names, msw_table *table, msw_err *err)
{
    int rc = add_columns(table, "of", err);
    for (size_t i = 0; i < names->count && rc == 0; i++) {
        const cli_named *n = &names->list[i];
        const char *owner = *n->owner ? n->owner : NULL;
        if (wanted(s, n))
            rc = msw_table_text_row(
                table, (const char *[]){cli_what_names[n->what], n->name, owner, n->doc}, err);
    }
    return rc;
}

/* ---- what there is, on one screen ---- */

static bool is_instrument(const cli_named *n)
{
    return n->what == CLI_MECHANISM && ((const msw_mech *)n->thing)->instrument;
}

/* How many there are of a kind and an owner. */
static size_t count_of(const cli_names *names, cli_what what, const char *owner)
{
    size_t count = 0;
    for (size_t i = 0; i < names->count; i++)
        count += names->list[i].what == what && strcmp(names->list[i].owner, owner) == 0;
    return count;
}

static int fill_overview(const settings *s, const cli_names *names, msw_table *table, msw_err *err)
{
    static const struct {
        cli_what what, counted;
        const char *kind, *has;
    } KINDS[] = {{CLI_MECHANISM, CLI_PRESET, "mechanism", "presets"},
                 {CLI_FRONTEND, CLI_WORKLOAD, "workloads", "names"},
                 {CLI_DESIGN, CLI_DESIGN, "design", "s"}};
    int rc = add_columns(table, "has", err);
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        for (size_t i = 0; i < names->count && rc == 0; i++) {
            const cli_named *n = &names->list[i];
            char has[32];
            size_t count = count_of(names, KINDS[k].counted, n->name);
            int letters = (int)strlen(KINDS[k].has) - (count == 1);
            snprintf(has, sizeof has, "%zu %.*s", count, letters, KINDS[k].has);
            if (n->what == KINDS[k].what && (s->all || !is_instrument(n)))
                rc = msw_table_text_row(
                    table, (const char *[]){KINDS[k].kind, n->name, count ? has : NULL, n->doc},
                    err);
        }
    return rc;
}

static int run(const cli *c, const void *given)
{
    (void)c;
    const settings *s = given;
    msw_err err = {0};
    msw_table table = {0};
    cli_names names = {0};
    msw_format_style style = {.width = cli_terminal_width(), .no_footer = true};
    int rc = cli_names_all(&names, s->all, &err);
    if (rc == 0)
        rc = (s->what ? fill_table : fill_overview)(s, &names, &table, &err);
    int code = rc ? cli_fail(&err) : EXIT_OK;
    if (code == EXIT_OK && !table.rows && s->pattern) {
        msw_fail(&err, "nothing is called '%s' ('memsweep list' shows all)", s->pattern);
        code = cli_fail(&err);
    } else if (code == EXIT_OK) {
        code = cli_print_table(&table, s->format, &style);
    }
    cli_names_free(&names);
    msw_table_free(&table);
    return code;
}

const cli_command cli_command_list = {
    .name = "list",
    .doc = "lists mechanisms, workloads, designs and presets",
    .about =
        "Without words it shows what there is on one screen: mechanisms, families of workloads, "
        "designs. 'memsweep list workloads simt' shows the workloads of one family.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
