/* SPDX-License-Identifier: MIT */
/* Sums, errors and measures that the estimators of this folder share. */
#ifndef MSW_ANALYSIS_SENSITIVITY_SOBOL_H
#define MSW_ANALYSIS_SENSITIVITY_SOBOL_H

#include "analysis/stats/sort.h"
#include "memsweep/analysis/given.h"
#include "memsweep/analysis/sensitivity.h"

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

/* Bootstrap: errors of estimates, by resampling or by leaving out. */

/* Resampled sums and the intervals made of them.
 *
 * A resample is a weight per unit (how often it was drawn). Every statistic is a function of sums
 * over units, so one weight vector times the matrix of moments serves all of them. Resample r uses
 * the random stream r of its seed: resamples can be computed in any order. */

/* A table of moments has a row per unit. Means of all columns over all units, each once. */
void tiles_means(const tiles *table, double *mean);

/* Means of all columns in every resample: resamples x columns. Returns 0, or -1 without memory. */
int bootstrap_means(const tiles *table, const msw_resampling *how, double *mean, msw_arena *arena);

/* Fills in the intervals of an estimate from its values in the resamples; NaN values are left out.
 * `values` is reordered. */
void bootstrap_interval(double *values, const msw_resampling *how, msw_estimate *estimate);

/* Checks the settings. Returns 0, or -1 with `err`. */
int bootstrap_check(const msw_resampling *how, msw_err *err);

/* ---- the error of a mean over independent scrambles of one sequence ---- */

/* Adds up all columns over the units of each scramble (scrambles x columns, zeroed by the caller),
 * and counts those units. */
void scrambles_sums(const tiles *table, const uint32_t *scramble, double *sum, double *units);

/* The jackknife: from the values of an estimate without one scramble after the other, its error,
 * and with Student's t its interval around `estimate->value`. */
void scrambles_interval(const double *values, size_t scrambles, double confidence,
                        msw_estimate *estimate);

/* Delta: Borgonovo's measure from a table of counts, class by cell of the output.
 *
 * The table is all that is kept of the rows: a resample costs what the table has cells, whatever
 * the number of rows. */

typedef struct delta_table {
    uint32_t classes;
    uint32_t *count;              /* of all rows: classes x cells */
    double *drawn;                /* the same and a sum over classes, of a resample */
    double *rows, *sum, *squares; /* of a resample, per class and all */
    double *smooth, *kernel;      /* two of cells; one of cells */
} delta_table;

/* Makes room. Returns 0, or -1 without memory; to be freed in any case. */
int delta_take(uint32_t classes, delta_table *table);
void delta_free(delta_table *table);

/* Counts the rows by their class and their cell. */
void delta_count(delta_table *table, const uint32_t *of, const uint16_t *cell, size_t n);

/* Finds delta, with its bias taken off, and its standard error (NaN without resamples). */
void delta_find(delta_table *table, const msw_resampling *how, double *delta, double *spread);

#endif
