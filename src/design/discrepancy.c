/* SPDX-License-Identifier: MIT */
/* CD^2 = (13/12)^d - 2/n sum_i prod_j (1 + |z_ij| / 2 - z_ij^2 / 2)
 *        + 1/n^2 sum_i sum_k prod_j (1 + (|z_ij| + |z_kj| - |x_ij - x_kj|) / 2), z = x - 1/2. */
#include "memsweep/design/discrepancy.h"

#include <math.h>

static double power(double base, size_t exponent)
{
    double product = 1;
    while (exponent--)
        product *= base;
    return product;
}

static double single(const double *x, size_t factors)
{
    double product = 1;
    for (size_t j = 0; j < factors; j++) {
        double z = fabs(x[j] - 0.5);
        product *= 1 + z / 2 - z * z / 2;
    }
    return product;
}

static double pair(const double *a, const double *b, size_t factors)
{
    double product = 1;
    for (size_t j = 0; j < factors; j++)
        product *= 1 + (fabs(a[j] - 0.5) + fabs(b[j] - 0.5) - fabs(a[j] - b[j])) / 2;
    return product;
}

double msw_discrepancy(const double *x, size_t n, size_t factors)
{
    double singles = 0, pairs = 0;
    for (size_t i = 0; i < n; i++) {
        double own = 0;
        singles += single(x + i * factors, factors);
        for (size_t k = 0; k < i; k++)
            own += pair(x + i * factors, x + k * factors, factors);
        pairs += 2 * own + pair(x + i * factors, x + i * factors, factors);
    }
    return power(13. / 12, factors) - 2 / (double)n * singles + pairs / ((double)n * (double)n);
}

/* The terms of row a with all, and of row b with all but a. */
double msw_discrepancy_rows(const double *x, size_t n, size_t factors, size_t a, size_t b)
{
    const double *p = x + a * factors, *q = x + b * factors;
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        if (i != a && i != b)
            sum += pair(p, x + i * factors, factors) + pair(q, x + i * factors, factors);
    sum = 2 * (sum + pair(p, q, factors)) + pair(p, p, factors) + pair(q, q, factors);
    return sum / (double)n - 2 * (single(p, factors) + single(q, factors));
}

double msw_discrepancy_random(size_t n, size_t factors)
{
    return (power(1.25, factors) - power(13. / 12, factors)) / (double)n;
}
