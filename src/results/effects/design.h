/* SPDX-License-Identifier: MIT */
/* Private to effects: what methods share that need the structure of their design. */
#ifndef MSW_RESULTS_EFFECTS_DESIGN_H
#define MSW_RESULTS_EFFECTS_DESIGN_H

#include "memsweep/results/effects.h"

/* Points of the design. Returns how many. */
uint64_t effects_points(const msw_cases *cases);

/* Whether the sweep has the design a method needs. Returns 0, or -1. */
int effects_check_design(const msw_cases *cases, const char *design, const char *method);

/* Moves what was never looked at from the blocks dropped for want of a value to their own count. */
void effects_set_apart(msw_effects *job, const msw_slice *slice, msw_used *used);

/* Outputs by design point; what the group has no case of is NaN. Returns them on the heap, or NULL.
 */
double *effects_spread(const msw_cases *cases, const msw_slice *slice, uint64_t count);

msw_resampling effects_resampling(const msw_effects *job);

/* Sets the cells of an estimate: NAME, NAME_low, NAME_high, NAME_hw. */
void effects_set_estimate(msw_table_builder *builder, const char *name, const msw_estimate *e);

/* What indices with a control share, whatever the design. */

#endif
