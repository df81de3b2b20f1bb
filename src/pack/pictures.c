/* SPDX-License-Identifier: MIT */
/* Page and figures, made from the rows that are packed and from nothing that lies about. */
#include "memsweep/format/outfile.h"
#include "memsweep/report/report.h"
#include "pack/parts.h"

#include <stdlib.h>
#include <string.h>

static const char *command_of(msw_pack_job *job, const char *figure)
{
    return msw_pack_text(job, "memsweep plot " MSW_PACKED_DATABASE " --figure %s", figure);
}

static int add_figure(msw_pack_job *job, const msw_plot_file *file)
{
    const char *slash = strrchr(file->path, '/');
    const char *name = slash ? slash + 1 : file->path;
    size_t size = strlen(name);
    if (size < 5 || strcmp(name + size - 4, ".svg") != 0)
        return 0; /* the table of a figure that could not be drawn */
    msw_pack_member member = {.name = msw_pack_text(job, "figures/%s", name),
                              .type = "image/svg+xml",
                              .role = "figure",
                              .origin = command_of(job, file->figure)};
    if (!member.name || !member.origin || msw_pack_add_file(job, file->path, &member))
        return -1;
    job->made->figures++;
    return 0;
}

static int draw(msw_pack_job *job, const char *folder)
{
    const msw_pack_ask *ask = job->ask;
    msw_plot_outcome all = {0};
    msw_plot plot = {.context = ask->context,
                     .options = {.sweep = job->called, .format = "svg", .folder = folder},
                     .err = job->err};
    int rc = msw_plot_open(&plot, job->database);
    if (rc == 0)
        rc = ask->figures ? msw_plot_make_listed(&plot, ask->figures, &all)
                          : msw_plot_make_all(&plot, &all);
    for (size_t i = 0; i < all.written_count && rc == 0; i++)
        rc = add_figure(job, &all.written[i]);
    job->made->without_gnuplot = all.without_gnuplot > 0;
    msw_plot_free(&plot);
    msw_plot_outcome_free(&all);
    return rc;
}

static int make_figures(msw_pack_job *job)
{
    char *folder = msw_temp_folder(job->err);
    int rc = folder ? draw(job, folder) : -1;
    msw_temp_remove(folder);
    return rc;
}

static int make_page(msw_pack_job *job)
{
    bool drawn;
    msw_report report = {.plot = {.context = job->ask->context,
                                  .options = {.sweep = job->called, .format = "svg"},
                                  .err = job->err},
                         .options.called = MSW_PACKED_DATABASE,
                         .options.no_figures = job->ask->no_figures,
                         .options.figures = job->ask->figures};
    char *path = msw_strfmt("%s/page.html", job->folder);
    int rc =
        path ? msw_report_make(&report, job->database, path, &drawn) : msw_fail_memory(job->err);
    if (rc == 0)
        rc = msw_pack_add_file(
            job, path,
            &(msw_pack_member){.name = "page.html",
                               .type = "text/html",
                               .role = "page",
                               .origin = "memsweep report " MSW_PACKED_DATABASE " -o page.html"});
    job->made->page = rc == 0;
    msw_report_free(&report);
    free(path);
    return rc;
}

int msw_pack_pictures(msw_pack_job *job)
{
    if (!job->ask->no_page && make_page(job))
        return msw_fail_prefix(job->err, "the page (--no-page leaves it out): ");
    if (!job->ask->no_figures && make_figures(job))
        return msw_fail_prefix(job->err, "the figures (--no-figures leaves them out): ");
    return 0;
}
