/* SPDX-License-Identifier: MIT */
/* Predictions: from all rows by one factor of their covariance, or from the nearest by small ones.
 */
#include "analysis/process/cholesky.h"
#include "analysis/process/order.h"
#include "analysis/process/process.h"

#include "memsweep/base/bits.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- all rows ---- */

/* With K the covariance: alpha = K^-1 (y - c 1), where the constant mean c is the generalised least
 * squares estimate (1' K^-1 y) / (1' K^-1 1). A prediction is then c + k(x)' alpha. */
int process_relate(msw_process *p)
{
    size_t n = p->rows.n, order = p->order = cholesky_order(n);
    double weight = 0, moment = 0;
    p->factor = msw_arena_take(&p->arena, order * order * sizeof *p->factor);
    p->alpha = msw_arena_zero(&p->arena, order, sizeof *p->alpha);
    p->ones = msw_arena_zero(&p->arena, order, sizeof *p->ones);
    if (!p->factor || !p->alpha || !p->ones)
        return -1;
    kernel_matrix(&p->k, &p->rows, p->factor, order);
    /* Rows that are close to each other make K singular in doubles: a larger nugget helps. */
    while (cholesky_factor(p->factor, order)) {
        p->k.nugget *= 100;
        kernel_matrix(&p->k, &p->rows, p->factor, order);
    }
    for (size_t i = 0; i < n; i++) {
        p->alpha[i] = p->rows.y[i];
        p->ones[i] = 1;
    }
    cholesky_forward(p->factor, order, p->alpha);
    cholesky_backward(p->factor, order, p->alpha);
    cholesky_forward(p->factor, order, p->ones);
    cholesky_backward(p->factor, order, p->ones);
    for (size_t i = 0; i < n; i++) {
        weight += p->ones[i];
        moment += p->alpha[i];
    }
    p->ones_weight = weight;
    p->center = moment / weight;
    for (size_t i = 0; i < n; i++)
        p->alpha[i] -= p->center * p->ones[i];
    p->exact = true;
    return 0;
}

