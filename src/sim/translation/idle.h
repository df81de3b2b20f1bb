/* SPDX-License-Identifier: MIT */
/* Private to translation: the free walkers of a pool, and the line of walks that wait for one. */
#ifndef MSW_SIM_TRANSLATION_IDLE_H
#define MSW_SIM_TRANSLATION_IDLE_H

#include "memsweep/sim/walker.h"

#define MSW_WALKER_NONE UINT32_MAX

/* A walker is free from `time` on. */
void msw_walker_set_idle(msw_walker_idle *idle, uint32_t walker, uint64_t time);

/* A free walker is taken. */
void msw_walker_set_busy(msw_walker_idle *idle, uint32_t walker);

/* Returns the free walker, of which there is one at least, that a walk of a path takes. */
uint32_t msw_walker_choose(const msw_walker *pool, uint64_t path, uint64_t now);

/* The walk of an entry waits in line. */
void msw_walker_stand_in_line(msw_walker *pool, msw_walk *walk);

/* The first in line leaves it. Returns its entry. */
uint32_t msw_walker_leave_line(msw_walker_line *line);

#endif
