/* SPDX-License-Identifier: MIT */
/* Columns and numbers as figures show them: the columns of the sweep, how many of its rows take
 * part and which factors vary in them, numbers as text (bytes by their unit, large ones by a
 * prefix, none with zeros at its end), scales and ranges that a user gives. */
#include "memsweep/figure/figure.h"

#include "memsweep/base/rng.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int msw_plot_select(msw_plot *p, msw_text *sql, msw_table *table)
{
    msw_query query = {.sweep = p->sweep.name, .sql = msw_text_str(sql)};
    int rc =
        sql->failed ? msw_fail_memory(p->err) : msw_store_read(p->store, &query, table, p->err);
    msw_text_free(sql);
    return rc;
}

const msw_column *msw_plot_column(const msw_plot *p, const char *name, msw_err *err)
{
    int c = msw_table_find(&p->columns, name);
    if (c >= 0)
        return &p->columns.columns[c];
    const char *best = NULL;
    const char **names = calloc(p->columns.column_count + 1, sizeof *names);
    for (size_t i = 0; names && i < p->columns.column_count; i++)
        names[i] = p->columns.columns[i].name;
    if (names)
        best = msw_nearest(name, names, sizeof *names);
    msw_fail(err, "sweep '%s' has no column '%s'%s%s%s", p->sweep.name, name,
             best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
    free(names);
    return NULL;
}

/* Words say what is counted, so that a unit is left that is measured: "page-table walkers". */
void msw_plot_label(const msw_plot *p, const msw_column *column, msw_text *out)
{
    msw_text phrase = MSW_TEXT_EMPTY;
    bool unit = column->unit && *column->unit && strcmp(column->unit, column->name) != 0;
    bool worded = msw_plot_in_words(p, column->name, 1, out);
    if (!worded)
        msw_text_add(out, "%s", column->name);
    bool counts = worded && msw_plot_in_words(p, column->name, 2, &phrase);
    msw_text_free(&phrase);
    if (unit && (!counts || msw_plot_is_bytes(column)))
        msw_text_add(out, " (%s)", column->unit);
}

/* Appends the count of rows that have a value for each of a set of metrics. */
static void add_count(const msw_plot *p, size_t metrics, msw_text *sql)
{
    msw_text_add(sql, ", coalesce(sum(status = 'ok'");
    for (size_t i = 0; i < MSW_PLOT_METRICS && i < p->metrics.count; i++)
        if (metrics >> i & 1) {
            msw_text_add(sql, " AND ");
            msw_text_add_sql_name(sql, p->metrics.names[i]);
            msw_text_add(sql, " IS NOT NULL");
        }
    msw_text_add(sql, "), 0)");
}

/* How many rows take part, and how many of them have no value for what is shown: for all figures in
 * one pass. */
static int count_rows(msw_plot *p)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table counts = {0};
    msw_text_add(&sql, "SELECT count(*)");
    for (size_t metrics = 0; metrics < 1 << MSW_PLOT_METRICS; metrics++)
        add_count(p, metrics, &sql);
    msw_text_add(&sql, " FROM (%s)", msw_text_str(&p->rows.sql));
    if (msw_plot_select(p, &sql, &counts))
        return -1;
    p->rows.count = (uint64_t)counts.columns[0].values[0];
    for (size_t metrics = 0; metrics < 1 << MSW_PLOT_METRICS; metrics++)
        p->rows.dropped[metrics] = p->rows.count - (uint64_t)counts.columns[1 + metrics].values[0];
    msw_table_free(&counts);
    return 0;
}

