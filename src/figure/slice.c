/* SPDX-License-Identifier: MIT */
/* Reduces parameters that vary and are no axis of a figure. A mean over them is fair where they
 * hardly matter; where they do, they are held at one level each. Where designs are
 * left out (beyond the limits, infeasible) and not the same ones everywhere, a mean would move with
 * its set: the best row of each place is shown. The title says which. */
#include "memsweep/figure/figure.h"

#include "memsweep/base/quote.h"

#include <math.h>
#include <string.h>

/* A mean misleads where what it is taken over moves the metric by more than this share. */
static const double LITTLE = 0.02;
/* Levels held must leave this share of the places that a figure has. */
static const double ENOUGH = 0.9;

enum { NAME_BYTES = 128 };

static bool is_other(const msw_figure *f, size_t i)
{
    return f->plot->factors.varies[i] && (i >= MSW_PLOT_FACTORS || !f->axis_used[i]);
}

static bool has_others(const msw_figure *f)
{
    for (size_t i = 0; i < f->plot->factors.count; i++)
        if (is_other(f, i))
            return true;
    return false;
}

/* Appends the columns that name a place on paper: panel and steps of the axes used. */
static void add_spot(const msw_figure *f, msw_text *sql)
{
    msw_text_add(sql, "workload");
    for (size_t i = 0; i < MSW_PLOT_FACTORS; i++)
        if (f->axis_used[i] && f->plot->factors.axis_known[i])
            msw_text_add(sql, ", %s", msw_text_str(&f->plot->factors.axes[i].step));
}

static int read_one(msw_figure *f, msw_text *sql, double *value)
{
    msw_table table = {0};
    if (msw_plot_select(f->plot, sql, &table))
        return -1;
    *value = table.rows ? table.columns[0].values[0] : NAN;
    msw_table_free(&table);
    return 0;
}

/* What is shown: the sum of the causes, or the first metric. */
static void add_shown(const msw_figure *f, msw_text *sql)
{
    const char *at = msw_text_str(&f->stack);
    if (!*at)
        msw_text_add_sql_name(sql, f->plot->metrics.names[0]);
    while (*at) {
        size_t size = strcspn(at, " ");
        char name[NAME_BYTES];
        msw_text_fit(name, size + 1 < sizeof name ? size + 1 : sizeof name, at);
        msw_text_add_sql_name(sql, name);
        at += size + strspn(at + size, " ");
        msw_text_add(sql, "%s", *at ? " + " : "");
    }
}

/* By what share of itself what is shown moves at one place, at most. */
static int find_spread(msw_figure *f, double *spread)
{
    msw_text sql = MSW_TEXT_EMPTY;
    if (f->detail) { /* no metric says how a detail moves */
        *spread = INFINITY;
        return 0;
    }
    msw_text_add(&sql,
                 "SELECT max((high - low) / max(abs(high), abs(low), 1e-300)) FROM (SELECT max(");
    add_shown(f, &sql);
    msw_text_add(&sql, ") AS high, min(");
    add_shown(f, &sql);
    msw_text_add(&sql, ") AS low FROM (%s) WHERE status = 'ok' GROUP BY ",
                 msw_text_str(&f->plot->rows.sql));
    add_spot(f, &sql);
    msw_text_add(&sql, ")");
    return read_one(f, &sql, spread);
}

static int count_spots(msw_figure *f, const char *rows, double *count)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql, "SELECT count(*) FROM (SELECT 1 FROM (%s) WHERE status = 'ok' GROUP BY ",
                 rows);
    add_spot(f, &sql);
    msw_text_add(&sql, ")");
    return read_one(f, &sql, count);
}

static const msw_param *find_param(const msw_plot *p, const char *name)
{
    for (size_t i = 0; i < p->outline.factor_count; i++)
        for (size_t t = 0; t < p->outline.factors[i].target_count; t++)
            if (strcmp(p->outline.factors[i].targets[t]->name, name) == 0)
                return p->outline.factors[i].targets[t];
    return NULL;
}

