/* SPDX-License-Identifier: MIT */
/* scrambles: the error of a mean over independent scrambles of one sequence. */
#ifndef MSW_ANALYSIS_SENSITIVITY_SCRAMBLES_H
#define MSW_ANALYSIS_SENSITIVITY_SCRAMBLES_H

#include "analysis/stats/tiles.h"
#include "memsweep/analysis/sensitivity.h"

/* Adds up all columns over the units of each scramble (scrambles x columns, zeroed by the caller),
 * and counts those units. */
void scrambles_sums(const tiles *table, const uint32_t *scramble, double *sum, double *units);

/* The jackknife: from the values of an estimate without one scramble after the other, its error,
 * and with Student's t its interval around `estimate->value`. */
void scrambles_interval(const double *values, size_t scrambles, double confidence,
                        msw_estimate *estimate);

#endif
