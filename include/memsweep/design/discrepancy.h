/* SPDX-License-Identifier: MIT */
/* discrepancy: how evenly points fill the unit cube. */
#ifndef MEMSWEEP_DESIGN_DISCREPANCY_H
#define MEMSWEEP_DESIGN_DISCREPANCY_H

#include <stddef.h>

/* Squared centred L2 discrepancy of n points, one after the other (Hickernell, Math. Comp. 67
 * (1998) 299-322). Returns it. */
double msw_discrepancy(const double *x, size_t n, size_t factors);

/* The terms of it that contain row a or row b, times n. Returns them. */
double msw_discrepancy_rows(const double *x, size_t n, size_t factors, size_t a, size_t b);

/* Its mean over independent uniform points. Returns it. */
double msw_discrepancy_random(size_t n, size_t factors);

#endif
