/* SPDX-License-Identifier: MIT */
/* Rasmussen and Williams 2006, chapter 5: with A = U'U the covariance of rows and m = 1'A^-1 y /
 * 1'A^-1 1 the mean, 2 log p = -(y - m)'A^-1 (y - m) - log|A|, and its derivative by a parameter is
 * the trace of (alpha alpha' - A^-1) dA, alpha = A^-1 (y - m). */
#include "analysis/process/likelihood.h"

#include "analysis/process/cholesky.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <string.h>

enum { ROWS = 32 };

/* What a point without a value is worth: steps lead away from it. */
static const double NOWHERE = 1e10;

int likelihood_init(likelihood *l, const kernel_rows *rows, msw_arena *arena)
{
    size_t order = cholesky_order(rows->n), size = order * order;
    *l = (likelihood){.rows = rows, .order = order};
    l->matrix = msw_arena_take(arena, size * sizeof(double));
    l->work = msw_arena_take(arena, size * sizeof(double));
    l->inverse = msw_arena_take(arena, size * sizeof(double));
    l->alpha = msw_arena_take(arena, order * sizeof(double));
    l->ones = msw_arena_take(arena, order * sizeof(double));
    l->sums = msw_arena_take(arena, msw_div_up(order, ROWS) * KERNEL_PARAMETERS * sizeof(double));
    return l->matrix && l->work && l->inverse && l->alpha && l->ones && l->sums ? 0 : -1;
}

/* ---- expectations ---- */

/* Normal in the logarithms: correlation over the whole range of a factor, a variance like that of
 * the outputs, little unexplained; all of them wide. */
static double expect(const kernel_rows *rows, const double *parameter, double *gradient)
{
    static const double MEANS[] = {0.5, 0, -7, 0}, WIDTHS[] = {2, 2, 5, 2};
    double sum = 0;
    for (unsigned i = 0; i < kernel_count(rows); i++) {
        int kind = i < rows->factors ? 0 : (int)(i - rows->factors) + 1;
        double off = (parameter[i] - MEANS[kind]) / WIDTHS[kind];
        sum += off * off / 2;
        gradient[i] += off / WIDTHS[kind];
    }
    return sum;
}

/* ---- the gradient ---- */

typedef struct slopes {
    const likelihood *l;
    const kernel *k;
} slopes;

/* Both halves of the symmetric sum. */
static void add_pair(const slopes *s, size_t i, size_t j, double *sum)
{
    const likelihood *l = s->l;
    const kernel_rows *rows = l->rows;
    unsigned d = rows->factors;
    double slope[MSW_PCE_FACTORS];
    double weight = l->alpha[i] * l->alpha[j] - l->inverse[i * l->order + j];
    double signal = kernel_signal(s->k, rows->x + i * d, rows->x + j * d, slope);
    for (unsigned f = 0; f < d; f++)
        sum[f] += weight * slope[f];
    sum[d] += weight * signal;
    if (kernel_shares(rows, i, j))
        sum[d + 2] += weight * s->k->common * (1 - s->k->common) * rows->noise[i] * rows->noise[j];
}

static void add_rows(void *context, size_t number)
{
    const slopes *s = context;
    const likelihood *l = s->l;
    unsigned d = l->rows->factors;
    double *sum = l->sums + number * KERNEL_PARAMETERS;
    memset(sum, 0, KERNEL_PARAMETERS * sizeof *sum);
    for (size_t i = number * ROWS; i < (number + 1) * ROWS && i < l->rows->n; i++) {
        double weight = (l->alpha[i] * l->alpha[i] - l->inverse[i * l->order + i]) / 2;
        sum[d] += weight * s->k->variance;
        sum[d + 1] += weight * s->k->nugget;
        for (size_t j = i + 1; j < l->rows->n; j++)
            add_pair(s, i, j, sum);
    }
}

/* Sums per part of rows, added in the order of the parts: the same bits on any number of threads.
 * */
static void find_gradient(likelihood *l, const kernel *k, double *gradient)
{
    size_t parts = msw_div_up(l->rows->n, ROWS);
    cholesky_invert(l->matrix, l->order, l->work);
    cholesky_product(l->work, l->order, l->inverse);
    msw_tasks_if(parts > 8, parts, add_rows, &(slopes){l, k});
    for (size_t p = 0; p < parts; p++)
        for (unsigned i = 0; i < kernel_count(l->rows); i++)
            gradient[i] -= l->sums[p * KERNEL_PARAMETERS + i];
}

/* ---- the value ---- */

static double sum_products(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void solve(const likelihood *l, double *x)
{
    memset(x + l->rows->n, 0, (l->order - l->rows->n) * sizeof *x);
    cholesky_forward(l->matrix, l->order, x);
    cholesky_backward(l->matrix, l->order, x);
}

double likelihood_value(likelihood *l, const double *parameter, double *gradient)
{
    const kernel_rows *rows = l->rows;
    kernel k;
    double determinant = 0, weight = 0, moment = 0, square = 0;
    memset(gradient, 0, kernel_count(rows) * sizeof *gradient);
    double expected = expect(rows, parameter, gradient);
    for (unsigned i = 0; i < kernel_count(rows); i++)
        /* Parameters are logarithms: beyond this their exponentials say nothing more and soon
         * overflow. */
        if (!(fabs(parameter[i]) < 40))
            return NOWHERE + expected;
    kernel_set(&k, rows, l->family, parameter);
    kernel_matrix(&k, rows, l->matrix, l->order);
    if (cholesky_factor(l->matrix, l->order))
        return NOWHERE + expected;
    for (size_t i = 0; i < rows->n; i++) {
        determinant += msw_math_log(l->matrix[i * l->order + i]);
        l->ones[i] = 1;
    }
    memcpy(l->alpha, rows->y, rows->n * sizeof *l->alpha);
    solve(l, l->ones);
    solve(l, l->alpha);
    for (size_t i = 0; i < rows->n; i++) {
        weight += l->ones[i];
        moment += l->alpha[i];
    }
    l->mean = moment / weight;
    for (size_t i = 0; i < rows->n; i++)
        l->alpha[i] -= l->mean * l->ones[i];
    square = sum_products(l->alpha, rows->y, rows->n); /* (y - m) A^-1 (y - m): 1' alpha is 0 */
    find_gradient(l, &k, gradient);
    return square / 2 + determinant + expected;
}
