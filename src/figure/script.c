/* SPDX-License-Identifier: MIT */
/* Writes the variables that a figure's gnuplot file reads: paths of the data, names of panels and
 * series, labels, tics and the footer. */
#include "memsweep/figure/figure.h"
#include "memsweep/format/format.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void msw_plot_quote(const char *text, msw_text *out)
{
    msw_text label = MSW_TEXT_EMPTY;
    msw_text_add_label(&label, text);
    msw_text_add_gnuplot(out, msw_text_str(&label));
    out->failed = out->failed || label.failed;
    msw_text_free(&label);
}

/* gnuplot takes tics from tables, and there "%" for the start of a format. */
void msw_plot_cell(const char *text, msw_text *out)
{
    static const char SMALL_PERCENT[] = "\xef\xb9\xaa";
    msw_text label = MSW_TEXT_EMPTY;
    msw_text_add_label(&label, text);
    for (const char *at = msw_text_str(&label); *at; at++)
        if (*at == '%')
            msw_text_add_bytes(out, SMALL_PERCENT, sizeof SMALL_PERCENT - 1);
        else
            msw_text_add_bytes(out, at, 1);
    out->failed = out->failed || label.failed;
    msw_text_free(&label);
}

static void set_text(const char *name, const char *value, msw_text *out)
{
    msw_text_add(out, "%s = ", name);
    msw_plot_quote(value, out);
    msw_text_add(out, "\n");
}

/* ---- values of a column in the order of their appearance ---- */

enum { MOST_VALUES = 64 };

static size_t find_values(const msw_column *column, size_t rows, size_t found[MOST_VALUES])
{
    size_t count = 0;
    for (size_t r = 0; r < rows; r++) {
        size_t i = 0;
        while (i < count && column->values[found[i]] != column->values[r])
            i++;
        if (i == count && count < MOST_VALUES && column->values[r] == column->values[r])
            found[count++] = r;
    }
    return count;
}

/* ---- the order of panels ---- */

static size_t step_of(const msw_outline *o, const char *workload)
{
    size_t w = 0;
    while (w < o->workload_count && strcmp(o->workload_names[w], workload) != 0)
        w++;
    return w;
}

/* A recipe gives the order by a column `panel_step`. Else workloads come as in the plan, numbers as
 * numbers, and other names as they appear. */
static bool is_before(const msw_figure *f, const msw_column *column, size_t a, size_t b)
{
    const msw_outline *o = &f->plot->outline;
    int step = msw_table_find(&f->table, "panel_step");
    const msw_column *by = step < 0 ? column : &f->table.columns[step];
    double x = by->values[a], y = by->values[b];
    if (!by->labels)
        return x < y;
    return step_of(o, by->labels[(size_t)x]) < step_of(o, by->labels[(size_t)y]);
}

static void order_panels(const msw_figure *f, const msw_column *column, size_t *found, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        size_t row = found[i], at = i;
        for (; at > 0 && is_before(f, column, row, found[at - 1]); at--)
            found[at] = found[at - 1];
        found[at] = row;
    }
}

/* Places of series `a` are those of series `b`, with the same numbers. */
typedef struct curves {
    const msw_table *table;
    const msw_column *panel, *series, *x, *y;
    double close; /* numbers nearer than this fall on one another */
} curves;

static bool has_twin(const curves *c, size_t row, double series)
{
    for (size_t r = 0; r < c->table->rows; r++)
        if (c->series->values[r] == series && c->x->values[r] == c->x->values[row] &&
            (!c->panel || c->panel->values[r] == c->panel->values[row]) &&
            fabs(c->y->values[r] - c->y->values[row]) <= c->close * fabs(c->y->values[row]))
            return true;
    return false;
}

static bool coincide(const curves *c, double a, double b)
{
    for (size_t r = 0; r < c->table->rows; r++)
        if ((c->series->values[r] == a && !has_twin(c, r, b)) ||
            (c->series->values[r] == b && !has_twin(c, r, a)))
            return false;
    return true;
}

static const msw_column *column_of(const msw_table *table, const char *name)
{
    int c = msw_table_find(table, name);
    return c < 0 ? NULL : &table->columns[c];
}

