/* SPDX-License-Identifier: MIT */
/* The page: where its parts are found, and how they are put together. */
#include "memsweep/format/outfile.h"
#include "memsweep/report/report.h"

#include "memsweep/base/quote.h"
#include "memsweep/run/slurm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    const char *path = r->library ? r->library : own ? own : PACKAGED;
    int rc = 0;
    if (access(path, R_OK))
        rc = msw_fail_kind(r->plot.err, MSW_ERR_IO,
                           "%s: %s: the report needs D3, version 5 or later: install the package "
                           "node-d3, or name its d3.min.js by --library",
                           path, strerror(errno));
    else
        rc = append(path, &r->library_text, r->plot.err);
    free(own);
    return rc;
}

int msw_report_find(msw_report *r)
{
    static const char *const SCRIPTS[] = {"base.js",   "state.js",   "engine.js",   "density.js",
                                          "axes.js",   "lines.js",   "parallel.js", "scatter.js",
                                          "tables.js", "filters.js", "insight.js",  "export.js",
                                          "page.js"};
    static const char *const WORKERS[] = {"unpack.js", "cube.js", "worker.js"};
    int rc = read_part(r, "page.html", &r->page) || read_part(r, "page.css", &r->style);
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof *SCRIPTS && !rc; i++)
        rc = read_part(r, SCRIPTS[i], &r->script);
    for (size_t i = 0; i < sizeof WORKERS / sizeof *WORKERS && !rc; i++)
        rc = read_part(r, WORKERS[i], &r->worker);
    MSW_TRY(rc);
    return read_library(r);
}

int msw_report_write(const msw_report *r, const char *path, const char *input)
{
    msw_text title = MSW_TEXT_EMPTY, page = MSW_TEXT_EMPTY;
    msw_text_add_html(&title, r->plot.sweep.name);
    const msw_slot slots[] = {
        {"TITLE", msw_text_str(&title)},
        {"STYLE", msw_text_str(&r->style)},
        {"FIGURES", msw_text_str(&r->figures)},
        {"DATA", msw_text_str(&r->data)},
        {"BODY", msw_text_str(&r->body)},
        {"WORKER", msw_text_str(&r->worker)},
        {"LIBRARY", msw_text_str(&r->library_text)},
        {"SCRIPT", msw_text_str(&r->script)},
        {NULL, NULL},
    };
    int rc = r->figures.failed ? msw_fail_memory(r->plot.err) : 0;
    if (rc == 0)
        rc = msw_template_fill(msw_text_str(&r->page), slots, &page, r->plot.err) ||
                     msw_outfile_write(path, MSW_OUTPUT_PAGE, input, &page, r->plot.err)
                 ? -1
                 : 0;
    msw_text_free(&title);
    msw_text_free(&page);
    return rc;
}
