#include "cli/shared_options.h"

#include "memsweep/report/report.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *file, *output, *sweep, *fidelity, *over, *by, *limits, *metric, *factor, *filter,
        *figure, *library, *columns, *pin;
    int64_t watch;
    bool no_figures;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_FILE, .arg = "FILE",
            .help = "the page to write; else beside the database, .html",
            .offset = offsetof(settings, output)),
    CLI_SWEEP_OPTION(settings),
    CLI_FIDELITY_OPTION(settings),
    CLI_OVER_OPTIONS(settings),
    CLI_LIMITS_OPTION(settings),
    CLI_METRICS(settings,
                "what the front and the figures are about; else the objectives of the sweep, "
                "or the mechanism's primary metric"),
    CLI_FACTORS(settings, "parameters the figures show, as for plot"),
    CLI_FILTER_OPTION(settings),
    CLI_FIGURES(settings, "figures to put in; else all that the sweep has something for"),
    MSW_ROW(.name = "no-figures", .kind = CLI_FLAG, .help = "leaves the figures out",
            .offset = offsetof(settings, no_figures)),
    MSW_ROW(.name = "library", .kind = CLI_FILE, .arg = "FILE",
            .help = "d3.min.js to put in; else that of the data folders, or of the package node-d3",
            .offset = offsetof(settings, library)),
    CLI_COLUMNS(settings, "columns that a page of many rows holds, too, at most 2; else the primary "
                          "metric and the next that varies"),
    MSW_ROW(.name = "pin", .kind = CLI_EXPRESSION, .arg = "EXPRESSION",
            .help = "rows that a page of many rows holds exactly, as it does the front",
            .offset = offsetof(settings, pin)),
    MSW_ROW(.name = "watch", .kind = CLI_INTEGER, .arg = "SECONDS", .def = "0",
            .help = "writes the page again every so many seconds until every point has a row, or "
                    "Ctrl-C; the page loads itself again and keeps what is selected",
            .offset = offsetof(settings, watch), .max = 86400),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep report quickstart", "memsweep report quickstart -o report.html --figure front,lines",
    "memsweep report all.db -s quickstart -m f1,f2 -w 'x3 = 0' -o report.html", NULL};

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    cli_sweep sweep;
    if (cli_sweep_word(&(cli_which){s->sweep, s->fidelity, s->over, s->by, false}, &sweep, &err))
        return cli_fail(&err);
    bool drawn = false;
    msw_report report = {
        .plot = {.context = &c->context,
                 .ask = {.sweep = sweep.word,
                         .filter = s->filter,
                         .beyond = strcmp(s->limits, "off") == 0,
                         .metrics = s->metric,
                         .factors = s->factor,
                         .format = "svg"},
                 .err = &err},
        .figures_list = s->figure,
        .no_figures = s->no_figures,
        .library = s->library,
        .more = s->columns,
        .pin = s->pin,
    };
    char *path = s->output ? msw_strdup(s->output) : msw_report_path(&c->context, s->file);
    int rc = path ? msw_report_make(&report, s->file, path, &drawn) : msw_fail_memory(&err);
    int code = rc ? cli_fail(&err) : EXIT_OK;
    if (rc == 0)
        printf("%s\n", path);
    if (rc == 0 && !drawn)
        msw_log_line(&c->context.log, MSW_LOG_WARN,
                     "no gnuplot here, so the page has no figures: install gnuplot (package "
                     "gnuplot or gnuplot-nox) and say this again");
    msw_report_free(&report);
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