enum { MOST_COMPARED = 5000 };

/* same[k]: the first series that series k falls on, itself where there is none. */
static void find_same(const msw_figure *f, const size_t *found, size_t count, size_t *same)
{
    const msw_table *t = &f->table;
    curves c = {
        t,   column_of(t, "panel"), column_of(t, "series"), column_of(t, "x"), column_of(t, "y"),
        1e-6};
    bool known = f->series_used && c.series && c.x && c.y && t->rows <= MOST_COMPARED;
    for (size_t k = 0; k < count; k++) {
        same[k] = k;
        for (size_t j = 0; known && j < k && same[k] == k; j++)
            if (same[j] == j &&
                coincide(&c, c.series->values[found[k]], c.series->values[found[j]]))
                same[k] = j;
    }
}

static void add_array(const char *name, const msw_column *column, const size_t *found, size_t count,
                      bool exact, msw_text *out)
{
    msw_text_add(out, "array %s[%zu] = [", name, count ? count : 1);
    if (!count)
        msw_text_add_gnuplot(out, "");
    for (size_t i = 0; i < count; i++) {
        msw_text value = MSW_TEXT_EMPTY, cell = MSW_TEXT_EMPTY;
        msw_format_cell(column, found[i], exact, &value);
        msw_plot_cell(msw_text_str(&value), &cell);
        msw_text_add(out, "%s", i ? ", " : "");
        msw_text_add_gnuplot(out, msw_text_str(&cell));
        out->failed = out->failed || value.failed;
        msw_text_free(&value);
        out->failed = out->failed || cell.failed;
        msw_text_free(&cell);
    }
    msw_text_add(out, "]\n");
}

/* The text of a series: a value of the second factor as figures write it. */
static void add_series_text(const msw_figure *f, const msw_column *column, size_t row,
                            msw_text *out)
{
    const msw_plot *p = f->plot;
    const msw_column *factor =
        f->series_used ? msw_plot_column(p, p->factors.names[1], NULL) : NULL;
    if (factor && !column->labels && !p->factors.axes[1].bins)
        msw_plot_number(msw_plot_is_bytes(factor), column->values[row], out);
    else
        msw_format_cell(column, row, false, out);
}

/* Titles of series; those that fall on one another share the first one's line. */
static void set_series(const msw_figure *f, const msw_column *column, const size_t *found,
                       size_t count, msw_text *out)
{
    enum { MOST_NAMED = 3 };
    size_t same[MOST_VALUES], drawn[MOST_VALUES], lines = 0;
    msw_text titles = MSW_TEXT_EMPTY;
    find_same(f, found, count, same);
    for (size_t k = 0; k < count; k++) {
        msw_text title = MSW_TEXT_EMPTY, cell = MSW_TEXT_EMPTY;
        size_t group = 0, named = 0;
        for (size_t j = k; j < count; j++)
            group += same[j] == k;
        for (size_t j = k; j < count; j++) {
            if (same[j] != (same[k] == k ? k : same[k]) || (same[k] != k && j != k))
                continue;
            named++;
            if (group > MOST_NAMED && named > 1 && named < group)
                continue;
            msw_text_add(&title, "%s", named == 1 ? "" : group > MOST_NAMED ? " to " : ", ");
            add_series_text(f, column, found[j], &title);
        }
        if (same[k] == k)
            drawn[lines++] = k + 1;
        msw_plot_cell(msw_text_str(&title), &cell);
        msw_text_add(&titles, "%s", k ? ", " : "");
        msw_text_add_gnuplot(&titles, msw_text_str(&cell));
        titles.failed = titles.failed || cell.failed || title.failed;
        msw_text_free(&title);
        msw_text_free(&cell);
    }
    msw_text_add(out, "array series_title[%zu] = [%s]\n", count ? count : 1,
                 count ? msw_text_str(&titles) : "\"\"");
    msw_text_add(out, "drawn_count = %zu\narray drawn[%zu] = [", lines ? lines : 1,
                 lines ? lines : 1);
    for (size_t k = 0; k < lines; k++)
        msw_text_add(out, "%s%zu", k ? ", " : "", drawn[k]);
    msw_text_add(out, "%s]\n", lines ? "" : "1");
    out->failed = out->failed || titles.failed;
    msw_text_free(&titles);
}

