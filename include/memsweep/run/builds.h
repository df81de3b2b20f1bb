/* SPDX-License-Identifier: MIT */
/* builds: the kept artifacts that the points of a plan need. */
#ifndef MEMSWEEP_RUN_BUILDS_H
#define MEMSWEEP_RUN_BUILDS_H

#include "memsweep/sweep/sweep.h"

typedef struct msw_build {
    msw_digest key;
    uint64_t index; /* of a point that needs it */
    double seconds; /* expected; NaN: unknown */
} msw_build;

/* Unknown ones first, then the most expensive. */
typedef struct msw_builds {
    size_t count;
    msw_build *all;
    double seconds; /* of those known together */
    size_t unknown; /* how many are not known */
    bool more;      /* the plan is large, and not every point was looked at */
} msw_builds;

/* Finds them for the points whose bit is set in `bitmap`, or for all. Returns 0, or -1. */
int msw_builds_find(const msw_plan *plan, const uint64_t *bitmap, msw_builds *builds, msw_err *err);
void msw_builds_free(msw_builds *builds);

/* Appends in words how many there are and what they take; nothing where there are none. */
void msw_builds_describe(const msw_builds *builds, msw_text *out);

#endif
