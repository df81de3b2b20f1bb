/* SPDX-License-Identifier: MIT */
/* Private to explore: the points of one round, run and read back. */
#ifndef MSW_EXPLORE_ROUNDS_H
#define MSW_EXPLORE_ROUNDS_H

#include "memsweep/explore/drive.h"

/* On rank 0. */
typedef struct msw_rounds {
    const msw_explore_job *job;
    const msw_plan *plan; /* whose points run */
    msw_run_options options;
    msw_run_result *result; /* of all rounds */
    uint64_t *reused;
    msw_row_reader *reader, *single; /* of the rows as they are compared, and one by one */
    uint64_t *points;
    msw_row_id *rows;
    size_t point_count, point_room, row_room;
    int64_t run;
    bool stopped, dealt; /* dealt: points are of this shard alone as they are */
    msw_err *err;
} msw_rounds;

/* Makes room for the points of a round. Returns 0, or -1. */
int msw_rounds_reserve(msw_rounds *r, size_t points);

/* Computes those of the points, of round `number` (from 1), that have no row. `start` is told how
 * many those are. Returns 0, or -1. */
int msw_rounds_compute(msw_rounds *r, uint64_t number,
                       void (*start)(void *context, uint64_t missing), void *context);

/* Reads the rows of the points and hands each to `take`; with `alone` those of each workload, else
 * as the plan takes them together. Returns 0, or -1. */
int msw_rounds_read(msw_rounds *r, uint64_t number, const char *columns, bool alone,
                    int (*take)(void *context, const msw_table *table, size_t row), void *context);

/* Does round after round until there is none left (`next` returns 0), the job's last one is done,
 * or one fails (-1). `over`: nothing is left to do. Returns 0, or -1. */
int msw_rounds_all(const msw_rounds *r, int (*next)(void *self), void *self, bool *over);

/* What ranks above 0 do until there is nothing more. Returns 0, or -1. */
int msw_rounds_other(const msw_explore_job *job, const msw_plan *plan,
                     const msw_run_options *options, msw_run_result *result, int *told,
                     msw_err *err);

/* Tells the other ranks that it is over, or that rank 0 failed. Returns 0, or -1. */
int msw_rounds_dismiss(const msw_explore_job *job, const msw_plan *plan, bool failed, msw_err *err);

void msw_rounds_free(msw_rounds *r);

#endif
