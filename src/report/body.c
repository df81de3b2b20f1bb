/* SPDX-License-Identifier: MIT */
/* Packs the columns of a page, as many as its size leaves room for, and describes them in JSON:
 * name, scale, and where the bytes lie. */
#include "memsweep/report/report.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/mechanism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void msw_report_named(const char *name, const char *value, msw_text *out)
{
    msw_text_add_json(out, name);
    msw_text_add(out, ": ");
    msw_text_add_json(out, value);
}

static void add_packed(const char *name, const msw_coded *packed, msw_text *out)
{
    msw_text_add(out, ", ");
    msw_text_add_json(out, name);
    msw_text_add(out, ": {\"at\": %zu, \"size\": %zu, \"bytes\": %zu}", packed->at, packed->size,
                 packed->bytes);
}

static void add_labels(char *const *labels, size_t count, msw_text *out)
{
    msw_text_add(out, ", \"labels\": [");
    for (size_t i = 0; i < count; i++) {
        msw_text_add(out, "%s", i ? ", " : "");
        msw_text_add_json(out, labels[i]);
    }
    msw_text_add(out, "]");
}

static const char *doc_of(const msw_report *r, const char *name)
{
    const msw_param *param = msw_report_param(r, name);
    int m = param ? -1 : msw_metrics_find(r->plot.outline.mech->metrics, name);
    return param ? param->doc : m >= 0 ? r->plot.outline.mech->metrics[m].doc : "";
}

static msw_goal goal_of(const msw_report *r, const msw_column *column)
{
    for (size_t i = 0; i < r->plot.sweep.objective_count; i++)
        if (strcmp(r->plot.sweep.objectives[i].name, column->name) == 0)
            return r->plot.sweep.objectives[i].goal;
    return column->goal;
}

static void add_about(const msw_report *r, const msw_column *column, msw_text *out)
{
    const msw_param *param = msw_report_param(r, column->name);
    const char *const texts[][2] = {
        {"name", column->name},
        {"unit", column->unit ? column->unit : ""},
        {"doc", doc_of(r, column->name)},
        {"role", msw_report_is_factor(r, column->name) ? "factor" : ""},
        {"kind", param && param->kind == MSW_FLAG ? "flag" : ""},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        msw_text_add(out, "%s", i ? ", " : "");
        msw_report_named(texts[i][0], texts[i][1], out);
    }
    msw_goal goal = goal_of(r, column);
    msw_text_add(out, ", \"goal\": %d",
                 goal == MSW_GOAL_LOWER    ? -1
                 : goal == MSW_GOAL_HIGHER ? 1
                                           : 0);
}

static void add_scale(const msw_coder *p, msw_text *out)
{
    msw_text_add(out, ", \"steps\": %d, \"low\": ", MSW_CODE_STEPS);
    msw_text_add_double(out, p->low);
    msw_text_add(out, ", \"high\": ");
    msw_text_add_double(out, p->high);
}

static void add_column(const msw_report *r, const msw_report_column *column, msw_text *out)
{
    msw_text_add(out, "{");
    add_about(r, column->about, out);
    msw_text_add(out, ", \"log\": %d", column->log_base);
    if (column->coder.text)
        add_labels(column->labels, column->label_count, out);
    else if (column->coder.steps)
        add_scale(&column->coder, out);
    else
        add_packed("levels", &column->levels, out);
    add_packed("codes", &column->packed, out);
    msw_text_add(out, ", \"period\": %zu}", column->period);
}

/* ---- rows that are there exactly ---- */

static void add_exact_column(msw_report *r, const msw_column *column)
{
    msw_coded packed = {0};
    msw_text *out = &r->parts.data;
    msw_text_add(out, "{");
    add_about(r, column, out);
    if (column->labels)
        add_labels(column->labels, column->label_count, out);
    out->failed = out->failed || msw_code_doubles(column->values, r->chosen.table.rows,
                                                  &r->parts.body, &packed, r->plot.err);
    add_packed("values", &packed, out);
    msw_text_add(out, "}");
}

static void add_exact(msw_report *r)
{
    const char *before = "";
    msw_text *out = &r->parts.data;
    msw_coded rows = {0};
    if (r->chosen.whole)
        return;
    out->failed = out->failed || msw_code_wholes(r->chosen.exact_rows, r->chosen.exact,
                                                 &r->parts.body, &rows, r->plot.err);
    msw_text_add(out, ",\n\"exact\": {\"count\": %zu", r->chosen.exact);
    add_packed("rows", &rows, out);
    msw_text_add(out, ", \"columns\": [");
    for (size_t c = 0; c < r->chosen.table.column_count; c++) {
        if (!msw_report_is_shown(r, &r->chosen.table.columns[c]))
            continue;
        msw_text_add(out, "%s\n", before);
        add_exact_column(r, &r->chosen.table.columns[c]);
        before = ",";
    }
    msw_text_add(out, "]}");
}

