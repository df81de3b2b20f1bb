/* SPDX-License-Identifier: MIT */
#include "memsweep/report/report.h"

#include "memsweep/format/outfile.h"

#include <stdlib.h>
#include <string.h>

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

static int draw(msw_report *r, bool *drawn)
{
    int rc = r->no_figures ? 0 : msw_report_figures(r);
    *drawn = rc == 0;
    if (rc > 0)
        msw_text_add(&r->figures,
                     "<p class=\"note\">No gnuplot where this was made: no figures.</p>\n");
    return rc < 0 ? -1 : 0;
}

/* Figures come first: the columns take the room they leave. */
static int make(msw_report *r, const char *file, const char *path, const char *input, bool *drawn)
{
    r->file = file;
    return msw_outfile_check(path, MSW_OUTPUT_PAGE, input, r->plot.err) || msw_report_find(r) ||
                   msw_plot_open(&r->plot, file) || msw_report_complete(r) || msw_report_rows(r) ||
                   draw(r, drawn) || msw_report_data(r)
               ? -1
               : msw_report_write(r, path, input);
}

int msw_report_make(msw_report *r, const char *file, const char *path, bool *drawn)
{
    char *input = msw_context_database(r->plot.context, file);
    int rc = input ? make(r, file, path, input, drawn) : msw_fail_memory(r->plot.err);
    free(input);
    return rc;
}

static void free_columns(msw_report *r)
{
    for (size_t c = 0; c < r->column_count; c++) {
        msw_report_column *column = &r->columns[c];
        msw_coder_free(&column->coder);
        free(column->codes);
        for (size_t i = 0; i < column->label_count; i++)
            free(column->labels[i]);
        free(column->labels);
    }
    free(r->columns);
}

void msw_report_free(msw_report *r)
{
    msw_text *const texts[] = {&r->data,   &r->body,  &r->figures, &r->script,
                               &r->worker, &r->style, &r->page,    &r->library_text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        msw_text_free(texts[i]);
    free_columns(r);
    msw_table_free(&r->rows);
    free(r->points);
    free(r->exact_rows);
    free(r->front_rows);
    free(r->pinned_rows);
    msw_plot_free(&r->plot);
}
