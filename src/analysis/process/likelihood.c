/* SPDX-License-Identifier: MIT */
/* Correlates rows by a kernel, and finds how probable their outputs are under it.
 *
 * The kernel is a product over factors. Of an ordered factor Matern's correlation of the difference
 * times its rate: (1 + a + a^2 / 3) e^-a, (1 + a) e^-a or e^-a; of labels e^-rate between different
 * ones. All exponentials are taken as one.
 *
 * Rasmussen and Williams 2006, chapter 5: with A = U'U the covariance of rows and m = 1'A^-1 y /
 * 1'A^-1 1 the mean, 2 log p = -(y - m)'A^-1 (y - m) - log|A|, and its derivative by a parameter is
 * the trace of (alpha alpha' - A^-1) dA, alpha = A^-1 (y - m). */
#include "analysis/process/process.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <string.h>

/* ---- the kernel ---- */

/* Added to every variance: what keeps a smooth kernel's matrix positive definite. */
static const double NUGGET_LEAST = 1e-8;

enum { ROWS = 32, THREADS_FROM = 256 }; /* rows in one task; and below which none are shared */

unsigned kernel_count(const kernel_rows *rows)
{
    return rows->factors + 2 + (rows->noise != NULL);
}

/* The logarithm of a factor's rate. A length, as Matern's families count it, is not below the gap
 * of the factor: the bound is approached smoothly, so that descents do not meet an edge. `slope`
 * (or NULL) gets the derivative. */
static double bend(const kernel_rows *rows, kernel_family family, unsigned f, double parameter,
                   double *slope)
{
    static const double SHARP = 4;
    double own = 1, value = parameter;
    if (rows->gap && rows->gap[f] > 0) {
        double most = msw_math_log(sqrt(2 * family + 1.) / rows->gap[f]);
        double room = SHARP * (most - parameter), fall = msw_math_exp(-fabs(room));
        value = most - (fmax(room, 0) + msw_math_log(1 + fall)) / SHARP;
        own = (room > 0 ? 1 : fall) / (1 + fall);
    }
    if (slope)
        *slope = own;
    return value;
}

void kernel_set(kernel *k, const kernel_rows *rows, kernel_family family, const double *parameter)
{
    unsigned d = rows->factors;
    *k = (kernel){.family = family, .factors = d, .labels = rows->labels};
    for (unsigned f = 0; f < d; f++)
        k->rate[f] = msw_math_exp(bend(rows, family, f, parameter[f], NULL));
    k->variance = msw_math_exp(parameter[d]);
    k->nugget = NUGGET_LEAST + msw_math_exp(parameter[d + 1]);
    k->common = rows->noise ? 1 / (1 + msw_math_exp(-parameter[d + 2])) : 0;
}

static double step_of(const kernel *k, unsigned f, const double *a, const double *b)
{
    return k->labels >> f & 1 ? (a[f] != b[f] ? k->rate[f] : 0) : k->rate[f] * fabs(a[f] - b[f]);
}

/* A product over factors of Matern correlations, t being rate x distance: e^-t, (1 + t) e^-t or (1
 * + t + t^2/3) e^-t. `slope` gets the derivatives by the logarithms of the rates. Labels only
 * differ or agree, so they always have the first form. */
double kernel_signal(const kernel *k, const double *a, const double *b, double *slope)
{
    double sum = 0, product = k->variance;
    for (unsigned f = 0; f < k->factors; f++) {
        double t = step_of(k, f, a, b), own = 1, fall = t;
        if (k->family != KERNEL_HALF && !(k->labels >> f & 1)) {
            bool five = k->family == KERNEL_FIVE;
            own = 1 + t + (five ? t * t / 3 : 0);
            fall = t * t * (five ? (1 + t) / 3 : 1) / own;
        }
        sum += t;
        product *= own;
        if (slope)
            slope[f] = -fall;
    }
    double value = product * msw_math_exp(-sum);
    for (unsigned f = 0; slope && f < k->factors; f++)
        slope[f] *= value;
    return value;
}

/* Returns whether part of the known noise of two rows is common. */
static bool kernel_shares(const kernel_rows *rows, size_t i, size_t j)
{
    return rows->noise && (!rows->shared || rows->shared[i] == rows->shared[j]);
}

double kernel_rows_covariance(const kernel *k, const kernel_rows *rows, size_t i, size_t j)
{
    const double *a = rows->x + i * rows->factors, *b = rows->x + j * rows->factors;
    if (i == j)
        return k->variance + k->nugget + (rows->noise ? rows->noise[i] * rows->noise[i] : 0);
    double value = kernel_signal(k, a, b, NULL);
    return kernel_shares(rows, i, j) ? value + k->common * rows->noise[i] * rows->noise[j] : value;
}

double kernel_distance(const kernel *k, const double *a, const double *b)
{
    double sum = 0;
    for (unsigned f = 0; f < k->factors; f++) {
        double t = step_of(k, f, a, b);
        sum += t * t;
    }
    return sum;
}

typedef struct filling {
    const kernel *k;
    const kernel_rows *rows;
    double *a;
    size_t order;
} filling;

static void fill_rows(void *context, size_t number)
{
    const filling *m = context;
    size_t end = (number + 1) * ROWS < m->order ? (number + 1) * ROWS : m->order;
    for (size_t i = number * ROWS; i < end; i++)
        for (size_t j = i; j < m->order; j++)
            m->a[i * m->order + j] =
                j < m->rows->n ? kernel_rows_covariance(m->k, m->rows, i, j) : (double)(i == j);
}

void kernel_matrix(const kernel *k, const kernel_rows *rows, double *a, size_t order)
{
    msw_tasks_if(order >= THREADS_FROM, msw_div_up(order, ROWS), fill_rows,
                 &(filling){k, rows, a, order});
}

/* The value of a point that has none: steps lead away from it. */
static const double NOWHERE = 1e10;

/* ---- likelihoods ---- */

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
static void find_gradient(likelihood *l, const kernel *k, const double *parameter, double *gradient)
{
    size_t parts = msw_div_up(l->rows->n, ROWS);
    cholesky_invert(l->matrix, l->order, l->work);
    cholesky_product(l->work, l->order, l->inverse);
    msw_tasks_if(parts > 8, parts, add_rows, &(slopes){l, k});
    for (unsigned i = 0; i < kernel_count(l->rows); i++) {
        double bent = 1;
        if (i < l->rows->factors)
            bend(l->rows, l->family, i, parameter[i], &bent);
        for (size_t p = 0; p < parts; p++)
            gradient[i] -= bent * l->sums[p * KERNEL_PARAMETERS + i];
    }
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
    find_gradient(l, &k, parameter, gradient);
    return square / 2 + determinant + expected;
}
