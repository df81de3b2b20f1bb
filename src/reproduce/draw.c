/* SPDX-License-Identifier: MIT */
/* The figures of a paper, as figures.csv names them. */
#include "memsweep/figure/figure.h"
#include "memsweep/reproduce/paper.h"

#include "memsweep/base/quote.h"

#include "memsweep/base/csv.h"
#include "memsweep/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIGURE, SWEEP, RECIPE, METRIC, FACTOR, FILTER, TITLE, COLUMN_COUNT };
static const char *const COLUMNS[] = {"figure", "sweep",  "recipe", "metric",
                                      "factor", "filter", "title",  NULL};

/* What is drawn, from where to where. */
typedef struct drawing {
    msw_paper *paper;
    msw_csv csv;
    size_t where[COLUMN_COUNT];
    char *file, *folder;
    msw_plot_outcome outcome;
} drawing;

static const char *cell(const drawing *d, int column)
{
    return d->csv.fields[d->where[column]];
}

static const char *cell_or_null(const drawing *d, int column)
{
    return *cell(d, column) ? cell(d, column) : NULL;
}

static void add_image(const drawing *d, const char *sweep)
{
    const char *folder = strrchr(d->folder, '/');
    msw_text *out = &d->paper->images;
    msw_text_add(out, "**");
    msw_text_add_markdown(out, cell(d, FIGURE));
    msw_text_add(out, ".** ");
    msw_text_add_markdown(out, cell(d, TITLE));
    msw_text_add(out, "\n\n![");
    msw_text_add_markdown(out, cell(d, TITLE));
    msw_text_add(out, "](%s/", folder ? folder + 1 : d->folder);
    msw_plot_name(sweep, cell(d, RECIPE), "svg", out);
    msw_text_add(out, ")\n\n");
}

static int draw_one(drawing *d)
{
    msw_paper *p = d->paper;
    const char *word = cell(d, SWEEP);
    if (!msw_paper_asked(p, cell(d, FIGURE)))
        return 0;
    const msw_paper_sweep *sweep = msw_paper_find_sweep(p, word, strlen(word), p->err);
    if (!sweep)
        return -1;
    if (!sweep->plan && p->ask->fidelity)
        return 0; /* rows that have no answer there */
    if (!sweep->plan)
        return msw_fail(p->err, "no row of published.csv reads sweep '%s'", word);
    msw_plot plot = {.context = p->context,
                     .ask = {.sweep = sweep->called,
                             .filter = cell_or_null(d, FILTER),
                             .metrics = cell_or_null(d, METRIC),
                             .factors = cell_or_null(d, FACTOR),
                             .recipes = p->folder,
                             .format = "svg",
                             .folder = d->folder},
                     .err = p->err};
    int rc = -1;
    if (msw_plot_open(&plot, d->file) || msw_plot_make(&plot, cell(d, RECIPE), true, &d->outcome))
        goto done;
    rc = 0;
done:
    if (rc == 0)
        add_image(d, plot.sweep.name);
    msw_plot_free(&plot);
    return rc;
}

static int draw_rows(drawing *d)
{
    msw_err *err = d->paper->err;
    int got = 0, rc = msw_csv_header(&d->csv, COLUMNS, COLUMN_COUNT, d->where, err);
    while (rc == 0 && (got = msw_csv_next(&d->csv, err)) > 0)
        if (msw_csv_check(&d->csv, COLUMN_COUNT, err))
            rc = -1;
        else if (draw_one(d))
            rc = msw_fail_prefix(err, "%s:%zu: ", d->csv.path, d->csv.line);
    MSW_TRY(rc);
    MSW_TRY(got < 0);
    return 0;
}

static int draw_table(msw_paper *p, const char *path, char *text)
{
    drawing d = {.paper = p, .file = msw_paper_database(p, ""), .folder = msw_paper_stem(p)};
    msw_csv_start(&d.csv, path, text);
    int rc = d.file && d.folder ? draw_rows(&d) : msw_fail_memory(p->err);
    for (size_t i = 0; i < d.outcome.written_count; i++)
        msw_text_add(&p->drawn, "%s\n", d.outcome.written[i].path);
    if (d.outcome.without_gnuplot)
        msw_log_line(&p->context->log, MSW_LOG_WARN,
                     "no gnuplot here, so the tables were written and no figures");
    msw_plot_outcome_free(&d.outcome);
    free(d.file);
    free(d.folder);
    return rc;
}

static bool there(const char *path)
{
    return access(path, R_OK) == 0;
}

int msw_paper_draw(msw_paper *p)
{
    if (p->ask->no_figures)
        return 0;
    char *path = msw_strfmt("%s/figures.csv", p->folder), *text = NULL;
    size_t size;
    int rc = path ? 0 : msw_fail_memory(p->err);
    if (rc == 0 && there(path))
        rc = msw_read_file(path, &text, &size, p->err) ? -1 : draw_table(p, path, text);
    free(text);
    free(path);
    return rc;
}
