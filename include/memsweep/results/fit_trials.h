/* SPDX-License-Identifier: MIT */
/* fit_trials: how good polynomials of each degree are. */
#ifndef MEMSWEEP_RESULTS_FIT_TRIALS_H
#define MEMSWEEP_RESULTS_FIT_TRIALS_H

#include "memsweep/results/fit.h"

/* Fits polynomials of the degrees 1 up to that of `ask` (0: the highest worth trying), one row each
 * and one for the best, in every group; the note says how to read them. Returns 0, or -1. */
int msw_fit_trials(const msw_cases *cases, const msw_fit_options *ask, msw_table_builder *builder,
                   msw_text *note);

#endif
