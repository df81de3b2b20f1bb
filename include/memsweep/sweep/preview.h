/* SPDX-License-Identifier: MIT */
/* preview: what a plan holds, before anything is evaluated. */
#ifndef MEMSWEEP_SWEEP_PREVIEW_H
#define MEMSWEEP_SWEEP_PREVIEW_H

#include "memsweep/base/table.h"
#include "memsweep/sweep/sweep.h"

/* Fills an empty table with the first points of a plan, one row each, as text: number, workload,
 * replicate and what varies. Returns 0, or -1. */
int msw_plan_first_points(const msw_plan *plan, uint64_t first, msw_table *table, msw_err *err);

/* Points that can be looked at before the run: of a search those of its first round. */
uint64_t msw_plan_known(const msw_plan *plan);

/* The index of the i-th of `tried` points that stand for a plan: all of few, else spread so that no
 * factor's levels keep step with them. */
uint64_t msw_plan_spread(const msw_plan *plan, uint64_t i, uint64_t tried);

/* Appends a line on how many, of up to 1000 points of a sweep of closed forms, lie outside the
 * region in which the mechanism states that they agree; nothing where none do. Returns 0, or -1. */
int msw_plan_outside_note(const msw_plan *plan, msw_text *out, msw_err *err);

#endif
