/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"

#include "memsweep/report/report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct settings {
    const char *file, *output, *sweep, *fidelity, *over, *by, *limits, *metric, *factor, *filter,
        *figure, *library, *columns, *pin;
    int64_t watch;
    bool no_figures, doubtful;
} settings;

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_FILE, .arg = "FILE",
            .help = "the page to write; default: next to the database, with .html",
            .offset = offsetof(settings, output)),
    CLI_WHICH_OPTIONS(settings),
    CLI_LIMITS_OPTION(settings),
    CLI_DOUBTFUL_OPTION(settings),
    CLI_METRICS(settings,
                "what the front and the figures are about; else the objectives of the sweep, "
                "or the mechanism's primary metric"),
    CLI_FACTORS(settings, "parameters the figures show, as for plot"),
    CLI_FILTER_OPTION(settings),
    CLI_FIGURES(settings, "figures to put in; else all that the sweep has something for"),
    MSW_ROW(.name = "no-figures", .kind = CLI_FLAG, .help = "leaves the figures out",
            .offset = offsetof(settings, no_figures)),
    MSW_ROW(.name = "library", .kind = CLI_FILE, .arg = "FILE",
            .help = "the d3.min.js to include; default: the one of the data folders, or of the "
                    "package node-d3",
            .offset = offsetof(settings, library)),
    CLI_COLUMNS(settings,
                "columns that a page of many rows holds, too, at most 2; else the primary "
                "metric and the next that varies"),
    MSW_ROW(.name = "pin", .kind = CLI_EXPRESSION, .arg = "EXPRESSION",
            .help = "rows that a page of many rows holds exactly, like those of the front",
            .offset = offsetof(settings, pin)),
    MSW_ROW(.name = "watch", .kind = CLI_INTEGER, .arg = "SECONDS", .def = "0",
            .help = "writes the page again at this interval, in seconds, until every point has a "
                    "row, or Ctrl-C; the page loads itself again and keeps what is selected",
            .offset = offsetof(settings, watch), .max = 86400),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep report quickstart", "memsweep report quickstart -o report.html --figure front,lines",
    "memsweep report all.db -s quickstart -m f1,f2 -w 'x3 = 0' -o report.html", NULL};

/* What a page is made of, from the words of the command line. */
static msw_report describe_page(const cli *c, const settings *s, const char *sweep, msw_err *err)
{
    return (msw_report){
        .plot = {.context = &c->context,
                 .options = {.sweep = sweep,
                             .filter = s->filter,
                             .beyond = strcmp(s->limits, "off") == 0,
                             .doubtful = s->doubtful,
                             .metrics = s->metric,
                             .factors = s->factor,
                             .format = "svg"},
                 .err = err},
        .options.figures = s->figure,
        .options.no_figures = s->no_figures,
        .options.library = s->library,
        .options.more = s->columns,
        .options.pin = s->pin,
    };
}

typedef struct outcome {
    bool drawn, complete;
    msw_text moments; /* of the pages written so far, while a run is watched */
    size_t rows;      /* at the last of them that kept its front */
} outcome;

enum { MOMENTS_BYTES = 1 << 20 };

static int make(const cli *c, const settings *s, const char *path, unsigned watch, outcome *found,
                msw_err *err)
{
    cli_sweep sweep;
    if (cli_sweep_word(&(cli_which){s->sweep, s->fidelity, s->over, s->by, false}, &sweep, err))
        return -1;
    msw_report report = describe_page(c, s, sweep.word, err);
    report.options.watch = watch;
    report.options.before = s->watch ? msw_text_str(&found->moments) : NULL;
    int rc = msw_report_make(&report, s->file, path, &found->drawn);
    found->complete = report.chosen.complete;
    if (rc == 0 && s->watch && found->moments.size < MOMENTS_BYTES) {
        /* A few fronts on the way, however long it is. */
        size_t rows = report.chosen.total;
        bool front = rows > found->rows + found->rows / 2;
        found->rows = front ? rows : found->rows;
        msw_text_add(&found->moments, found->moments.size ? ", " : "");
        msw_report_moment(&report, front, &found->moments);
    }
    msw_report_free(&report);
    return rc;
}

/* Waits. Returns whether Ctrl-C was pressed, or somebody else asked to end. */
static bool rest(const sigset_t *ends, int64_t seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    return sigtimedwait(ends, NULL, &time) > 0;
}

/* Whoever asks to end waits for the page in hand, and for a last one that no longer loads itself
 * again. Trouble with the file passes: the run may be writing to it. */
static int watch(const cli *c, const settings *s, const char *path, outcome *found, msw_err *err)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    if (make(c, s, path, (unsigned)s->watch, found, err))
        return -1;
    cli_printf("%s\n", path);
    fflush(stdout);
    bool ended = found->complete;
    while (!ended) {
        ended = rest(&ends, s->watch);
        msw_err_clear(err);
        int rc = make(c, s, path, ended ? 0 : (unsigned)s->watch, found, err);
        if (rc && (ended || err->kind != MSW_ERR_IO))
            return -1;
        ended = ended || (rc == 0 && found->complete);
    }
    return 0;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    outcome found = {0};
    char *path = s->output ? msw_strdup(s->output) : msw_report_path(&c->context, s->file);
    int rc = !path      ? msw_fail_memory(&err)
             : s->watch ? watch(c, s, path, &found, &err)
                        : make(c, s, path, 0, &found, &err);
    int code = rc ? cli_fail(&err) : EXIT_OK;
    if (rc == 0 && !s->watch)
        cli_printf("%s\n", path);
    if (rc == 0 && !found.drawn)
        msw_log_line(&c->context.log, MSW_LOG_WARN,
                     "no gnuplot here, so the page has no figures: install gnuplot (package "
                     "gnuplot or gnuplot-nox) and say this again");
    msw_text_free(&found.moments);
    free(path);
    return code;
}

const cli_command cli_command_report = {
    .name = "report",
    .doc = "writes one HTML page about a sweep that opens offline",
    .about = "The page holds what was run, the front as a table, parallel coordinates and a "
             "scatter plot to select in, the selection as a table to save as CSV or as a sweep "
             "file, what matters in it, and the figures of plot. Up to 20,000 points are there "
             "exactly, with all their columns; of more points, up to a million, the page holds the "
             "factors, the objectives and two more columns, rounded to 11 bits where they take "
             "more than 4,096 values, and the front exactly. The page takes at most 10 MB; what "
             "does not fit is named in it. The same database gives the same bytes.",
    .first = "output metric factor figure watch",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
