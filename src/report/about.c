/* SPDX-License-Identifier: MIT */
/* Prints the database's catalogue in words (what was run), and the part of the sweep's text that
 * another sweep can take over. */
#include "memsweep/report/report.h"

#include "memsweep/base/quote.h"
#include "memsweep/format/format.h"
#include "memsweep/mech/engine.h"
#include "memsweep/mech/mechanism.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables of text ---- */

static void add_rows(const msw_table *table, msw_text *out)
{
    msw_text cell = MSW_TEXT_EMPTY;
    for (size_t row = 0; row < table->rows; row++) {
        msw_text_add(out, "%s[", row ? ", " : "");
        for (size_t c = 0; c < table->column_count; c++) {
            msw_text_clear(&cell);
            msw_format_cell(&table->columns[c], row, false, &cell);
            msw_text_add(out, "%s", c ? ", " : "");
            msw_text_add_json(out, msw_text_str(&cell));
        }
        msw_text_add(out, "]");
    }
    out->failed = out->failed || cell.failed;
    msw_text_free(&cell);
}

void msw_report_table(msw_report *r, const char *name, const msw_table *table)
{
    msw_text *out = &r->parts.data;
    msw_text_add(out, ",\n");
    msw_text_add_json(out, name);
    msw_text_add(out, ": {\"columns\": [");
    for (size_t c = 0; c < table->column_count; c++) {
        msw_text_add(out, "%s", c ? ", " : "");
        msw_text_add_json(out, table->columns[c].name);
    }
    msw_text_add(out, "], \"rows\": [");
    add_rows(table, out);
    msw_text_add(out, "]}");
}

static int add_table(msw_report *r, const char *name, msw_text *sql)
{
    msw_table table = {0};
    if (msw_plot_select(&r->plot, sql, &table))
        return -1;
    msw_report_table(r, name, &table);
    msw_table_free(&table);
    return 0;
}

/* Runs with their commit; tables from before it was kept have no such column. */
static int add_runs(msw_report *r)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql,
                 "SELECT replace(substr(started, 1, 19), 'T', ' ') AS started, "
                 "coalesce(replace(substr(ended, 1, 19), 'T', ' '), 'never') AS ended, "
                 "coalesce(reason, '') AS "
                 "reason, row_count AS rows, ranks, threads, host, version || ' ' || build || "
                 "coalesce(' ' || (SELECT revision FROM msw_run AS own WHERE own.id = run.id), '') "
                 "AS version, command_line AS command FROM msw_run AS run, (SELECT NULL AS "
                 "revision) WHERE sweep = %lld ORDER BY id",
                 (long long)r->plot.sweep.id);
    return add_table(r, "runs", &sql);
}

static int add_failures(msw_report *r)
{
    msw_text sql = MSW_TEXT_EMPTY;
    msw_text_add(&sql,
                 "SELECT CASE WHEN " MSW_DOUBT_NAME " IS NULL THEN status ELSE 'doubtful' END AS "
                 "status, coalesce(reason, " MSW_DOUBT_NAME ") AS reason, count(*) AS points, "
                 "min(point) AS first FROM (");
    msw_query rows = {.sweep = r->plot.sweep.name,
                      .filter = r->plot.options.filter,
                      .within_limits = !r->plot.options.beyond};
    if (msw_store_select(r->plot.store, &rows, &sql, r->plot.err)) {
        msw_text_free(&sql);
        return -1;
    }
    msw_text_add(&sql, ") WHERE status <> 'ok' OR " MSW_DOUBT_NAME
                       " IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT 50");
    return add_table(r, "failures", &sql);
}

/* ---- a list of names and texts ---- */

static void add_fact(msw_report *r, const char *name, const char *fmt, ...) MSW_PRINTF(3, 4);

static void add_fact(msw_report *r, const char *name, const char *fmt, ...)
{
    char text[4096];
    va_list list;
    va_start(list, fmt);
    vsnprintf(text, sizeof text, fmt, list);
    va_end(list);
    msw_text_add(&r->parts.data, ", [");
    msw_text_add_json(&r->parts.data, name);
    msw_text_add(&r->parts.data, ", ");
    msw_text_add_json(&r->parts.data, text);
    msw_text_add(&r->parts.data, "]");
}

static void add_objectives(msw_report *r)
{
    msw_text text = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < r->plot.sweep.objective_count; i++)
        msw_text_add(&text, "%s%s %s", i ? ", " : "",
                     r->plot.sweep.objectives[i].goal == MSW_GOAL_HIGHER ? "high" : "low",
                     r->plot.sweep.objectives[i].name);
    if (text.size)
        add_fact(r, "objectives", "%s", msw_text_str(&text));
    r->parts.data.failed = r->parts.data.failed || text.failed;
    msw_text_free(&text);
}

