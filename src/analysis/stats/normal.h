/* SPDX-License-Identifier: MIT */
/* normal: least squares by the normal equations.
 *
 * Columns come standardised or orthonormal under the design, which keeps the equations well
 * conditioned; a column that is nearly a combination of earlier ones is refused instead of solved.
 */
#ifndef MSW_ANALYSIS_STATS_NORMAL_H
#define MSW_ANALYSIS_STATS_NORMAL_H

#include "analysis/stats/tiles.h"

typedef struct normal {
    unsigned p;
    double *lower;   /* p x p: Cholesky factor L of X'X, row by row */
    double *inverse; /* p x p: L^-1, row by row */
    double *beta;    /* p coefficients */
    unsigned failed; /* on failure: the column that depends on earlier ones */
} normal;

/* Replaces the lower triangle of a symmetric matrix, row by row, by its Cholesky factor. Returns 0,
 * or 1 with the row in `failed` that depends on those above. */
int normal_cholesky(double *lower, unsigned p, unsigned *failed);

/* Solves min |y - X beta|. Returns 0, -1 without memory, or 1 when a column depends on others. */
int normal_solve(const tiles *x, const double *y, normal *fit, msw_arena *arena);

/* One entry of (X'X)^-1. Returns it. */
double normal_covariance(const normal *fit, unsigned a, unsigned b);

#endif
