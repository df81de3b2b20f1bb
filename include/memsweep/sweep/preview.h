/* SPDX-License-Identifier: MIT */
/* preview: what a plan holds, before anything is evaluated. */
#ifndef MEMSWEEP_SWEEP_PREVIEW_H
#define MEMSWEEP_SWEEP_PREVIEW_H

#include "memsweep/base/table.h"
#include "memsweep/sweep/sweep.h"

/* Fills an empty table with the first points of a plan, one row each, as text: number, workload,
 * replicate and what varies. Returns 0, or -1. */
int msw_plan_first_points(const msw_plan *plan, uint64_t first, msw_table *table, msw_err *err);

/* Counts, of up to 1000 points spread over the plan (`tried`), those outside the region in which
 * the mechanism states that its closed form agrees with its cycle model. Returns 0, or -1. */
int msw_plan_count_outside(const msw_plan *plan, uint64_t *outside, uint64_t *tried, msw_err *err);

#endif