/* `panel` and `series` are columns that recipes split by. */
static void set_values(const msw_figure *f, const char *name, msw_text *out)
{
    size_t found[MOST_VALUES], count = 0;
    char title[32];
    int c = msw_table_find(&f->table, name);
    const msw_column empty = {0}, *column = c < 0 ? &empty : &f->table.columns[c];
    if (c >= 0)
        count = find_values(column, f->table.rows, found);
    if (strcmp(name, "panel") == 0)
        order_panels(f, column, found, count);
    msw_text_add(out, "%s_count = %zu\n", name, count ? count : 1);
    add_array(name, column, found, count, true, out);
    snprintf(title, sizeof title, "%s_title", name);
    if (strcmp(name, "series") == 0)
        set_series(f, column, found, count, out);
    else
        add_array(title, column, found, count, false, out);
}

/* ---- labels, tics ---- */

static void set_end(const char *name, const char *end, double value, msw_text *out)
{
    msw_text_add(out, "%s_%s = ", name, end);
    if (value == value)
        msw_text_add_double(out, value);
    else
        msw_text_add(out, "NaN");
    msw_text_add(out, "\n");
}

/* Numbers without a unit that are compared with 1: a slowdown. The data show whether all lie above.
 */
static bool is_ratio(const msw_column *column)
{
    return column && !*column->unit && !column->integer && column->goal == MSW_GOAL_LOWER;
}

/* How the numbers of metric `i` lie on an axis: what was asked, and what they are. */
static void set_scale(const msw_plot *p, size_t i, const msw_column *column, const char *name,
                      msw_text *out)
{
    bool known = i < p->metrics.count;
    msw_text_add(out, "%s_scale = ", name);
    msw_plot_quote(msw_plot_scale_name(known ? p->metrics.scales[i] : MSW_SCALE_AUTO), out);
    msw_text_add(out, "\n%s_bytes = %d\n%s_ratio = %d\n", name, column && msw_plot_is_bytes(column),
                 name, is_ratio(column));
    set_end(name, "from", known ? p->metrics.zoom[i][0] : NAN, out);
    set_end(name, "to", known ? p->metrics.zoom[i][1] : NAN, out);
}

static void set_labels(const msw_figure *f, msw_text *out)
{
    static const char *const NAMES[MSW_PLOT_METRICS] = {"metric", "metric2", "metric3"};
    char variable[32];
    for (size_t i = 0; i < MSW_PLOT_METRICS; i++) {
        const char *name = i < f->plot->metrics.count ? f->plot->metrics.names[i] : NULL;
        const msw_column *column = name ? msw_plot_column(f->plot, name, NULL) : NULL;
        msw_text label = MSW_TEXT_EMPTY;
        if (column)
            msw_plot_label(column, &label);
        snprintf(variable, sizeof variable, "%s_label", NAMES[i]);
        set_text(variable, msw_text_str(&label), out);
        snprintf(variable, sizeof variable, "%s_name", NAMES[i]);
        set_text(variable, name ? name : "", out);
        set_scale(f->plot, i, column, NAMES[i], out);
        out->failed = out->failed || label.failed;
        msw_text_free(&label);
    }
}

static void set_detail(const msw_figure *f, msw_text *out)
{
    for (int value = 0; value < 2; value++) {
        msw_text label = MSW_TEXT_EMPTY;
        msw_plot_detail_label(f, value, &label);
        set_text(value ? "detail_y_label" : "detail_x_label", msw_text_str(&label), out);
        out->failed = out->failed || label.failed;
        msw_text_free(&label);
    }
}

static void set_setup(const char *name, char letter, const char *tics, bool log2, msw_text *out)
{
    msw_text setup = MSW_TEXT_EMPTY;
    if (log2)
        msw_text_add(&setup, "set logscale %c 2; ", letter);
    if (*tics)
        msw_text_add(&setup, "set %ctics (%s)", letter, tics);
    msw_text_add(out, "%s_%c = ", name, letter);
    msw_text_add_gnuplot(out, msw_text_str(&setup)); /* for eval */
    msw_text_add(out, "\n");
    out->failed = out->failed || setup.failed;
    msw_text_free(&setup);
}

