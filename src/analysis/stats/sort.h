/* SPDX-License-Identifier: MIT */
/* Columns of doubles in order, least squares of them, and their layout in strips. */
#ifndef MSW_ANALYSIS_STATS_SORT_H
#define MSW_ANALYSIS_STATS_SORT_H

#include "memsweep/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Most rows that can be sorted: row numbers and ranks are 31-bit. */
#define SORT_MAX ((size_t)INT32_MAX)

/* Finds the stable ascending order of `n` values, none of them NaN. Scratch comes from the arena
 * and is given back. Returns 0, or -1 when memory runs out. */
int sort_ascending(const double *values, size_t n, uint32_t *order, msw_arena *arena);

/* Numbers the distinct values 0, 1, ... along `order`: equal values share a number. Returns how
 * many there are. */
size_t sort_dense_ranks(const double *values, const uint32_t *order, size_t n, int32_t *rank);

/* Numbers the values 1..n along `order`, equal values sharing the mean of their places. */
void sort_mid_ranks(const double *values, const uint32_t *order, size_t n, double *rank);

/* Reorders `order` stably by an integer key below `limit`. Returns 0, or -1 when memory runs out.
 */
int sort_by_key(const int32_t *key, size_t stride, size_t limit, uint32_t *order, size_t n,
                msw_arena *arena);

/* Matrices in strips of four columns, the layout that keeps long sums in registers.
 *
 * Column c of row i is at data[(c / 4 x rows + i) x 4 + c % 4]; columns that fill up the last strip
 * are zero. */

enum { TILE = 4, TILE_ROWS = 256 };

typedef struct tiles {
    size_t rows;
    unsigned columns, strips;
    double *data;
} tiles;

/* Takes zeroed memory. Returns 0, or -1 without memory. */
int tiles_init(tiles *matrix, size_t rows, unsigned columns, msw_arena *arena);

static inline double *tiles_at(const tiles *matrix, size_t row, unsigned column)
{
    return matrix->data + (column / TILE * matrix->rows + row) * TILE + column % TILE;
}

/* Adds up a' b over the rows of two strips. */
static inline void tiles_product(const double *restrict a, const double *restrict b, size_t rows,
                                 double sum[TILE][TILE])
{
    double own[TILE][TILE] = {{0}};
    for (size_t i = 0; i < rows; i++)
        for (int c = 0; c < TILE; c++)
            for (int d = 0; d < TILE; d++)
                own[c][d] += a[TILE * i + c] * b[TILE * i + d];
    for (int c = 0; c < TILE; c++)
        for (int d = 0; d < TILE; d++)
            sum[c][d] += own[c][d];
}

/* Least squares by the normal equations.
 *
 * Columns come standardised or orthonormal under the design, which keeps the equations well
 * conditioned; a column that is nearly a combination of earlier ones is refused instead of solved.
 */

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
