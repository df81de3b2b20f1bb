/* SPDX-License-Identifier: MIT */
/* The words of a recipe's query and what they stand for in a sweep. */
#include "memsweep/figure/figure.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/mechanism.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct word {
    const char *name;
    int (*add)(msw_figure *f, size_t which);
    size_t which;
} word;

static void add_name(msw_figure *f, const char *name)
{
    msw_text_add_sql_name(&f->sql, name);
}

static int add_rows(msw_figure *f, size_t which)
{
    (void)which;
    msw_text_add(&f->sql, "(%s)", msw_text_str(&f->plot->rows.sql));
    return 0;
}

static int add_slice(msw_figure *f, size_t which)
{
    (void)which;
    if (!f->slice_used && msw_plot_slice(f, &f->slice))
        return -1;
    f->slice_used = true;
    msw_text_add(&f->sql, "(%s)", msw_text_str(&f->slice));
    return 0;
}

static int add_sweep(msw_figure *f, size_t which)
{
    (void)which;
    msw_text_add(&f->sql, "%lld", (long long)f->plot->sweep.id);
    return 0;
}

static int add_points(msw_figure *f, size_t which)
{
    char *table = msw_strfmt("points_%s", f->plot->sweep.mechanism);
    (void)which;
    if (!table)
        return msw_fail_memory(f->plot->err);
    add_name(f, table);
    free(table);
    return 0;
}

/* A number of each point that has nothing to do with its place in the sweep: points of every n-th
 * place share levels of a grid. Two multiplications modulo 2^31 - 1, the second by a number that
 * depends on the first; all products are below 2^63. */
static int add_random_order(msw_figure *f, size_t which)
{
    (void)which;
    msw_text_add(&f->sql, "(point %% 2147483647 * 48271 %% 2147483647 * (point %% 2147483647 * "
                          "48271 %% 2147483647 %% 46337 + 1) %% 2147483647 * 69621 %% 2147483647)");
    return 0;
}

/* Workloads are the outermost part of a plan's order. */
static int add_workload_step(msw_figure *f, size_t which)
{
    const msw_plot *p = f->plot;
    uint64_t workloads = p->workloads ? p->workloads : 1, points = p->sweep.points / workloads;
    (void)which;
    msw_text_add(&f->sql, "(point / %" PRIu64 ")", points ? points : 1);
    return 0;
}

/* ---- metrics ---- */

static int need_metric(msw_figure *f, size_t which)
{
    f->metric_used[which] = true;
    return which < f->plot->metrics.count
               ? 0
               : msw_fail(f->plot->err, "there is one objective only: name two by --metric a,b");
}

static int add_metric(msw_figure *f, size_t which)
{
    if (need_metric(f, which))
        return -1;
    add_name(f, f->plot->metrics.names[which]);
    return 0;
}

/* A third objective is shown where there is one; rows without it stay. */
static int add_third(msw_figure *f, size_t which)
{
    bool there = f->plot->metrics.count == which + 1;
    if (there)
        add_name(f, f->plot->metrics.names[which]);
    else
        msw_text_add(&f->sql, "NULL");
    return 0;
}

static int add_half_width(msw_figure *f, size_t which)
{
    if (need_metric(f, which))
        return -1;
    if (!msw_half_width_add(&f->plot->columns, f->plot->sweep.canonical,
                            f->plot->metrics.names[which], false, &f->sql))
        msw_text_add(&f->sql, "NULL");
    return 0;
}

/* ---- factors ---- */

enum { BINS = 16, SERIES_BINS = 6 };

static int need_factor(msw_figure *f, size_t which)
{
    msw_plot *p = f->plot;
    if (which >= p->factors.axis_count)
        return msw_fail(p->err, which ? "only one parameter varies: name two by --factor a,b"
                                      : "no parameter varies: name one by --factor");
    f->axis_used[which] = true;
    if (p->factors.axis_known[which])
        return 0;
    msw_axis_free(&p->factors.axes[which]);
    p->factors.axis_known[which] =
        msw_plot_axis(p, p->factors.names[which], which ? SERIES_BINS : BINS,
                      &p->factors.axes[which]) == 0;
    return p->factors.axis_known[which] ? 0 : -1;
}

static int add_factor(msw_figure *f, size_t which)
{
    if (need_factor(f, which))
        return -1;
    add_name(f, f->plot->factors.names[which]);
    return 0;
}

static int add_position(msw_figure *f, size_t which)
{
    if (need_factor(f, which))
        return -1;
    msw_text_add(&f->sql, "%s", msw_text_str(&f->plot->factors.axes[which].at));
    return 0;
}

