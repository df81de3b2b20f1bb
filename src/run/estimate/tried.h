/* SPDX-License-Identifier: MIT */
/* Private to run: points that are tried for an estimate, and which limits of the sweep they keep.
 */
#ifndef MSW_RUN_TRIED_H
#define MSW_RUN_TRIED_H

#include "memsweep/run/estimate.h"
#include "memsweep/run/run.h"
#include "memsweep/store/batch.h"
#include "memsweep/sweep/sweep.h"

typedef struct msw_tried msw_tried;

/* Compiles the limits. Returns 0 and them, or NULL where there are none that can be asked of a row
 * alone; or -1. */
int msw_tried_new(const msw_plan *plan, msw_tried **tried, msw_err *err);
void msw_tried_free(msw_tried *tried);

/* Counts the first row of a batch. Returns 0, or -1. */
int msw_tried_add(msw_tried *tried, const msw_batch *batch, msw_err *err);

/* Appends what there is to say where few keep the limits. Returns 0, or -1. */
int msw_tried_note(const msw_tried *tried, msw_text *out, msw_err *err);

/* Tries points for about so many seconds: fills in what is counted of them and how long one takes,
 * with its part of what points share. `limits` may be NULL. Returns 0, or -1. */
int msw_trial_points(const msw_plan *plan, msw_worker *worker, msw_pointer *pointer,
                     msw_batch *batch, double seconds, msw_tried *limits, msw_run_estimate *e,
                     msw_err *err);

#endif
