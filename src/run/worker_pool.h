/* SPDX-License-Identifier: MIT */
/* Private to run: the workers of one rank, the order of the points they take, and the rows they
 * hand in. */
#ifndef MSW_RUN_WORKER_POOL_H
#define MSW_RUN_WORKER_POOL_H

#include "run/kept.h"
#include "run/pool.h"

#include "memsweep/base/vec.h"
#include "memsweep/run/builds.h"
#include "memsweep/run/queue.h"
#include "memsweep/run/run.h"
#include "memsweep/sweep/sweep.h"

#include <stdatomic.h>

enum { MSW_BATCH_ROWS = 2048 };

typedef struct msw_batch_list {
    msw_batch **batches;
    size_t count;
} msw_batch_list;

/* Work in the hand of one worker. The coordinator looks at it now and then, and takes what has been
 * there for two looks: finished rows, and the points behind one that takes long. */
typedef struct msw_hand {
    msw_lock *lock;   /* taken after the pool's */
    msw_batch *batch; /* finished rows; NULL: no work */
    msw_range range;  /* still to do */
    uint64_t begun;   /* points, ever */
    bool looked;      /* since there was new work */
    uint64_t begun_then;
    double since;     /* of the look at which the point in work was first seen */
    atomic_uint done; /* thousandths of that point, where the mechanism says it */
} msw_hand;

/* `lock` guards from `queue` to `broken`. */
typedef struct msw_worker_pool {
    const msw_plan *plan;
    const msw_run_options *options;
    msw_artifacts *artifacts;
    msw_kept_requests *requests; /* for what is kept */
    msw_builds builds;           /* of it, those that points still to come need */
    atomic_size_t next_build;    /* of those that this rank begins with */
    bool keys;
    int takers; /* workers that share what the queue holds */
    msw_schedule order;
    size_t *blocks;
    atomic_bool halt; /* finish the points in hand and leave */
    msw_lock *lock;
    msw_signal *work, *news;  /* for workers to go on; for the coordinator to look */
    bool fresh;               /* there was news since the coordinator looked */
    msw_queue queue;          /* rank 0: all that is left; others: the range in work */
    MSW_VEC(msw_range) ahead; /* to come after it */
    uint64_t last_grant;      /* points that were granted last */
    bool fed;                 /* more may be granted: wait for it */
    uint64_t abroad;          /* rank 0: points that others have, and may give back */
    msw_hand *hands;          /* one for each worker */
    double looked;
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

/* The oldest batch handed in, and, now and then, what workers have in hand for long. Returns it, or
 * NULL; `*finished`: and there will be none. */
msw_batch *msw_worker_pool_collect(msw_worker_pool *pool, bool *finished);

/* Takes an emptied batch back for the workers to fill. */
void msw_worker_pool_recycle(msw_worker_pool *pool, msw_batch *batch);

/* Takes work for another rank off the queue. Returns false when none is there just now. */
bool msw_worker_pool_give_up(msw_worker_pool *pool, int workers, double seconds_per_point,
                             msw_range *range);

/* Adds work given by rank 0; an empty range is the last. Returns 0, or -1. */
int msw_worker_pool_grant(msw_worker_pool *pool, const msw_range *range, msw_err *err);

/* Takes off the queue what these workers would only come to after long, because points have become
 * slow. Returns whether there is any. */
bool msw_worker_pool_give_back(msw_worker_pool *pool, msw_range *range);

/* The other side of it: another rank has `more` points more than before, of which it gives back
 * `range` (NULL: none). Returns 0, or -1. */
int msw_worker_pool_abroad(msw_worker_pool *pool, int64_t more, const msw_range *range,
                           msw_err *err);

/* Whether nothing is left to begin: `anywhere`: nor in work here, nor with other ranks. */
bool msw_worker_pool_is_dry(msw_worker_pool *pool, bool anywhere);

/* Whether more work should be asked for now, to have it before it is needed. */
bool msw_worker_pool_wants_work(msw_worker_pool *pool, double *seconds_per_point);

/* ---- what is to be done, and what is in hand (hand.c) ---- */

/* Waits for a range of work and a batch to fill. Returns whether there are; if not, all is done. */
bool msw_hand_take_work(msw_worker_pool *pool, msw_hand *hand);

/* Keeps the row of the point that is done (`row` may hold none) and goes on to the next of the
 * range. Returns 1; 0 when the range is done; -1 when memory runs out. */
int msw_hand_next(msw_worker_pool *pool, msw_hand *hand, msw_batch *row, uint64_t *index,
                  msw_err *err);

/* Hands in the rows that are there. */
void msw_hand_in(msw_worker_pool *pool, msw_hand *hand);

/* With the pool's lock held: looks at all hands if that is due. */
void msw_hands_look(msw_worker_pool *pool);

/* With the pool's lock held: goes on with the range that comes next when the one in work is used
 * up; points to come; what is left of the range in work; and wakes the coordinator. */
void msw_worker_pool_refill(msw_worker_pool *pool);
uint64_t msw_worker_pool_on_hand(const msw_worker_pool *pool);
msw_range msw_worker_pool_rest(const msw_worker_pool *pool);
void msw_worker_pool_tell(msw_worker_pool *pool);

/* With the pool's lock held: puts a range at the head of the queue. Returns 0, or -1. */
int msw_worker_pool_put_back(msw_worker_pool *pool, const msw_range *range, msw_err *err);

/* Makes the order, the same on every rank: most expensive workloads first where the mechanism can
 * estimate it costs, or a random one. The caller frees `*blocks`, which the order points to.
 * Returns 0, or -1.
 */
int msw_schedule_make(const msw_plan *plan, bool shuffled, msw_schedule *order, size_t **blocks,
                      msw_err *err);

#endif
