/* Private to `pareto`: from words to a front, and from a front to a table.
 *
 * Objectives are read for all rows, everything else only for the rows that are shown. */
#ifndef MEMSWEEP_CLI_FRONT_H
#define MEMSWEEP_CLI_FRONT_H

#include "memsweep/pareto.h"
#include "memsweep/store.h"

/* What competes. */
typedef struct cli_objectives {
    size_t count;
    char *names[MSW_PARETO_OBJECTIVES];
    msw_goal goals[MSW_PARETO_OBJECTIVES];
} cli_objectives;

/* Takes the objectives of two comma-separated lists, or the sweep's own when both are NULL. Returns
 * 0, or -1. */
int cli_objectives_read(const char *minimize, const char *maximize, const msw_sweep_info *sweep,
                        cli_objectives *objectives, msw_err *err);
void cli_objectives_free(cli_objectives *objectives);

/* Numbers the distinct values of a column 0, 1, ... in `group` (one per row; rows without a value
 * share a group). Returns 0 and their count, or -1. */
int cli_group_rows(const msw_column *column, size_t rows, uint32_t *group, uint32_t *count,
                   msw_err *err);

/* What a user asks for. */
typedef struct cli_front_ask {
    const char *group_by, *filter, *columns; /* or NULL */
    int64_t ranks;
    bool crowding, knee;
} cli_front_ask;

typedef struct cli_front {
    cli_front_ask ask;
    msw_store *store;
    msw_sweep_info sweep;
    cli_objectives objectives;
    msw_table values; /* row_id, point, objectives, group: of all rows that take part */
    uint32_t *group, group_count;
    int32_t *rank;
    double *crowding;
    msw_knee *knees;              /* per group; row SIZE_MAX: none */
    size_t *chosen, chosen_count; /* rows of `values` to show */
    msw_pareto_count count;
    msw_table shown;
    msw_err *err;
} cli_front;

/* Columns of `values`. */
enum { CLI_FRONT_ROW_ID, CLI_FRONT_POINT, CLI_FRONT_OBJECTIVES };

/* Reads the objectives and ranks the rows (store, sweep and objectives are set). Returns 0, or -1.
 */
int cli_front_find(cli_front *front);

/* Fills `shown` with the chosen rows, by group, rank and first objective. Returns 0, or -1. */
int cli_front_show(cli_front *front);

void cli_front_free(cli_front *front);

#endif
