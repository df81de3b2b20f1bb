/* SPDX-License-Identifier: MIT */
/* Lays out the levels of a factor on an axis: as they are, doubling, side by side, or in bins. */
#include "memsweep/figure/figure.h"
#include "memsweep/format/format.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/base/quote.h"
#include "memsweep/base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 40, MOST_TICS = 5 };

void msw_axis_free(msw_axis *axis)
{
    msw_text_free(&axis->label);
    msw_text_free(&axis->at);
    msw_text_free(&axis->tics);
    msw_text_free(&axis->step);
    msw_text_free(&axis->steps);
    msw_text_free(&axis->names);
    msw_text_free(&axis->spots);
}

/* gnuplot takes "%" in a tic's label for the start of a format. */
static void add_tic(const char *label, double at, msw_text *out)
{
    msw_text format = MSW_TEXT_EMPTY;
    for (; *label; label++)
        msw_text_add(&format, *label == '%' ? "%%%c" : "%c", *label);
    msw_plot_quote(msw_text_str(&format), out);
    msw_text_add(out, " %.17g", at);
    out->failed = out->failed || format.failed;
    msw_text_free(&format);
}

/* Figures take as many of these as there is room for. */
static void add_mark(const char *text, double at, msw_axis *axis)
{
    msw_text cell = MSW_TEXT_EMPTY;
    msw_plot_cell(text, &cell);
    msw_text_add(&axis->names, "%s", axis->marks ? ", " : "");
    msw_text_add_gnuplot(&axis->names, msw_text_str(&cell));
    msw_text_add(&axis->spots, "%s%.17g", axis->marks ? ", " : "", at);
    axis->names.failed = axis->names.failed || cell.failed;
    axis->marks++;
    msw_text_free(&cell);
}

enum { EXACT_LETTERS = 6, LEAST_DIGITS = 4, MOST_DIGITS = 17 };

static double to_digits(double value, int digits)
{
    char text[32];
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtod(text, NULL);
}

/* So many digits tell levels apart. */
static int level_digits(const msw_column *column, size_t count)
{
    int digits = LEAST_DIGITS;
    for (size_t i = 1; i < count && digits < MOST_DIGITS; i++)
        while (digits < MOST_DIGITS &&
               to_digits(column->values[i], digits) == to_digits(column->values[i - 1], digits))
            digits++;
    return digits;
}

/* As it is where that is short, as 4 KiB and 0.125; a third has too many digits for any axis. */
static void add_level(const msw_column *column, size_t level, int digits, msw_text *out)
{
    double value = column->values[level];
    msw_plot_value(column, value, out);
    if (column->labels || out->size <= EXACT_LETTERS || value == floor(value))
        return;
    msw_text_clear(out);
    msw_plot_value(column, to_digits(value, digits), out);
}

static void mark_levels(const msw_column *column, size_t count, int digits, bool by_number,
                        msw_axis *axis)
{
    for (size_t i = 0; i < count; i++) {
        msw_text level = MSW_TEXT_EMPTY;
        add_level(column, i, digits, &level);
        add_mark(msw_text_str(&level), by_number ? (double)i : column->values[i], axis);
        axis->names.failed = axis->names.failed || level.failed;
        msw_text_free(&level);
    }
}

static void add_tics(const msw_column *column, size_t count, int digits, bool by_number,
                     msw_text *out)
{
    size_t step = msw_div_up(count, MOST_TICS);
    for (size_t i = 0; i < count; i += step ? step : 1) {
        msw_text level = MSW_TEXT_EMPTY;
        add_level(column, i, digits, &level);
        msw_text_add(out, "%s", i ? ", " : "");
        add_tic(msw_text_str(&level), by_number ? (double)i : column->values[i], out);
        out->failed = out->failed || level.failed;
        msw_text_free(&level);
    }
}

/* Levels that double, or nearly: an even distance on a logarithmic axis is what was meant. */
static bool is_geometric(const double *v, size_t count)
{
    if (count < 3 || v[0] <= 0 || v[count - 1] < 8 * v[0])
        return false;
    double step = msw_math_log(v[count - 1] / v[0]) / (double)(count - 1);
    for (size_t i = 1; i < count; i++)
        if (fabs(msw_math_log(v[i] / v[i - 1]) - step) > 0.75 * step)
            return false;
    return true;
}

static void number_levels(const msw_column *column, size_t count, int digits, msw_axis *axis)
{
    msw_text_add(&axis->step, "CASE ");
    msw_text_add_sql_name(&axis->step, column->name);
    for (size_t i = 0; i < count; i++) {
        msw_text_add(&axis->step, " WHEN ");
        if (column->labels)
            msw_text_add_sql_string(&axis->step, column->labels[(size_t)column->values[i]]);
        else
            msw_text_add_double(&axis->step, column->values[i]);
        msw_text_add(&axis->step, " THEN %zu", i);
    }
    msw_text_add(&axis->step, " END");
    add_tics(column, count, digits, true, &axis->steps);
}