static bool is_default(const msw_param *param, const msw_column *levels, size_t row)
{
    if (!param)
        return false;
    if (!levels->labels)
        return levels->values[row] == param->def;
    const char *label = levels->labels[(size_t)levels->values[row]];
    if (param->kind == MSW_FLAG)
        return strcmp(label, param->def > 0 ? "on" : "off") == 0;
    return param->choices && strcmp(label, param->choices[(size_t)param->def].name) == 0;
}

/* The level most rows have; among equals the default, else the one in the middle. */
static size_t choose_level(const msw_plot *p, const char *name, const msw_table *levels)
{
    size_t ties = 1, best;
    while (ties < levels->rows && levels->columns[1].values[ties] == levels->columns[1].values[0])
        ties++;
    best = ties / 2;
    for (size_t i = 0; i < ties; i++)
        if (is_default(find_param(p, name), &levels->columns[0], i))
            best = i;
    return best;
}

/* "page_size = 4 KiB", with blanks at which no line is broken. */
static void add_level_text(const msw_column *known, const msw_column *levels, size_t row,
                           msw_text *out)
{
    static const char FIRM_BLANK[] = "\xc2\xa0";
    bool unit = !levels->labels && !msw_plot_is_bytes(known) && *known->unit;
    msw_text text = MSW_TEXT_EMPTY;
    msw_column value = *levels;
    value.unit = known->unit;
    msw_text_add(&text, "%s = ", known->name);
    msw_plot_value(&value, levels->values[row], &text);
    msw_text_add(&text, "%s%s", unit ? " " : "", unit ? known->unit : "");
    msw_text_add(out, "%s", out->size ? ", " : "");
    for (const char *at = msw_text_str(&text); *at; at++)
        msw_text_add_bytes(out, *at == ' ' ? FIRM_BLANK : at, *at == ' ' ? 2 : 1);
    out->failed = out->failed || text.failed;
    msw_text_free(&text);
}

static void add_held(msw_figure *f, const msw_column *known, const msw_column *levels, size_t row,
                     msw_text *rows)
{
    msw_text wider = *rows;
    *rows = MSW_TEXT_EMPTY;
    msw_text_add(rows, "SELECT * FROM (%s) WHERE ", msw_text_str(&wider));
    msw_text_add_sql_name(rows, known->name);
    msw_text_add(rows, " = ");
    if (levels->labels)
        msw_text_add_sql_string(rows, levels->labels[(size_t)levels->values[row]]);
    else
        msw_text_add_double(rows, levels->values[row]);
    msw_text_free(&wider);
    add_level_text(known, levels, row, &f->held);
}

/* Leaves of `rows` those at one level of a factor. */
static int hold(msw_figure *f, const char *name, msw_text *rows)
{
    msw_plot *p = f->plot;
    const msw_column *known = msw_plot_column(p, name, p->err);
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table levels = {0};
    msw_text_add(&sql, "SELECT ");
    msw_text_add_sql_name(&sql, name);
    msw_text_add(&sql, ", count(*) FROM (%s) WHERE status = 'ok' AND ", msw_text_str(rows));
    msw_text_add_sql_name(&sql, name);
    msw_text_add(&sql, " IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1");
    if (!known || msw_plot_select(p, &sql, &levels)) {
        msw_text_free(&sql);
        return -1;
    }
    if (levels.rows > 1)
        add_held(f, known, &levels.columns[0], choose_level(p, name, &levels), rows);
    msw_table_free(&levels);
    return 0;
}

static int hold_all(msw_figure *f, msw_text *rows)
{
    msw_text_add(rows, "%s", msw_text_str(&f->plot->rows.sql));
    for (size_t i = 0; i < f->plot->factors.count; i++)
        if (is_other(f, i) && hold(f, f->plot->factors.names[i], rows))
            return -1;
    return rows->failed || f->held.failed ? msw_fail_memory(f->plot->err) : 0;
}

/* Whether rows at one level of each are enough to draw by: random points seldom are. */
static int is_enough(msw_figure *f, const char *rows, bool *enough)
{
    double all, held;
    if (count_spots(f, msw_text_str(&f->plot->rows.sql), &all) || count_spots(f, rows, &held))
        return -1;
    *enough = held >= ENOUGH * all;
    return 0;
}

