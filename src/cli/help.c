/* SPDX-License-Identifier: MIT */
/* Writes help texts and the manual page (roff, man macros) from the command tables. */
#include "cli/cli.h"

#include <string.h>

enum { WIDTH = 80, INDENT = 2, OPTIONS_AT = 28, COMMANDS_AT = 15, NAMES_AT = 20 };

const char *const cli_exit_codes[] = {
    "0  all answered (infeasible is an answer)",
    "1  finished or interrupted, some points are not answered; a replay differs",
    "2  wrong usage or a wrong sweep file",
    "3  trouble with a file or the machine",
    "4  an error of memsweep itself",
    NULL,
};

const char *const cli_environment[] = {
    "MEMSWEEP_RESULTS",
    "folder of result files, instead of results/",
    "MEMSWEEP_DATA",
    "folder with workloads/, sweeps/ and analysis/",
    "OMP_NUM_THREADS",
    "threads of a run that has no --threads",
    NULL,
};

void cli_usage_line(const cli_command *command, msw_text *out)
{
    static const char *const FORMS[] = {" <%s>", " [%s]", " <%s>...", " [%s]..."};
    msw_text_add(out, "memsweep %s", command->name);
    if (command->options && command->options->name)
        msw_text_add(out, " [options]");
    for (const cli_operand *o = command->operands; o && o->name; o++)
        msw_text_add(out, FORMS[o->count], o->name);
}

static void pad(size_t from, size_t to, msw_text *out)
{
    for (; from < to; from++)
        msw_text_add_bytes(out, " ", 1);
}

void cli_add_wrapped(const char *text, size_t at, size_t indent, msw_text *out)
{
    while (*text) {
        size_t word = strcspn(text, " \n");
        if (at > indent && at + 1 + word > WIDTH) {
            msw_text_add_bytes(out, "\n", 1);
            pad(0, indent, out);
            at = indent;
        } else if (at > indent) {
            msw_text_add_bytes(out, " ", 1);
            at++;
        }
        msw_text_add_bytes(out, text, word);
        at += word;
        text += word;
        for (; *text == ' '; text++)
            ;
        for (; *text == '\n'; text++, at = indent) {
            msw_text_add_bytes(out, "\n", 1);
            if (text[1] != '\n')
                pad(0, indent, out);
        }
    }
    msw_text_add_bytes(out, "\n", 1);
}

/* "  term      text", the text wrapped to the right of the term. */
static void add_entry(const char *term, size_t column, const char *text, msw_text *out)
{
    pad(0, INDENT, out);
    msw_text_add(out, "%s", term);
    size_t at = INDENT + strlen(term);
    if (at + 2 > column) {
        msw_text_add_bytes(out, "\n", 1);
        at = 0;
    }
    pad(at, column, out);
    cli_add_wrapped(text, column, column, out);
}

static void add_option(const cli_option *o, msw_text *out)
{
    msw_text term = MSW_TEXT_EMPTY, text = MSW_TEXT_EMPTY;
    if (o->letter)
        msw_text_add(&term, "-%c, ", o->letter);
    else
        msw_text_add(&term, "    ");
    msw_text_add(&term, o->arg ? "--%s %s" : "--%s", o->name, o->arg);
    msw_text_add(&text, o->def ? "%s (default: %s)" : "%s", o->help, o->def);
    add_entry(msw_text_str(&term), OPTIONS_AT, msw_text_str(&text), out);
    out->failed = out->failed || term.failed;
    msw_text_free(&term);
    out->failed = out->failed || text.failed;
    msw_text_free(&text);
}

static void add_operands(const cli_command *command, msw_text *out)
{
    for (const cli_operand *o = command->operands; o && o->name; o++) {
        char term[64];
        snprintf(term, sizeof term, "<%s>", o->name);
        add_entry(term, OPTIONS_AT, o->help, out);
    }
    if (command->operands && command->operands->name)
        msw_text_add(out, "\n");
}

/* Whether an option stands on the first page of help: all do where they are few, else those that
 * the command names. */
static bool is_first(const cli_command *command, const cli_option *o)
{
    size_t size = strlen(o->name);
    for (const char *at = command->first; at && (at = strstr(at, o->name)); at += size)
        if ((at == command->first || at[-1] == ' ') && (!at[size] || at[size] == ' '))
            return true;
    return !command->first;
}

static void add_options(const cli_command *command, bool all, msw_text *out)
{
    size_t left = 0;
    char more[96];
    msw_text_add(out, "Options\n");
    for (const cli_option *o = command->options; o && o->name; o++)
        if (all || is_first(command, o))
            add_option(o, out);
        else
            left++;
    snprintf(more, sizeof more, "prints this help; '--help all' shows %zu more options", left);
    add_entry("-h, --help", OPTIONS_AT, left ? more : "prints this help", out);
}

static void add_examples(const cli_command *command, msw_text *out)
{
    if (command->examples && command->examples[0])
        msw_text_add(out, "\nExamples\n");
    for (const char *const *e = command->examples; e && *e; e++)
        msw_text_add(out, "  %s\n", *e);
}

void cli_help(const cli_command *command, bool all, msw_text *out)
{
    msw_text_add(out, "%s: %s\n\nUsage: ", command->name, command->doc);
    cli_usage_line(command, out);
    msw_text_add(out, "\n\n");
    if (command->about) {
        cli_add_wrapped(command->about, 0, 0, out);
        msw_text_add(out, "\n");
    }
    add_operands(command, out);
    add_options(command, all, out);
    add_examples(command, out);
}

/* Headings, each before the command that begins its group. */
static const struct {
    const char *first, *title;
} GROUPS[] = {
    {"eval", "Every day"},
    {"check", "For a study"},
    {"reproduce", "About the models and files"},
};

void cli_overview(const cli *c, msw_text *out)
{
    msw_text_add(out, "memsweep explores the design space of accelerator memory systems.\n"
                      "Usage: memsweep <command> [options] ...\n");
    for (const cli_command *const *command = c->commands; *command; command++) {
        for (size_t i = 0; i < sizeof GROUPS / sizeof *GROUPS; i++)
            if (strcmp((*command)->name, GROUPS[i].first) == 0)
                msw_text_add(out, "\n%s\n", GROUPS[i].title);
        add_entry((*command)->name, COMMANDS_AT, (*command)->doc, out);
    }
    msw_text_add(
        out, "\n'memsweep help <command>' shows more, 'memsweep man' all of it. The tutorial is "
             "docs/tutorial.md.\n");
}

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

static void add_man_option(const cli_option *o, msw_text *out)
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
        add_man_option(o, out);
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
