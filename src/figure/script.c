/* What a figure's gnuplot file finds set: where the data are, names of panels and series, labels,
 * tics and the footer. */
#include "memsweep/figure/figure.h"
#include "memsweep/format/format.h"

#include "memsweep/base/quote.h"

#include <inttypes.h>
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
    add_array(title, column, found, count, false, out);
}

/* ---- labels, tics ---- */

static void set_labels(const msw_figure *f, msw_text *out)
{
    for (size_t i = 0; i < MSW_PLOT_METRICS; i++) {
        const char *name = i < f->plot->metric_count ? f->plot->metrics[i] : NULL;
        const msw_column *column = name ? msw_plot_column(f->plot, name, NULL) : NULL;
        msw_text label = MSW_TEXT_EMPTY;
        if (column)
            msw_plot_label(column, &label);
        set_text(i ? "metric2_label" : "metric_label", msw_text_str(&label), out);
        set_text(i ? "metric2_name" : "metric_name", name ? name : "", out);
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
        const msw_axis none = {0}, *axis = f->axis_used[i] ? &f->plot->axes[i] : &none;
        msw_text_add(out, "%s_label = ", NAMES[i]);
        msw_plot_quote(msw_text_str(&axis->label), out);
        msw_text_add(out, "\n%s_bins = %d\n", NAMES[i], axis->bins);
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

static void add_footer(const msw_figure *f, msw_text *out)
{
    const msw_plot *p = f->plot;
    char rows[32], dropped[32];
    msw_text text = MSW_TEXT_EMPTY;
    const char *kept = kept_settings(f);
    msw_text_add(&text, "%s %s, %s", p->sweep.name, p->digest,
                 msw_fidelity_name(p->outline.fidelity));
    if (kept)
        msw_text_add(&text, ", %s", kept);
    else
        msw_text_add(&text, ", %s rows", msw_count_text(f->row_count, rows));
    if (f->dropped && !kept)
        msw_text_add(&text, ", %s without a value", msw_count_text(f->dropped, dropped));
    set_text("footer", msw_text_str(&text), out);
    out->failed = out->failed || text.failed;
    msw_text_free(&text);
    if (p->ask.filter && !kept)
        msw_text_add(&text, "where %s", p->ask.filter);
    set_text("filter", msw_text_str(&text), out);
    out->failed = out->failed || text.failed;
    msw_text_free(&text);
}

/* Parameters that vary and are not an axis: a figure shows the mean over them. */
static void set_others(const msw_figure *f, msw_text *out)
{
    msw_text text = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < f->plot->factor_count; i++)
        if (f->plot->varies[i] && (i >= MSW_PLOT_FACTORS || !f->axis_used[i]))
            msw_text_add(&text, "%s%s", text.size ? ", " : "", f->plot->factors[i]);
    set_text("others", msw_text_str(&text), out);
    out->failed = out->failed || text.failed;
    msw_text_free(&text);
}

void msw_plot_script(const msw_figure *f, msw_text *out)
{
    msw_text_add(out, "set loadpath");
    for (int i = 0; i < MSW_PLOT_FOLDERS; i++)
        msw_text_add(out, " \"recipes%d\"", i);
    msw_text_add(out, "\nset datafile commentschars \"\"\n");
    set_text("data", MSW_PLOT_TABLE, out);
    set_text("outfile", MSW_PLOT_OUTPUT, out);
    set_text("format", f->plot->ask.format, out);
    set_text("figure", f->name, out);
    msw_text_add(out, "rows = %zu\n", f->table.rows);
    msw_text_add(out, "front_count = %zu\n", f->front_used ? f->plot->front : 0);
    msw_text_add(out, "objective_count = %zu\n", f->plot->metric_count);
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