static int add_step(msw_figure *f, size_t which)
{
    if (need_factor(f, which))
        return -1;
    msw_text_add(&f->sql, "%s", msw_text_str(&f->plot->factors.axes[which].step));
    return 0;
}

/* The second factor where there is one: lines without it are one line. */
static int add_series(msw_figure *f, size_t which)
{
    if (which >= f->plot->factors.axis_count) {
        msw_text_add(&f->sql, "''");
        return 0;
    }
    if (need_factor(f, which))
        return -1;
    f->series_used = true;
    if (f->plot->factors.axes[which].bins)
        msw_text_add(&f->sql, "%s", msw_text_str(&f->plot->factors.axes[which].at));
    else
        add_name(f, f->plot->factors.names[which]);
    return 0;
}

static int add_series_step(msw_figure *f, size_t which)
{
    if (which < f->plot->factors.axis_count)
        return add_step(f, which);
    msw_text_add(&f->sql, "0");
    return 0;
}

/* ---- lists of columns ---- */

/* A metric's scale is that of its axes elsewhere; levels have their own. */
static void look_of(const msw_figure *f, const char *name, const msw_column *column,
                    const msw_axis *axis, msw_text *out)
{
    const msw_plot *p = f->plot;
    size_t a = f->axes_count;
    msw_plot_scale scale = axis->log2    ? MSW_SCALE_LOG
                           : axis->marks ? MSW_SCALE_LINEAR
                                         : MSW_SCALE_AUTO;
    for (size_t i = 0; i < p->metrics.count && !axis->marks; i++)
        if (strcmp(p->metrics.names[i], name) == 0)
            scale = p->metrics.scales[i];
    msw_text label = MSW_TEXT_EMPTY;
    msw_plot_label(p, column, &label);
    msw_text_add(out, "axis%zu_label = ", a);
    msw_plot_quote(msw_text_str(&label), out);
    msw_text_add(out, "\naxis%zu_scale = ", a);
    msw_plot_quote(msw_plot_scale_name(scale), out);
    msw_text_add(out, "\naxis%zu_bytes = %d\naxis%zu_marks = %zu\n", a, msw_plot_is_bytes(column),
                 a, axis->marks);
    msw_text_add(out, "array axis%zu_mark[%zu] = [%s]\narray axis%zu_place[%zu] = [%s]\n", a,
                 axis->marks ? axis->marks : 1, axis->marks ? msw_text_str(&axis->names) : "\"\"",
                 a, axis->marks ? axis->marks : 1, axis->marks ? msw_text_str(&axis->spots) : "0");
    out->failed = out->failed || label.failed;
    msw_text_free(&label);
}

/* Ranges have no levels to name. */
static int lay_axis(msw_figure *f, const char *name, bool factor, msw_axis *axis)
{
    if (!factor || !msw_plot_axis(f->plot, name, BINS, axis))
        return 0;
    msw_axis_free(axis);
    *axis = (msw_axis){0};
    msw_err_clear(f->plot->err);
    return 0;
}

static int add_axis_column(msw_figure *f, const char *name, bool factor)
{
    const msw_column *column = msw_plot_column(f->plot, name, f->plot->err);
    msw_axis axis = {0};
    if (!column || (column->labels ? msw_plot_axis(f->plot, name, BINS, &axis)
                                   : lay_axis(f, name, factor, &axis)))
        return -1;
    msw_text_add(&f->axes_list, "%s%s", f->axes_list.size ? " " : "", name);
    msw_text_add(&f->sql, ", ");
    if (axis.bins) {
        msw_axis_free(&axis); /* a range needs no bins here: a line per point */
        axis = (msw_axis){0};
    } else if (axis.marks) {
        msw_text_add(&f->sql, "%s AS ", msw_text_str(&axis.at));
    }
    add_name(f, name);
    f->axes_count++;
    look_of(f, name, column, &axis, &f->axes_look);
    msw_axis_free(&axis);
    return 0;
}

static bool is_shown(const msw_plot *p, const char *metric)
{
    for (size_t i = 0; i < p->factors.axis_count && i < MSW_PLOT_COLUMNS / 2; i++)
        if (strcmp(p->factors.names[i], metric) == 0)
            return true;
    return false;
}

