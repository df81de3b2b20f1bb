/* SPDX-License-Identifier: MIT */
/* Answers as tables: one row a point, as a query gives it; and the detail tables. */
#include "cli/eval/eval.h"

#include "memsweep/base/table_builder.h"

#include <stdio.h>
#include <string.h>

static void add_value(msw_table_builder *b, const msw_param *param, double value)
{
    size_t choices = msw_param_choices(param);
    if (param->kind == MSW_CHOICE && value >= 0 && (size_t)value < choices)
        msw_builder_text(b, param->name, param->choices[(size_t)value].name);
    else
        msw_builder_number(b, param->name, value);
}

static void add_metrics(msw_table_builder *b, const msw_plan *plan, const msw_batch *batch,
                        size_t row)
{
    const msw_metric *metrics = plan->mech->metrics;
    for (size_t m = 0; metrics[m].name; m++)
        msw_builder_number(b, metrics[m].name, cli_answer_metric(batch, row, m));
    for (size_t m = 0; plan->fidelity == MSW_SAMPLED && metrics[m].name; m++) {
        char name[80];
        snprintf(name, sizeof name, "%s_hw", metrics[m].name);
        msw_builder_number(b, name, cli_answer_half_width(batch, row, m));
    }
}

static void add_row(msw_table_builder *b, const msw_plan *plan, const msw_batch *batch, size_t row)
{
    const msw_row *head = &batch->rows[row];
    const double *values = msw_batch_values(batch, row);
    msw_builder_row(b);
    msw_builder_text(b, "mechanism", plan->mech->name);
    msw_builder_text(b, "workload", plan->workloads[head->workload].name);
    msw_builder_text(b, "fidelity", msw_fidelity_name(plan->fidelity));
    msw_builder_text(b, "status", msw_status_name((msw_status)head->status));
    msw_builder_text(b, "reason", head->reason ? msw_batch_reason_text(batch, row) : NULL);
    for (size_t i = 0; i < plan->schema.count; i++)
        add_value(b, plan->schema.params[i], values[i]);
    add_metrics(b, plan, batch, row);
    msw_builder_text(b, "bound_by",
                     head->bound_by < 0 ? NULL : plan->mech->metrics[head->bound_by].name);
}

int cli_answer_table(const msw_plan *plan, const msw_batch *batch, msw_table *table, msw_err *err)
{
    msw_table_builder b = {.err = err};
    for (size_t row = 0; row < batch->count; row++)
        add_row(&b, plan, batch, row);
    *table = b.table;
    return b.failed ? -1 : 0;
}

static int find_detail(const msw_mech *mech, const char *name, msw_err *err)
{
    msw_text names = MSW_TEXT_EMPTY;
    for (int d = 0; mech->details && mech->details[d].name; d++) {
        if (strcmp(mech->details[d].name, name) == 0) {
            msw_text_free(&names);
            return d;
        }
        msw_text_add(&names, "%s%s", d ? ", " : "", mech->details[d].name);
    }
    msw_fail(err, "--details: found '%s', allowed for %s: %s", name, mech->name,
             names.size ? msw_text_str(&names) : "none, it has no detail tables");
    msw_text_free(&names);
    return -1;
}

/* Which parameter has the table written is said in its doc. */
static int fail_empty(const msw_plan *plan, const char *name, msw_err *err)
{
    for (const msw_param *p = plan->mech->params; p->name; p++)
        if (strstr(p->doc, "detail table") && strstr(p->doc, name))
            return msw_fail(err, "--details: nothing was written to %s; see %s: %s", name, p->name,
                            p->doc);
    return msw_fail(err, "--details: nothing was written to %s", name);
}

enum { HEAD = 3 }; /* of a record: row, table, width */

int cli_answer_details(const msw_plan *plan, const msw_batch *batch, const char *name,
                       msw_table *table, msw_err *err)
{
    msw_table_builder b = {.err = err};
    int wanted = find_detail(plan->mech, name, err);
    if (wanted < 0)
        return -1;
    const char *const *columns = plan->mech->details[wanted].columns;
    for (size_t at = 0; at < batch->detail_size; at += HEAD + (size_t)batch->details[at + 2]) {
        const double *record = batch->details + at;
        if ((int)record[1] != wanted)
            continue;
        msw_builder_row(&b);
        if (plan->workload_count > 1)
            msw_builder_text(&b, "workload",
                             plan->workloads[batch->rows[(size_t)record[0]].workload].name);
        for (size_t i = 0; columns[i]; i++)
            msw_builder_number(&b, columns[i], record[HEAD + i]);
    }
    *table = b.table;
    if (b.failed)
        return -1;
    return b.table.rows ? 0 : fail_empty(plan, name, err);
}
