/* SPDX-License-Identifier: MIT */
/* Writes the page: finds its parts, draws its figures (gnuplot's SVG, with names made distinct
 * from those of the other figures) and puts them together. */
#include "memsweep/format/outfile.h"

#include "memsweep/base/quote.h"
#include "memsweep/report/report.h"
#include "memsweep/run/slurm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What precedes a name in gnuplot's SVG. */
static const char *const NAMED[] = {" id=\"", " id='", "href='#", "url(#", "url('#"};

static size_t name_at(const char *at)
{
    for (size_t i = 0; i < sizeof NAMED / sizeof *NAMED; i++)
        if (strncmp(at, NAMED[i], strlen(NAMED[i])) == 0)
            return strlen(NAMED[i]);
    return 0;
}

static void add_svg(const char *svg, const char *name, msw_text *out)
{
    static const char TITLE[] = "<title>Gnuplot</title>";
    const char *at = strstr(svg, "<svg");
    while (at && *at) {
        size_t size = name_at(at);
        if (size) {
            msw_text_add_bytes(out, at, size);
            msw_text_add_html(out, name);
            msw_text_add(out, "-");
        } else if (strncmp(at, TITLE, sizeof TITLE - 1) == 0) {
            size = sizeof TITLE - 1;
            msw_text_add(out, "<title>");
            msw_text_add_html(out, name);
            msw_text_add(out, "</title>");
        } else {
            size = 1 + strcspn(at + 1, " hu<");
            msw_text_add_bytes(out, at, size);
        }
        at += size;
    }
}

static int add_figure(msw_report *r, const msw_plot_file *file)
{
    char *svg = NULL;
    size_t size;
    if (msw_read_file(file->path, &svg, &size, r->plot.err))
        return -1;
    msw_text_add(&r->parts.figures, "<figure id=\"figure-");
    msw_text_add_html(&r->parts.figures, file->figure);
    msw_text_add(&r->parts.figures, "\">\n<figcaption>");
    msw_text_add_html(&r->parts.figures, file->figure);
    msw_text_add(&r->parts.figures, "</figcaption>\n");
    add_svg(svg, file->figure, &r->parts.figures);
    msw_text_add(&r->parts.figures, "</figure>\n");
    free(svg);
    return 0;
}

static bool is_svg(const char *path)
{
    size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".svg") == 0;
}

static int draw_figures(msw_report *r, msw_plot_outcome *all)
{
    int rc = r->options.figures ? msw_plot_make_listed(&r->plot, r->options.figures, all)
                                : msw_plot_make_all(&r->plot, all);
    for (size_t i = 0; i < all->written_count && rc == 0; i++)
        if (is_svg(all->written[i].path))
            rc = add_figure(r, &all->written[i]);
    return rc ? -1 : all->without_gnuplot > 0;
}

/* Draws what `figures_list` names, NULL: all, and puts them into `figures`.
 * Returns 0, 1 when there is no gnuplot, or -1. */
static int add_figures(msw_report *r)
{
    msw_plot_outcome all = {0};
    char *folder = msw_temp_folder(r->plot.err);
    r->plot.options.folder = folder;
    int rc = folder ? draw_figures(r, &all) : -1;
    r->plot.options.folder = NULL;
    msw_plot_outcome_free(&all);
    msw_temp_remove(folder);
    return rc;
}

/* Where Debian's node-d3 puts it. */
static const char PACKAGED[] = "/usr/share/nodejs/d3/dist/d3.min.js";

