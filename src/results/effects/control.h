/* SPDX-License-Identifier: MIT */
/* Private to effects: what indices with a control share, whatever the design. */
#ifndef MSW_RESULTS_EFFECTS_CONTROL_H
#define MSW_RESULTS_EFFECTS_CONTROL_H

#include "results/effects/design.h"

/* Says why two sweeps are not rows of one design. Returns -1. */
int effects_control_fail(const msw_cases *cases, const msw_cases *control, const char *why);

/* Whether both vary the same things by the same design. Returns 0, or -1. */
int effects_control_plans(const msw_cases *cases, const msw_cases *control);

/* Whether a factor has one value in case i and in case j of the control. */
bool effects_control_same(const msw_cases *cases, const msw_cases *control,
                          const msw_case_factor *factor, size_t i, size_t j);

/* Whether points of one number are one point. Returns 0, or -1. */
int effects_control_points(const msw_cases *cases, const msw_cases *control);

/* One row per name. */
void effects_control_show(msw_effects *job, const msw_slice *slice, char *const *names,
                          size_t count, const msw_sobol_indices *indices, const msw_used *used);

/* How many rows there were, and whether the control pays. */
void effects_control_note(msw_effects *job, const msw_controlled *did, const msw_used *used,
                          const char *unit);

/* The designs random and grid. Returns 0, or -1. */
int effects_control_rows(msw_effects *job, const msw_slice *slice);

#endif
