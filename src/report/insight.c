/* SPDX-License-Identifier: MIT */
/* Runs the analyses of the other commands for the page: the front over workloads, points that may
 * be on it, importance of factors, agreement of fidelities. An analysis that fails leaves a
 * sentence that says why. */
#include "memsweep/report/report.h"

#include "report/importance.h"
#include "report/over.h"

#include "memsweep/base/quote.h"
#include "memsweep/mech/engine.h"
#include "memsweep/results/fidelity.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 200, OBJECTIVES = 3, DRAWS = 500 };

/* ---- one part ---- */

static void add_part(msw_report *r, const char *title, const char *note, msw_table *table)
{
    msw_text *out = &r->parts.data;
    msw_text_add(out, "%s{", r->parts.insights++ ? ",\n" : "");
    msw_report_named("title", title, out);
    msw_text_add(out, ", ");
    msw_report_named("note", note, out);
    if (table && table->rows > LINES)
        table->rows = LINES;
    msw_report_table(r, "table", table ? table : &(msw_table){0});
    msw_text_add(out, "}");
}

/* Memory that ran out is trouble of the whole page; what a user could change is a sentence in it.
 */
static int end_part(msw_report *r, const char *title, int rc, const msw_err *err,
                    const msw_text *note, msw_table *table)
{
    if (rc && err->kind != MSW_ERR_USAGE)
        return msw_fail_kind(r->plot.err, err->kind, "%s", err->text);
    add_part(r, title, rc ? err->text : msw_text_str(note), rc ? NULL : table);
    return 0;
}

static void add_later(msw_report *r, const char *title, const char *command, const char *option,
                      const char *value)
{
    msw_text note = MSW_TEXT_EMPTY;
    char count[32];
    msw_text_add(&note, "Not computed here for %s rows: memsweep %s ",
                 msw_count_text(r->chosen.total, count), command);
    msw_text_add_shell(&note, r->options.file);
    msw_text_add(&note, " -s ");
    msw_text_add_shell(&note, r->plot.sweep.name);
    msw_text_add(&note, " %s ", option);
    msw_text_add_shell(&note, value);
    add_part(r, title, msw_text_str(&note), NULL);
    r->parts.data.failed = r->parts.data.failed || note.failed;
    msw_text_free(&note);
}

/* ---- fronts ---- */

static int name_objectives(const msw_plot *p, msw_objectives *o, msw_err *err)
{
    for (size_t i = 0; i < p->metrics.count && i < MSW_PARETO_OBJECTIVES; i++) {
        const msw_column *column = msw_plot_column(p, p->metrics.names[i], err);
        o->names[i] = column ? msw_strdup(p->metrics.names[i]) : NULL;
        if (!o->names[i])
            return column ? msw_fail_memory(err) : -1;
        o->goals[i] = column->goal;
        for (size_t j = 0; j < p->sweep.objective_count; j++)
            if (strcmp(p->sweep.objectives[j].name, p->metrics.names[i]) == 0)
                o->goals[i] = p->sweep.objectives[j].goal;
        o->count = i + 1;
    }
    return 0;
}

static int find_front(msw_report *r, msw_front *front, const char *sweep)
{
    front->input.store = r->plot.store;
    front->options.filter = r->plot.options.filter;
    front->options.beyond = r->plot.options.beyond;
    front->options.doubtful = r->plot.options.doubtful;
    front->options.ranks = 1;
    MSW_TRY(name_objectives(&r->plot, &front->input.objectives, front->err));
    MSW_TRY(msw_store_sweep(front->input.store, sweep, &front->input.sweep, front->err));
    MSW_TRY(msw_front_find(front));
    return msw_front_show(front);
}

/* A filter is one on designs here, not on rows: the command says how it is meant. */
static bool can_find_over(const msw_report *r, const msw_objectives *o)
{
    bool goals = o->count > 0;
    for (size_t i = 0; i < o->count; i++)
        goals = goals && o->goals[i] != MSW_GOAL_NONE;
    return goals && !r->plot.options.filter;
}

static int add_over(msw_report *r)
{
    msw_err err = {0};
    msw_table_builder builder = {.err = &err};
    msw_objectives objectives = {0};
    msw_text note = MSW_TEXT_EMPTY;
    size_t found = 0;
    char count[32];
    int rc = name_objectives(&r->plot, &objectives, &err);
    if (rc == 0 && !can_find_over(r, &objectives))
        rc = msw_fail(&err,
                      "not of filtered rows, nor without goals: memsweep pareto --over workload");
    if (rc == 0 && r->plot.rows.kept.chosen)
        rc = msw_kept_rows_need(&r->plot.rows.kept, &r->plot.sweep, "for workloads taken together",
                                "keep: all", &err);
    if (rc == 0)
        rc = report_over_find(r, &objectives, LINES, &builder, &found);
    msw_text_add(&note, "%s designs, each by the worst of its %zu workloads%s",
                 msw_count_text(found, count), r->plot.workloads,
                 found > LINES ? "; the first 200 are shown" : "");
    rc = end_part(r, "Front over workloads", rc, &err, &note, &builder.table);
    msw_objectives_free(&objectives);
    msw_table_free(&builder.table);
    msw_text_free(&note);
    return rc;
}

