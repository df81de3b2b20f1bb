/* SPDX-License-Identifier: MIT */
/* kernel: covariances of rows, their factors, and the kernel that explains outputs best. */
#ifndef MSW_ANALYSIS_PROCESS_KERNEL_H
#define MSW_ANALYSIS_PROCESS_KERNEL_H

#include "memsweep/analysis/process.h"
#include "memsweep/base/arena.h"

#include <stddef.h>

/* ---- how outputs of rows are correlated ---- */

/* Matern's families: of each half that many. */
typedef enum kernel_family {
    KERNEL_HALF,
    KERNEL_THREE,
    KERNEL_FIVE,
    KERNEL_FAMILIES
} kernel_family;

/* Rows side by side; the output is standardised, and the noise counted in its deviations. */
typedef struct kernel_rows {
    size_t n;
    unsigned factors;
    uint32_t labels; /* factors without an order */
    double *x;       /* n x factors */
    double *y;
    double *noise;    /* deviation of each row; NULL: none known */
    uint32_t *shared; /* rows of one number have part of their noise in common; or NULL: all do */
    const double
        *gap; /* of each factor: no length is below it (0: any is allowed); NULL: of none */
} kernel_rows;

typedef struct kernel {
    kernel_family family;
    unsigned factors;
    uint32_t labels;
    double rate[MSW_PCE_FACTORS]; /* how fast correlation falls along a factor */
    double variance, nugget, common;
} kernel;

/* Logarithms of rates, variance and nugget, then the logit of what is common. */
enum { KERNEL_PARAMETERS = MSW_PCE_FACTORS + 3 };

/* How many there are. */
unsigned kernel_count(const kernel_rows *rows);

/* Makes a kernel of parameters. */
void kernel_set(kernel *k, const kernel_rows *rows, kernel_family family, const double *parameter);

/* Covariance of two points without noise. `slope` (or NULL) gets its derivatives by the logarithms
 * of the rates. Returns it. */
double kernel_signal(const kernel *k, const double *a, const double *b, double *slope);

/* The same of two rows with their noise. Returns it. */
double kernel_rows_covariance(const kernel *k, const kernel_rows *rows, size_t i, size_t j);

/* Squared distance as the kernel counts it. Returns it. */
double kernel_distance(const kernel *k, const double *a, const double *b);

/* Fills the upper triangle of the covariance of rows; what is beyond them is the unit matrix. */
void kernel_matrix(const kernel *k, const kernel_rows *rows, double *a, size_t order);

/* Factors, inverts and solves symmetric matrices block by block.
 *
 * A matrix is stored row by row, and only its upper triangle is read or written: A = U'U. Sums run
 * over rows in rising order within blocks of 64, whatever the number of threads and the width of
 * the processor's registers, so the bits are always the same. Orders are multiples of
 * CHOLESKY_ALIGN: rows that fill up are those of the unit matrix. */

enum { CHOLESKY_BLOCK = 64, CHOLESKY_ALIGN = 4 };

/* The next multiple of CHOLESKY_ALIGN. */
size_t cholesky_order(size_t n);

/* Replaces A by U. Returns 0, or -1 where A is not positive definite. */
int cholesky_factor(double *a, size_t n);

/* Fills the lower triangle of `w` with U'^-1; the rest stays as it is. */
void cholesky_invert(const double *u, size_t n, double *w);

/* Fills the upper triangle of `inverse` with A^-1 = w'w. */
void cholesky_product(const double *w, size_t n, double *inverse);

/* Replaces x by U'^-1 x. */
void cholesky_forward(const double *u, size_t n, double *x);

/* Replaces x by U^-1 x. */
void cholesky_backward(const double *u, size_t n, double *x);

/* ---- how probable outputs are under a kernel, and the kernel under which they are most so ---- */

typedef struct likelihood {
    const kernel_rows *rows;
    kernel_family family;
    size_t order;
    double *matrix, *work, *inverse; /* order x order */
    double *alpha, *ones;            /* A^-1 (y - mean), A^-1 1 */
    double *sums;                    /* of the gradient, by parts of the rows */
    double mean;
} likelihood;

/* Takes memory. Returns 0, or -1. */
int likelihood_init(likelihood *l, const kernel_rows *rows, msw_arena *arena);

/* Minus the logarithm of the likelihood, less the logarithm of what lengths and variances are
 * expected to be; its gradient. Returns it. */
double likelihood_value(likelihood *l, const double *parameter, double *gradient);

/* How much work a choice is worth. */
typedef struct likelihood_effort {
    size_t rows;     /* looked at, at most */
    unsigned starts; /* of each family: 1 or 2 */
    unsigned steps;  /* after the best start */
} likelihood_effort;

/* The kernel with the greatest likelihood that fixed starts lead to. Returns 0, or -1 without
 * memory. */
int likelihood_tune(const kernel_rows *rows, const likelihood_effort *effort, uint64_t seed,
                    kernel *k);

#endif
