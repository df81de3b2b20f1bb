/* SPDX-License-Identifier: MIT */
/* The JSON inside a page: what was run, and the rows column by column. */
#include "memsweep/base/clock.h"
#include "memsweep/report/report.h"

#include "memsweep/base/quote.h"
#include "memsweep/base/rng.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/mechanism.h"

#include <math.h>
#include <string.h>

static void add_objectives(const msw_report *r, msw_text *out)
{
    msw_text_add(out, ",\n\"objectives\": [");
    for (size_t i = 0; i < r->plot.metrics.count; i++) {
        msw_text_add(out, "%s", i ? ", " : "");
        msw_text_add_json(out, r->plot.metrics.names[i]);
    }
    msw_text_add(out, "],\n\"factors\": [");
    const char *before = "";
    for (size_t c = 0; c < r->chosen.table.column_count; c++)
        if (msw_report_is_factor(r, r->chosen.table.columns[c].name)) {
            msw_text_add(out, "%s", before);
            msw_text_add_json(out, r->chosen.table.columns[c].name);
            before = ", ";
        }
    msw_text_add(out, "]");
}

static void add_front_note(const msw_report *r, msw_text *out)
{
    char a[32], b[32], c[32];
    msw_text note = MSW_TEXT_EMPTY;
    msw_text_add(&note, "%s of %s points%s", msw_count_text(r->chosen.front, a),
                 msw_count_text(r->chosen.total, b),
                 r->plot.workloads > 1 ? ", one front per workload" : "");
    if (r->chosen.front_shown < r->chosen.front)
        msw_text_add(&note, "; %s of them in this page", msw_count_text(r->chosen.front_shown, c));
    msw_text_add(out, ",\n");
    msw_report_named("front_note", msw_text_str(&note), out);
    out->failed = out->failed || note.failed;
    msw_text_free(&note);
}

/* Which rows are there, and how exactly. */
static void add_remarks(const msw_report *r, msw_text *out)
{
    char a[32], b[32];
    msw_text note = MSW_TEXT_EMPTY;
    if (r->chosen.shown < r->chosen.total)
        msw_text_add(&note, "%s of %s points shown: the front %s, the rest chosen at random. ",
                     msw_count_text(r->chosen.shown, a), msw_count_text(r->chosen.total, b),
                     r->chosen.front_shown < r->chosen.front ? "thinned, too" : "whole");
    if (r->chosen.left_out)
        msw_text_add(&note, "%s rows have no value for an objective. ",
                     msw_count_text(r->chosen.left_out, a));
    if (!r->chosen.whole)
        msw_text_add(&note,
                     "Numbers marked ≈ are steps of 1/2046 of their column's scale; %s rows "
                     "(front, pinned, a random choice) are here exactly with all their columns. ",
                     msw_count_text(r->chosen.exact, a));
    if (r->chosen.pinned_shown < r->chosen.pinned)
        msw_text_add(&note, "%s of %s pinned rows are in the page. ",
                     msw_count_text(r->chosen.pinned_shown, a),
                     msw_count_text(r->chosen.pinned, b));
    msw_text_add(out, ",\n");
    msw_report_named("thinned", msw_text_str(&note), out);
    out->failed = out->failed || note.failed;
    msw_text_free(&note);
}

/* What prints rows exactly, up to the points asked for. */
static void add_command(const msw_report *r, msw_text *out)
{
    msw_text command = MSW_TEXT_EMPTY;
    msw_text_add(&command, "memsweep query ");
    msw_text_add_shell(&command, r->options.called ? r->options.called
                                 : r->options.file ? r->options.file
                                                   : "FILE");
    msw_text_add(&command, " -s ");
    msw_text_add_shell(&command, r->plot.sweep.name);
    msw_text_add(out, ",\n");
    msw_report_named("command", msw_text_str(&command), out);
    out->failed = out->failed || command.failed;
    msw_text_free(&command);
}

/* Nothing here evaluates points of an imported table. */
static bool is_runnable(const char *mechanism)
{
    return msw_mech_find(mechanism) != NULL;
}

