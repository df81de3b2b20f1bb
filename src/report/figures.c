/* SPDX-License-Identifier: MIT */
/* Figures inside a page: gnuplot's SVG, its names made distinct from those of the other figures. */
#include "memsweep/format/outfile.h"
#include "memsweep/report/report.h"

#include "memsweep/base/quote.h"

#include <errno.h>
#include <stdio.h>

#include <stdlib.h>
#include <string.h>

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
    msw_text_add(&r->figures, "<figure id=\"figure-");
    msw_text_add_html(&r->figures, file->figure);
    msw_text_add(&r->figures, "\">\n<figcaption>");
    msw_text_add_html(&r->figures, file->figure);
    msw_text_add(&r->figures, "</figcaption>\n");
    add_svg(svg, file->figure, &r->figures);
    msw_text_add(&r->figures, "</figure>\n");
    free(svg);
    return 0;
}

static bool is_svg(const char *path)
{
    size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".svg") == 0;
}

static int draw(msw_report *r, msw_plot_outcome *all)
{
    int rc = r->figures_list ? msw_plot_make_listed(&r->plot, r->figures_list, all)
                             : msw_plot_make_all(&r->plot, all);
    for (size_t i = 0; i < all->written_count && rc == 0; i++)
        if (is_svg(all->written[i].path))
            rc = add_figure(r, &all->written[i]);
    return rc ? -1 : all->without_gnuplot > 0;
}

int msw_report_figures(msw_report *r)
{
    msw_plot_outcome all = {0};
    char *folder = msw_temp_folder(r->plot.err);
    r->plot.ask.folder = folder;
    int rc = folder ? draw(r, &all) : -1;
    r->plot.ask.folder = NULL;
    msw_plot_outcome_free(&all);
    msw_temp_remove(folder);
    return rc;
}
