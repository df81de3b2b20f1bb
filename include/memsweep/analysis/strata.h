/* SPDX-License-Identifier: MIT */
/* strata: where errors are alike, and how large they are there.
 *
 * A tree of questions ("feature <= threshold") divides rows so that errors within a leaf spread
 * little. In each leaf an interval of the errors is found that holds for groups (workloads) that it
 * was not made from. */
#ifndef MEMSWEEP_ANALYSIS_STRATA_H
#define MEMSWEEP_ANALYSIS_STRATA_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSW_TREE_LEAVES = 32, MSW_TREE_NODES = 2 * MSW_TREE_LEAVES - 1, MSW_TREE_TARGETS = 4 };

/* A node asks (then `left` and `right` are nodes: not above the threshold, and others, NaN too), or
 * is a leaf (left is 0). */
typedef struct msw_tree_node {
    uint32_t feature, left, right;
    double threshold;
} msw_tree_node;

typedef struct msw_tree {
    size_t count;
    msw_tree_node nodes[MSW_TREE_NODES];
} msw_tree;

/* Rows to divide. */
typedef struct msw_strata_rows {
    size_t n, features, targets;
    const double *const *feature; /* columns */
    const double *const *target;  /* columns of log errors; NaN: this row has none */
    const uint32_t *group;        /* of each row: of 64 and more, those 64 apart count as one */
    size_t least, least_groups;   /* rows of a leaf, and groups among them */
} msw_strata_rows;

/* Grows the tree: each question is the one that makes the errors most likely, as normal with a mean
 * and a spread of each side, and none that gains less than chance would. Returns 0, or -1. */
int msw_tree_grow(const msw_strata_rows *rows, msw_tree *tree, msw_err *err);

/* Finds the leaf of a row, whose features `value` gives. Returns its node. */
size_t msw_tree_find(const msw_tree *tree, double (*value)(const void *context, size_t feature),
                     const void *context);

/* Errors of rows, each of a group. */
typedef struct msw_errors_of {
    size_t n;
    const double *error; /* log ratios */
    const uint32_t *group;
} msw_errors_of;

typedef struct msw_error_interval {
    double low, high; /* of the log ratio */
    double need;      /* width between the 5 % and 95 % points, or what leaves as much out */
    double covered;   /* share of rows of left-out groups, each group alike */
    size_t groups;
} msw_error_interval;

/* Finds the narrowest interval between equal tails that covers a share of `confidence` of the rows
 * of a group that is left out of it, mean over all groups, each left out in turn. Returns false
 * where there are fewer than `groups` groups or none does. */
bool msw_error_calibrate(const msw_errors_of *rows, double confidence, size_t groups,
                         msw_error_interval *interval);

#endif
