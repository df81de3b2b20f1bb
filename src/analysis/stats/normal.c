/* SPDX-License-Identifier: MIT */
#include "analysis/stats/sort.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <string.h>

/* A pivot below this part of its diagonal has lost nearly all digits. */
#define DEPENDENT 1e-11

int tiles_init(tiles *matrix, size_t rows, unsigned columns, msw_arena *arena)
{
    unsigned strips = (unsigned)msw_div_up(columns, TILE);
    *matrix = (tiles){.rows = rows, .columns = columns, .strips = strips};
    matrix->data = msw_arena_zero(arena, rows * strips * TILE, sizeof(double));
    return matrix->data ? 0 : -1;
}

static const double *strip(const tiles *x, unsigned number, size_t row)
{
    return x->data + (number * x->rows + row) * TILE;
}

/* X'X in 4 x 4 blocks, the lower triangle of blocks. */
static void add_gram(const tiles *x, double (*block)[TILE][TILE])
{
    for (size_t start = 0; start < x->rows; start += TILE_ROWS) {
        size_t rows = x->rows - start < TILE_ROWS ? x->rows - start : TILE_ROWS;
        double(*to)[TILE][TILE] = block;
        for (unsigned a = 0; a < x->strips; a++)
            for (unsigned b = 0; b <= a; b++)
                tiles_product(strip(x, a, start), strip(x, b, start), rows, *to++);
    }
}

static int gram(const tiles *x, double *lower, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    size_t count = (size_t)x->strips * (x->strips + 1) / 2;
    double(*block)[TILE][TILE] = msw_arena_zero(arena, count, sizeof *block);
    if (!block)
        return -1;
    add_gram(x, block);
    for (unsigned i = 0; i < x->columns; i++)
        for (unsigned j = 0; j <= i; j++) {
            unsigned a = i / TILE, b = j / TILE;
            lower[(size_t)i * x->columns + j] = block[a * (a + 1) / 2 + b][i % TILE][j % TILE];
        }
    msw_arena_release(arena, mark);
    return 0;
}

static double dot(const double *a, const double *b, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

int normal_cholesky(double *lower, unsigned p, unsigned *failed)
{
    for (unsigned i = 0; i < p; i++) {
        double *row = lower + (size_t)i * p, whole = row[i];
        for (unsigned j = 0; j < i; j++) {
            const double *other = lower + (size_t)j * p;
            row[j] = (row[j] - dot(row, other, j)) / other[j];
        }
        double pivot = whole - dot(row, row, i);
        if (!(pivot > DEPENDENT * whole)) {
            *failed = i;
            return 1;
        }
        row[i] = sqrt(pivot);
    }
    return 0;
}

/* L^-1, row by row: row i is the unit row less L's row times the rows above, over the pivot. */
static void invert(const normal *fit)
{
    unsigned p = fit->p;
    for (unsigned i = 0; i < p; i++) {
        double *row = fit->inverse + (size_t)i * p;
        const double *lower = fit->lower + (size_t)i * p;
        memset(row, 0, p * sizeof *row);
        for (unsigned k = 0; k < i; k++) {
            const double *above = fit->inverse + (size_t)k * p;
            for (unsigned j = 0; j <= k; j++)
                row[j] -= lower[k] * above[j];
        }
        for (unsigned j = 0; j < i; j++)
            row[j] /= lower[i];
        row[i] = 1 / lower[i];
    }
}

static void project(const tiles *x, const double *y, double *moment)
{
    for (unsigned c = 0; c < x->columns; c++) {
        double sum = 0;
        for (size_t i = 0; i < x->rows; i++)
            sum += *tiles_at(x, i, c) * y[i];
        moment[c] = sum;
    }
}

int normal_solve(const tiles *x, const double *y, normal *fit, msw_arena *arena)
{
    unsigned p = x->columns;
    *fit = (normal){.p = p};
    fit->lower = msw_arena_zero(arena, (size_t)p * p, sizeof(double));
    fit->inverse = msw_arena_take(arena, (size_t)p * p * sizeof(double));
    fit->beta = msw_arena_zero(arena, p, sizeof(double));
    double *moment = msw_arena_take(arena, p * sizeof *moment);
    if (!fit->lower || !fit->inverse || !fit->beta || !moment || gram(x, fit->lower, arena))
        return -1;
    if (normal_cholesky(fit->lower, p, &fit->failed))
        return 1;
    invert(fit);
    project(x, y, moment);
    for (unsigned i = 0; i < p; i++) {
        const double *row = fit->inverse + (size_t)i * p;
        double value = dot(row, moment, i + 1);
        for (unsigned j = 0; j <= i; j++)
            fit->beta[j] += row[j] * value;
    }
    return 0;
}

double normal_covariance(const normal *fit, unsigned a, unsigned b)
{
    double sum = 0;
    for (unsigned i = a > b ? a : b; i < fit->p; i++)
        sum += fit->inverse[(size_t)i * fit->p + a] * fit->inverse[(size_t)i * fit->p + b];
    return sum;
}