static double sum_squares(const double *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

double process_value_exactly(const msw_process *p, const double *x)
{
    double value = p->center;
    for (size_t i = 0; i < p->rows.n; i++)
        value += kernel_signal(&p->k, p->rows.x + i * p->rows.factors, x, NULL) * p->alpha[i];
    return value;
}

/* The centre is estimated too: what it adds is the last term. */
int process_guess_exactly(const msw_process *p, const double *x, process_saying *guess)
{
    size_t n = p->rows.n;
    double *near = calloc(p->order, sizeof *near), value = p->center, covered = 0;
    if (!near)
        return -1;
    for (size_t i = 0; i < n; i++) {
        near[i] = kernel_signal(&p->k, p->rows.x + i * p->rows.factors, x, NULL);
        value += near[i] * p->alpha[i];
        covered += near[i] * p->ones[i];
    }
    cholesky_forward(p->factor, p->order, near);
    double variance = p->k.variance + p->k.nugget + p->noise - sum_squares(near, n) +
                      (1 - covered) * (1 - covered) / p->ones_weight;
    *guess = (process_saying){value, sqrt(fmax(variance, p->k.nugget))};
    free(near);
    return 0;
}

/* ---- the nearest ---- */

enum { NEAR = MSW_PROCESS_NEIGHBOURS, ORDER = 32 };

/* A few rows and a point. */
typedef struct neighbourhood {
    uint32_t row[NEAR];
    size_t count, order;
    double matrix[ORDER * ORDER], near[ORDER], y[ORDER], ones[ORDER];
} neighbourhood;

static void fill(const msw_process *p, const double *x, size_t self, neighbourhood *h)
{
    const kernel_rows *rows = &p->rows;
    h->order = cholesky_order(h->count);
    for (size_t i = 0; i < h->order; i++) {
        bool there = i < h->count;
        for (size_t j = i; j < h->order; j++)
            h->matrix[i * h->order + j] =
                j < h->count ? kernel_rows_covariance(&p->k, rows, h->row[i], h->row[j])
                             : (double)(i == j);
        h->y[i] = there ? rows->y[h->row[i]] : 0;
        h->ones[i] = there ? 1 : 0;
        h->near[i] = !there ? 0
                     : self < rows->n
                         ? kernel_rows_covariance(&p->k, rows, h->row[i], self)
                         : kernel_signal(&p->k, rows->x + h->row[i] * rows->factors, x, NULL);
    }
}

/* Sums that a conditional distribution is made of: value and weight of the centre in it. Returns
 * its variance, without the point's own noise. */
static double condition(const msw_process *p, neighbourhood *h, double *value, double *weight)
{
    *value = *weight = 0;
    if (!h->count || cholesky_factor(h->matrix, h->order))
        return p->k.variance;
    cholesky_forward(h->matrix, h->order, h->near);
    cholesky_forward(h->matrix, h->order, h->y);
    cholesky_forward(h->matrix, h->order, h->ones);
    for (size_t i = 0; i < h->order; i++) {
        *value += h->near[i] * h->y[i];
        *weight += h->near[i] * h->ones[i];
    }
    return p->k.variance - sum_squares(h->near, h->order);
}

process_saying process_guess_nearby(const msw_process *p, const double *x, size_t without,
                                    uint32_t levels)
{
    neighbourhood h;
    double value, weight;
    order_search search = {.k = &p->k,
                           .rows = &p->rows,
                           .x = x,
                           .count = p->rows.n,
                           .without = without,
                           .levels = levels};
    h.count = order_nearest(&search, h.row);
    fill(p, x, SIZE_MAX, &h);
    double variance = condition(p, &h, &value, &weight) + p->k.nugget + p->noise;
    return (process_saying){value + p->center * (1 - weight), sqrt(fmax(variance, p->k.nugget))};
}

int process_guess(const msw_process *p, const double *x, process_saying *guess)
{
    if (p->exact)
        return process_guess_exactly(p, x, guess);
    *guess = process_guess_nearby(p, x, SIZE_MAX, 0);
    return 0;
}

/* ---- all rows, each after the nearest before it ---- */

enum { ROWS = 64 };

typedef struct chain {
    const msw_process *p;
    uint32_t *order;
    double *value, *weight, *variance; /* of each row */
} chain;

/* Vecchia's approximation: each row is conditioned on the nearest of those before it in the order,
 * so the cost grows with the rows and not with their cube. */
static void condition_rows(void *context, size_t number)
{
    const chain *c = context;
    const kernel_rows *rows = &c->p->rows;
    for (size_t r = number * ROWS; r < (number + 1) * ROWS && r < rows->n; r++) {
        size_t i = c->order[r];
        const double *x = rows->x + i * rows->factors;
        neighbourhood h;
        order_search search = {.k = &c->p->k,
                               .rows = rows,
                               .x = x,
                               .among = c->order,
                               .count = r,
                               .without = SIZE_MAX};
        h.count = order_nearest(&search, h.row);
        fill(c->p, x, i, &h);
        double own = rows->noise ? rows->noise[i] * rows->noise[i] : 0;
        c->variance[r] = condition(c->p, &h, &c->value[r], &c->weight[r]) + c->p->k.nugget + own;
    }
}

/* With every row independent given its neighbours, mean and scale are those of a weighted
 * regression on one column. */
static void set_center(msw_process *p, const chain *c)
{
    double moment = 0, weight = 0, square = 0;
    for (size_t r = 0; r < p->rows.n; r++) {
        double left = 1 - c->weight[r], gap = p->rows.y[c->order[r]] - c->value[r];
        moment += left * gap / c->variance[r];
        weight += left * left / c->variance[r];
    }
    p->center = weight > 0 ? moment / weight : 0;
    for (size_t r = 0; r < p->rows.n; r++) {
        double gap = p->rows.y[c->order[r]] - c->value[r] - p->center * (1 - c->weight[r]);
        square += gap * gap / c->variance[r];
    }
    if (p->rows.noise)
        return; /* its size is known: nothing is scaled */
    p->k.variance *= square / (double)p->rows.n;
    p->k.nugget *= square / (double)p->rows.n;
}

int process_condition(msw_process *p, uint64_t seed)
{
    size_t n = p->rows.n;
    chain c = {.p = p, .order = malloc((n + 1) * sizeof *c.order)};
    c.value = malloc((3 * n + 1) * sizeof *c.value);
    int rc = c.order && c.value ? order_maximin(&p->k, &p->rows, n, seed, c.order) : -1;
    if (rc == 0) {
        c.weight = c.value + n;
        c.variance = c.weight + n;
        msw_tasks(msw_div_up(n, ROWS), condition_rows, &c);
        set_center(p, &c);
    }
    free(c.order);
    free(c.value);
    return rc;
}

void msw_process_free(msw_process *p)
{
    for (process_missed *m = p ? p->missed : NULL; m; m = m->next)
        for (size_t i = 0; i < m->part_count; i++)
            if (m->part[i].fit != p)
                msw_process_free((msw_process *)m->part[i].fit);
    if (p)
        msw_arena_free(&p->arena);
    free(p);
}
