/* SPDX-License-Identifier: MIT */
/* Candidates for new rows. With U'U the covariance of rows, v = U'^-1 k(x) and c what of the
 * constant the rows leave open (1 - k(x)'K^-1 1), two candidates have in common, given the rows,
 *
 *     k(x, y) - v(x)'v(y) + c(x) c(y) / 1'K^-1 1
 *
 * and a candidate that is taken appends to every v what it has in common with it, over its own
 * deviation: a row more of U. */
#include "analysis/process/process.h"

#include "memsweep/run/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* v of a candidate: one for each row, one for the constant (of which the sign is the other one),
 * then one for each that was taken. */
static void look_at(void *context, size_t candidate)
{
    msw_process_ahead *a = context;
    const msw_process *p = a->process;
    const double *x = a->x + candidate * p->rows.factors;
    double *near = a->near + candidate * a->width, value = p->center, covered = 0, sum = 0;
    for (size_t i = 0; i < p->rows.n; i++) {
        near[i] = kernel_signal(&p->k, p->rows.x + i * p->rows.factors, x, NULL);
        value += near[i] * p->alpha[i];
        covered += near[i] * p->ones[i];
    }
    cholesky_forward(p->factor, p->order, near);
    for (size_t i = 0; i < p->rows.n; i++)
        sum += near[i] * near[i];
    near[p->order] = (1 - covered) / sqrt(p->ones_weight);
    sum -= near[p->order] * near[p->order];
    a->value[candidate] = p->mean + p->deviation * value;
    a->variance[candidate] = p->deviation * p->deviation * fmax(p->k.variance - sum, 0);
}

int msw_process_ahead_new(const msw_process *p, const double *x, size_t count, size_t most,
                          msw_process_ahead *a, msw_err *err)
{
    unsigned factors = p->rows.factors;
    *a = (msw_process_ahead){.process = p, .count = count, .used = p->order + 1};
    a->width = a->used + most;
    a->value = calloc(count + 1, sizeof *a->value);
    a->variance = calloc(count + 1, sizeof *a->variance);
    a->x = calloc(count * factors + 1, sizeof *a->x);
    a->near = calloc(count * a->width + 1, sizeof *a->near);
    if (!a->value || !a->variance || !a->x || !a->near) {
        msw_process_ahead_free(a);
        return msw_fail_memory(err);
    }
    for (size_t i = 0; i < count * factors; i++)
        a->x[i] = process_position(p, (unsigned)(i % factors), x[i]);
    msw_tasks_if(count * p->rows.n > 50000, count, look_at, a);
    return 0;
}

static double common_of(const msw_process_ahead *a, size_t one, size_t other)
{
    const msw_process *p = a->process;
    const double *u = a->near + one * a->width, *v = a->near + other * a->width;
    double common =
        kernel_signal(&p->k, a->x + one * p->rows.factors, a->x + other * p->rows.factors, NULL);
    for (size_t i = 0; i < a->used; i++)
        common -= (i == p->order ? -1 : 1) * u[i] * v[i];
    return common;
}

void msw_process_ahead_take(msw_process_ahead *a, size_t candidate)
{
    const msw_process *p = a->process;
    double own = sqrt(fmax(common_of(a, candidate, candidate), 0) + p->k.nugget);
    for (size_t i = 0; i < a->count && a->used < a->width; i++) {
        double part = common_of(a, i, candidate) / own, left = p->deviation * part;
        a->near[i * a->width + a->used] = part;
        a->variance[i] = fmax(a->variance[i] - left * left, 0);
    }
    a->used += a->used < a->width;
}

void msw_process_ahead_free(msw_process_ahead *a)
{
    free(a->value);
    free(a->variance);
    free(a->x);
    free(a->near);
    *a = (msw_process_ahead){0};
}
