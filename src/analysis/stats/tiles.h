/* SPDX-License-Identifier: MIT */
/* tiles: matrices in strips of four columns, the layout that keeps long sums in registers.
 *
 * Column c of row i is at data[(c / 4 x rows + i) x 4 + c % 4]; columns that fill up the last strip
 * are zero. */
#ifndef MSW_ANALYSIS_STATS_TILES_H
#define MSW_ANALYSIS_STATS_TILES_H

#include "memsweep/base/arena.h"

#include <stddef.h>

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

#endif
