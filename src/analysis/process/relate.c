/* SPDX-License-Identifier: MIT */
/* Predicts from all rows by one factor of their covariance, or from the nearest by small ones; puts
 * rows in an order from coarse to fine. */
#include "analysis/process/process.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/rng.h"
#include "memsweep/run/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- orders of rows ---- */

/* Rows that a search looks at: all but those left out. */
typedef struct order_search {
    const kernel *k;
    const kernel_rows *rows;
    const double *x;       /* the point */
    const uint32_t *among; /* the rows to look at; NULL: 0 .. count - 1 */
    size_t count;
    size_t without;  /* this row is left out; SIZE_MAX: none is */
    uint32_t levels; /* and rows at its level of any of these factors */
} order_search;

static const double *row_of(const kernel_rows *rows, size_t i)
{
    return rows->x + i * rows->factors;
}

/* Rows are looked at in keyed order, so that the first of equals is the one the key names. */
static size_t farthest(const double *distance, size_t n, uint64_t key)
{
    size_t best = SIZE_MAX;
    for (size_t r = 0; r < n; r++) {
        size_t i = msw_permute(r, n, key);
        if (distance[i] >= 0 && (best == SIZE_MAX || distance[i] > distance[best]))
            best = i;
    }
    return best;
}

/* The same without walking the permutation: only ties need it. */
static size_t farthest_quick(const double *distance, size_t n, uint64_t key)
{
    double most = -1;
    size_t best = 0, ties = 0;
    for (size_t i = 0; i < n; i++) {
        if (distance[i] > most) {
            most = distance[i];
            best = i;
            ties = 0;
        } else if (distance[i] == most) {
            ties++;
        }
    }
    return ties ? farthest(distance, n, key) : best;
}

int order_maximin(const kernel *k, const kernel_rows *rows, size_t most, uint64_t key,
                  uint32_t *order)
{
    size_t n = rows->n;
    double *distance = malloc((n + 1) * sizeof *distance);
    if (!distance)
        return -1;
    for (size_t i = 0; i < n; i++)
        distance[i] = INFINITY;
    for (size_t step = 0; step < most && step < n; step++) {
        size_t next = farthest_quick(distance, n, key);
        order[step] = (uint32_t)next;
        distance[next] = -1;
        for (size_t i = 0; i < n; i++)
            if (distance[i] >= 0)
                distance[i] =
                    fmin(distance[i], kernel_distance(k, row_of(rows, i), row_of(rows, next)));
    }
    free(distance);
    return 0;
}

static bool is_left_out(const order_search *s, size_t i)
{
    const kernel_rows *rows = s->rows;
    if (i == s->without)
        return true;
    for (unsigned f = 0; s->levels && f < rows->factors; f++)
        if (s->levels >> f & 1 && row_of(rows, i)[f] == s->x[f])
            return true;
    return false;
}

/* The rows nearest to a point, at most MSW_PROCESS_NEIGHBOURS, nearest first. Returns how many. */
static size_t order_nearest(const order_search *s, uint32_t *nearest)
{
    double distance[MSW_PROCESS_NEIGHBOURS];
    size_t count = 0;
    for (size_t c = 0; c < s->count; c++) {
        size_t i = s->among ? s->among[c] : c;
        double own = kernel_distance(s->k, s->x, row_of(s->rows, i));
        if ((count == MSW_PROCESS_NEIGHBOURS && !(own < distance[count - 1])) || is_left_out(s, i))
            continue;
        size_t at = count < MSW_PROCESS_NEIGHBOURS ? count++ : count - 1;
        for (; at > 0 && distance[at - 1] > own; at--) {
            distance[at] = distance[at - 1];
            nearest[at] = nearest[at - 1];
        }
        distance[at] = own;
        nearest[at] = (uint32_t)i;
    }
    return count;
}

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
static int predict_exactly(const msw_process *p, const double *x, process_prediction *prediction)
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
    *prediction = (process_prediction){value, sqrt(fmax(variance, p->k.nugget))};
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

static void fill_neighbourhood(const msw_process *p, const double *x, size_t self, neighbourhood *h)
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

process_prediction process_predict_nearby(const msw_process *p, const double *x, size_t without,
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
    fill_neighbourhood(p, x, SIZE_MAX, &h);
    double variance = condition(p, &h, &value, &weight) + p->k.nugget + p->noise;
    return (process_prediction){value + p->center * (1 - weight),
                                sqrt(fmax(variance, p->k.nugget))};
}

int process_predict(const msw_process *p, const double *x, process_prediction *prediction)
{
    if (p->exact)
        return predict_exactly(p, x, prediction);
    *prediction = process_predict_nearby(p, x, SIZE_MAX, 0);
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
        fill_neighbourhood(c->p, x, i, &h);
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
    int rc = -1;
    if (!c.order || !c.value || order_maximin(&p->k, &p->rows, n, seed, c.order))
        goto done;
    c.weight = c.value + n;
    c.variance = c.weight + n;
    msw_tasks(msw_div_up(n, ROWS), condition_rows, &c);
    set_center(p, &c);
    rc = 0;
done:
    free(c.order);
    free(c.value);
    return rc;
}

void msw_process_free(msw_process *p)
{
    if (p && p->between != p)
        msw_process_free(p->between);
    for (process_missed *m = p ? p->missed : NULL; m; m = m->next)
        for (size_t i = 0; i < m->part_count; i++)
            if (m->part[i].fit != p)
                msw_process_free((msw_process *)m->part[i].fit);
    if (p)
        msw_arena_free(&p->arena);
    free(p);
}
