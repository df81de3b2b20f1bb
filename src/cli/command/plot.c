/* SPDX-License-Identifier: MIT */
#include "cli/shared_options.h"

#include "memsweep/figure/figure.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *file, *sweep, *fidelity, *over, *by, *limits, *figure, *metric, *factor, *filter,
        *detail, *format, *output, *recipes, *scale, *zoom, *rest, *width, *style;
    bool data, doubtful;
} settings;

static const char *const FORMATS[] = {"svg", "png", "pdf", NULL};
static const char *const RESTS[] = {"auto", "mean", "hold", NULL};
static const char *const WIDTHS[] = {"auto", "1", "2", NULL};

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    CLI_FIGURES(settings,
                "figures to draw, e.g. front,lines; else all that the sweep has something for"),
    CLI_WHICH_OPTIONS(settings),
    CLI_LIMITS_OPTION(settings),
    CLI_DOUBTFUL_OPTION(settings),
    CLI_METRICS(settings,
                "what is shown; else the objectives of the sweep, or the mechanism's primary "
                "metric"),
    CLI_FACTORS(settings,
                "over which parameters; else those that vary: scales that double first, then "
                "many levels"),
    CLI_FILTER_OPTION(settings),
    MSW_ROW(.name = "detail", .kind = CLI_TEXT, .arg = "TABLE[.COLUMN]",
            .help = "the detail table that the figure 'detail' shows; default: the first one of "
                    "the mechanism, its last column",
            .offset = offsetof(settings, detail)),
    MSW_ROW(.name = "scale", .kind = CLI_TEXT, .arg = "LIST",
            .help =
                "linear, log or excess (the logarithm of what is above 1) for all metrics or by "
                "name: slowdown=excess,cycles=log; auto takes what the numbers need",
            .offset = offsetof(settings, scale)),
    MSW_ROW(.name = "zoom", .kind = CLI_TEXT, .arg = "LIST",
            .help = "part of the axis of a metric: slowdown=1:1.2; an end may be left out",
            .offset = offsetof(settings, zoom)),
    MSW_ROW(.name = "rest", .kind = CLI_CHOICE, .arg = "HOW", .def = "auto",
            .help =
                "parameters that vary and are no axis: mean over them, or hold each at one level; "
                "auto holds where a mean would mislead. The title says which",
            .offset = offsetof(settings, rest), .choices = RESTS),
    MSW_ROW(.name = "width", .kind = CLI_CHOICE, .arg = "COLUMNS", .def = "auto",
            .help = "1: one column of a page (3.3 inches), 2: two (7 inches); auto: 1, or 2 where "
                    "there is much to show",
            .offset = offsetof(settings, width), .choices = WIDTHS),
    MSW_ROW(.name = "style", .kind = CLI_FILE, .arg = "FILE",
            .help = "a gnuplot file that changes the look: font, colours, widths",
            .offset = offsetof(settings, style)),
    MSW_ROW(.name = "format", .letter = 'f', .kind = CLI_CHOICE, .arg = "FORMAT", .def = "svg",
            .help = "svg, png or pdf", .offset = offsetof(settings, format), .choices = FORMATS),
    MSW_ROW(.name = "output", .letter = 'o', .kind = CLI_FILE, .arg = "FOLDER",
            .help = "folder for the figures; default: next to the database",
            .offset = offsetof(settings, output)),
    MSW_ROW(.name = "recipes", .kind = CLI_FILE, .arg = "FOLDER",
            .help = "a folder with your own recipes (NAME.sql, NAME.gp), searched first",
            .offset = offsetof(settings, recipes)),
    MSW_ROW(.name = "data", .kind = CLI_FLAG,
            .help = "also writes the table behind each figure (.tsv)",
            .offset = offsetof(settings, data)),
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep plot quickstart", "memsweep plot quickstart --figure front,lines --format png",
    "memsweep plot all.db -s zdt1 -F heat -m f2 -x x1,x2 -w 'x3 = 0' -o figures", NULL};

/* In a line of its own: what comes before are names of files. Few of the metrics are drawn. */
static void tell_left_out(const msw_left_out *of_all)
{
    msw_left_out count = *of_all;
    msw_text note = MSW_TEXT_EMPTY;
    count.lacking = 0;
    msw_doubtful_note(count.doubtful, &note);
    msw_unknown_note(&count, &note);
    if (note.size)
        cli_printf("%s\n", msw_text_str(&note) + strlen("; "));
    msw_text_free(&note);
}

static int finish(const msw_plot_outcome *all, msw_err *err)
{
    for (size_t i = 0; i < all->written_count; i++)
        cli_printf("%s\n", all->written[i].path);
    msw_text skipped = MSW_TEXT_EMPTY;
    msw_text_add_visible_lines(&skipped, msw_text_str(&all->skipped));
    if (skipped.size)
        cli_printf("left out:\n%s", msw_text_str(&skipped));
    msw_text_free(&skipped);
    if (!all->without_gnuplot)
        return EXIT_OK;
    msw_fail_kind(err, MSW_ERR_IO,
                  "no gnuplot here, so the tables were written and no figures: install gnuplot "
                  "(package gnuplot or gnuplot-nox) and say this again");
    return cli_fail(err);
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    cli_sweep sweep;
    if (cli_sweep_word(&(cli_which){s->sweep, s->fidelity, s->over, s->by, false}, &sweep, &err))
        return cli_fail(&err);
    msw_plot_outcome all = {0};
    char *folder = s->output ? msw_strdup(s->output) : msw_plot_folder(&c->context, s->file);
    msw_plot plot = {.context = &c->context,
                     .options = {.sweep = sweep.word,
                                 .filter = s->filter,
                                 .beyond = strcmp(s->limits, "off") == 0,
                                 .doubtful = s->doubtful,
                                 .metrics = s->metric,
                                 .factors = s->factor,
                                 .detail = s->detail,
                                 .recipes = s->recipes,
                                 .scale = s->scale,
                                 .zoom = s->zoom,
                                 .rest = s->rest,
                                 .width = s->width,
                                 .style = s->style,
                                 .format = s->format,
                                 .folder = folder,
                                 .data = s->data},
                     .err = &err};
    int rc = folder ? msw_plot_open(&plot, s->file) : msw_fail_memory(&err);
    if (rc == 0)
        rc = s->figure ? msw_plot_make_listed(&plot, s->figure, &all)
                       : msw_plot_make_all(&plot, &all);
    int code = rc ? cli_fail(&err) : finish(&all, &err);
    if (!rc)
        tell_left_out(&plot.rows.left_out);
    msw_plot_free(&plot);
    msw_plot_outcome_free(&all);
    free(folder);
    return code;
}

const cli_command cli_command_plot = {
    .name = "plot",
    .doc = "draws figures from a database",
    .about = "A figure is a recipe: a query and a gnuplot file in the folder analysis; copy one "
             "and change it. The same rows give the same bytes. Without gnuplot the table behind "
             "each figure is written instead, and the exit code is 3.",
    .first = "figure metric factor filter output",
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
