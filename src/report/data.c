/* The JSON inside a page: what was run, and the rows column by column. */
#include "memsweep/report/report.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/mechanism.h"
#include "memsweep/sweep/external.h"

#include <math.h>
#include <string.h>

/* ---- columns ---- */

static const msw_param *find_param(const msw_report *r, const char *name)
{
    const msw_outline *o = &r->plot.outline;
    const msw_param *param = msw_params_find(o->mech->params, name);
    for (size_t f = 0; !param && f < o->frontend_count; f++)
        param = msw_params_find(o->frontends[f]->params, name);
    return param;
}

static const char *doc_of(const msw_report *r, const char *name)
{
    const msw_param *param = find_param(r, name);
    int m = param ? -1 : msw_metrics_find(r->plot.outline.mech->metrics, name);
    return param ? param->doc : m >= 0 ? r->plot.outline.mech->metrics[m].doc : "";
}

/* 2 or 10 where values are best shown by their logarithms, else 0. */
static int log_base(const msw_report *r, const msw_column *column)
{
    const msw_param *param = find_param(r, column->name);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < r->rows.rows; i++) {
        low = fmin(low, column->values[i]);
        high = fmax(high, column->values[i]);
    }
    if (column->labels || !(low > 0) || !(high >= 8 * low))
        return 0;
    if (param)
        return param->scale == MSW_POW2 ? 2 : param->scale == MSW_LOG ? 10 : 0;
    return high > 20 * low ? 10 : 0;
}

/* Parameters exactly, to be computed again; what was measured to seven digits. */
static void add_number(double value, bool exact, msw_text *out)
{
    if (!isfinite(value))
        msw_text_add(out, "null");
    else if (exact)
        msw_text_add_double(out, value);
    else
        msw_text_add(out, "%.7g", value);
}

static void add_labels(const msw_column *column, msw_text *out)
{
    msw_text_add(out, ", \"labels\": [");
    for (size_t i = 0; i < column->label_count; i++) {
        msw_text_add(out, "%s", i ? ", " : "");
        msw_text_add_json(out, column->labels[i]);
    }
    msw_text_add(out, "]");
}

static void add_named(const char *name, const char *value, msw_text *out)
{
    msw_text_add_json(out, name);
    msw_text_add(out, ": ");
    msw_text_add_json(out, value);
}

static void add_column(const msw_report *r, const msw_column *column, msw_text *out)
{
    const msw_param *param = find_param(r, column->name);
    bool exact = param || column->integer;
    msw_text_add(out, "{");
    add_named("name", column->name, out);
    msw_text_add(out, ", ");
    add_named("unit", column->unit ? column->unit : "", out);
    msw_text_add(out, ", ");
    add_named("doc", doc_of(r, column->name), out);
    msw_text_add(out, ", ");
    add_named("role", msw_report_is_factor(r, column->name) ? "factor" : "", out);
    msw_text_add(out, ", ");
    add_named("kind", param && param->kind == MSW_FLAG ? "flag" : "", out);
    msw_text_add(out, ", \"log\": %d", log_base(r, column));
    if (column->labels)
        add_labels(column, out);
    msw_text_add(out, ", \"values\": [");
    for (size_t i = 0; i < r->rows.rows; i++) {
        if (i)
            msw_text_add_bytes(out, ",", 1);
        add_number(column->values[i], exact, out);
    }
    msw_text_add(out, "]}");
}

/* One value in all rows says nothing, unless there is one row; `point` and what varies by plan are
 * kept. */
static bool is_shown(const msw_report *r, const msw_column *column)
{
    const double *v = column->values;
    if (r->rows.rows < 2)
        return r->rows.rows && !isnan(v[0]);
    if (strcmp(column->name, "point") == 0 || msw_report_is_factor(r, column->name))
        return true;
    for (size_t i = 1; i < r->rows.rows; i++)
        if (v[i] != v[0] && !(isnan(v[i]) && isnan(v[0])))
            return true;
    return false;
}

static void add_columns(const msw_report *r, msw_text *out)
{
    const char *before = "";
    msw_text_add(out, ",\n\"columns\": [");
    for (size_t c = 0; c < r->rows.column_count; c++) {
        if (!is_shown(r, &r->rows.columns[c]))
            continue;
        msw_text_add(out, "%s\n", before);
        add_column(r, &r->rows.columns[c], out);
        before = ",";
    }
    msw_text_add(out, "]");
}

