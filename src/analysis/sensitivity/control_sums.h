/* SPDX-License-Identifier: MIT */
/* control_sums (private): sums by class and by group of rows, from which variances of class means
 * and of pairs follow with any one group left out. */
#ifndef MSW_ANALYSIS_SENSITIVITY_CONTROL_SUMS_H
#define MSW_ANALYSIS_SENSITIVITY_CONTROL_SUMS_H

#include "analysis/sensitivity/scrambles.h"
#include "memsweep/analysis/given.h"

enum { CONTROL_GROUPS = 32, CONTROL_PAIRS = 100 };

typedef struct control_input {
    size_t n;
    unsigned factors;
    const msw_given_classes *classes; /* of each factor */
    const msw_given_classes *levels;  /* of the grid that the rows are the cells of; or NULL */
    const double *y;                  /* NaN: not used */
    const uint8_t *group;
    double part; /* of the whole population that the used rows are; 0: independent draws */
} control_input;

typedef struct control_cell {
    double count, sum, squares;
} control_cell;

/* Half the squared difference of pairs of cells that differ in one factor. */
typedef struct control_pairs {
    double count, sum;
    double touching_count[CONTROL_GROUPS], touching_sum[CONTROL_GROUPS];
} control_pairs;

typedef struct control_sums {
    control_input input;
    control_cell **cell;  /* per factor: classes x groups */
    double **weight;      /* per factor: share of each class in all rows */
    control_pairs *pairs; /* per factor; NULL without a grid */
    double population;    /* rows the used ones were drawn from; 0: endless */
} control_sums;

/* Adds up. Returns 0, or -1 without memory. */
int control_sums_fill(control_sums *sums, const control_input *input, msw_arena *arena);

/* Variance, mean, first-order parts and total parts of the variance, without one group
 * (CONTROL_GROUPS: with all). What rows do not show is NaN. */
void control_sums_parts(const control_sums *sums, unsigned left_out, double *part);

#endif
