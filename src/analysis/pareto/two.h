/* SPDX-License-Identifier: MIT */
/* pareto_two: two objectives need one sort and one sweep, no integer points. */
#ifndef MSW_ANALYSIS_PARETO_TWO_H
#define MSW_ANALYSIS_PARETO_TWO_H

#include "analysis/pareto/rows.h"

typedef struct pareto_two {
    size_t n;
    uint32_t *row; /* sorted by objective 0, then by objective 1 */
    double *x, *y; /* in that order, smaller being better */
} pareto_two;

/* Sorts n > 0 rows. Returns 0, or -1 without memory. */
int pareto_two_sort(const pareto_rows *list, const uint32_t *rows, size_t n, pareto_two *sorted,
                    msw_arena *arena);

/* Gives each sorted row 0 if it is on the front, else 1. */
void pareto_two_front(const pareto_two *sorted, int32_t *dominated);

/* Ranks each sorted row from 0. Returns 0, or -1 without memory. */
int pareto_two_rank(const pareto_two *sorted, int32_t *rank, msw_arena *arena);

#endif
