/* SPDX-License-Identifier: MIT */
/* The columns of a mechanism's table. What is read most often (status, metrics, parameters) comes
 * first: SQLite unpacks a record from its start. */
#include "store/catalogue/catalogue.h"

#include "memsweep/sweep/errors.h"

#include <stdlib.h>
#include <string.h>

#define ENGINE(index, name, type, unit, doc)                                                       \
    {                                                                                              \
        MSW_ROLE_ENGINE, name, type, unit, doc, NULL, NULL, 0, index                               \
    }

const msw_store_column msw_engine_columns[] = {
    ENGINE(MSW_ENGINE_STATUS, "status", "TEXT", "", "ok, infeasible, failed or timeout"),
    ENGINE(MSW_ENGINE_DOUBT, MSW_DOUBT_NAME, "TEXT", "",
           "why an ok row is not to be trusted; NULL: nothing says so"),
    ENGINE(MSW_ENGINE_BOUND_BY, "bound_by", "TEXT", "", "largest cause of the cycle stack"),
    ENGINE(MSW_ENGINE_WORKLOAD, "workload", "TEXT", "", "name of the workload"),
    ENGINE(MSW_ENGINE_FIDELITY, "fidelity", "TEXT", "", "analytic, sampled or full"),
    ENGINE(MSW_ENGINE_SEED, "seed", "INTEGER", "", "seed of the sweep that computed the row"),
    ENGINE(MSW_ENGINE_REPLICATE, "replicate", "INTEGER", "", "number of the repetition, from 0"),
    ENGINE(
        MSW_ENGINE_VERSION, "version", "INTEGER", "",
        "version of the model that answered: of the closed form (analytic) or of the cycle model"),
    ENGINE(MSW_ENGINE_RUN, "run", "INTEGER", "", "run that computed the row: msw_run.id"),
    ENGINE(MSW_ENGINE_MEASURED, "units_measured", "INTEGER", "units",
           "units measured; 0 at analytic"),
    ENGINE(MSW_ENGINE_UNITS, "units_total", "INTEGER", "units", "units there are; 0 at analytic"),
    ENGINE(MSW_ENGINE_EVENTS, "events", "INTEGER", "events", "events simulated"),
    ENGINE(MSW_ENGINE_COST, "cost_us", "INTEGER", "us", "wall time of the evaluation"),
    ENGINE(MSW_ENGINE_REASON, "reason", "TEXT", "", "why the row is not ok"),
    ENGINE(MSW_ENGINE_STRATUM, MSW_STRATUM_COLUMN, "INTEGER", "",
           "where its errors were learned: 256 x the number of the table + stratum"),
    ENGINE(MSW_ENGINE_KEY, "key", "BLOB", "", "digest of everything that can change the answer"),
    ENGINE(0, NULL, NULL, NULL, NULL),
};

const char *msw_later_column(const char *name)
{
    static const char *const LATER[] = {MSW_DOUBT_NAME, MSW_STRATUM_COLUMN};
    for (size_t l = 0; l < sizeof LATER / sizeof *LATER; l++)
        if (strcmp(name, LATER[l]) == 0)
            return l == 0 ? "TEXT" : "INTEGER";
    return NULL;
}

const msw_store_column msw_view_columns[] = {
    ENGINE(0, "point", "INTEGER", "", "number of the point in the plan, from 0"),
    ENGINE(0, "design_index", "INTEGER", "", "number of the point in the design, from 0"),
    ENGINE(0, "row_id", "INTEGER", "", "row of the mechanism's table: id there"),
    ENGINE(0, NULL, NULL, NULL, NULL),
};

const msw_store_column msw_choice_columns[] = {
    ENGINE(0, "role", "TEXT", "", "search, audit or NULL: why the point ran in full"),
    ENGINE(0, "round", "INTEGER", "", "round in which it ran, from 1"),
    ENGINE(0, "margin", "REAL", "", "share by which it is better than all others at no more cost"),
    ENGINE(0, "state", "TEXT", "", "front, covered, infeasible, failed, or closed form"),
    ENGINE(0, NULL, NULL, NULL, NULL),
};