static int wants_mean(msw_figure *f, bool *mean)
{
    const char *rest = f->plot->options.rest ? f->plot->options.rest : "auto";
    double spread = 0;
    *mean = strcmp(rest, "mean") == 0 || !has_others(f);
    if (*mean || strcmp(rest, "hold") == 0)
        return 0;
    if (find_spread(f, &spread))
        return -1;
    *mean = !(spread > LITTLE);
    return 0;
}

/* ---- the best row of each place ---- */

/* Whether places have different numbers of rows because some were left out. */
static int set_changes(msw_figure *f, bool *changes)
{
    double uneven = 0, out = 0;
    const char *rows = msw_text_str(&f->plot->rows.sql);
    msw_text sql = MSW_TEXT_EMPTY;
    *changes = false;
    if (!has_others(f))
        return 0;
    msw_text_add(&sql, "SELECT count(*) FROM (%s) WHERE status = 'infeasible'", rows);
    MSW_TRY(read_one(f, &sql, &out));
    if (!f->plot->rows.left_out.beyond && !f->plot->rows.left_out.doubtful && !(out > 0))
        return 0;
    msw_text_add(&sql,
                 "SELECT min(n) < max(n) FROM (SELECT count(*) AS n FROM (%s) WHERE status = 'ok' "
                 "GROUP BY ",
                 rows);
    add_spot(f, &sql);
    msw_text_add(&sql, ")");
    MSW_TRY(read_one(f, &sql, &uneven));
    *changes = uneven > 0;
    return 0;
}

/* Finds what rows are compared by: what is shown, or an objective where that has no better end.
 * Appends its expression. Returns the column whose goal says what is better, or NULL. */
static const msw_column *add_compared(msw_figure *f, msw_text *sql)
{
    const msw_plot *p = f->plot;
    const msw_column *column = msw_plot_column(p, p->metrics.names[0], NULL);
    if (f->stack.size || (column && column->goal != MSW_GOAL_NONE)) {
        add_shown(f, sql);
        return column;
    }
    for (size_t i = 0; i < p->sweep.objective_count; i++) {
        column = msw_plot_column(p, p->sweep.objectives[i].name, NULL);
        if (!column || column->goal == MSW_GOAL_NONE)
            continue;
        msw_text_add_sql_name(sql, column->name);
        f->best_by = column->name;
        return column;
    }
    return NULL;
}

/* Leaves of `rows` the best of each place. */
static int keep_best(msw_figure *f, msw_text *rows)
{
    const char *all = msw_text_str(&f->plot->rows.sql);
    msw_text by = MSW_TEXT_EMPTY;
    const msw_column *column = add_compared(f, &by);
    if (column) {
        bool higher = !f->stack.size && column->goal == MSW_GOAL_HIGHER;
        msw_text_add(rows,
                     "SELECT * FROM (%s) WHERE point IN (SELECT point FROM (SELECT point, %s(%s) "
                     "FROM (%s) WHERE status = 'ok' AND (%s) IS NOT NULL GROUP BY ",
                     all, higher ? "max" : "min", msw_text_str(&by), all, msw_text_str(&by));
        add_spot(f, rows);
        msw_text_add(rows, "))");
    } else {
        msw_text_add(rows, "%s", all);
    }
    f->best = column != NULL;
    rows->failed = rows->failed || by.failed;
    msw_text_free(&by);
    return rows->failed ? msw_fail_memory(f->plot->err) : 0;
}

int msw_plot_slice(msw_figure *f, msw_text *rows)
{
    bool mean, changes, enough = false;
    if (msw_plot_count(f->plot) || wants_mean(f, &mean))
        return -1;
    if (!mean && (hold_all(f, rows) || is_enough(f, msw_text_str(rows), &enough)))
        return -1;
    if (enough)
        return 0;
    if (!mean && f->plot->options.rest && strcmp(f->plot->options.rest, "hold") == 0)
        return msw_fail(f->plot->err,
                        "no rows at one level of all that is no axis (%s): say --rest mean",
                        msw_text_str(&f->held));
    msw_text_clear(rows);
    msw_text_clear(&f->held);
    MSW_TRY(set_changes(f, &changes));
    if (changes)
        return keep_best(f, rows);
    msw_text_add(rows, "%s", msw_text_str(&f->plot->rows.sql));
    return 0;
}