static char *find_data(const msw_report *r, const char *name)
{
    for (const char *const *dir = r->plot.context->data_dirs; *dir; dir++) {
        char *path = msw_strfmt("%s/analysis/report/%s", *dir, name);
        if (path && access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

static int append(const char *path, msw_text *out, msw_err *err)
{
    char *bytes = NULL;
    size_t size;
    if (msw_read_file(path, &bytes, &size, err))
        return -1;
    msw_text_add_bytes(out, bytes, size);
    free(bytes);
    return 0;
}

static int read_part(msw_report *r, const char *name, msw_text *out)
{
    char *path = find_data(r, name);
    int rc =
        path ? append(path, out, r->plot.err)
             : msw_fail_kind(r->plot.err, MSW_ERR_IO,
                             "no analysis/report/%s in the data folders: set MEMSWEEP_DATA", name);
    free(path);
    return rc;
}

static int read_library(msw_report *r)
{
    char *own = find_data(r, "d3.min.js");
    const char *path = r->options.library ? r->options.library : own ? own : PACKAGED;
    int rc = 0;
    if (access(path, R_OK))
        rc = msw_fail_kind(r->plot.err, MSW_ERR_IO,
                           "%s: %s: the report needs D3, version 5 or later: install the package "
                           "node-d3, or name its d3.min.js by --library",
                           path, strerror(errno));
    else
        rc = append(path, &r->parts.library, r->plot.err);
    free(own);
    return rc;
}

int msw_report_find(msw_report *r)
{
    static const char *const SCRIPTS[] = {"base.js",   "state.js",   "engine.js",   "density.js",
                                          "axes.js",   "lines.js",   "parallel.js", "scatter.js",
                                          "tables.js", "filters.js", "insight.js",  "live.js",
                                          "export.js", "page.js"};
    static const char *const WORKERS[] = {"unpack.js", "cube.js", "worker.js"};
    int rc = read_part(r, "page.html", &r->parts.page) || read_part(r, "page.css", &r->parts.style);
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof *SCRIPTS && !rc; i++)
        rc = read_part(r, SCRIPTS[i], &r->parts.script);
    for (size_t i = 0; i < sizeof WORKERS / sizeof *WORKERS && !rc; i++)
        rc = read_part(r, WORKERS[i], &r->parts.worker);
    MSW_TRY(rc);
    return read_library(r);
}

int msw_report_write(const msw_report *r, const char *path, const char *input)
{
    msw_text title = MSW_TEXT_EMPTY, page = MSW_TEXT_EMPTY;
    msw_text_add_html(&title, r->plot.sweep.name);
    const msw_slot slots[] = {
        {"TITLE", msw_text_str(&title)},
        {"STYLE", msw_text_str(&r->parts.style)},
        {"FIGURES", msw_text_str(&r->parts.figures)},
        {"DATA", msw_text_str(&r->parts.data)},
        {"BODY", msw_text_str(&r->parts.body)},
        {"WORKER", msw_text_str(&r->parts.worker)},
        {"LIBRARY", msw_text_str(&r->parts.library)},
        {"SCRIPT", msw_text_str(&r->parts.script)},
        {NULL, NULL},
    };
    int rc = r->parts.figures.failed ? msw_fail_memory(r->plot.err) : 0;
    if (rc == 0)
        rc = msw_template_fill(msw_text_str(&r->parts.page), slots, &page, r->plot.err);
    if (rc == 0)
        rc = msw_outfile_write(path, MSW_OUTPUT_PAGE, input, &page, r->plot.err);
    msw_text_free(&title);
    msw_text_free(&page);
    return rc;
}

char *msw_report_path(const msw_context *context, const char *word)
{
    char *path = msw_context_database(context, word);
    size_t size = path ? strlen(path) : 0;
    if (size > 3 && strcmp(path + size - 3, ".db") == 0)
        path[size - 3] = '\0';
    char *page = path ? msw_strfmt("%s.html", path) : NULL;
    free(path);
    return page;
}

/* Figures that average read all rows several times, each. */
static void add_figures_later(msw_report *r)
{
    char count[32];
    msw_text command = MSW_TEXT_EMPTY;
    msw_text_add(&command, "memsweep plot ");
    msw_text_add_shell(&command, r->options.file);
    msw_text_add(&command, " -s ");
    msw_text_add_shell(&command, r->plot.sweep.name);
    msw_text_add(&r->parts.figures, "<p class=\"note\">Not drawn here for %s rows: <code>",
                 msw_count_text(r->chosen.total, count));
    msw_text_add_html(&r->parts.figures, msw_text_str(&command));
    msw_text_add(&r->parts.figures, "</code></p>\n");
    r->parts.figures.failed = r->parts.figures.failed || command.failed;
    msw_text_free(&command);
}

static int draw_page_figures(msw_report *r, bool *drawn)
{
    bool later = !r->options.figures && r->chosen.total > MSW_REPORT_AT_ONCE;
    if (later && !r->options.no_figures)
        add_figures_later(r);
    int rc = r->options.no_figures || later ? 0 : add_figures(r);
    *drawn = rc == 0;
    if (rc > 0)
        msw_text_add(&r->parts.figures,
                     "<p class=\"note\">No gnuplot where this was made: no figures.</p>\n");
    return rc < 0 ? -1 : 0;
}

/* Figures come first: the columns take the room they leave. */
static int make_in_folder(msw_report *r, const char *file, const char *path, const char *input,
                          bool *drawn)
{
    r->options.file = file;
    MSW_TRY(msw_outfile_check(path, MSW_OUTPUT_PAGE, input, r->plot.err));
    MSW_TRY(msw_report_find(r));
    MSW_TRY(msw_plot_open(&r->plot, file));
    MSW_TRY(msw_report_complete(r));
    MSW_TRY(msw_report_rows(r));
    MSW_TRY(draw_page_figures(r, drawn));
    MSW_TRY(msw_report_data(r));
    return msw_report_write(r, path, input);
}

int msw_report_make(msw_report *r, const char *file, const char *path, bool *drawn)
{
    char *input = msw_context_database(r->plot.context, file);
    int rc = input ? make_in_folder(r, file, path, input, drawn) : msw_fail_memory(r->plot.err);
    free(input);
    return rc;
}

static void free_columns(msw_report *r)
{
    for (size_t c = 0; c < r->column_count; c++) {
        msw_report_column *column = &r->columns[c];
        msw_coder_free(&column->coder);
        free(column->codes);
        free(column->values);
        for (size_t i = 0; i < column->label_count; i++)
            free(column->labels[i]);
        free(column->labels);
    }
    free(r->columns);
}

void msw_report_free(msw_report *r)
{
    msw_text *const texts[] = {&r->parts.data,   &r->parts.body,   &r->parts.figures,
                               &r->parts.script, &r->parts.worker, &r->parts.style,
                               &r->parts.page,   &r->parts.library};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        msw_text_free(texts[i]);
    free_columns(r);
    msw_table_free(&r->chosen.table);
    free(r->chosen.points);
    free(r->chosen.exact_rows);
    free(r->chosen.front_rows);
    free(r->chosen.pinned_rows);
    msw_plot_free(&r->plot);
}
