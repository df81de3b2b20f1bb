/* SPDX-License-Identifier: MIT */
/* idle: what a sweep sets or varies without effect. */
#ifndef MEMSWEEP_SWEEP_IDLE_H
#define MEMSWEEP_SWEEP_IDLE_H

#include "memsweep/sweep/sweep.h"

/* Appends a note for each factor or fixed value that acts at none of the points, for each level
 * that the rules of the mechanism forbid everywhere, and of how many points are equal. All points
 * are looked at, of many some thousands. Returns 0, or -1. */
int msw_plan_idle(const msw_plan *plan, msw_text *out, msw_err *err);

#endif
