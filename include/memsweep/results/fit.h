/* fit: a surrogate for the cases of a group. */
#ifndef MEMSWEEP_RESULTS_FIT_H
#define MEMSWEEP_RESULTS_FIT_H

#include "memsweep/base/table_builder.h"
#include "memsweep/results/cases.h"

#include "memsweep/analysis/surrogate.h"

/* The cases of one group and the factors that vary in it. */
typedef struct msw_slice {
    uint32_t group;
    size_t first, n;
    size_t factor_count;
    const msw_case_factor **factors;
} msw_slice;

/* Calls `each` for every group, until one gives something else than 0. Returns 0, or -1. */
int msw_slice_each(const msw_cases *cases, int (*each)(void *context, const msw_slice *slice),
                   void *context);

/* Starts a row that names the group, where there are groups. */
void msw_fit_row(const msw_cases *cases, const msw_slice *slice, msw_table_builder *builder);

enum { MSW_FIT_ROWS = 50000 }; /* more cases than this are thinned evenly */

/* Fits a polynomial; terms are chosen one by one when there are too few cases for all of them.
 * `between` (one per factor of the slice, or NULL): take a factor with levels for a range. Returns
 * it, or NULL with the study's err. */
msw_pce *msw_fit(const msw_cases *cases, const msw_slice *slice, unsigned degree,
                 const bool *between, msw_pce_quality *quality);

/* The highest degree worth trying when nobody says one: 6, less with many factors. */
unsigned msw_fit_highest(const msw_slice *slice);

/* Fits every degree up to that and keeps the one with the largest q2. Returns it, or NULL with the
 * study's err. */
msw_pce *msw_fit_best(const msw_cases *cases, const msw_slice *slice, const bool *between,
                      msw_pce_quality *quality);

/* Where a level stands when its factor is taken for a range. */
double msw_fit_between(const msw_case_factor *factor, double value);

#endif
