/* SPDX-License-Identifier: MIT */
/* fit: a surrogate for the cases of a group. */
#ifndef MEMSWEEP_RESULTS_FIT_H
#define MEMSWEEP_RESULTS_FIT_H

#include "memsweep/base/table_builder.h"
#include "memsweep/results/cases.h"

#include "memsweep/analysis/process.h"

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

enum { MSW_FIT_ROWS = 50000 }; /* of more cases than this that many are drawn at random */

/* Which model of the output is meant. */
typedef enum msw_fit_model {
    MSW_MODEL_AUTO,
    MSW_MODEL_POLYNOMIAL,
    MSW_MODEL_PROCESS
} msw_fit_model;

/* "auto", "polynomial", "process"; ended by NULL. */
extern const char *const msw_fit_models[];

/* How a surrogate is asked for. */
typedef struct msw_fit_options {
    unsigned degree; /* total */
    bool best;       /* the best one up to that */
    uint64_t seed;
    msw_fit_model model;
} msw_fit_options;

/* Fits a polynomial. Returns it, or NULL with the study's err. */
msw_pce *msw_fit(const msw_cases *cases, const msw_slice *slice, const msw_fit_options *ask,
                 msw_pce_quality *quality);

/* Fits a Gaussian process to the cases of a group, which are at most MSW_PROCESS_ROWS; half-widths
 * of sampled rows are its noise. Returns it, or NULL with the study's err. */
msw_process *msw_fit_process(const msw_cases *cases, const msw_slice *slice, uint64_t seed,
                             msw_process_quality *quality);

/* Whether a process is fitted to that many cases. */
bool msw_fit_takes_process(msw_fit_model model, const msw_slice *slice);

/* The highest degree worth trying when nobody says one: 6, less with many factors or cases. */
unsigned msw_fit_highest(const msw_slice *slice);

/* Why nothing can be said of the output of a slice: it is infinite, or known in fewer than `least`
 * points, or, when that is not 0, does not vary. Returns it, or NULL. */
const char *msw_slice_reason(const msw_cases *cases, const msw_slice *slice, size_t least,
                             char text[128]);

/* Says, for a note, how many of the cases took part where not all do. Returns whether it did. */
bool msw_fit_note(size_t cases, uint64_t seed, msw_text *out);

#endif