static int add_axes(msw_figure *f, size_t which)
{
    msw_plot *p = f->plot;
    (void)which;
    f->metric_used[0] = true;
    for (size_t i = 0; i < p->factors.axis_count && i < MSW_PLOT_COLUMNS / 2; i++)
        if (add_axis_column(f, p->factors.names[i], true))
            return -1;
    for (size_t i = 0; i < p->metrics.count && i < MSW_PLOT_COLUMNS / 2; i++)
        if (!is_shown(p, p->metrics.names[i]) && add_axis_column(f, p->metrics.names[i], false))
            return -1;
    return 0;
}

/* Which stack. */
enum { CYCLES, ENERGY };

static int add_stack(msw_figure *f, size_t which)
{
    const msw_metric *metric = f->plot->outline.mech->metrics;
    if (f->plot->sweep.over && strstr(f->plot->sweep.name, "@worst"))
        return msw_fail(f->plot->err, "a stack has no worst case: its parts would be of "
                                      "different workloads (--by mean)");
    for (; metric && metric->name; metric++) {
        if (!(which == ENERGY ? metric->energy : metric->stack))
            continue;
        msw_text_add(&f->stack, "%s%s", f->stack.size ? " " : "", metric->name);
        f->stack_unit = metric->unit;
        msw_text_add(&f->sql, ", avg(");
        add_name(f, metric->name);
        msw_text_add(&f->sql, ") AS ");
        add_name(f, metric->name);
    }
    return f->stack.size ? 0
                         : msw_fail(f->plot->err, "the mechanism %s has no %s stack",
                                    f->plot->sweep.mechanism, which == ENERGY ? "energy" : "cycle");
}

/* ---- analyses that were kept ---- */

/* `row` is an object of the result: what comes before its factor are the groups. */
static int add_kept_panel(msw_figure *f, size_t which)
{
    (void)which;
    msw_text_add(&f->sql, "(SELECT group_concat(value, ', ') FROM json_each(row) WHERE id < "
                          "(SELECT id FROM json_each(row) WHERE key = 'factor'))");
    return 0;
}

/* What was asked, less what is so anyway; `settings` is an object. */
static int add_kept_settings(msw_figure *f, size_t which)
{
    (void)which;
    msw_text_add(
        &f->sql,
        "('sensitivity' || coalesce(' of ' || json_extract(settings, '$.metric'), '') || "
        "coalesce((SELECT ', ' || group_concat(CASE WHEN key = 'filter' "
        "THEN 'where ' || value WHEN key = 'group-by' THEN 'by ' || value "
        "WHEN type = 'true' THEN key ELSE key || ' ' || value END, ', ') "
        "FROM json_each(settings) WHERE value IS NOT NULL AND type <> 'false' AND "
        "key NOT IN ('sweep', 'metric', 'over') AND (key <> 'by' OR value LIKE '%%(%%') AND "
        "key || ' ' || value NOT IN ('method auto', 'interactions 1', 'resamples 1000', "
        "'confidence 95%%', 'seed 1', 'estimator saltelli', 'centre on', 'degree 3', "
        "'limits on')), '') || CASE WHEN json_extract(settings, '$.over') IS NOT NULL THEN ', ' || "
        "substr(coalesce(json_extract(settings, '$.by'), 'worst'), 1, "
        "instr(coalesce(json_extract(settings, '$.by'), 'worst') || '(', '(') - 1) || "
        "' over workloads' WHEN %d AND instr(coalesce(json_extract(settings, "
        "'$.\"group-by\"'), ''), 'workload') = 0 AND instr(coalesce(json_extract(settings, "
        "'$.filter'), ''), 'workload') = 0 THEN ', mean over workloads' ELSE '' END)",
        f->plot->workloads > 1);
    return 0;
}

/* ---- the front ---- */

enum { THINNED_FRONT = 1000 };

static int need_front(msw_figure *f)
{
    msw_plot *p = f->plot;
    if (p->metrics.count < 2)
        return msw_fail(p->err, "a front takes two objectives: say --metric a,b");
    return msw_plot_need_front(p, f->judges);
}

/* Adds at most `most` of the points, chosen as msw_plot_is_chosen does. */
static void add_numbers(msw_figure *f, const double *points, size_t count, size_t most)
{
    const char *comma = "";
    msw_text_add(&f->sql, "(SELECT value FROM json_each('[");
    for (size_t i = 0; i < count; i++)
        if (msw_plot_is_chosen(i, count, most)) {
            msw_text_add(&f->sql, "%s%.0f", comma, points[i]);
            comma = ",";
        }
    msw_text_add(&f->sql, "]'))");
}

