/* SPDX-License-Identifier: MIT */
/* sparse: the front end for irregular requests: embedding look-ups, neighbourhoods of a graph, the
 * gathers of a pruned matrix, mixes of strides and jumps. Equations: docs/models/sparse.md.
 *
 * Every random choice is a function of the seed and of what is chosen (batch, sample, table, ...),
 * so changing one setting leaves the other choices alone. */
#ifndef MEMSWEEP_WORKLOAD_SPARSE_H
#define MEMSWEEP_WORKLOAD_SPARSE_H

#include "memsweep/workload/accesses.h"

enum { MSW_SPARSE_EMBEDDING, MSW_SPARSE_GRAPH, MSW_SPARSE_MATRIX, MSW_SPARSE_MIX };
enum { MSW_SPARSE_EQUAL, MSW_SPARSE_CRITEO_KAGGLE, MSW_SPARSE_MOVIELENS_20M };
enum { MSW_SPARSE_POPULAR_FIRST, MSW_SPARSE_SCATTERED };
enum { MSW_SPARSE_BY_SAMPLE, MSW_SPARSE_BY_TABLE };
enum { MSW_SPARSE_FIXED, MSW_SPARSE_GEOMETRIC };

typedef struct msw_sparse_config {
    int64_t kind, batch, batches;
    int64_t sizes, tables, rows, dimension, element_bytes, ids, lookups, order, indices;
    int64_t fanout, hops, degree, nonzeros;
    int64_t span, near_span, run, run_shape, stride;
    int64_t request_bytes, alignment, burst;
    double zipf, far, interval, write_share;
} msw_sparse_config;

extern const msw_frontend msw_frontend_sparse;

#endif