static int add_uncertain(msw_report *r)
{
    static const char TITLE[] = "Points that may be on the front";
    if (r->chosen.total > MSW_REPORT_AT_ONCE)
        return add_later(r, TITLE, "pareto", "--uncertain --confidence", "95%"), 0;
    msw_err err = {0};
    msw_front front = {
        .options = {.uncertain = true, .confidence = 0.95, .draws = DRAWS, .seed = 1}, .err = &err};
    msw_text note = MSW_TEXT_EMPTY;
    front.options.group_by = r->plot.workloads > 1 ? "workload" : NULL;
    int rc = find_front(r, &front, r->plot.sweep.name);
    if (rc == 0)
        msw_front_uncertain_note(&front, &note);
    rc = end_part(r, TITLE, rc, &err, &note, &front.shown.table);
    msw_front_free(&front);
    msw_text_free(&note);
    return rc;
}

/* ---- importance ---- */

static int add_importance(msw_report *r, const char *metric)
{
    msw_err err = {0};
    msw_table table = {0};
    msw_text note = MSW_TEXT_EMPTY;
    const report_importance ask = {.context = r->plot.context,
                                   .file = r->options.file,
                                   .sweep = r->plot.sweep.name,
                                   .metric = metric,
                                   .filter = r->plot.options.filter,
                                   .beyond = r->plot.options.beyond,
                                   .doubtful = r->plot.options.doubtful};
    char *title = msw_strfmt("Importance of factors for %s", metric);
    if (title && r->chosen.total > MSW_REPORT_AT_ONCE) {
        add_later(r, title, "sensitivity", "-m", metric);
        free(title);
        return 0;
    }
    int rc = title ? report_importance_find(&ask, &table, &note, &err) : msw_fail_memory(&err);
    rc = end_part(r, title ? title : "", rc, &err, &note, &table);
    msw_table_free(&table);
    msw_text_free(&note);
    free(title);
    return rc;
}

/* ---- agreement ---- */

/* Whether the file holds this sweep at several fidelities: reading all rows to find out takes long.
 */
static int count_fidelities(msw_report *r, size_t *count)
{
    msw_table status = {0};
    size_t size = strcspn(r->plot.sweep.name, "@");
    if (msw_store_status(r->plot.store, &status, r->plot.err))
        return -1;
    int c = msw_table_find(&status, "sweep");
    for (size_t i = 0; i < status.rows && c >= 0 && status.columns[c].labels; i++) {
        const char *name = status.columns[c].labels[(size_t)status.columns[c].values[i]];
        *count += strncmp(name, r->plot.sweep.name, size) == 0 &&
                  (name[size] == '@' || name[size] == '\0');
    }
    msw_table_free(&status);
    return 0;
}

static int add_agreement(msw_report *r)
{
    static const char TITLE[] = "Agreement of fidelities";
    msw_err err = {0};
    size_t fidelities = 0;
    msw_table_builder builder = {.err = &err};
    msw_text note = MSW_TEXT_EMPTY;
    if (count_fidelities(r, &fidelities))
        return -1;
    if (fidelities < 2)
        return 0;
    if (r->chosen.total > MSW_REPORT_AT_ONCE)
        return add_later(r, TITLE, "agree", "--confidence", "95%"), 0;
    char *name = msw_strfmt("%.*s", (int)strcspn(r->plot.sweep.name, "@"), r->plot.sweep.name);
    msw_agree j = {.context = r->plot.context,
                   .file = r->options.file,
                   .name = name,
                   .mode = MSW_STORE_READ,
                   .confidence = 0.95,
                   .ask = {.filter = r->plot.options.filter},
                   .builder = &builder,
                   .err = &err};
    int rc = name ? msw_agree_all(&j) : msw_fail_memory(&err);
    msw_text_add(&note, "errors are relative to the reference, the more exact fidelity");
    msw_store_close(j.store, NULL);
    rc = end_part(r, TITLE, rc, &err, &note, &builder.table);
    msw_agree_close(&j);
    msw_table_free(&builder.table);
    msw_text_free(&note);
    free(name);
    return rc;
}

/* ---- all of it ---- */

static int add_parts(msw_report *r)
{
    bool over = r->plot.sweep.over;
    if (r->plot.workloads > 1 && !over && add_over(r))
        return -1;
    if (r->plot.outline.fidelity == MSW_SAMPLED && !over && add_uncertain(r))
        return -1;
    for (size_t i = 0; i < r->plot.metrics.count && i < OBJECTIVES; i++)
        if (add_importance(r, r->plot.metrics.names[i]))
            return -1;
    return over ? 0 : add_agreement(r);
}

int msw_report_insight(msw_report *r)
{
    msw_text_add(&r->parts.data, ",\n\"insight\": [");
    int rc = r->chosen.shown ? add_parts(r) : 0;
    msw_text_add(&r->parts.data, "]");
    return rc;
}
