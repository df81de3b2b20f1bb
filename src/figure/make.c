/* SPDX-License-Identifier: MIT */
/* One figure after the other: from a recipe's name to a file. */
#include "memsweep/figure/figure.h"

#include "memsweep/base/quote.h"

#include <stdlib.h>
#include <string.h>

/* A recipe may say in a comment what has to be done first. */
static int fail_empty(const msw_plot *p, const char *query)
{
    static const char FIRST[] = "-- first: ";
    const char *first = strstr(query, FIRST);
    if (first) {
        first += strlen(FIRST);
        return msw_fail(p->err, "nothing to show yet: say %.*s first", (int)strcspn(first, "\n"),
                        first);
    }
    return msw_fail(p->err,
                    "no row of sweep '%s' has what it shows%s%s%s ('memsweep query' lists "
                    "rows and columns)",
                    p->sweep.name, p->ask.filter ? " where " : "",
                    p->ask.filter ? p->ask.filter : "", "");
}

static int read_query(msw_figure *f)
{
    char *query = NULL;
    size_t size = 0;
    int rc =
        msw_read_file(f->query_path, &query, &size, f->plot->err) ? -1 : msw_plot_fill(f, query);
    if (rc == 0 && msw_plot_select(f->plot, &f->sql, &f->table))
        rc = msw_fail_prefix(f->plot->err, "%s: ", f->query_path);
    else if (rc == 0 && !f->table.rows)
        rc = fail_empty(f->plot, query);
    free(query);
    return rc;
}

static int count_figure(msw_figure *f)
{
    size_t metrics = 0;
    for (size_t i = 0; i < MSW_PLOT_METRICS; i++)
        metrics |= (size_t)f->metric_used[i] << i;
    if (msw_plot_count(f->plot))
        return -1;
    f->row_count = f->plot->row_count;
    f->dropped = f->plot->dropped[metrics];
    return 0;
}

static void free_figure(msw_figure *f)
{
    free(f->query_path);
    free(f->gnuplot_path);
    msw_text_free(&f->axes_list);
    msw_text_free(&f->axes_look);
    msw_text_free(&f->slice);
    msw_text_free(&f->held);
    msw_text_free(&f->stack);
    msw_text_free(&f->sql);
    msw_table_free(&f->table);
}

/* Where nothing was asked for by name, a figure that the sweep has no data for is left out. */
int msw_plot_make(msw_plot *p, const char *name, bool asked, msw_plot_outcome *all)
{
    msw_figure f = {.plot = p, .name = name};
    int rc = msw_plot_find(&f) ? -1 : 0;
    bool fits = rc == 0 && read_query(&f) == 0;
    if (fits)
        rc = count_figure(&f) ? -1 : msw_plot_draw(&f, all);
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

int msw_plot_make_listed(msw_plot *p, const char *list, msw_plot_outcome *all)
{
    int rc = 0;
    for (const char *at = list; *at && rc == 0;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, " ,");
        char *name = msw_strfmt("%.*s", (int)size, at);
        rc = !name ? msw_fail_memory(p->err) : size ? msw_plot_make(p, name, true, all) : 0;
        free(name);
        at += size;
    }
    return rc;
}

int msw_plot_make_all(msw_plot *p, msw_plot_outcome *all)
{
    msw_table names = {0};
    int rc = msw_plot_recipes(p, &names);
    for (size_t i = 0; rc == 0 && i < names.columns[0].label_count; i++)
        rc = msw_plot_make(p, names.columns[0].labels[i], false, all);
    msw_table_free(&names);
    return rc;
}
