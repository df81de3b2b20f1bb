#include "plot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct settings {
    const char *file, *sweep, *figure, *metric, *factor, *filter, *format, *output, *recipes;
    bool data;
} settings;

static const char *const FORMATS[] = {"svg", "png", "pdf", NULL};

static const cli_operand OPERANDS[] = {
    {"file", CLI_DATABASE, CLI_ONE, "a database, or the name of a sweep in the results folder",
     offsetof(settings, file), NULL},
    {0},
};

static const cli_option OPTIONS[] = {
    {"figure", 'F', CLI_TEXT, "LIST", NULL,
     "figures to draw, e.g. front,lines; else all that the sweep has something for",
     offsetof(settings, figure), NULL, 0, 0},
    {"sweep", 's', CLI_TEXT, "NAME", NULL, "the sweep to read, when the file holds several",
     offsetof(settings, sweep), NULL, 0, 0},
    {"metric", 'm', CLI_TEXT, "LIST", NULL,
     "what is shown; else the objectives of the sweep, or the mechanism's primary metric",
     offsetof(settings, metric), NULL, 0, 0},
    {"factor", 'x', CLI_TEXT, "LIST", NULL,
     "over which parameters; else those that vary: scales that double first, then many levels",
     offsetof(settings, factor), NULL, 0, 0},
    {"filter", 'w', CLI_TEXT, "EXPRESSION", NULL, "only rows for which it holds take part",
     offsetof(settings, filter), NULL, 0, 0},
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

/* ---- one figure ---- */

static int read_query(cli_figure *f)
{
    char *query = NULL;
    size_t size = 0;
    int rc =
        msw_read_file(f->query_path, &query, &size, f->plot->err) ? -1 : cli_plot_fill(f, query);
    free(query);
    if (rc || cli_plot_select(f->plot, &f->sql, &f->table))
        return rc ? -1 : msw_fail_prefix(f->plot->err, "%s: ", f->query_path);
    return f->table.rows ? 0 : msw_fail(f->plot->err, "the file has nothing to show in it");
}

/* How many rows take part, and how many of them have no value for what is shown. */
static int count_rows(cli_figure *f)
{
    const cli_plot *p = f->plot;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table counts = {0};
    msw_text_add(&sql, "SELECT count(*), coalesce(sum(status = 'ok'");
    for (size_t i = 0; i < CLI_PLOT_METRICS && i < p->metric_count; i++)
        if (f->metric_used[i]) {
            msw_text_add(&sql, " AND ");
            msw_text_add_sql_name(&sql, p->metrics[i]);
            msw_text_add(&sql, " IS NOT NULL");
        }
    msw_text_add(&sql, "), 0) FROM (%s)", msw_text_str(&p->rows));
    if (cli_plot_select(f->plot, &sql, &counts))
        return -1;
    f->row_count = (uint64_t)counts.columns[0].values[0];
    f->dropped = f->row_count - (uint64_t)counts.columns[1].values[0];
    msw_table_free(&counts);
    return 0;
}

static void free_figure(cli_figure *f)
{
    free(f->query_path);
    free(f->gnuplot_path);
    free(f->front_points);
    for (size_t i = 0; i < CLI_PLOT_FACTORS; i++)
        cli_axis_free(&f->axes[i]);
    msw_text_free(&f->axes_list);
    msw_text_free(&f->stack);
    msw_text_free(&f->sql);
    msw_table_free(&f->table);
}

/* ---- all of them ---- */

typedef struct outcome {
    msw_text written, skipped;
    size_t drawn, without_gnuplot;
} outcome;

/* Where nothing was asked for by name, a figure that the sweep has no data for is left out. */
static int make_figure(cli_plot *p, const char *name, bool asked, outcome *all)
{
    cli_figure f = {.plot = p, .name = name};
    int rc = cli_plot_find(&f) ? -1 : 0;
    bool fits = rc == 0 && read_query(&f) == 0;
    if (fits)
        rc = count_rows(&f) ? -1 : cli_plot_draw(&f, &all->written);
    else if (rc == 0 && (asked || p->err->kind != MSW_ERR_USAGE))
        rc = msw_fail_prefix(p->err, "figure '%s': ", name);
    else if (rc == 0)
        msw_text_add(&all->skipped, "  %s: %s\n", name, p->err->text);
    if (fits && rc == 0)
        all->drawn++;
    all->without_gnuplot += rc > 0;
    free_figure(&f);
    return rc < 0 ? -1 : 0;
}

static int make_listed(cli_plot *p, const char *list, outcome *all)
{
    int rc = 0;
    for (const char *at = list; *at && rc == 0;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, " ,");
        char *name = msw_strfmt("%.*s", (int)size, at);
        rc = !name ? msw_fail_memory(p->err) : size ? make_figure(p, name, true, all) : 0;
        free(name);
        at += size;
    }
    return rc;
}

static int make_all(cli_plot *p, outcome *all)
{
    msw_table names = {0};
    int rc = cli_plot_recipes(p, &names);
    for (size_t i = 0; rc == 0 && i < names.columns[0].label_count; i++)
        rc = make_figure(p, names.columns[0].labels[i], false, all);
    msw_table_free(&names);
    return rc;
}

static int finish(const outcome *all, msw_err *err)
{
    fputs(msw_text_str(&all->written), stdout);
    if (all->skipped.size)
        printf("left out:\n%s", msw_text_str(&all->skipped));
    if (!all->without_gnuplot)
        return EXIT_OK;
    msw_fail_kind(err, MSW_ERR_IO,
                  "no gnuplot here, so the tables were written and no figures: install gnuplot "
                  "(package gnuplot or gnuplot-nox) and say this again");
    return cli_fail(err);
}

static char *default_folder(const char *word)
{
    char *path = cli_database_path(word), *slash = path ? strrchr(path, '/') : NULL;
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
    outcome all = {.written = MSW_TEXT_EMPTY};
    char *folder = s->output ? msw_strdup(s->output) : default_folder(s->file);
    cli_plot plot = {
        .c = c,
        .ask = {s->sweep, s->filter, s->metric, s->factor, s->recipes, s->format, folder, s->data},
        .err = &err};
    int rc = folder ? cli_plot_open(&plot, s->file) : msw_fail_memory(&err);
    if (rc == 0)
        rc = s->figure ? make_listed(&plot, s->figure, &all) : make_all(&plot, &all);
    int code = rc ? cli_fail(&err) : finish(&all, &err);
    cli_plot_free(&plot);
    msw_text_free(&all.written);
    msw_text_free(&all.skipped);
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