/* A random choice of at most `most` points. */
static int add_front(msw_figure *f, size_t most)
{
    const msw_plot *p = f->plot;
    if (need_front(f))
        return -1;
    f->front_used = true;
    add_numbers(f, p->front.points, p->front.count, most);
    return 0;
}

static int add_plane(msw_figure *f, size_t which)
{
    const msw_plot *p = f->plot;
    (void)which;
    if (need_front(f))
        return -1;
    add_numbers(f, p->front.plane_points, p->front.plane, SIZE_MAX);
    return 0;
}

/* ---- the table, and filling in ---- */

static const word WORDS[] = {
    {"rows", add_rows, 0},
    {"slice", add_slice, 0},
    {"sweep", add_sweep, 0},
    {"points", add_points, 0},
    {"workload_step", add_workload_step, 0},
    {"random_order", add_random_order, 0},
    {"metric", add_metric, 0},
    {"metric2", add_metric, 1},
    {"third", add_third, 2},
    {"metric_hw", add_half_width, 0},
    {"metric2_hw", add_half_width, 1},
    {"factor", add_factor, 0},
    {"factor2", add_factor, 1},
    {"factor_at", add_position, 0},
    {"factor2_at", add_position, 1},
    {"factor_step", add_step, 0},
    {"factor2_step", add_step, 1},
    {"series", add_series, 1},
    {"series_step", add_series_step, 1},
    {"axes", add_axes, 0},
    {"stack", add_stack, CYCLES},
    {"energies", add_stack, ENERGY},
    {"kept_panel", add_kept_panel, 0},
    {"kept_settings", add_kept_settings, 0},
    {"front", add_front, SIZE_MAX},
    {"front_thinned", add_front, THINNED_FRONT},
    {"plane", add_plane, 0},
    {"pairs", msw_plot_add_pairs, 0},
    {"uncertain", msw_plot_add_uncertain, 0},
    {"doubtful", msw_plot_add_uncertain, 0}, /* its first name, in recipes that users have */
    {"detail", msw_plot_add_detail, 0},
    {"detail_x", msw_plot_add_detail, 1},
    {"detail_y", msw_plot_add_detail, 2},
    {NULL, NULL, 0},
};

static int fill_word(msw_figure *f, const char *name, size_t size)
{
    char text[64];
    msw_text_fit(text, size + 1 < sizeof text ? size + 1 : sizeof text, name);
    for (const word *w = WORDS; w->name; w++)
        if (strcmp(w->name, text) == 0)
            return w->add(f, w->which);
    const char *best = msw_nearest(text, &WORDS[0].name, sizeof *WORDS);
    return msw_fail(f->plot->err, "%s: no word ':%s' in queries of figures%s%s%s", f->query_path,
                    text, best ? ", did you mean ':" : "", best ? best : "", best ? "'?" : "");
}

/* Length of a comment or a quoted text at `s`, 0 when there is none. */
static size_t skipped(const char *s)
{
    if (s[0] == '-' && s[1] == '-')
        return strcspn(s, "\n");
    if (*s != '\'' && *s != '"')
        return 0;
    const char *end = strchr(s + 1, *s);
    return end ? (size_t)(end - s) + 1 : strlen(s);
}

/* Whether a query says a word, or one that begins with it and goes on with "_". */
static bool says(const char *query, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = query; (at = strstr(at, name)); at += size)
        if (!isalnum((unsigned char)at[size]))
            return true;
    return false;
}

/* Parameters that are no axis are held, or a mean is taken over them: axes have to be known before.
 */
static int find_axes(msw_figure *f, const char *query)
{
    if (!says(query, ":slice"))
        return 0;
    if (says(query, ":factor") && need_factor(f, 0))
        return -1;
    bool second =
        says(query, ":factor2") || (says(query, ":series") && f->plot->factors.axis_count > 1);
    return second ? need_factor(f, 1) : 0;
}

int msw_plot_fill(msw_figure *f, const char *query)
{
    f->judges = strstr(query, ":uncertain") || strstr(query, ":doubtful");
    if (find_axes(f, query))
        return -1;
    for (const char *s = query; *s;) {
        size_t size = skipped(s);
        if (!size && *s == ':' && isalpha((unsigned char)s[1])) {
            size = 1;
            while (isalnum((unsigned char)s[size]) || s[size] == '_')
                size++;
            if (fill_word(f, s + 1, size - 1))
                return -1;
        } else {
            size = size ? size : 1;
            msw_text_add_bytes(&f->sql, s, size);
        }
        s += size;
    }
    return f->sql.failed ? msw_fail_memory(f->plot->err) : 0;
}
