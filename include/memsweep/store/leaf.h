/* SPDX-License-Identifier: MIT */
/* leaf: neighbouring points are summarised as they are answered, and no rows are made of them. */
#ifndef MEMSWEEP_STORE_LEAF_H
#define MEMSWEEP_STORE_LEAF_H

#include "memsweep/store/summary.h"

/* How points are answered that become no rows: `metrics` has room for metrics and half-widths. */
typedef struct msw_worker_ask {
    double timeout_s, *metrics;
    int (*refuses)(void *context, const msw_point *point, msw_err *err); /* 1: not evaluated */
    void *context;
} msw_worker_ask;

/* Functions that answer points for one thread: the first function returns 1; 0 when the point is
 * refused; -1. The second one gives the coordinates of that point. */
typedef struct msw_answerer {
    void *context;
    int (*answer)(void *context, uint64_t index, const msw_worker_ask *ask, msw_point *point,
                  msw_answer **answer, msw_err *err);
    const double *(*coords)(void *context);
} msw_answerer;

/* One thread's means to summarise leaves. */
typedef struct msw_scan msw_scan;
int msw_scan_new(const msw_plan *plan, const msw_census_shape *shape, msw_scan **scan,
                 msw_err *err);
void msw_scan_free(msw_scan *scan);

/* Appends a row that stands for a leaf: its bytes are the row's details. Returns 0, or -1. */
int msw_scan_leaf(msw_scan *scan, const msw_answerer *who, uint64_t leaf, double timeout_s,
                  msw_batch *batch, msw_err *err);

/* The bytes of row i; `*at` walks through the details, from 0. Returns them, or NULL. */
const void *msw_scan_bytes(const msw_batch *batch, size_t *at, uint64_t *leaf, size_t *size);

/* Whether a batch that came from elsewhere holds leaves of such a forest. */
bool msw_scan_is_of(const msw_batch *batch, const msw_forest *forest);

#endif
