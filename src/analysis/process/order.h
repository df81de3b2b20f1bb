/* SPDX-License-Identifier: MIT */
/* order (private): rows from coarse to fine, and the rows nearest to a point. */
#ifndef MSW_ANALYSIS_PROCESS_ORDER_H
#define MSW_ANALYSIS_PROCESS_ORDER_H

#include "analysis/process/kernel.h"

/* The first `most` of the maximin order: each row is the one farthest from those before it; the
 * first, and ties, by a key. Returns 0, or -1 without memory. */
int order_maximin(const kernel *k, const kernel_rows *rows, size_t most, uint64_t key,
                  uint32_t *order);

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

/* The rows nearest to a point, at most MSW_PROCESS_NEIGHBOURS, nearest first. Returns how many. */
size_t order_nearest(const order_search *search, uint32_t *nearest);

#endif
