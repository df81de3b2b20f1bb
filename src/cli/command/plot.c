#include "cli/cli.h"

#include "memsweep/figure/figure.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *file, *sweep, *fidelity, *figure, *metric, *factor, *filter, *detail, *format,
        *output, *recipes;
    bool data;
} settings;

static const char *const FORMATS[] = {"svg", "png", "pdf", NULL};

static const cli_operand OPERANDS[] = {
    CLI_FILE_OPERAND(settings),
    {0},
};

static const cli_option OPTIONS[] = {
    {"figure", 'F', CLI_TEXT, "LIST", NULL,
     "figures to draw, e.g. front,lines; else all that the sweep has something for",
     offsetof(settings, figure), NULL, 0, 0},
    CLI_SWEEP_OPTION(settings),
    CLI_FIDELITY_OPTION(settings),
    {"metric", 'm', CLI_TEXT, "LIST", NULL,
     "what is shown; else the objectives of the sweep, or the mechanism's primary metric",
     offsetof(settings, metric), NULL, 0, 0},
    {"factor", 'x', CLI_TEXT, "LIST", NULL,
     "over which parameters; else those that vary: scales that double first, then many levels",
     offsetof(settings, factor), NULL, 0, 0},
    CLI_FILTER_OPTION(settings),
    {"detail", 0, CLI_TEXT, "TABLE[.COLUMN]", NULL,
     "details that the figure detail shows; else the first of the mechanism, its last column",
     offsetof(settings, detail), NULL, 0, 0},
    {"format", 'f', CLI_CHOICE, "FORMAT", "svg", "svg, png or pdf", offsetof(settings, format),
     FORMATS, 0, 0},
    {"output", 'o', CLI_FILE, "FOLDER", NULL, "where figures go; else beside the database",
     offsetof(settings, output), NULL, 0, 0},
    {"recipes", 0, CLI_FILE, "FOLDER", NULL,
     "a folder with recipes of your own (NAME.sql, NAME.gp), looked into first",
     offsetof(settings, recipes), NULL, 0, 0},
    {"data", 0, CLI_FLAG, NULL, NULL, "writes the table behind each figure, too (.tsv)",
     offsetof(settings, data), NULL, 0, 0},
    {0},
};

static const char *const EXAMPLES[] = {
    "memsweep plot quickstart", "memsweep plot quickstart --figure front,lines --format png",
    "memsweep plot all.db -s zdt1 -F heat -m f2 -x x1,x2 -w 'x3 = 0' -o figures", NULL};

static int finish(const msw_plot_outcome *all, msw_err *err)
{
    for (size_t i = 0; i < all->written_count; i++)
        printf("%s\n", all->written[i].path);
    msw_text skipped = MSW_TEXT_EMPTY;
    msw_text_add_visible_lines(&skipped, msw_text_str(&all->skipped));
    if (skipped.size)
        printf("left out:\n%s", msw_text_str(&skipped));
    msw_text_free(&skipped);
    if (!all->without_gnuplot)
        return EXIT_OK;
    msw_fail_kind(err, MSW_ERR_IO,
                  "no gnuplot here, so the tables were written and no figures: install gnuplot "
                  "(package gnuplot or gnuplot-nox) and say this again");
    return cli_fail(err);
}

static char *default_folder(const cli *c, const char *word)
{
    char *path = msw_context_database(&c->context, word), *slash = path ? strrchr(path, '/') : NULL;
    if (slash && slash != path)
        *slash = '\0';
    else if (path)
        strcpy(path, slash ? "/" : ".");
    return path;
}

static int run(const cli *c, const void *given)
{
    const settings *s = given;
    msw_err err = {0};
    cli_sweep sweep;
    if (cli_sweep_word(s->sweep, s->fidelity, &sweep, &err))
        return cli_fail(&err);
    msw_plot_outcome all = {0};
    char *folder = s->output ? msw_strdup(s->output) : default_folder(c, s->file);
    msw_plot plot = {.context = &c->context,
                     .ask = {.sweep = sweep.word,
                             .filter = s->filter,
                             .metrics = s->metric,
                             .factors = s->factor,
                             .detail = s->detail,
                             .recipes = s->recipes,
                             .format = s->format,
                             .folder = folder,
                             .data = s->data},
                     .err = &err};
    int rc = folder ? msw_plot_open(&plot, s->file) : msw_fail_memory(&err);
    if (rc == 0)
        rc = s->figure ? msw_plot_make_listed(&plot, s->figure, &all)
                       : msw_plot_make_all(&plot, &all);
    int code = rc ? cli_fail(&err) : finish(&all, &err);
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
    .operands = OPERANDS,
    .options = OPTIONS,
    .examples = EXAMPLES,
    .settings_size = sizeof(settings),
    .run = run,
};