/* ---- all of it ---- */

static void add_list(msw_report *r, const char *name, const uint32_t *numbers, size_t count)
{
    msw_coded packed = {0};
    msw_text *out = &r->parts.data;
    out->failed =
        out->failed || msw_code_wholes(numbers, count, &r->parts.body, &packed, r->plot.err);
    msw_text_add(out, ",\n");
    msw_text_add_json(out, name);
    msw_text_add(out, ": {\"count\": %zu", count);
    add_packed("rows", &packed, out);
    msw_text_add(out, "}");
}

static const msw_report_column *find_column(const msw_report *r, const char *name)
{
    for (size_t c = 0; c < r->column_count; c++)
        if (strcmp(r->columns[c].about->name, name) == 0)
            return &r->columns[c];
    return NULL;
}

/* Columns that the page does not have of all rows, each with the reason. */
static void add_left_out(const msw_report *r, msw_text *out)
{
    const char *before = "";
    msw_text_add(out, ",\n\"left_out\": [");
    for (size_t c = 0; c < r->chosen.table.column_count; c++) {
        const msw_column *column = &r->chosen.table.columns[c];
        const msw_report_column *here = find_column(r, column->name);
        if (!msw_report_is_shown(r, column) || (here && !here->left_out))
            continue;
        msw_text_add(out, "%s[", before);
        msw_text_add_json(out, column->name);
        msw_text_add(out, ", ");
        msw_text_add_json(out, here ? here->left_out : "not among those asked for");
        msw_text_add(out, "]");
        before = ", ";
    }
    msw_text_add(out, "]");
}

/* What the JSON, which is written last, may take. */
enum { RESERVE = 600000 };

static size_t room(const msw_report *r)
{
    size_t others = r->parts.figures.size + r->parts.script.size + r->parts.worker.size +
                    r->parts.style.size + r->parts.page.size + r->parts.library.size + RESERVE;
    return others < MSW_REPORT_BYTES ? MSW_REPORT_BYTES - others : 0;
}

/* Workloads follow one another in a plan, each with the same designs: then a part represents all.
 */
static size_t find_period(const msw_report *r, const uint16_t *codes)
{
    size_t parts = r->plot.workloads, period = parts ? r->chosen.shown / parts : 0;
    if (parts < 2 || period * parts != r->chosen.shown)
        return r->chosen.shown;
    for (size_t i = period; i < r->chosen.shown; i++)
        if (codes[i] != codes[i - period])
            return r->chosen.shown;
    return period;
}

static int pack_column(msw_report *r, msw_report_column *column)
{
    size_t before = r->parts.body.size;
    msw_err *err = r->plot.err;
    msw_coder *p = &column->coder;
    if (column->left_out)
        return 0;
    if (!p->text && !p->steps &&
        msw_code_doubles(p->levels, p->level_count, &r->parts.body, &column->levels, err))
        return -1;
    column->period = find_period(r, column->codes);
    if (msw_code_codes(column->codes, column->period, &r->parts.body, &column->packed, err))
        return -1;
    if (r->parts.body.size > room(r)) {
        r->parts.body.size = before;
        column->left_out = "does not fit";
    }
    return 0;
}

/* body.c: packs the columns, as far as they fit. */
static int pack_body(msw_report *r)
{
    for (size_t c = 0; c < r->column_count; c++)
        if (pack_column(r, &r->columns[c]))
            return -1;
    return 0;
}

int msw_report_cells(msw_report *r)
{
    const char *before = "";
    msw_text *out = &r->parts.data;
    add_list(r, "points", r->chosen.points, r->chosen.shown);
    add_list(r, "front", r->chosen.front_rows, r->chosen.front_shown);
    add_list(r, "pinned", r->chosen.pinned_rows, r->chosen.pinned_shown);
    add_exact(r);
    if (pack_body(r))
        return -1;
    add_left_out(r, out);
    msw_text_add(out, ",\n\"columns\": [");
    for (size_t c = 0; c < r->column_count; c++) {
        if (r->columns[c].left_out)
            continue;
        msw_text_add(out, "%s\n", before);
        add_column(r, &r->columns[c], out);
        before = ",";
    }
    msw_text_add(out, "]");
    return 0;
}
