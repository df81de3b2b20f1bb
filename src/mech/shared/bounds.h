/* SPDX-License-Identifier: MIT */
/* Private to mech: lower bounds of the cycles, by resource. */
#ifndef MSW_MECH_SHARED_BOUNDS_H
#define MSW_MECH_SHARED_BOUNDS_H

#include "memsweep/mech/mechanism.h"

/* Where the use of a resource was counted, what it takes at least is known. A closed form estimates
 * it, and its cycles apart from that: there the bound goes up to the cycles. Returns the bound. */
static inline double msw_least_of_use(const msw_task *task, double least, double cycles)
{
    return task->fidelity == MSW_ANALYTIC && least > cycles ? cycles : least;
}

#endif
