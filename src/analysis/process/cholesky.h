/* SPDX-License-Identifier: MIT */
/* cholesky (private): factors, inverts and solves symmetric matrices block by block.
 *
 * A matrix is stored row by row, and only its upper triangle is read or written: A = U'U. Sums run
 * over rows in rising order within blocks of 64, whatever the number of threads and the width of
 * the processor's registers, so the bits are always the same. Orders are multiples of
 * CHOLESKY_ALIGN: rows that fill up are those of the unit matrix. */
#ifndef MSW_ANALYSIS_PROCESS_CHOLESKY_H
#define MSW_ANALYSIS_PROCESS_CHOLESKY_H

#include <stddef.h>

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

#endif
