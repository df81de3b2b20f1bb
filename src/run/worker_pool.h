/* SPDX-License-Identifier: MIT */
/* Private to run: the workers of one rank, the order of the points they take, and the rows they
 * hand in. */
#ifndef MSW_RUN_WORKER_POOL_H
#define MSW_RUN_WORKER_POOL_H

#include "run/desk.h"
#include "run/pool.h"

#include "memsweep/run/builds.h"
#include "memsweep/run/queue.h"
#include "memsweep/run/run.h"
#include "memsweep/sweep/sweep.h"

#include <stdatomic.h>

enum { MSW_BATCH_ROWS = 2048, MSW_GRANTS_AHEAD = 4 };

typedef struct msw_batch_list {
    msw_batch **batches;
    size_t count;
} msw_batch_list;

/* `lock` guards from `queue` to `broken`. */
typedef struct msw_worker_pool {
    const msw_plan *plan;
    const msw_run_options *options;
    msw_artifacts *artifacts;
    msw_desk *desk;           /* for what is kept */
    msw_builds builds;        /* of it, those that points still to come need */
    atomic_size_t next_build; /* of those that this rank begins with */
    bool keys;
    int takers; /* workers that share what the queue holds */
    msw_schedule order;
    size_t *blocks;
    atomic_bool halt; /* finish the points in hand and leave */
    msw_lock *lock;
    msw_signal *work, *news;             /* for workers to go on; for the coordinator to look */
    bool fresh;                          /* there was news since the coordinator looked */
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
} msw_worker_pool;

/* Makes a pool for what `todo` misses; `fed`: the work comes by msw_worker_pool_grant instead.
 * Returns 0, or -1. */
int msw_worker_pool_open(msw_worker_pool *pool, const msw_plan *plan, const msw_todo *todo,
                         bool fed, msw_err *err);
void msw_worker_pool_close(msw_worker_pool *pool);

/* Runs the workers at the same time as `coordinator`, which returns after all workers have. Returns
 * 0, or -1. */
int msw_worker_pool_work(msw_worker_pool *pool, void (*coordinator)(void *), void *context,
                         msw_err *err);

/* Whether everybody has been asked to finish. */
bool msw_worker_pool_stopping(const msw_worker_pool *pool);
void msw_worker_pool_halt(msw_worker_pool *pool);

/* The coordinator sleeps until a worker hands in rows, lacks something or leaves, or some time is
 * over.
 */
void msw_worker_pool_wait(msw_worker_pool *pool, double seconds);

/* Remembers the first trouble and halts. */
void msw_worker_pool_fail(msw_worker_pool *pool, const msw_err *err);
bool msw_worker_pool_is_broken(msw_worker_pool *pool);

/* The oldest batch handed in. Returns it, or NULL; `*finished`: and there will be none. */
msw_batch *msw_worker_pool_collect(msw_worker_pool *pool, bool *finished);

/* Takes an emptied batch back for the workers to fill. */
void msw_worker_pool_recycle(msw_worker_pool *pool, msw_batch *batch);

/* Takes work for another rank off the queue. Returns false when none is left. */
bool msw_worker_pool_give_up(msw_worker_pool *pool, int workers, double seconds_per_point,
                             msw_range *range);

/* Adds work given by rank 0; an empty range is the last. Returns 0, or -1. */
int msw_worker_pool_grant(msw_worker_pool *pool, const msw_range *range, msw_err *err);

/* Whether more work should be asked for now, to have it before it is needed. */
bool msw_worker_pool_wants_work(msw_worker_pool *pool, double *seconds_per_point);

/* Makes the order, the same on every rank: most expensive workloads first where the mechanism can
 * estimate it costs, or a random one. The caller frees `*blocks`, which the order points to.
 * Returns 0, or -1.
 */
int msw_schedule_make(const msw_plan *plan, bool shuffled, msw_schedule *order, size_t **blocks,
                      msw_err *err);

#endif