/* A filter may leave but one value of a factor. Each query ends at the second. */
static int find_varying(msw_plot *p)
{
    for (size_t i = 0; i < p->factors.count; i++) {
        msw_text sql = MSW_TEXT_EMPTY;
        msw_table values = {0};
        msw_text_add(&sql, "SELECT DISTINCT ");
        msw_text_add_sql_name(&sql, p->factors.names[i]);
        msw_text_add(&sql, " FROM (%s) WHERE ", msw_text_str(&p->rows.sql));
        msw_text_add_sql_name(&sql, p->factors.names[i]);
        msw_text_add(&sql, " IS NOT NULL LIMIT 2");
        if (msw_plot_select(p, &sql, &values))
            return -1;
        p->factors.varies[i] = values.rows > 1;
        msw_table_free(&values);
    }
    return 0;
}

int msw_plot_count(msw_plot *p)
{
    if (!p->rows.counted && (count_rows(p) || find_varying(p)))
        return -1;
    p->rows.counted = true;
    return 0;
}

bool msw_plot_is_bytes(const msw_column *column)
{
    const char *unit = column->unit ? column->unit : "";
    return strcmp(unit, "B") == 0 || strcmp(unit, "bytes") == 0;
}

typedef struct prefix {
    double size;
    const char *name;
} prefix;

/* Bytes of whole KiB or MiB are written so; in between three digits are enough. */
static void add_bytes(double value, msw_text *out)
{
    static const prefix UNITS[] = {{1099511627776.0, "TiB"},
                                   {1073741824.0, "GiB"},
                                   {1048576.0, "MiB"},
                                   {1024.0, "KiB"},
                                   {1.0, "B"}};
    size_t i = 0;
    while (i + 1 < sizeof UNITS / sizeof *UNITS && fabs(value) < UNITS[i].size)
        i++;
    double shown = value / UNITS[i].size;
    msw_text_add(out, fmod(shown, 1) == 0 ? "%.0f %s" : "%.3g %s", shown, UNITS[i].name);
}

static void add_plain(double value, msw_text *out)
{
    static const prefix PREFIXES[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (size_t i = 0; fabs(value) >= 1e4 && fabs(value) < 1e15; i++)
        if (fabs(value) >= PREFIXES[i].size) {
            double shown = value / PREFIXES[i].size;
            if (fabs(shown - round(shown * 10) / 10) > 1e-9)
                break; /* a level stays exact */
            msw_text_add(out, "%.6g%s", shown, PREFIXES[i].name);
            return;
        }
    msw_text_add(out, fabs(value) < 1e-9 ? "0" : "%.10g", value);
}

void msw_plot_number(bool bytes, double value, msw_text *out)
{
    if (bytes && value == value && fabs(value) < 1e15)
        add_bytes(value, out);
    else
        add_plain(value, out);
}

void msw_plot_value(const msw_column *column, double value, msw_text *out)
{
    if (column->labels)
        msw_text_add(out, "%s", column->labels[(size_t)value]);
    else
        msw_plot_number(msw_plot_is_bytes(column), value, out);
}

static const char *const SCALES[] = {"auto", "linear", "log", "excess", NULL};

const char *msw_plot_scale_name(msw_plot_scale scale)
{
    return SCALES[scale];
}

/* One entry "name=value" of a list, or "value", which is meant for every metric. */
typedef struct entry {
    char *name, *value; /* name NULL: every metric */
} entry;

static void free_entry(entry *e)
{
    free(e->name);
    free(e->value);
}

static int read_entry(const char *at, size_t size, entry *e)
{
    const char *equals = memchr(at, '=', size);
    size_t name = equals ? (size_t)(equals - at) : 0, value = equals ? size - name - 1 : size;
    *e = (entry){equals ? msw_strfmt("%.*s", (int)name, at) : NULL,
                 msw_strfmt("%.*s", (int)value, equals ? equals + 1 : at)};
    return e->value && (e->name || !equals) ? 0 : -1;
}

/* Which of the metrics shown an entry means: `first` to before `last`. */
static int find_metrics(const msw_plot *p, const char *option, const entry *e, size_t *first,
                        size_t *last)
{
    *first = 0;
    *last = p->metrics.count;
    if (!e->name)
        return 0;
    for (size_t i = 0; i < p->metrics.count; i++)
        if (strcmp(p->metrics.names[i], e->name) == 0) {
            *first = i;
            *last = i + 1;
            return 0;
        }
    const char *names[MSW_PLOT_COLUMNS + 1] = {0};
    msw_text all = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < p->metrics.count; i++) {
        names[i] = p->metrics.names[i];
        msw_text_add(&all, "%s%s", i ? ", " : "", p->metrics.names[i]);
    }
    const char *best = msw_nearest(e->name, names, sizeof *names);
    msw_fail(p->err, "--%s: '%s' is no metric shown%s%s%s (shown: %s)", option, e->name,
             best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "",
             msw_text_str(&all));
    msw_text_free(&all);
    return -1;
}

