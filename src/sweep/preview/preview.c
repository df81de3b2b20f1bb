/* SPDX-License-Identifier: MIT */
/* Previews a plan before anything is evaluated: its first points, and how many lie outside every
 * stated region. */
#include "memsweep/sweep/preview.h"

#include "memsweep/design/slots.h"
#include "memsweep/mech/stated.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

uint64_t msw_plan_known(const msw_plan *plan)
{
    return plan->design.kind->searches
               ? msw_slots_of(&plan->design.state)->count * plan->workload_count
               : plan->points;
}

/* Multiples of the golden section lie evenly, and at no fixed distance. */
uint64_t msw_plan_spread(const msw_plan *plan, uint64_t i, uint64_t tried)
{
    double at = (double)i * 0.6180339887498949;
    uint64_t known = msw_plan_known(plan), each = known / plan->workload_count;
    uint64_t point = tried >= known ? i : (uint64_t)((at - floor(at)) * (double)known);
    if (!plan->design.kind->searches)
        return point;
    return point / each * plan->design.state.count + point % each;
}

enum { STATED_SAMPLE = 1000 };

/* Counts the points outside the region of a statement, or (NULL) of any. Returns 0, or -1. */
static int count_outside(const msw_plan *plan, const msw_agreement *stated, uint64_t *outside,
                         uint64_t *tried, msw_err *err)
{
    msw_stated_region *region = NULL;
    msw_pointer *pointer = NULL;
    msw_point point;
    msw_task task;
    uint64_t known = msw_plan_known(plan), count = known < STATED_SAMPLE ? known : STATED_SAMPLE;
    int rc = msw_stated_open(plan->mech, stated, &region, err);
    if (rc == 0)
        rc = msw_pointer_new(plan, &pointer, err);
    for (*tried = *outside = 0; rc == 0 && *tried < count; ++*tried) {
        rc = msw_pointer_at(pointer, msw_plan_spread(plan, *tried, count), false, &point, err);
        if (rc)
            break;
        msw_point_task(plan, &point, &task);
        int holds = msw_stated_holds(region, task.config, task.workload->name, err);
        *outside += holds == 0;
        rc = holds < 0 ? -1 : 0;
    }
    msw_pointer_free(pointer);
    msw_stated_close(region);
    return rc;
}

/* Appends at how many points each statement is made. Returns 0, or -1. */
static int add_statements(const msw_plan *plan, msw_text *out, msw_err *err)
{
    const char *before = "";
    for (const msw_agreement *a = plan->mech->agreement; a->metric; a++) {
        uint64_t outside = 0, tried;
        MSW_TRY(count_outside(plan, a, &outside, &tried, err));
        msw_text_add(out, "%s%s at ", before, a->metric);
        if (outside == 0 || outside == tried)
            msw_text_add(out, outside ? "none" : "all");
        else
            msw_text_add(out, "%" PRIu64, tried - outside);
        before = ", ";
    }
    return 0;
}

int msw_plan_outside_note(const msw_plan *plan, msw_text *out, msw_err *err)
{
    uint64_t outside = 0, tried;
    if (plan->fidelity != MSW_ANALYTIC || !plan->mech->agreement)
        return 0;
    MSW_TRY(count_outside(plan, NULL, &outside, &tried, err));
    if (!outside)
        return 0;
    msw_text_add(out,
                 "%" PRIu64 " of %" PRIu64 " points tried lie outside the region in which %s "
                 "states that its closed form agrees",
                 outside, tried, plan->mech->name);
    if (plan->mech->agreement[1].metric) {
        msw_text_add(out, "; it states ");
        MSW_TRY(add_statements(plan, out, err));
    }
    msw_text_add(out, " (column " MSW_STATED_COLUMN "; 'memsweep describe %s --all' shows %s)\n",
                 plan->mech->name, plan->mech->agreement[1].metric ? "the regions" : "the region");
    return 0;
}

enum { FIRST_FACTOR = 3 }; /* column, behind point, workload and replicate */

static int add_factor_columns(const msw_plan *plan, msw_table *table, msw_err *err)
{
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++)
            if (msw_table_text_column(
                    table, plan->schema.params[plan->space.factors[f].targets[t]]->name, err))
                return -1;
    return 0;
}

static int add_columns(const msw_plan *plan, msw_table *table, msw_err *err)
{
    MSW_TRY(msw_table_text_column(table, "point", err));
    MSW_TRY(msw_table_text_column(table, "workload", err));
    MSW_TRY(msw_table_text_column(table, "replicate", err));
    return add_factor_columns(plan, table, err);
}

static int set_cell(msw_table *table, size_t column, const char *text, msw_err *err)
{
    int label = msw_column_label(&table->columns[column], text, err);
    if (label < 0)
        return -1;
    table->columns[column].values[table->rows - 1] = label;
    return 0;
}

static int set_number(msw_table *table, size_t column, uint64_t number, msw_err *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return set_cell(table, column, text, err);
}

static int add_point(const msw_plan *plan, const msw_point *point, msw_table *table, msw_err *err)
{
    size_t column = FIRST_FACTOR;
    if (msw_table_resize(table, table->rows + 1, err) || set_number(table, 0, point->index, err) ||
        set_cell(table, 1, plan->workloads[point->workload].name, err) ||
        set_number(table, 2, point->replicate, err))
        return -1;
    for (size_t f = 0; f < plan->space.factor_count; f++)
        for (size_t t = 0; t < plan->space.factors[f].target_count; t++) {
            char text[MSW_PARAM_TEXT];
            size_t p = plan->space.factors[f].targets[t];
            msw_param_print(plan->schema.params[p], msw_schema_get(&plan->schema, p, point->block),
                            text);
            if (set_cell(table, column++, text, err))
                return -1;
        }
    return 0;
}

int msw_plan_first_points(const msw_plan *plan, uint64_t first, msw_table *table, msw_err *err)
{
    msw_pointer *pointer = NULL;
    msw_point point;
    uint64_t known = msw_plan_known(plan);
    int rc = msw_pointer_new(plan, &pointer, err);
    if (rc == 0)
        rc = add_columns(plan, table, err);
    if (plan->design.kind->searches)
        known /= plan->workload_count;
    for (uint64_t i = 0; rc == 0 && i < known && i < first; i++) {
        rc = msw_pointer_at(pointer, i, false, &point, err);
        if (rc == 0)
            rc = add_point(plan, &point, table, err);
    }
    msw_pointer_free(pointer);
    return rc;
}