static void arrange_levels(const msw_column *column, size_t count, msw_axis *axis)
{
    const double *v = column->values;
    int digits = level_digits(column, count);
    number_levels(column, count, digits, axis);
    if (column->labels || (count > 3 && v[0] == 0 && is_geometric(v + 1, count - 1))) {
        msw_text_add(&axis->at, "%s", msw_text_str(&axis->step));
        msw_text_add(&axis->tics, "%s", msw_text_str(&axis->steps));
        mark_levels(column, count, digits, true, axis);
        return;
    }
    axis->log2 = is_geometric(v, count);
    mark_levels(column, count, digits, false, axis);
    msw_text_add_sql_name(&axis->at, column->name);
    if (axis->log2 || count <= MOST_TICS)
        add_tics(column, count, digits, false, &axis->tics);
}

/* Tics of bins lie between them. */
static void add_edges(bool bytes, double low, double width, int bins, msw_axis *axis)
{
    msw_text *out = &axis->steps;
    for (int i = 0; i <= 4; i++) {
        double edge = (double)bins * i / 4;
        msw_text level = MSW_TEXT_EMPTY;
        msw_plot_number(bytes, to_digits(low + width * edge, LEAST_DIGITS), &level);
        msw_text_add(out, i ? ", " : "");
        add_tic(msw_text_str(&level), edge - 0.5, out);
        add_mark(msw_text_str(&level), low + width * edge, axis);
        out->failed = out->failed || level.failed;
        msw_text_free(&level);
    }
}

/* The range a sweep file gives, where it gives one. */
static const msw_outline_factor *find_range(const msw_plot *p, const char *name)
{
    for (size_t i = 0; i < p->outline.factor_count; i++) {
        const msw_outline_factor *factor = &p->outline.factors[i];
        if (strcmp(factor->name, name) == 0 && factor->from < factor->to)
            return factor;
    }
    return NULL;
}

static int find_ends(msw_plot *p, const char *name, double *low, double *high)
{
    const msw_outline_factor *range = find_range(p, name);
    if (range) {
        *low = range->from;
        *high = range->to;
        return 0;
    }
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table ends = {0};
    msw_text_add(&sql, "SELECT min(");
    msw_text_add_sql_name(&sql, name);
    msw_text_add(&sql, "), max(");
    msw_text_add_sql_name(&sql, name);
    msw_text_add(&sql, ") FROM (%s)", msw_text_str(&p->rows.sql));
    if (msw_plot_select(p, &sql, &ends))
        return -1;
    *low = ends.columns[0].values[0];
    *high = ends.columns[1].values[0];
    msw_table_free(&ends);
    return 0;
}

static int arrange_bins(msw_plot *p, const msw_column *known, int bins, msw_axis *axis)
{
    double low, high;
    if (find_ends(p, known->name, &low, &high))
        return -1;
    double width = (high - low) / bins;
    axis->bins = true;
    msw_text_add(&axis->step, "min(%d, CAST((", bins - 1);
    msw_text_add_sql_name(&axis->step, known->name);
    msw_text_add(&axis->step, " - (%.17g)) / %.17g AS INTEGER))", low, width);
    msw_text_add(&axis->at, "(%.17g + %.17g * (0.5 + %s))", low, width, msw_text_str(&axis->step));
    add_edges(msw_plot_is_bytes(known), low, width, bins, axis);
    return 0;
}

static int read_levels(msw_plot *p, const msw_column *known, msw_table *levels)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "SELECT DISTINCT ");
    msw_text_add_sql_name(&sql, known->name);
    msw_text_add(&sql, " FROM (%s) WHERE ", msw_text_str(&p->rows.sql));
    msw_text_add_sql_name(&sql, known->name);
    /* Sorted here and not there: a range is then known after a few rows. */
    msw_text_add(&sql, " IS NOT NULL LIMIT %d", MOST_LEVELS + 1);
    if (msw_plot_select(p, &sql, levels))
        return -1;
    if (!levels->columns[0].labels)
        msw_sort_f64(levels->columns[0].values, levels->rows);
    return 0;
}

int msw_plot_axis(msw_plot *p, const char *name, int bins, msw_axis *axis)
{
    const msw_column *known = msw_plot_column(p, name, p->err);
    msw_table levels = {0};
    if (!known || read_levels(p, known, &levels))
        return -1;
    msw_plot_label(p, known, &axis->label);
    int rc = 0;
    if (levels.rows < 2)
        rc = msw_fail(p->err, "%s has %s value in the rows that take part", name,
                      levels.rows ? "only one" : "no");
    else if (levels.rows > MOST_LEVELS && !levels.columns[0].labels)
        rc = arrange_bins(p, known, bins, axis);
    else
        arrange_levels(&levels.columns[0], levels.rows, axis);
    msw_table_free(&levels);
    return rc;
}
