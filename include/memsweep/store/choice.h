/* SPDX-License-Identifier: MIT */
/* choice: which points of a sweep at fidelity `auto` run in full, as its file keeps it.
 *
 * Such a sweep is three in its file: every point by the closed form, the chosen points in full, and
 * the whole, whose rows are those of both: the full one where a point was chosen. Choices are kept
 * for readers and for shards; the next run works them out again (docs/models/auto.md). */
#ifndef MEMSWEEP_STORE_CHOICE_H
#define MEMSWEEP_STORE_CHOICE_H

#include "memsweep/store/store.h"

/* Of each chosen point: why and when it was chosen, and its state. */
typedef struct msw_chosen {
    uint64_t point;
    uint32_t round;    /* from 1 */
    const char *role;  /* "search" or "audit" */
    const char *state; /* "front", "covered", ... or NULL: not known yet */
    double margin;     /* NaN: none */
} msw_chosen;

/* Makes the choices of a sweep be these and commits them; does nothing where they are. Returns 0,
 * or -1. */
int msw_store_choose(msw_store *store, int64_t sweep, const msw_chosen *choices, size_t count,
                     msw_err *err);

/* What has to be computed of chosen points of a plan: rows that other sweeps have are linked, of
 * these points alone. Returns 0, or -1. */
int msw_store_todo_chosen(msw_store *store, const msw_plan *plan, int64_t sweep,
                          const uint64_t *points, size_t count, bool retry, msw_todo *todo,
                          msw_err *err);

/* Finds the rows of points of a sweep; those that have none are left out. Returns 0 and how many
 * were found, or -1. */
int msw_store_find_rows(msw_store *store, int64_t sweep, const uint64_t *points, size_t count,
                        msw_row_id *rows, size_t *found, msw_err *err);

/* Makes the rows of `whole` those of `analytic`, and of `full` where a point was chosen. Returns 0,
 * or -1. */
int msw_store_join_auto(msw_store *store, const msw_plan *plan, int64_t whole, int64_t analytic,
                        int64_t full, msw_err *err);

#endif
