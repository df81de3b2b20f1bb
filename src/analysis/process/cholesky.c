/* SPDX-License-Identifier: MIT */
#include "analysis/process/process.h"

#include "memsweep/base/bits.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <string.h>

enum { BLOCK = CHOLESKY_BLOCK, SMALL = CHOLESKY_ALIGN, THREADS_FROM = 256 };

size_t cholesky_order(size_t n)
{
    return msw_div_up(n, SMALL) * SMALL;
}

/* Adds up a' b over rows: four columns of each. */
static inline void add_products(const double *restrict a, const double *restrict b, size_t width,
                                size_t rows, double sum[SMALL][SMALL])
{
    double own[SMALL][SMALL] = {{0}};
    for (size_t k = 0; k < rows; k++)
        for (int c = 0; c < SMALL; c++)
            for (int d = 0; d < SMALL; d++)
                own[c][d] += a[k * width + c] * b[k * width + d];
    memcpy(sum, own, sizeof own);
}

static size_t block_end(size_t first, size_t n)
{
    return first + BLOCK < n ? first + BLOCK : n;
}

/* ---- factor ---- */

typedef struct step {
    double *a;
    size_t n, first, end; /* the block */
} step;

/* The block itself, row after row. Returns 0, or -1. */
static int factor_block(const step *s)
{
    for (size_t k = s->first; k < s->end; k++) {
        double *row = s->a + k * s->n, pivot = row[k];
        if (!(pivot > 0))
            return -1;
        double root = sqrt(pivot);
        for (size_t j = k; j < s->end; j++)
            row[j] /= root;
        for (size_t i = k + 1; i < s->end; i++)
            for (size_t j = i; j < s->end; j++)
                s->a[i * s->n + j] -= row[i] * row[j];
    }
    return 0;
}

/* Columns right of the block, by parts of BLOCK. */
static void solve_right(void *context, size_t number)
{
    const step *s = context;
    size_t from = s->end + number * BLOCK, to = block_end(from, s->n);
    for (size_t k = s->first; k < s->end; k++) {
        double *row = s->a + k * s->n, pivot = row[k];
        for (size_t m = s->first; m < k; m++) {
            const double *above = s->a + m * s->n;
            double factor = above[k];
            for (size_t j = from; j < to; j++)
                row[j] -= factor * above[j];
        }
        for (size_t j = from; j < to; j++)
            row[j] /= pivot;
    }
}

/* Changes what lies below and right of the block, by parts of BLOCK rows. */
static void update_below(void *context, size_t number)
{
    const step *s = context;
    size_t from = s->end + number * BLOCK, to = block_end(from, s->n);
    const double *top = s->a + s->first * s->n;
    for (size_t i = from; i < to; i += SMALL)
        for (size_t j = i; j < s->n; j += SMALL) {
            double sum[SMALL][SMALL];
            add_products(top + i, top + j, s->n, s->end - s->first, sum);
            for (size_t c = 0; c < SMALL; c++)
                for (size_t d = 0; d < SMALL; d++)
                    s->a[(i + c) * s->n + j + d] -= sum[c][d];
        }
}

/* Right-looking, by blocks of rows: the block itself, the columns right of it, then what is below.
 * Every number is computed by one task in one order, so threads do not change the bits. */
int cholesky_factor(double *a, size_t n)
{
    for (size_t first = 0; first < n; first += BLOCK) {
        step s = {a, n, first, block_end(first, n)};
        size_t parts = msw_div_up(n - s.end, BLOCK);
        if (factor_block(&s))
            return -1;
        msw_tasks_if(n >= THREADS_FROM, parts, solve_right, &s);
        msw_tasks_if(n >= THREADS_FROM, parts, update_below, &s);
    }
    return 0;
}

/* ---- inverse ---- */

typedef struct inversion {
    const double *from;
    double *to;
    size_t n;
} inversion;

/* Rows of one block of W, in the columns `from` .. `to`, once the rows above are known. */
static void finish_rows(const inversion *v, size_t first, size_t end, size_t from, size_t to)
{
    for (size_t i = first; i < end; i++) {
        double *row = v->to + i * v->n;
        for (size_t m = first; m < i; m++) {
            double factor = v->from[m * v->n + i];
            const double *above = v->to + m * v->n;
            for (size_t j = from; j < to; j++)
                row[j] -= factor * above[j];
        }
        for (size_t j = from; j < to; j++)
            row[j] /= v->from[i * v->n + i];
    }
}

/* The columns of one block of W, from its diagonal down. */
static void invert_columns(void *context, size_t number)
{
    const inversion *v = context;
    size_t n = v->n, from = number * BLOCK, to = block_end(from, n);
    for (size_t first = from; first < n; first += BLOCK) {
        size_t end = block_end(first, n);
        for (size_t i = first; i < end; i += SMALL)
            for (size_t j = from; j < to; j += SMALL) {
                double sum[SMALL][SMALL];
                add_products(v->from + from * n + i, v->to + from * n + j, n, first - from, sum);
                for (size_t c = 0; c < SMALL; c++)
                    for (size_t d = 0; d < SMALL; d++)
                        v->to[(i + c) * n + j + d] = (double)(i + c == j + d) - sum[c][d];
            }
        finish_rows(v, first, end, from, to);
    }
}

void cholesky_invert(const double *u, size_t n, double *w)
{
    msw_tasks_if(n >= THREADS_FROM, msw_div_up(n, BLOCK), invert_columns, &(inversion){u, w, n});
}

static void multiply_rows(void *context, size_t number)
{
    const inversion *v = context;
    size_t n = v->n, from = number * BLOCK, to = block_end(from, n);
    for (size_t i = from; i < to; i += SMALL)
        for (size_t j = i; j < n; j += SMALL) {
            /* rows from the block of j on: above them W is 0 in these columns */
            size_t start = j / BLOCK * BLOCK;
            double sum[SMALL][SMALL];
            add_products(v->from + start * n + i, v->from + start * n + j, n, n - start, sum);
            for (size_t c = 0; c < SMALL; c++)
                memcpy(v->to + (i + c) * n + j, sum[c], sizeof sum[c]);
        }
}

void cholesky_product(const double *w, size_t n, double *inverse)
{
    msw_tasks_if(n >= THREADS_FROM, msw_div_up(n, BLOCK), multiply_rows,
                 &(inversion){w, inverse, n});
}

/* ---- solutions ---- */

void cholesky_forward(const double *u, size_t n, double *x)
{
    for (size_t k = 0; k < n; k++) {
        x[k] /= u[k * n + k];
        for (size_t i = k + 1; i < n; i++)
            x[i] -= u[k * n + i] * x[k];
    }
}

void cholesky_backward(const double *u, size_t n, double *x)
{
    for (size_t k = n; k-- > 0;) {
        double sum = x[k];
        for (size_t i = k + 1; i < n; i++)
            sum -= u[k * n + i] * x[i];
        x[k] = sum / u[k * n + k];
    }
}