/* ---- the rest ---- */

static void add_front(const msw_report *r, msw_text *out)
{
    const char *before = "";
    msw_text_add(out, ",\n\"front\": [");
    for (size_t i = 0; i < r->rows.rows; i++) {
        if (!r->on_front[i])
            continue;
        msw_text_add(out, "%s%zu", before, i);
        before = ",";
    }
    msw_text_add(out, "],\n\"objectives\": [");
    for (size_t i = 0; i < r->plot.metric_count; i++) {
        msw_text_add(out, "%s", i ? ", " : "");
        msw_text_add_json(out, r->plot.metrics[i]);
    }
    msw_text_add(out, "]");
}

static void add_remarks(const msw_report *r, msw_text *out)
{
    char a[32], b[32], c[32];
    msw_text note = MSW_TEXT_EMPTY;
    msw_text_add(&note, "%s of %s points%s", msw_count_text(r->front, a),
                 msw_count_text(r->total, b),
                 r->plot.workloads > 1 ? ", one front per workload" : "");
    if (r->shown_front < r->front)
        msw_text_add(&note, "; %s of them in this page", msw_count_text(r->shown_front, c));
    msw_text_add(out, ",\n");
    add_named("front_note", msw_text_str(&note), out);
    msw_text_clear(&note);
    if (r->rows.rows < r->total)
        msw_text_add(&note, "%s of %s points shown: the front %s, the rest chosen evenly. ",
                     msw_count_text(r->rows.rows, a), msw_count_text(r->total, b),
                     r->shown_front < r->front ? "thinned, too" : "whole");
    if (r->left_out)
        msw_text_add(&note, "%s rows have no value for an objective. ",
                     msw_count_text(r->left_out, c));
    msw_text_add(&note, "Drag along an axis or over the scatter plot to select; point at a line, a "
                        "dot or a row for all its values. Metrics to seven digits.");
    msw_text_add(out, ",\n");
    add_named("thinned", msw_text_str(&note), out);
    out->failed = out->failed || note.failed;
    msw_text_free(&note);
}

/* Nothing here evaluates points of an imported table. */
static bool is_runnable(const char *mechanism)
{
    return strncmp(mechanism, MSW_EXTERNAL_PREFIX, strlen(MSW_EXTERNAL_PREFIX)) != 0;
}

static void add_sweep(const msw_report *r, msw_text *out)
{
    const msw_plot *p = &r->plot;
    msw_text settings = MSW_TEXT_EMPTY;
    int next = (int)p->outline.fidelity + 1;
    msw_report_settings(r, &settings);
    msw_text_add(out, ",\n");
    add_named("sweep", p->sweep.name, out);
    msw_text_add(out, ",\n");
    add_named("mechanism", p->sweep.mechanism, out);
    msw_text_add(out, ",\n");
    msw_text_add(out, "\"runnable\": %s", is_runnable(p->sweep.mechanism) ? "true" : "false");
    msw_text_add(out, ",\n");
    add_named("settings", msw_text_str(&settings), out);
    msw_text_add(out, ",\n");
    add_named("canonical", p->sweep.canonical, out);
    msw_text_add(out, ",\n");
    add_named("next_fidelity",
              msw_fidelity_name(next < MSW_FIDELITY_COUNT ? (msw_fidelity)next : MSW_FULL), out);
    out->failed = out->failed || settings.failed;
    msw_text_free(&settings);
}

/* "<" could end the element that holds the data. */
static void escape(msw_text *data)
{
    msw_text safe = MSW_TEXT_EMPTY;
    for (const char *at = msw_text_str(data); *at;) {
        size_t size = strcspn(at, "<");
        msw_text_add_bytes(&safe, at, size);
        at += size;
        if (*at == '<') {
            msw_text_add(&safe, "\\u003c");
            at++;
        }
    }
    safe.failed = safe.failed || data->failed;
    msw_text_free(data);
    *data = safe;
}

int msw_report_data(msw_report *r)
{
    msw_text *out = &r->data;
    msw_text_add(out, "{\"shown\": %zu", r->rows.rows);
    if (msw_report_about(r))
        return -1;
    add_sweep(r, out);
    add_remarks(r, out);
    add_front(r, out);
    add_columns(r, out);
    msw_text_add(out, "}");
    escape(out);
    return out->failed ? msw_fail_memory(r->plot.err) : 0;
}
