/* SPDX-License-Identifier: MIT */
/* Private to run: summaries of neighbouring points, of which no rows are made. */
#ifndef MSW_RUN_SCAN_H
#define MSW_RUN_SCAN_H

#include "memsweep/run/run.h"

/* How points are answered that become no rows: `metrics` has room for metrics and half-widths. */
typedef struct msw_worker_ask {
    double timeout_s, *metrics;
    int (*refuses)(void *context, const msw_point *point, msw_err *err); /* 1: not evaluated */
    void *context;
} msw_worker_ask;

/* Answers one. Returns 1; 0 when it is refused; -1. */
int msw_worker_answer(msw_worker *worker, uint64_t index, const msw_worker_ask *ask,
                      msw_point *point, msw_answer **answer, msw_err *err);
const double *msw_worker_coords(const msw_worker *worker);

/* One thread's means to summarise leaves. */
typedef struct msw_scan msw_scan;
int msw_scan_new(const msw_plan *plan, const msw_census_shape *shape, msw_scan **scan,
                 msw_err *err);
void msw_scan_free(msw_scan *scan);

/* Appends a row that stands for a leaf: its bytes are the row's details. Returns 0, or -1. */
int msw_scan_leaf(msw_scan *scan, msw_worker *worker, uint64_t leaf, double timeout_s,
                  msw_batch *batch, msw_err *err);

/* The bytes of row i; `*at` walks through the details, from 0. Returns them, or NULL. */
const void *msw_scan_bytes(const msw_batch *batch, size_t *at, uint64_t *leaf, size_t *size);

/* Whether a batch that came from elsewhere holds leaves of such a forest. */
bool msw_scan_is_of(const msw_batch *batch, const msw_forest *forest);

#endif
