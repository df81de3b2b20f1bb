/* SPDX-License-Identifier: MIT */
/* Loading sweeps from texts in tests. */
#ifndef MEMSWEEP_SWEEP_TESTING_H
#define MEMSWEEP_SWEEP_TESTING_H

#include "memsweep/sweep/sweep.h"
#include "testing.h"

#include <string.h>

#define HEAD "sweep: test\nmechanism: null\n"

msw_plan *plan_of(const char *text);

void assert_refused(const char *text, const char *wanted);

/* Value of a parameter at a point. */
double value_at(const msw_plan *plan, uint64_t index, const char *name);

#endif
