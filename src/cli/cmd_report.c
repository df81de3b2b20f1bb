#include "outfile.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *file, *output, *sweep, *metric, *factor, *filter, *figure, *library;
    bool no_figures;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_FILE, "FILE", NULL, "the page to write; else beside the database, .html",
     offsetof(settings, output), NULL, 0, 0},
    CLI_SWEEP_OPTION(settings),
    {"metric", 'm', CLI_TEXT, "LIST", NULL,
     "what the front and the figures are about; else the objectives of the sweep, or the "
     "mechanism's primary metric",
     offsetof(settings, metric), NULL, 0, 0},
    {"factor", 'x', CLI_TEXT, "LIST", NULL, "parameters the figures show, as for plot",
     offsetof(settings, factor), NULL, 0, 0},
    CLI_FILTER_OPTION(settings),
    {"figure", 'F', CLI_TEXT, "LIST", NULL,
     "figures to put in; else all that the sweep has something for", offsetof(settings, figure),
     NULL, 0, 0},
    {"no-figures", 0, CLI_FLAG, NULL, NULL, "leaves the figures out",
     offsetof(settings, no_figures), NULL, 0, 0},
    {"library", 0, CLI_FILE, "FILE", NULL,
     "d3.min.js to put in; else that of the data folders, or of the package node-d3",
     offsetof(settings, library), NULL, 0, 0},
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep report quickstart", "memsweep report quickstart -o report.html --figure front,lines",
    "memsweep report all.db -s quickstart -m f1,f2 -w 'x3 = 0' -o report.html", NULL};

static char *default_path(const char *word)
{
    char *path = cli_database_path(word);
    size_t size = path ? strlen(path) : 0;
    if (size > 3 && strcmp(path + size - 3, ".db") == 0)
        path[size - 3] = '\0';
    char *page = path ? msw_strfmt("%s.html", path) : NULL;
    free(path);
    return page;
}

static int work(const settings *s, cli_report *r, const char *path, const char *input, bool *drawn)
{
    if (cli_outfile_check(path, CLI_PAGE, input, r->plot.err) || cli_report_find(r) ||
        cli_plot_open(&r->plot, s->file) || cli_report_rows(r) || cli_report_data(r))
        return -1;
    int rc = s->no_figures ? 0 : cli_report_figures(r);
    *drawn = rc == 0;
    if (rc > 0)
        msw_text_add(&r->figures,
                     "<p class=\"note\">No gnuplot where this was made: no figures.</p>\n");
    return rc < 0 ? -1 : cli_report_write(r, path, input);
}

static void free_report(cli_report *r)
{
    msw_text *const texts[] = {&r->data,  &r->figures, &r->script,
                               &r->style, &r->page,    &r->library_text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        msw_text_free(texts[i]);
    msw_table_free(&r->rows);
    free(r->on_front);
    cli_plot_free(&r->plot);
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    bool drawn = false;
    cli_report report = {
        .plot = {.c = c,
                 .ask = {.sweep = s->sweep,
                         .filter = s->filter,
                         .metrics = s->metric,
                         .factors = s->factor,
                         .format = "svg"},
                 .err = &err},
        .figures_list = s->figure,
        .library = s->library,
    };
    char *path = s->output ? msw_strdup(s->output) : default_path(s->file);
    char *input = cli_database_path(s->file);
    int rc = path && input ? work(s, &report, path, input, &drawn) : msw_fail_memory(&err);
    int code = rc ? cli_fail(&err) : EXIT_OK;
    if (rc == 0)
        printf("%s\n", path);
    if (rc == 0 && !drawn)
        msw_log_line(&c->log, MSW_LOG_WARN,
                     "no gnuplot here, so the page has no figures: install gnuplot (package "
                     "gnuplot or gnuplot-nox) and say this again");
    free_report(&report);
    free(input);
    free(path);
    return code;
}

const cli_command cli_command_report = {
    .name = "report",
    .doc = "writes one HTML page about a sweep that opens offline",
    .about =
        "The page holds what was run, the front as a table, parallel coordinates and a scatter "
        "plot "
        "to select in, the selection as a table to save as CSV or as a sweep file, and the figures "
        "of plot. Up to 20,000 points are put in: the front whole, the rest chosen evenly. The "
        "same "
        "database gives the same bytes.",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
