/* SPDX-License-Identifier: MIT */
/* A product over factors. Of an ordered factor Matern's correlation of the difference times its
 * rate: (1 + a + a^2 / 3) e^-a, (1 + a) e^-a or e^-a; of labels e^-rate between different ones. All
 * exponentials are taken as one. */
#include "analysis/process/kernel.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/math.h"
#include "memsweep/run/tasks.h"

#include <math.h>

/* Added to every variance: what keeps a smooth kernel's matrix positive definite. */
static const double NUGGET_LEAST = 1e-8;

enum { ROWS = 32, THREADS_FROM = 256 }; /* rows in one task; and below which none are shared */

unsigned kernel_count(const kernel_rows *rows)
{
    return rows->factors + 2 + (rows->noise != NULL);
}

void kernel_set(kernel *k, const kernel_rows *rows, kernel_family family, const double *parameter)
{
    unsigned d = rows->factors;
    *k = (kernel){.family = family, .factors = d, .labels = rows->labels};
    for (unsigned f = 0; f < d; f++)
        k->rate[f] = msw_math_exp(parameter[f]);
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

bool kernel_shares(const kernel_rows *rows, size_t i, size_t j)
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
