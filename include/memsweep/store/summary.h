/* SPDX-License-Identifier: MIT */
/* summary: what is known of all points of a sweep, where not all of them have rows.
 *
 * The points of each workload are cut into leaves of 2^n neighbours. Each leaf is summarised on its
 * own, point after point; two neighbours of one size become one of twice the size, and so on, in
 * one fixed tree: the bits are the same whoever summarised what, and when. Counts, extremes,
 * histograms and the candidates for the front are exact whatever the order; sums lose nothing to
 * speak of (base/sum.h), and have the same bits by the tree. */
#ifndef MEMSWEEP_STORE_SUMMARY_H
#define MEMSWEEP_STORE_SUMMARY_H

#include "memsweep/base/map.h"
#include "memsweep/base/sum.h"
#include "memsweep/base/vec.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/keep.h"

/* Cells of a summary: cell 0 is of all points, then come the levels of each factor
 * (parts of its range, where it has no levels or very many). Pairs are of two factors' levels. */
enum { MSW_CENSUS_LEVELS = 256 };
typedef struct msw_census_shape {
    uint64_t metrics, factors, objectives;
    uint64_t bins[MSW_KEEP_FACTORS];  /* of each factor */
    uint64_t first[MSW_KEEP_FACTORS]; /* its first cell */
    uint64_t levelled;                /* bit f: the bins of factor f are its levels */
    uint64_t cells, pairs;            /* pairs 0: too many */
    uint64_t points, leaf, leaves;    /* of a workload */
    bool front;
    double within;
} msw_census_shape;

/* How often a value fell into each of many narrow bins: 128 for a factor of 2. */
typedef msw_map msw_histogram; /* code to count; a count may be 0 */

/* One metric in one cell. */
typedef struct msw_census_cell {
    uint64_t n; /* values that are defined */
    msw_sum sum, squares;
    double least, most;
} msw_census_cell;

typedef struct msw_census_pair {
    uint64_t n;
    msw_sum sum;
} msw_census_pair;

/* Adds what another cell has. */
void msw_census_cell_join(msw_census_cell *cell, const msw_census_cell *more);

/* A row that may be on the front. */
typedef struct msw_candidates {
    size_t objectives;
    MSW_VEC(uint64_t) points;
    MSW_VEC(double) values; /* smaller is better */
} msw_candidates;

typedef struct msw_census_counts {
    uint64_t ok, doubtful, infeasible, failed, beyond, excluded;
} msw_census_counts;

/* Adds counts to others. */
void msw_census_counts_add(msw_census_counts *to, const msw_census_counts *more);

typedef struct msw_census {
    const msw_census_shape *shape;
    msw_census_counts counts;  /* doubtful and beyond are of those that are ok */
    msw_census_cell *moments;  /* metric by metric, its cells */
    msw_census_pair *pairs;    /* metric by metric */
    msw_histogram *histograms; /* as the moments */
    msw_candidates front;
} msw_census;

/* The shape for a plan. Returns 0, or -1 when its design has none. */
int msw_census_shape_of(const msw_plan *plan, msw_census_shape *shape, msw_err *err);

/* That of the bytes of a summary. Returns 0, or -1. */
int msw_census_read_shape(const void *bytes, size_t size, msw_census_shape *shape, msw_err *err);

/* The first pair of two factors (f < g); its pairs follow, those of the second factor fastest. */
uint64_t msw_census_first_pair(const msw_census_shape *shape, size_t f, size_t g);

/* An empty summary; the shape must outlive it. Returns it, or NULL. */
msw_census *msw_census_new(const msw_census_shape *shape);
void msw_census_free(msw_census *summary);

/* Adds the summary of what comes after. Returns 0, or -1. */
int msw_census_merge(msw_census *into, const msw_census *after, msw_err *err);

/* The bytes of a summary, and back. Return 0, or -1. */
int msw_census_flatten(const msw_census *summary, msw_text *bytes, msw_err *err);
int msw_census_read(const msw_census_shape *shape, const void *bytes, size_t size,
                    msw_census **summary, msw_err *err);

/* ---- histograms ---- */

int msw_histogram_add(msw_histogram *histogram, int32_t code, uint64_t count, msw_err *err);
int32_t msw_histogram_code(double value);
/* The value below which a share of the values lies, within half a bin (0.4 %). Returns it, or NaN.
 */
double msw_histogram_quantile(const msw_histogram *histogram, double share);

/* ---- the front ---- */

/* Takes candidates one after the other. A point is left out when another is at least as good in
 * every objective, and better by more than `within` in one; of within 0 the rest is the front. */
typedef struct msw_front_filter {
    msw_candidates *kept;
    double within;
    MSW_VEC(double) best; /* objectives of those that none is better than, each once */
    size_t sifted;        /* candidates after the last purge */
} msw_front_filter;
int msw_front_filter_add(msw_front_filter *filter, uint64_t point, const double *values,
                         msw_err *err);
/* Leaves out what was beaten later. Frees what the filter has but not `kept`. */
void msw_front_filter_end(msw_front_filter *filter);

/* ---- all leaves of a sweep ---- */

/* A finished part of the tree: 2^level leaves of a workload. */
typedef struct msw_census_node {
    uint32_t workload, level;
    uint64_t position;
    msw_census *summary;
    bool stored;
} msw_census_node;

typedef struct msw_forest {
    msw_census_shape shape;
    uint64_t workloads;
    MSW_VEC(msw_census_node) nodes;
    uint64_t stored_leaves, added_leaves;
    double since; /* of the oldest leaf that is not stored; 0: all are */
} msw_forest;

int msw_forest_open(msw_forest *forest, const msw_plan *plan, msw_err *err);
void msw_forest_close(msw_forest *forest);

/* Reads what a file has of a sweep; damaged parts are left out. Returns 0, or -1. */
int msw_forest_load(msw_forest *forest, msw_store *store, int64_t sweep, msw_err *err);

/* The same without a plan, for reading: the shape is that of the file. Returns 0, or -1. */
int msw_forest_read(msw_forest *forest, msw_store *store, int64_t sweep, uint64_t workloads,
                    msw_err *err);

/* Adds the bytes of a leaf (number in workload * leaves + its position there), and puts together
 * what is next to it. Returns 0, or -1. */
int msw_forest_add(msw_forest *forest, uint64_t leaf, const void *bytes, size_t size, msw_err *err);

/* Puts into the file what is new, in one transaction. Returns 0, or -1. */
int msw_forest_store(msw_forest *forest, msw_store *store, int64_t sweep, msw_err *err);

/* Which leaves are missing: a bit each, on the heap. Returns how many. */
uint64_t msw_forest_missing(const msw_forest *forest, uint64_t *bitmap);

/* The whole of a workload, when every leaf is there. Returns it, or NULL. Owned by the forest. */
msw_census *msw_forest_whole(const msw_forest *forest, uint64_t workload, msw_err *err);

/* Digest of what all leaves came to. */
int msw_forest_digest(const msw_forest *forest, msw_digest *digest, msw_err *err);

#endif
