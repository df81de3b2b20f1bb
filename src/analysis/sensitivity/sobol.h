/* SPDX-License-Identifier: MIT */
/* sobol: the sums that Sobol indices are made of, shared by the estimators with and without a
 * control. */
#ifndef MSW_ANALYSIS_SENSITIVITY_SOBOL_H
#define MSW_ANALYSIS_SENSITIVITY_SOBOL_H

#include "analysis/sensitivity/bootstrap.h"

/* Columns of the moments: 0 and 1 give the variance, then for each factor its total effect and one
 * to three columns of its first-order estimator, then one column per pair. */
enum { SOBOL_SUM, SOBOL_SQUARES, SOBOL_FACTORS };

typedef struct sobol {
    const msw_sobol_design *design;
    const msw_resampling *how;
    unsigned pairs;
    double center, scale; /* outputs are (y - center) x scale in every sum */
    double shift;         /* added back for estimators on raw outputs */
    tiles table;
    uint32_t *scramble; /* of each unit; NULL: intervals by resampling */
    msw_arena *arena;
} sobol;

/* Outputs per base row. */
size_t sobol_row_length(const msw_sobol_design *design);

/* Returns whether none of them is NaN. */
bool sobol_complete(const double *y, size_t length);

/* Mean and standard deviation of the outputs of complete base rows; counts these. */
void sobol_measure_outputs(sobol *job, msw_used *used);

/* Fills the table with the moments of `units` complete base rows. Returns 0, or -1 without memory.
 */
int sobol_fill_table(sobol *job, size_t units);

/* Finds the variance that the indices are shares of, and those shares as variances, from one set of
 * means: variance, first-order parts, total parts. */
void sobol_parts(const sobol *job, const double *mean, double *part);

#endif