static void add_sweep(const msw_report *r, msw_text *out)
{
    const msw_plot *p = &r->plot;
    msw_text settings = MSW_TEXT_EMPTY;
    int next = (int)p->outline.fidelity + 1;
    msw_report_settings(r, &settings);
    msw_text_add(out, ",\n");
    msw_report_named("sweep", p->sweep.name, out);
    msw_text_add(out, ",\n");
    msw_report_named("mechanism", p->sweep.mechanism, out);
    msw_text_add(out, ",\n");
    msw_text_add(out, "\"runnable\": %s", is_runnable(p->sweep.mechanism) ? "true" : "false");
    msw_text_add(out, ",\n");
    msw_report_named("settings", msw_text_str(&settings), out);
    msw_text_add(out, ",\n");
    msw_report_named("canonical", p->sweep.canonical, out);
    msw_text_add(out, ",\n");
    msw_report_named("next_fidelity",
                     msw_fidelity_name(next < MSW_FIDELITY_COUNT ? (msw_fidelity)next : MSW_FULL),
                     out);
    out->failed = out->failed || settings.failed;
    msw_text_free(&settings);
}

/* The front in the plane of the first two objectives, thinned by a keyed choice where it is long.
 */
static void add_front(const msw_report *r, msw_text *out)
{
    enum { MOST = 64 };
    const msw_report_chosen *c = &r->chosen;
    int at[2];
    size_t k = 0, told = 0;
    for (int i = 0; i < 2; i++)
        at[i] = msw_table_find(&c->table, r->plot.sweep.objectives[i].name);
    for (size_t row = 0; at[0] >= 0 && at[1] >= 0 && row < c->table.rows; row++) {
        while (k < c->front_shown && c->front_rows[k] < c->exact_rows[row])
            k++;
        if (k == c->front_shown || c->front_rows[k] != c->exact_rows[row] ||
            msw_permute(k, c->front_shown, 0) >= MOST)
            continue;
        msw_text_add(out, "%s[%.6g, %.6g]", told++ ? ", " : "", c->table.columns[at[0]].values[row],
                     c->table.columns[at[1]].values[row]);
    }
}

void msw_report_moment(const msw_report *r, bool front, msw_text *out)
{
    msw_text_add(out, "{\"time\": %.1f, \"rows\": %zu, \"front\": %zu, \"best\": [",
                 1e-9 * (double)msw_utc_ns(), r->chosen.total + r->chosen.left_out,
                 r->chosen.front);
    for (size_t i = 0; i < r->plot.sweep.objective_count; i++) {
        const msw_objective *o = &r->plot.sweep.objectives[i];
        int c = msw_table_find(&r->chosen.table, o->name);
        double best = NAN; /* it is on the front, and these rows are there exactly */
        for (size_t row = 0; c >= 0 && row < r->chosen.table.rows; row++) {
            double value = r->chosen.table.columns[c].values[row];
            if (isnan(best) || (o->goal == MSW_GOAL_LOWER ? value < best : value > best))
                best = value;
        }
        msw_text_add(out, "%s", i ? ", " : "");
        if (isfinite(best))
            msw_text_add_double(out, best);
        else
            msw_text_add(out, "null");
    }
    msw_text_add(out, "]");
    if (front && r->plot.sweep.objective_count > 1) {
        msw_text_add(out, ", \"plane\": [");
        add_front(r, out);
        msw_text_add(out, "]");
    }
    msw_text_add(out, "}");
}

static void add_live(const msw_report *r, msw_text *out)
{
    const char *before = r->options.before;
    if (!before && !r->options.watch)
        return;
    msw_text_add(out, ",\n\"live\": {\"objectives\": [");
    for (size_t i = 0; i < r->plot.sweep.objective_count; i++) {
        const msw_objective *o = &r->plot.sweep.objectives[i];
        msw_text_add(out, "%s{\"name\": ", i ? ", " : "");
        msw_text_add_json(out, o->name);
        msw_text_add(out, ", \"lower\": %s}", o->goal == MSW_GOAL_LOWER ? "true" : "false");
    }
    bool simple = r->plot.workloads <= 1 && r->plot.sweep.objective_count == 2;
    msw_text_add(out, "], \"simple\": %s, \"moments\": [%s%s", simple ? "true" : "false",
                 before ? before : "", before && *before ? ", " : "");
    msw_report_moment(r, true, out);
    msw_text_add(out, "]}");
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
    msw_text *out = &r->parts.data;
    msw_text_add(out, "{\"shown\": %zu, \"total\": %zu, \"whole\": %s", r->chosen.shown,
                 r->chosen.total, r->chosen.whole ? "true" : "false");
    if (msw_report_about(r))
        return -1;
    add_sweep(r, out);
    add_command(r, out);
    add_front_note(r, out);
    add_remarks(r, out);
    add_objectives(r, out);
    if (msw_report_insight(r) || msw_report_cells(r))
        return -1;
    add_live(r, out);
    msw_text_add(out, ",\n\"watch\": %u}", r->chosen.complete ? 0 : r->options.watch);
    escape(out);
    return out->failed ? msw_fail_memory(r->plot.err) : 0;
}
