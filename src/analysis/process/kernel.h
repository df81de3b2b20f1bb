/* SPDX-License-Identifier: MIT */
/* kernel (private): how outputs of rows are correlated. */
#ifndef MSW_ANALYSIS_PROCESS_KERNEL_H
#define MSW_ANALYSIS_PROCESS_KERNEL_H

#include "memsweep/analysis/process.h"

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

/* Whether part of the known noise of two rows is common. */
bool kernel_shares(const kernel_rows *rows, size_t i, size_t j);

/* Squared distance as the kernel counts it. Returns it. */
double kernel_distance(const kernel *k, const double *a, const double *b);

/* Fills the upper triangle of the covariance of rows; what is beyond them is the unit matrix. */
void kernel_matrix(const kernel *k, const kernel_rows *rows, double *a, size_t order);

#endif
