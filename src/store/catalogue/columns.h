/* SPDX-License-Identifier: MIT */
/* The columns of a mechanism's table, from the tables of a plan. */
#ifndef MSW_STORE_CATALOGUE_COLUMNS_H
#define MSW_STORE_CATALOGUE_COLUMNS_H

#include "memsweep/store/store.h"

typedef enum msw_role {
    MSW_ROLE_ENGINE,
    MSW_ROLE_PARAM,
    MSW_ROLE_METRIC,
    MSW_ROLE_HALF_WIDTH,
    MSW_ROLE_DERIVED,
    MSW_ROLE_DETAIL
} msw_role;

/* The engine's own columns, in the order of the table behind columns.c. */
typedef enum msw_engine {
    MSW_ENGINE_STATUS,
    MSW_ENGINE_DOUBT,
    MSW_ENGINE_BOUND_BY,
    MSW_ENGINE_WORKLOAD,
    MSW_ENGINE_FIDELITY,
    MSW_ENGINE_SEED,
    MSW_ENGINE_REPLICATE,
    MSW_ENGINE_VERSION,
    MSW_ENGINE_RUN,
    MSW_ENGINE_MEASURED,
    MSW_ENGINE_UNITS,
    MSW_ENGINE_EVENTS,
    MSW_ENGINE_COST,
    MSW_ENGINE_REASON,
    MSW_ENGINE_STRATUM,
    MSW_ENGINE_KEY,
    MSW_ENGINE_COUNT
} msw_engine;

typedef struct msw_store_column {
    msw_role role;
    char *name;
    const char *type, *unit, *doc;
    const msw_param *param;   /* MSW_ROLE_PARAM */
    const msw_metric *metric; /* metrics and half-widths */
    size_t part;              /* parameter: table of the plan's schema it comes from */
    size_t value;             /* index into a row's values, or msw_engine */
} msw_store_column;

typedef struct msw_store_columns {
    char *table; /* points_<mechanism> */
    size_t count;
    msw_store_column *columns; /* all but `id`, in the order of the table */
} msw_store_columns;

int msw_store_columns_init(msw_store_columns *layout, const msw_plan *plan, msw_err *err);
void msw_store_columns_free(msw_store_columns *layout);

/* Columns that every points_<mechanism> has. Ends with name NULL. */
extern const msw_store_column msw_engine_columns[];

/* Whether a table from an older version may have no such column: then its rows have none. Returns
 * the type, or NULL where every table has it. */
const char *msw_later_column(const char *name);

/* Columns that only the views have: point, design_index, row. Ends with name NULL. */
extern const msw_store_column msw_view_columns[];

/* Columns that the views of sweeps at fidelity auto have in addition. Ends with name NULL. */
extern const msw_store_column msw_choice_columns[];

/* Number of metrics, parameters of the plan. */
size_t msw_plan_metrics(const msw_plan *plan);

#endif