static int add_states(msw_report *r)
{
    char count[32];
    msw_text sql = MSW_TEXT_EMPTY, text = MSW_TEXT_EMPTY;
    msw_table states = {0};
    msw_text_add(&sql, "SELECT status, count(*) AS n FROM (%s) GROUP BY 1 ORDER BY 2 DESC, 1",
                 msw_text_str(&r->plot.rows.sql));
    if (msw_plot_select(&r->plot, &sql, &states))
        return -1;
    for (size_t i = 0; i < states.rows; i++) {
        msw_text_add(&text, ", %s ", msw_count_text((uint64_t)states.columns[1].values[i], count));
        msw_format_cell(&states.columns[0], i, false, &text);
    }
    add_fact(r, "points", "%s in the plan%s", msw_count_text(r->plot.sweep.points, count),
             msw_text_str(&text));
    r->parts.data.failed = r->parts.data.failed || text.failed;
    msw_text_free(&text);
    msw_table_free(&states);
    return 0;
}

static int add_facts(msw_report *r)
{
    char count[32], all[32];
    const msw_plot *p = &r->plot;
    msw_text sql = MSW_TEXT_EMPTY;
    msw_table sweep = {0};
    msw_text_add(&sql,
                 "SELECT digest || '' AS digest, mechanism || ', version ' || mechanism_version "
                 "AS mechanism, design, 'seed ' || seed || ', replicates ' || replicates AS "
                 "randomness, created FROM msw_sweep WHERE id = %lld",
                 (long long)p->sweep.id);
    if (msw_plot_select(&r->plot, &sql, &sweep))
        return -1;
    msw_text_add(&r->parts.data, ",\n\"about\": [[\"sweep\", ");
    msw_text_add_json(&r->parts.data, p->sweep.name);
    msw_text_add(&r->parts.data, "]");
    for (size_t c = 0; c < sweep.column_count && sweep.rows; c++)
        add_fact(r, sweep.columns[c].name, "%s",
                 sweep.columns[c].labels ? sweep.columns[c].labels[0] : "");
    add_fact(r, "fidelity", "%s",
             p->outline.automatic ? "auto" : msw_fidelity_name(p->outline.fidelity));
    if (p->rows.kept.chosen) {
        msw_text kept = MSW_TEXT_EMPTY;
        msw_kept_rows_note(&p->rows.kept, &kept);
        add_fact(r, "kept", "%s; figures but the front, and counts, are of the random rows",
                 msw_text_str(&kept));
        msw_text_free(&kept);
    }
    if (p->options.filter)
        add_fact(r, "only rows where", "%s", p->options.filter);
    if (p->sweep.over)
        add_fact(r, "rows", "designs over their workloads (%s)", msw_sweep_over_word(&p->sweep));
    if (msw_table_find(&p->columns, MSW_LIMITS_NAME) >= 0)
        add_fact(r, "limits",
                 p->options.beyond ? "of the sweep: not asked for (" MSW_LIMITS_NAME ")"
                                   : "only rows within those of the sweep");
    if (p->rows.left_out.doubtful)
        add_fact(r, "doubtful", "%s rows, left out of fronts and figures",
                 msw_count_text(p->rows.left_out.doubtful, count));
    if (p->rows.left_out.unknown)
        add_fact(r, "errors unknown", "%s of %s rows (%s)",
                 msw_count_text(p->rows.left_out.unknown, count),
                 msw_count_text(p->rows.left_out.judged, all), p->rows.left_out.why);
    if (p->rows.left_out.lacking)
        add_fact(r, "errors unknown", "of %s: %s of %s rows", p->rows.left_out.metrics,
                 msw_count_text(p->rows.left_out.lacking, count),
                 msw_count_text(p->rows.left_out.judged, all));
    if (p->rows.left_out.outside)
        add_fact(r, "outside", "%s rows, where the closed form is not stated to agree",
                 msw_count_text(p->rows.left_out.outside, count));
    add_objectives(r);
    msw_table_free(&sweep);
    int rc = add_states(r);
    msw_text_add(&r->parts.data, "]");
    return rc;
}

static void add_workloads(msw_report *r)
{
    int c = msw_table_find(&r->chosen.table, "workload");
    const msw_column *column = &r->chosen.table.columns[c < 0 ? 0 : c];
    msw_text_add(&r->parts.data, ",\n\"workloads\": [");
    for (size_t i = 0; c >= 0 && i < column->label_count; i++) {
        msw_text_add(&r->parts.data, "%s", i ? ", " : "");
        msw_text_add_json(&r->parts.data, column->labels[i]);
    }
    msw_text_add(&r->parts.data, "]");
}

/* Whether a name is that of a sweep, whatever is said of it behind an '@'. */
static bool is_of(const char *name, const char *sweep)
{
    size_t size = strlen(sweep);
    return strncmp(name, sweep, size) == 0 && (name[size] == '@' || name[size] == '\0');
}

