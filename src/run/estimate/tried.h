/* SPDX-License-Identifier: MIT */
/* Private to run: which limits of a sweep the points keep that are tried for an estimate. */
#ifndef MSW_RUN_TRIED_H
#define MSW_RUN_TRIED_H

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

#endif
