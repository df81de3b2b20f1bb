/* SPDX-License-Identifier: MIT */
#include "memsweep/sweep/preview.h"

#include <inttypes.h>
#include <stdio.h>

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
    return msw_table_text_column(table, "point", err) ||
                   msw_table_text_column(table, "workload", err) ||
                   msw_table_text_column(table, "replicate", err)
               ? -1
               : add_factor_columns(plan, table, err);
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
    int rc = msw_pointer_new(plan, &pointer, err) || add_columns(plan, table, err) ? -1 : 0;
    for (uint64_t i = 0; rc == 0 && i < plan->points && i < first; i++) {
        rc = msw_pointer_at(pointer, i, false, &point, err);
        if (rc == 0)
            rc = add_point(plan, &point, table, err);
    }
    msw_pointer_free(pointer);
    return rc;
}
