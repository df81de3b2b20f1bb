/* SPDX-License-Identifier: MIT */
/* pareto_rows: the rows that take part in a comparison, group by group, smaller is better. */
#ifndef MSW_ANALYSIS_PARETO_ROWS_H
#define MSW_ANALYSIS_PARETO_ROWS_H

#include "memsweep/analysis/pareto.h"
#include "memsweep/base/arena.h"

typedef struct pareto_rows {
    const msw_points *points;
    double sign[MSW_PARETO_OBJECTIVES]; /* times a value: smaller is better */
    uint32_t *rows;                     /* rows without NaN, group after group */
    size_t *start;                      /* group_count + 1 offsets into rows */
    uint32_t groups;
    size_t left_out;
} pareto_rows;

/* Checks the description and lists the rows that take part. Returns 0, or -1 with `err`. */
int pareto_rows_list(const msw_points *points, pareto_rows *list, msw_arena *arena, msw_err *err);

/* Takes rows out that are certainly dominated by another of the list, cheaply; far from all of them
 * when the front is small, none when nearly all rows are on it. Returns how many rows are left. */
size_t pareto_rows_prune(const pareto_rows *list, uint32_t *rows, size_t n, msw_arena *arena);

/* Reads one objective of one row, smaller being better. Returns it. */
static inline double pareto_value(const pareto_rows *list, unsigned objective, size_t row)
{
    return list->sign[objective] * list->points->columns[objective][row];
}

#endif
