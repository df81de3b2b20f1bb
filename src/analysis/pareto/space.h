/* SPDX-License-Identifier: MIT */
/* pareto_space: points as integers.
 *
 * Dominance depends only on the order of values within each objective, so every value is replaced
 * by its dense rank; ties, infinities and signed zeros are settled here once. Points are kept in
 * lexicographic order and equal points are one: a point can then only be dominated by earlier ones,
 * and an earlier point that is nowhere worse always dominates. */
#ifndef MSW_ANALYSIS_PARETO_SPACE_H
#define MSW_ANALYSIS_PARETO_SPACE_H

#include "analysis/pareto/rows.h"

typedef struct pareto_space {
    size_t n;     /* rows given */
    size_t count; /* distinct points */
    unsigned k;
    int32_t *x;         /* count x k dense ranks */
    uint32_t *row;      /* the n rows in lexicographic order */
    uint32_t *position; /* for each of them: its point */
    double **values;    /* k tables: dense rank -> value, smaller being better */
    size_t *distinct;   /* k sizes of those tables */
} pareto_space;

/* Makes the integer points of n > 0 rows. Returns 0, or -1 without memory. */
int pareto_space_make(const pareto_rows *list, const uint32_t *rows, size_t n, pareto_space *space,
                      msw_arena *arena);

/* Marks the dominated points (count flags, 0 or 1). Returns 0, or -1 without memory. */
int pareto_space_front(const pareto_space *space, int32_t *dominated, msw_arena *arena);

/* Ranks the points from 0. Returns 0, or -1 without memory. */
int pareto_space_rank(const pareto_space *space, int32_t *rank, msw_arena *arena);

/* The two above for k >= 3, by divide and conquer. */
int pareto_divide_front(const pareto_space *space, int32_t *dominated, msw_arena *arena);
int pareto_divide_rank(const pareto_space *space, int32_t *rank, msw_arena *arena);

#endif