static int set_scale(msw_plot *p, const entry *e)
{
    size_t scale = 0, first, last;
    if (find_metrics(p, "scale", e, &first, &last))
        return -1;
    while (SCALES[scale] && strcmp(SCALES[scale], e->value) != 0)
        scale++;
    if (!SCALES[scale]) {
        const char *best = msw_nearest(e->value, SCALES, sizeof *SCALES);
        return msw_fail(
            p->err, "--scale: '%s' is no scale%s%s%s (allowed: auto, linear, log, excess)",
            e->value, best ? ", did you mean '" : "", best ? best : "", best ? "'?" : "");
    }
    for (size_t i = first; i < last; i++)
        p->metrics.scales[i] = (msw_plot_scale)scale;
    return 0;
}

/* One end of a range; what is left out is the end of the data. Returns whether it can be read. */
static bool read_end(const char *text, size_t size, double *end)
{
    char buffer[64], *stop;
    msw_text_fit(buffer, size + 1 < sizeof buffer ? size + 1 : sizeof buffer, text);
    *end = NAN;
    if (!size)
        return true;
    *end = strtod(buffer, &stop);
    return *stop == '\0' && isfinite(*end);
}

static int set_zoom(msw_plot *p, const entry *e)
{
    size_t first, last;
    double low = NAN, high = NAN;
    const char *colon = strchr(e->value, ':');
    if (find_metrics(p, "zoom", e, &first, &last))
        return -1;
    if (!e->name && p->metrics.count > 1)
        return msw_fail(p->err, "--zoom: '%s' for which metric? write %s=%s", e->value,
                        p->metrics.names[0], e->value);
    if (!colon || !read_end(e->value, (size_t)(colon - e->value), &low) ||
        !read_end(colon + 1, strlen(colon + 1), &high) || low >= high)
        return msw_fail(
            p->err, "--zoom: '%s' is no range: write LOW:HIGH, e.g. 1:1.5; either may be left out",
            e->value);
    for (size_t i = first; i < last; i++) {
        p->metrics.zoom[i][0] = low;
        p->metrics.zoom[i][1] = high;
    }
    return 0;
}

static int read_list(msw_plot *p, const char *list, int (*set)(msw_plot *, const entry *))
{
    int rc = 0;
    for (const char *at = list; at && *at && rc == 0;) {
        at += strspn(at, " ,");
        size_t size = strcspn(at, " ,");
        entry e = {0};
        if (size && read_entry(at, size, &e))
            rc = msw_fail_memory(p->err);
        else if (size)
            rc = set(p, &e);
        free_entry(&e);
        at += size;
    }
    return rc;
}

int msw_plot_scales(msw_plot *p)
{
    for (size_t i = 0; i < MSW_PLOT_COLUMNS; i++)
        p->metrics.zoom[i][0] = p->metrics.zoom[i][1] = NAN;
    MSW_TRY(read_list(p, p->options.scale, set_scale));
    MSW_TRY(read_list(p, p->options.zoom, set_zoom));
    return 0;
}

bool msw_plot_is_chosen(uint64_t index, uint64_t of, uint64_t most)
{
    return of <= most || msw_permute(index, of, 0) < most;
}
