/* SPDX-License-Identifier: MIT */
/* likelihood (private): how probable outputs are under a kernel, and the kernel under which they
 * are most so. */
#ifndef MSW_ANALYSIS_PROCESS_LIKELIHOOD_H
#define MSW_ANALYSIS_PROCESS_LIKELIHOOD_H

#include "analysis/process/kernel.h"
#include "memsweep/base/arena.h"

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