int msw_report_complete(msw_report *r)
{
    msw_table status = {0};
    if (msw_store_status(r->plot.store, &status, r->plot.err))
        return -1;
    int name = msw_table_find(&status, "sweep"), points = msw_table_find(&status, "points");
    int answered = msw_table_find(&status, "answered"), failed = msw_table_find(&status, "failed");
    for (size_t i = 0; i < status.rows && name >= 0 && points >= 0 && answered >= 0 && failed >= 0;
         i++) {
        const msw_column *names = &status.columns[name];
        const char *label = names->labels ? names->labels[(size_t)names->values[i]] : "";
        if (is_of(r->plot.sweep.name, label))
            r->chosen.complete =
                status.columns[answered].values[i] + status.columns[failed].values[i] >=
                status.columns[points].values[i];
    }
    msw_table_free(&status);
    return 0;
}

int msw_report_about(msw_report *r)
{
    add_workloads(r);
    MSW_TRY(add_facts(r));
    MSW_TRY(add_runs(r));
    MSW_TRY(add_failures(r));
    return 0;
}

/* ---- for another sweep ---- */

static bool starts_with(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0;
}

static void add_yaml_value(const msw_param *param, const msw_column *column, msw_text *out)
{
    msw_text cell = MSW_TEXT_EMPTY;
    if (param->kind == MSW_FLAG) {
        msw_text_add(out, "%s", column->values[0] != 0 ? "on" : "off");
    } else if (!column->labels) {
        msw_format_cell(column, 0, true, out);
    } else {
        msw_format_cell(column, 0, true, &cell);
        msw_text_add_yaml(out, msw_text_str(&cell));
    }
    out->failed = out->failed || cell.failed;
    msw_text_free(&cell);
}

/* A parameter of a front end that is the same in all rows, whether a name or the sweep decided it.
 */
static void add_front_params(const msw_report *r, const msw_param *params, msw_text *out)
{
    for (const msw_param *param = params; param && param->name; param++) {
        int c = msw_table_find(&r->chosen.table, param->name);
        if (c < 0 || !r->chosen.table.rows || msw_report_is_factor(r, param->name))
            continue;
        const msw_column *column = &r->chosen.table.columns[c];
        size_t same = 1;
        while (same < r->chosen.table.rows && column->values[same] == column->values[0])
            same++;
        if (same < r->chosen.table.rows || isnan(column->values[0]))
            continue;
        msw_text_add(out, "  %s: ", param->name);
        add_yaml_value(param, column, out);
        msw_text_add(out, "\n");
    }
}

static void add_listed(const char *name, msw_text *names)
{
    msw_text_add(names, "%s", names->size ? ", " : "");
    msw_text_add_yaml(names, name);
}

static void add_goals(const msw_report *r, const char *key, msw_goal goal, msw_text *out)
{
    const msw_sweep_info *sweep = &r->plot.sweep;
    msw_text names = MSW_TEXT_EMPTY;
    for (size_t i = 0; i < sweep->objective_count; i++)
        if (sweep->objectives[i].goal == goal)
            add_listed(sweep->objectives[i].name, &names);
    if (names.size)
        msw_text_add(out, "  %s: [%s]\n", key, msw_text_str(&names));
    out->failed = out->failed || names.failed;
    msw_text_free(&names);
}

static void add_rest(const msw_report *r, bool fixes, msw_text *out)
{
    const msw_outline *o = &r->plot.outline;
    if (!fixes)
        msw_text_add(out, "fix:\n");
    for (size_t f = 0; !fixes && f < o->frontend_count; f++)
        add_front_params(r, o->frontends[f]->params, out);
    msw_text_add(out, r->plot.sweep.objective_count ? "objectives:\n" : "");
    add_goals(r, "minimize", MSW_GOAL_LOWER, out);
    add_goals(r, "maximize", MSW_GOAL_HIGHER, out);
}

void msw_report_settings(const msw_report *r, msw_text *out)
{
    static const char *const KEPT[] = {"sampling:", "seed:", "replicates:", "fix:", "derive:"};
    const msw_outline *o = &r->plot.outline;
    bool kept = false, fixes = false;
    for (const char *line = r->plot.sweep.canonical; *line;) {
        size_t size = strcspn(line, "\n") + 1;
        if (*line != ' ')
            kept = false;
        for (size_t k = 0; k < sizeof KEPT / sizeof *KEPT && *line != ' '; k++)
            kept = kept || starts_with(line, KEPT[k]);
        if (kept)
            msw_text_add_bytes(out, line, size);
        if (starts_with(line, "fix:")) {
            fixes = true;
            for (size_t f = 0; f < o->frontend_count; f++)
                add_front_params(r, o->frontends[f]->params, out);
        }
        line += size;
    }
    add_rest(r, fixes, out);
}
