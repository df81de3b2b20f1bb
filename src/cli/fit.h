/* Private to the commands that fit a surrogate to the cases of a group. */
#ifndef MEMSWEEP_CLI_FIT_H
#define MEMSWEEP_CLI_FIT_H

#include "study.h"

#include "memsweep/surrogate.h"

/* The cases of one group and the factors that vary in it. */
typedef struct cli_slice {
    uint32_t group;
    size_t first, n;
    size_t factor_count;
    const cli_factor **factors;
} cli_slice;

/* Takes the cases of a group. Returns 0, or -1. */
int cli_slice_of(const cli_study *study, uint32_t group, cli_slice *slice);
void cli_slice_free(cli_slice *slice);

enum { CLI_FIT_ROWS = 50000 }; /* more cases than this are thinned evenly */

/* Fits a polynomial; terms are chosen one by one when there are too few cases for all of them.
 * `between` (one per factor of the slice, or NULL): take a factor with levels for a range. Returns
 * it, or NULL with the study's err. */
msw_pce *cli_fit(const cli_study *study, const cli_slice *slice, unsigned degree,
                 const bool *between, msw_pce_quality *quality);

/* The highest degree worth trying when nobody says one: 6, less with many factors. */
unsigned cli_fit_highest(const cli_slice *slice);

/* Fits every degree up to that and keeps the one with the largest q2. Returns it, or NULL with the
 * study's err. */
msw_pce *cli_fit_best(const cli_study *study, const cli_slice *slice, const bool *between,
                      msw_pce_quality *quality);

/* Where a level stands when its factor is taken for a range. */
double cli_fit_between(const cli_factor *factor, double value);

#endif
