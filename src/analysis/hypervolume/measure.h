/* SPDX-License-Identifier: MIT */
/* measure: rows relative to a reference point, the common start of all hypervolumes. */
#ifndef MSW_ANALYSIS_HYPERVOLUME_MEASURE_H
#define MSW_ANALYSIS_HYPERVOLUME_MEASURE_H

#include "analysis/pareto/rows.h"

typedef struct measure {
    pareto_rows list;
    double reference[MSW_PARETO_OBJECTIVES]; /* smaller being better, as pareto_value gives */
    msw_arena *arena;
    msw_err *err;
} measure;

/* Checks rows and reference and lists the rows. Returns 0, or -1 with `err`. */
int measure_start(measure *job, const msw_points *points, const double *reference, msw_arena *arena,
                  msw_err *err);

/* Lists the rows of a group that are strictly better than the reference everywhere. Returns how
 * many, or -1 without memory. */
int64_t measure_rows(const measure *job, uint32_t group, uint32_t **rows);

/* Whether this many boxes in `k` dimensions can be worked on. Returns 0, or 1 with the error. */
int measure_limit(const measure *job, size_t boxes, unsigned k);

/* Calls `one` for each group with `out`; it returns 0, -1 without memory, or 1 with the error.
 * Returns 0, or -1 with `err`. */
int measure_groups(measure *job, int (*one)(const measure *job, uint32_t group, double *out),
                   double *out, msw_err *err);

#endif
