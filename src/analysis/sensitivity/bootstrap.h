/* SPDX-License-Identifier: MIT */
/* bootstrap: errors of estimates, by resampling or by leaving out. */
#ifndef MSW_ANALYSIS_SENSITIVITY_BOOTSTRAP_H
#define MSW_ANALYSIS_SENSITIVITY_BOOTSTRAP_H

#include "analysis/stats/tiles.h"
#include "memsweep/analysis/sensitivity.h"

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

#endif
