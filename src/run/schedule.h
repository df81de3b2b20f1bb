/* SPDX-License-Identifier: MIT */
/* Private to run: the order in which the points of a plan are evaluated. */
#ifndef MSW_RUN_SCHEDULE_H
#define MSW_RUN_SCHEDULE_H

#include "memsweep/run/queue.h"
#include "memsweep/sweep/sweep.h"

/* Makes the order, the same on every rank: most expensive workloads first where the mechanism can
 * estimate it costs, or a random one. The caller frees `*blocks`, which the order points to.
 * Returns 0, or -1.
 */
int msw_schedule_make(const msw_plan *plan, bool shuffled, msw_schedule *order, size_t **blocks,
                      msw_err *err);

#endif
