/* SPDX-License-Identifier: MIT */
/* A database and the scratch folder of a run that writes to it, in a folder of the test's own. */
#ifndef MEMSWEEP_SCRATCH_FIXTURE_H
#define MEMSWEEP_SCRATCH_FIXTURE_H

#include "store_fixture.h"

typedef struct scratch_fixture {
    char folder[64], path[100], scratch[100]; /* path: of the database */
} scratch_fixture;

/* Makes the folders. Returns 0, or -1. */
int scratch_fixture_make(scratch_fixture *f);

/* Removes the database and what is in the scratch folder. */
void scratch_fixture_empty(const scratch_fixture *f);

/* Removes all of it. Returns 0, or what the shell says. */
int scratch_fixture_remove(const scratch_fixture *f);

/* Writes the rows of the points from `first` up to `last` and commits them. Returns 0, or -1. */
int scratch_write_range(msw_store *store, const toy_plan *toy, int64_t sweep, int64_t run,
                        uint64_t first, uint64_t last, msw_err *err);

#endif
