/* SPDX-License-Identifier: MIT */
/* named_points: the points a user names, by factor. */
#ifndef MEMSWEEP_RESULTS_NAMED_POINTS_H
#define MEMSWEEP_RESULTS_NAMED_POINTS_H

#include "memsweep/results/cases.h"

/* Values as they are in rows: numbers, or labels by their number. */
typedef struct msw_named_points {
    size_t n;
    double *value; /* n rows of factor_count values; NaN: not named */
} msw_named_points;

/* Reads "a=1,b=2", or a file of comma-separated values whose first line names factors. Returns 0,
 * or -1. */
int msw_named_points_read(const msw_cases *cases, const char *at, const char *file,
                          msw_named_points *points);
void msw_named_points_free(msw_named_points *points);

#endif