size_t msw_plan_metrics(const msw_plan *plan)
{
    return msw_metrics_count(plan->mech->metrics);
}

static void add(msw_store_columns *layout, msw_store_column column)
{
    layout->columns[layout->count++] = column;
}

static void add_engine(msw_store_columns *layout, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) {
        msw_store_column column = msw_engine_columns[i];
        column.name = msw_strdup(column.name);
        add(layout, column);
    }
}

static const char *sql_type(const msw_param *param)
{
    switch (msw_param_type(param)) {
    case MSW_EXPR_TEXT:
        return "TEXT";
    case MSW_EXPR_REAL:
        return "REAL";
    default:
        return "INTEGER";
    }
}

static void add_params(msw_store_columns *layout, const msw_schema *schema)
{
    size_t part = 0;
    for (size_t i = 0; i < schema->count; i++) {
        while (part + 1 < schema->part_count && i >= schema->part_first[part + 1])
            part++;
        const msw_param *param = schema->params[i];
        add(layout, (msw_store_column){MSW_ROLE_PARAM, msw_strdup(param->name), sql_type(param),
                                       param->unit, param->doc, param, NULL, part, i});
    }
}

static void add_metrics(msw_store_columns *layout, const msw_metric *metrics, size_t first_value)
{
    for (size_t i = 0; metrics[i].name; i++)
        add(layout, (msw_store_column){MSW_ROLE_METRIC, msw_strdup(metrics[i].name), "REAL",
                                       metrics[i].unit, metrics[i].doc, NULL, &metrics[i], 0,
                                       first_value + i});
}

static void add_half_widths(msw_store_columns *layout, const msw_metric *metrics,
                            size_t first_value)
{
    for (size_t i = 0; metrics[i].name; i++)
        if (metrics[i].kind != MSW_MAXIMUM)
            add(layout, (msw_store_column){
                            MSW_ROLE_HALF_WIDTH, msw_strfmt("%s_hw", metrics[i].name), "REAL",
                            metrics[i].unit, "half-width of the confidence interval; 0: exact",
                            NULL, &metrics[i], 0, first_value + i});
}

static int check(const msw_store_columns *layout, msw_err *err)
{
    for (size_t i = 0; i < layout->count; i++) {
        if (!layout->columns[i].name)
            return msw_fail_memory(err);
        for (size_t j = 0; j < i; j++)
            if (strcmp(layout->columns[i].name, layout->columns[j].name) == 0)
                return msw_fail_kind(err, MSW_ERR_INTERNAL, "%s: two columns are called '%s'",
                                     layout->table, layout->columns[i].name);
    }
    return 0;
}

int msw_store_columns_init(msw_store_columns *layout, const msw_plan *plan, msw_err *err)
{
    size_t params = plan->schema.count, metrics = msw_plan_metrics(plan);
    size_t most = MSW_ENGINE_COUNT + params + 2 * metrics;
    *layout = (msw_store_columns){.table = msw_strfmt("points_%s", plan->mech->name),
                                  .columns = calloc(most, sizeof *layout->columns)};
    if (!layout->table || !layout->columns) {
        msw_store_columns_free(layout);
        return msw_fail_memory(err);
    }
    add_engine(layout, MSW_ENGINE_STATUS, MSW_ENGINE_DOUBT + 1);
    add_metrics(layout, plan->mech->metrics, params);
    add_params(layout, &plan->schema);
    add_half_widths(layout, plan->mech->metrics, params + metrics);
    add_engine(layout, MSW_ENGINE_DOUBT + 1, MSW_ENGINE_COUNT);
    if (check(layout, err) == 0)
        return 0;
    msw_store_columns_free(layout);
    return -1;
}

void msw_store_columns_free(msw_store_columns *layout)
{
    for (size_t i = 0; i < layout->count; i++)
        free(layout->columns[i].name);
    free(layout->columns);
    free(layout->table);
    *layout = (msw_store_columns){0};
}
