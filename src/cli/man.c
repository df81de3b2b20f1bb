/* SPDX-License-Identifier: MIT */
/* The manual page (roff, man macros), made from the command tables. */
#include "cli/cli.h"

#include <string.h>

/* Dashes that may be copied, and no accidental requests at the start of a line. */
static void add_roff(const char *text, msw_text *out)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            msw_text_add_bytes(out, "\\&", 2);
        if (*text == '-')
            msw_text_add_bytes(out, "\\-", 2);
        else if (*text == '\\')
            msw_text_add_bytes(out, "\\e", 2);
        else if (text[0] == '\n' && text[1] == '\n') {
            msw_text_add(out, "\n.PP\n");
            text++;
        } else
            msw_text_add_bytes(out, text, 1);
        start = *text == '\n';
    }
}

static void add_line(const char *before, const char *text, msw_text *out)
{
    msw_text_add(out, "%s", before);
    add_roff(text, out);
    msw_text_add(out, "\n");
}

static void add_option(const cli_option *o, msw_text *out)
{
    msw_text_add(out, ".TP\n");
    if (o->letter)
        msw_text_add(out, "\\fB\\-%c\\fR, ", o->letter);
    msw_text_add(out, "\\fB\\-\\-");
    add_roff(o->name, out);
    msw_text_add(out, o->arg ? "\\fR \\fI%s\\fR\n" : "\\fR\n", o->arg);
    add_roff(o->help, out);
    if (o->def) {
        msw_text_add(out, " (default: ");
        add_roff(o->def, out);
        msw_text_add(out, ")");
    }
    msw_text_add(out, "\n");
}

static void add_command(const cli_command *command, msw_text *out)
{
    msw_text usage = MSW_TEXT_EMPTY;
    cli_usage_line(command, &usage);
    add_line(".SS ", msw_text_str(&usage), out);
    out->failed = out->failed || usage.failed;
    msw_text_free(&usage);
    add_line("", command->doc, out);
    msw_text_add(out, ".PP\n");
    if (command->about)
        add_line("", command->about, out);
    for (const cli_operand *o = command->operands; o && o->name; o++) {
        msw_text_add(out, ".TP\n\\fI%s\\fR\n", o->name);
        add_line("", o->help, out);
    }
    for (const cli_option *o = command->options; o && o->name; o++)
        add_option(o, out);
    if (command->examples && command->examples[0])
        msw_text_add(out, ".PP\nExamples:\n");
    for (const char *const *e = command->examples; e && *e; e++) {
        msw_text_add(out, ".PP\n.RS 4\n.nf\n");
        add_line("", *e, out);
        msw_text_add(out, ".fi\n.RE\n");
    }
}

void cli_man(const cli *c, msw_text *out)
{
    msw_text_add(out, ".TH MEMSWEEP 1 \"\" \"memsweep " MEMSWEEP_VERSION "\" \"User Commands\"\n"
                      ".SH NAME\nmemsweep \\- design\\-space exploration of accelerator memory "
                      "systems\n.SH SYNOPSIS\n.B memsweep\n.I command\n[options] ...\n"
                      ".SH DESCRIPTION\nA sweep file says what to vary; memsweep evaluates the "
                      "points and keeps every answer in one SQLite file.\n.SH COMMANDS\n");
    for (const cli_command *const *command = c->commands; *command; command++)
        add_command(*command, out);
    msw_text_add(out, ".SH EXIT STATUS\n");
    for (const char *const *line = cli_exit_codes; *line; line++)
        msw_text_add(out, ".TP\n\\fB%.1s\\fR\n%s\n", *line, *line + 3);
    msw_text_add(out, ".SH ENVIRONMENT\n");
    for (const char *const *e = cli_environment; *e; e += 2) {
        msw_text_add(out, ".TP\n\\fB%s\\fR\n", e[0]);
        add_line("", e[1], out);
    }
}
