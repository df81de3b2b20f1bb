/* SPDX-License-Identifier: MIT */
/* Private to run: trying a few points of a plan. */
#ifndef MSW_RUN_TRIAL_H
#define MSW_RUN_TRIAL_H

#include "memsweep/run/estimate.h"
#include "memsweep/run/run.h"
#include "memsweep/store/batch.h"

/* Evaluates points spread over the plan for about `seconds`, and fills in what was tried, and the
 * mean work per point. Returns 0, or -1. */
int msw_run_try(const msw_plan *plan, msw_worker *worker, msw_pointer *pointer, msw_batch *batch,
                double seconds, msw_run_estimate *estimate, msw_err *err);

#endif
