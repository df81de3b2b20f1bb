/* Figures inside a page: gnuplot's SVG, its names made distinct from those of the other figures. */
#include "report.h"

#include <errno.h>
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
            msw_text_add(out, "%s-", name);
        } else if (strncmp(at, TITLE, sizeof TITLE - 1) == 0) {
            size = sizeof TITLE - 1;
            msw_text_add(out, "<title>%s</title>", name);
        } else {
            size = 1 + strcspn(at + 1, " hu<");
            msw_text_add_bytes(out, at, size);
        }
        at += size;
    }
}

/* "FOLDER/SWEEP-NAME.svg" -> "NAME" */
static char *figure_name(const cli_report *r, const char *path, size_t size)
{
    size_t head = strlen(r->plot.ask.folder) + 1 + strlen(r->plot.sweep.name) + 1;
    return size > head + 4 ? msw_strfmt("%.*s", (int)(size - head - 4), path + head) : NULL;
}

static int add_figure(cli_report *r, const char *path, const char *name)
{
    char *svg = NULL;
    size_t size;
    if (msw_read_file(path, &svg, &size, r->plot.err))
        return -1;
    msw_text_add(&r->figures, "<figure id=\"figure-%s\">\n<figcaption>%s</figcaption>\n", name,
                 name);
    add_svg(svg, name, &r->figures);
    msw_text_add(&r->figures, "</figure>\n");
    free(svg);
    return 0;
}

/* Takes the files that were written, one path a line, and removes them. */
static int take(cli_report *r, const msw_text *written)
{
    int rc = 0;
    for (const char *line = msw_text_str(written); *line;) {
        size_t size = strcspn(line, "\n");
        char *path = msw_strfmt("%.*s", (int)size, line), *name = figure_name(r, line, size);
        if (!path)
            rc = msw_fail_memory(r->plot.err);
        else if (rc == 0 && name && strcmp(path + size - 4, ".svg") == 0)
            rc = add_figure(r, path, name);
        if (path)
            remove(path);
        free(path);
        free(name);
        line += size + 1;
    }
    return rc;
}

int cli_report_figures(cli_report *r)
{
    const char *tmp = getenv("TMPDIR");
    cli_plot_outcome all = {.written = MSW_TEXT_EMPTY};
    char folder[256];
    snprintf(folder, sizeof folder, "%.200s/memsweep-report-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return msw_fail_kind(r->plot.err, MSW_ERR_IO, "%s: %s", folder, strerror(errno));
    r->plot.ask.folder = folder;
    int rc = r->figures_list ? cli_plot_make_listed(&r->plot, r->figures_list, &all)
                             : cli_plot_make_all(&r->plot, &all);
    if (take(r, &all.written))
        rc = -1;
    rmdir(folder);
    r->plot.ask.folder = NULL;
    msw_text_free(&all.written);
    msw_text_free(&all.skipped);
    return rc ? -1 : all.without_gnuplot > 0;
}