static void set_axes(const msw_figure *f, msw_text *out)
{
    static const char *const NAMES[] = {"factor", "factor2"};
    static const char *const STEPS[] = {"factor_step", "factor2_step"};
    for (size_t i = 0; i < MSW_PLOT_FACTORS; i++) {
        const msw_axis none = {0}, *axis = f->axis_used[i] ? &f->plot->factors.axes[i] : &none;
        msw_text_add(out, "%s_label = ", NAMES[i]);
        msw_plot_quote(msw_text_str(&axis->label), out);
        msw_text_add(out, "\n%s_bins = %d\n%s_log = %d\n%s_marks = %zu\n", NAMES[i], axis->bins,
                     NAMES[i], axis->log2, NAMES[i], axis->marks);
        msw_text_add(out, "array %s_mark[%zu] = [%s]\narray %s_place[%zu] = [%s]\n", NAMES[i],
                     axis->marks ? axis->marks : 1,
                     axis->marks ? msw_text_str(&axis->names) : "\"\"", NAMES[i],
                     axis->marks ? axis->marks : 1, axis->marks ? msw_text_str(&axis->spots) : "0");
        for (const char *letter = "xy"; *letter; letter++) {
            set_setup(NAMES[i], *letter, msw_text_str(&axis->tics), axis->log2, out);
            set_setup(STEPS[i], *letter, msw_text_str(&axis->steps), false, out);
        }
    }
}

/* ---- where it comes from ---- */

/* What is shown of an analysis that was kept comes from rows of its own choice: those that it was
 * asked for, whatever is asked now. Returns NULL where the rows themselves are shown. */
static const char *kept_settings(const msw_figure *f)
{
    int c = msw_table_find(&f->table, "settings");
    const msw_column *column = c < 0 ? NULL : &f->table.columns[c];
    return column && column->labels && f->table.rows && column->values[0] == column->values[0]
               ? column->labels[(size_t)column->values[0]]
               : NULL;
}

static bool has_panel(const msw_column *panel, const char *name)
{
    for (size_t i = 0; i < panel->label_count; i++)
        if (strcmp(panel->labels[i], name) == 0)
            return true;
    return false;
}

/* Workloads of the sweep that have no panel, where others have: nothing of them could be drawn. */
static void add_absent(const msw_figure *f, msw_text *out)
{
    enum { NAMED_MOST = 3 };
    const msw_outline *o = &f->plot->outline;
    int c = msw_table_find(&f->table, "panel");
    const msw_column *panel = c < 0 ? NULL : &f->table.columns[c];
    msw_text names = MSW_TEXT_EMPTY;
    size_t absent = 0;
    for (size_t w = 0; panel && panel->labels && w < o->workload_count; w++)
        if (!has_panel(panel, o->workload_names[w]) && absent++ < NAMED_MOST)
            msw_text_add(&names, "%s%s", names.size ? ", " : "", o->workload_names[w]);
    if (absent && absent < o->workload_count)
        msw_text_add(out, ", nothing to draw of %zu workload%s: %s%s", absent,
                     absent == 1 ? "" : "s", msw_text_str(&names),
                     absent > NAMED_MOST ? ", ..." : "");
    out->failed = out->failed || names.failed;
    msw_text_free(&names);
}

