/* SPDX-License-Identifier: MIT */
/* Private to explore: the space of a plan whose design is a search, as a search wants it. */
#ifndef MSW_EXPLORE_SEEK_SPACE_H
#define MSW_EXPLORE_SEEK_SPACE_H

#include "memsweep/explore/seek.h"
#include "memsweep/sweep/lattice.h"

typedef struct seek_plan_space {
    msw_seek_space space;
    msw_lattice *lattice;
    msw_seek_factor *factors;
    msw_seek_gate *gates;
} seek_plan_space;

int seek_space_open(const msw_plan *plan, seek_plan_space *space, msw_err *err);
void seek_space_close(seek_plan_space *space);

/* A seeker over it that begins with the slots of the plan's first round. Returns 0, or -1. */
int seek_space_seeker(const msw_plan *plan, const seek_plan_space *space, msw_seeker **seeker,
                      msw_err *err);

#endif
