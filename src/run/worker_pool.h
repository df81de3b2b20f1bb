/* Private to run: the workers of one rank, the work they take and the rows they hand in. */
#ifndef MSW_RUN_WORKER_POOL_H
#define MSW_RUN_WORKER_POOL_H

#include "run/pool.h"

#include "memsweep/run/run.h"

#include <stdatomic.h>

enum { MSW_BATCH_ROWS = 2048, MSW_GRANTS_AHEAD = 4 };

typedef struct msw_batch_list {
    msw_batch **batches;
    size_t count;
} msw_batch_list;

/* `lock` guards from `queue` to `broken`. */
typedef struct msw_crew {
    const msw_plan *plan;
    const msw_run_options *options;
    msw_artifacts *artifacts;
    bool keys;
    int takers; /* workers that share what the queue holds */
    msw_order order;
    size_t *blocks;
    atomic_bool halt; /* finish the points in hand and leave */
    msw_lock *lock;
    msw_signal *work, *news;             /* for workers to go on; for the keeper to look */
    bool fresh;                          /* there was news since the keeper looked */
    msw_queue queue;                     /* rank 0: all that is left; others: the range in work */
    msw_range granted[MSW_GRANTS_AHEAD]; /* to come after it */
    int granted_count;
    uint64_t last_grant; /* points in the latest of them */
    bool fed;            /* more may be granted: wait for it */
    msw_batch_list empty, full;
    msw_pace pace;
    double work_seconds;
    int active, idle; /* workers not yet done; of them, those that found no work */
    msw_err broken;   /* first trouble */
} msw_crew;

/* Makes a crew for what `todo` misses; `fed`: the work comes by msw_crew_grant instead. Returns 0,
 * or -1. */
int msw_crew_open(msw_crew *crew, const msw_plan *plan, const msw_todo *todo, bool fed,
                  msw_err *err);
void msw_crew_close(msw_crew *crew);

/* Runs the workers beside `keeper`, which returns after all workers have. Returns 0, or -1. */
int msw_crew_work(msw_crew *crew, void (*keeper)(void *), void *context, msw_err *err);

/* Whether everybody has been asked to finish. */
bool msw_crew_stopping(const msw_crew *crew);
void msw_crew_halt(msw_crew *crew);

/* The keeper sleeps until a worker hands in rows, lacks something or leaves, or some time is over.
 */
void msw_crew_wait(msw_crew *crew, double seconds);

/* Remembers the first trouble and halts. */
void msw_crew_fail(msw_crew *crew, const msw_err *err);
bool msw_crew_is_broken(msw_crew *crew);

/* The oldest batch handed in. Returns it, or NULL; `*finished`: and there will be none. */
msw_batch *msw_crew_collect(msw_crew *crew, bool *finished);

/* Takes an emptied batch back for the workers to fill. */
void msw_crew_recycle(msw_crew *crew, msw_batch *batch);

/* Takes work for another rank off the queue. Returns false when none is left. */
bool msw_crew_cede(msw_crew *crew, int workers, double seconds_per_point, msw_range *range);

/* Adds work given by rank 0; an empty range is the last. Returns 0, or -1. */
int msw_crew_grant(msw_crew *crew, const msw_range *range, msw_err *err);

/* Whether more work should be asked for now, to have it before it is needed. */
bool msw_crew_hungry(msw_crew *crew, double *seconds_per_point);

#endif