static void add_footer(const msw_figure *f, msw_text *out)
{
    const msw_plot *p = f->plot;
    char rows[32], dropped[32], beyond[32], all[32];
    msw_text text = MSW_TEXT_EMPTY;
    const char *kept = kept_settings(f);
    msw_text_add(&text, "%s %s, %s", p->sweep.name, p->digest,
                 msw_fidelity_name(p->outline.fidelity));
    if (kept)
        msw_text_add(&text, ", %s", kept);
    else
        msw_text_add(&text, ", %s rows", msw_count_text(f->row_count, rows));
    if (p->rows.left_out.beyond && !kept)
        msw_text_add(&text, ", %s of %s beyond the limits",
                     msw_count_text(p->rows.left_out.beyond, beyond),
                     msw_count_text(p->rows.left_out.beyond + p->rows.count, all));
    if (p->rows.left_out.doubtful && !kept)
        msw_text_add(&text, ", %s doubtful left out",
                     msw_count_text(p->rows.left_out.doubtful, beyond));
    if (f->dropped && !kept)
        msw_text_add(&text, ", %s without a value", msw_count_text(f->dropped, dropped));
    if (!p->options.filter && !kept)
        add_absent(f, &text);
    set_text("footer", msw_text_str(&text), out);
    out->failed = out->failed || text.failed;
    msw_text_free(&text);
    if (p->options.filter && !kept)
        msw_text_add(&text, "where %s", p->options.filter);
    set_text("filter", msw_text_str(&text), out);
    out->failed = out->failed || text.failed;
    msw_text_free(&text);
}

/* Parameters that vary and are not an axis: a figure shows the mean over them, or the best. */
static void set_others(const msw_figure *f, msw_text *out)
{
    msw_text text = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < f->plot->factors.count; i++)
        if (f->plot->factors.varies[i] && (i >= MSW_PLOT_FACTORS || !f->axis_used[i]))
            msw_text_add(&text, "%s%s", text.size ? ", " : "", f->plot->factors.names[i]);
    bool held = f->slice_used && f->held.size;
    set_text("others", held ? "" : msw_text_str(&text), out);
    set_text("held", msw_text_str(&f->held), out);
    msw_text_clear(&text);
    msw_text_add(&text, "%s%s%s", f->best ? "best" : "mean", f->best_by ? " " : "",
                 f->best_by ? f->best_by : "");
    set_text("of_others", msw_text_str(&text), out);
    out->failed = out->failed || text.failed;
    msw_text_free(&text);
}

/* Columns that count bytes: a recipe that shows their values as text writes them so. */
static void add_byte_columns(const msw_plot *p, msw_text *out)
{
    msw_text names = MSW_TEXT_EMPTY;
    for (size_t c = 0; c < p->columns.column_count; c++)
        if (msw_plot_is_bytes(&p->columns.columns[c]))
            msw_text_add(&names, " %s", p->columns.columns[c].name);
    set_text("byte_columns", msw_text_str(&names), out);
    out->failed = out->failed || names.failed;
    msw_text_free(&names);
}

void msw_plot_script(const msw_figure *f, msw_text *out)
{
    msw_text_add(out, "set loadpath");
    for (int i = 0; i < MSW_PLOT_FOLDERS; i++)
        msw_text_add(out, " \"recipes%d\"", i);
    msw_text_add(out, "\nset datafile commentschars \"\"\n");
    set_text("data", MSW_PLOT_TABLE, out);
    set_text("outfile", MSW_PLOT_OUTPUT, out);
    set_text("format", f->plot->options.format, out);
    set_text("figure", f->name, out);
    set_text("page_columns", f->plot->options.width ? f->plot->options.width : "auto", out);
    set_text("own_style", f->plot->options.style ? MSW_PLOT_STYLE : "", out);
    set_text("series_label", f->series_used ? msw_text_str(&f->plot->factors.axes[1].label) : "",
             out);
    add_byte_columns(f->plot, out);
    msw_text_add(out, "axes_count = %zu\n%s", f->axes_count, msw_text_str(&f->axes_look));
    msw_text_add(out, "rows = %zu\n", f->table.rows);
    msw_text_add(out, "front_count = %zu\n", f->front_used ? f->plot->front.count : 0);
    msw_text_add(out, "objective_count = %zu\n", f->plot->metrics.count);
    set_text("axes", msw_text_str(&f->axes_list), out);
    set_text("causes", msw_text_str(&f->stack), out);
    set_text("causes_label", f->stack_unit ? f->stack_unit : "", out);
    set_labels(f, out);
    set_detail(f, out);
    set_axes(f, out);
    set_values(f, "panel", out);
    set_values(f, "series", out);
    set_others(f, out);
    add_footer(f, out);
    msw_text_add(out, "load \"style.gp\"\nload \"" MSW_PLOT_RECIPE "\"\n");
}
