/* SPDX-License-Identifier: MIT */
#include "run/worker_pool.h"

#include "run/artifact.h"

#include <stdlib.h>
#include <string.h>

/* A worker hands in its rows after about this much work, or MSW_BATCH_ROWS rows. */
#define BATCH_SECONDS 0.05
/* What a rank holds at most, and when it asks for more. */
#define GRANT_SECONDS 1.0
#define AHEAD_SECONDS 0.05
/* A worker without work checks this often whether everybody was asked to stop. */
#define IDLE_SECONDS 0.1

bool msw_worker_pool_stopping(const msw_worker_pool *pool)
{
    return atomic_load(&pool->halt) || (pool->options->stop && *pool->options->stop);
}

/* The flag is set under the lock, or a worker between its test and its wait would miss the signal.
 * */
void msw_worker_pool_halt(msw_worker_pool *pool)
{
    msw_lock_take(pool->lock);
    atomic_store(&pool->halt, true);
    msw_signal_send(pool->work);
    msw_lock_give(pool->lock);
}

void msw_worker_pool_fail(msw_worker_pool *pool, const msw_err *err)
{
    msw_lock_take(pool->lock);
    if (!pool->broken.kind)
        pool->broken = *err;
    msw_lock_give(pool->lock);
    msw_worker_pool_halt(pool);
}

bool msw_worker_pool_is_broken(msw_worker_pool *pool)
{
    msw_lock_take(pool->lock);
    bool broken = pool->broken.kind != MSW_ERR_NONE;
    msw_lock_give(pool->lock);
    return broken;
}

/* ---- workers ---- */

static void tell_coordinator(msw_worker_pool *pool)
{
    pool->fresh = true;
    msw_signal_send(pool->news);
}

static void wake_coordinator(void *context)
{
    msw_worker_pool *pool = context;
    msw_lock_take(pool->lock);
    tell_coordinator(pool);
    msw_lock_give(pool->lock);
}

static bool is_stopping(void *context)
{
    return msw_worker_pool_stopping(context);
}

/* Goes on with the next range granted when the one in work is used up. */
static void refill(msw_worker_pool *pool)
{
    if (pool->queue.left || !pool->granted_count)
        return;
    msw_queue_load(&pool->queue, &pool->granted[0]);
    memmove(pool->granted, pool->granted + 1,
            (size_t)--pool->granted_count * sizeof *pool->granted);
}

static uint64_t on_hand(const msw_worker_pool *pool)
{
    uint64_t points = pool->queue.left;
    for (int g = 0; g < pool->granted_count; g++)
        points += pool->granted[g].wanted;
    return points;
}

static void take_range(msw_worker_pool *pool, msw_batch **batch, msw_range *range)
{
    double per_point = msw_pace_read(&pool->pace, BATCH_SECONDS);
    *batch = pool->empty.batches[--pool->empty.count];
    msw_queue_take(
        &pool->queue,
        msw_queue_share(on_hand(pool), pool->takers, per_point, BATCH_SECONDS, MSW_BATCH_ROWS),
        range);
}

/* `fed`: more ranges may still be granted. Without it an empty queue is the end. */
static bool is_over(const msw_worker_pool *pool)
{
    return msw_worker_pool_stopping(pool) || (!pool->queue.left && !pool->fed);
}

/* A worker with work but without an empty batch waits here too, until the coordinator has stored
 * rows: so memory stays bounded. Only waiting for work counts as idle. */
static void wait_for_work(msw_worker_pool *pool)
{
    bool idle = !pool->queue.left;
    pool->idle += idle;
    tell_coordinator(pool);
    msw_signal_wait(pool->work, pool->lock, IDLE_SECONDS);
    pool->idle -= idle;
    refill(pool);
}

/* Takes an empty batch and a range of work, as soon as there are both. Returns whether there are;
 * if not, all is done. */
static bool take_work(msw_worker_pool *pool, msw_batch **batch, msw_range *range)
{
    msw_lock_take(pool->lock);
    refill(pool);
    while (!is_over(pool) && !(pool->queue.left && pool->empty.count))
        wait_for_work(pool);
    bool any = !is_over(pool);
    if (any)
        take_range(pool, batch, range);
    msw_lock_give(pool->lock);
    return any;
}

static void hand_in(msw_worker_pool *pool, msw_batch *batch)
{
    msw_lock_take(pool->lock);
    pool->work_seconds += batch->seconds;
    msw_pace_add(&pool->pace, batch->seconds, batch->count);
    pool->full.batches[pool->full.count++] = batch;
    tell_coordinator(pool);
    msw_lock_give(pool->lock);
}

static int evaluate_range(msw_worker_pool *pool, msw_worker *worker, const msw_range *range,
                          msw_batch *batch, msw_err *err)
{
    for (uint64_t position = range->first; position < range->end; position++) {
        uint64_t index = msw_schedule_index(&pool->order, position);
        if (!msw_queue_wants(&pool->queue, index))
            continue;
        if (msw_worker_evaluate(worker, index, pool->options->point_timeout_s, batch, err))
            return -1;
        /* Asked to stop: what is in hand is finished, the rest stays for the next run. */
        if (msw_worker_pool_stopping(pool))
            break;
    }
    return 0;
}

static int work(msw_worker_pool *pool, msw_worker *worker, msw_err *err)
{
    msw_batch *batch;
    msw_range range;
    int rc = 0;
    while (rc == 0 && take_work(pool, &batch, &range)) {
        rc = evaluate_range(pool, worker, &range, batch, err);
        hand_in(pool, batch);
    }
    return rc;
}

/* What is kept comes before the points, most expensive first, dealt out over the ranks: a point
 * that needs it waits for it, others do not. */
static int build_first(msw_worker_pool *pool, msw_worker *worker, msw_err *err)
{
    const msw_ranks *ranks = pool->options->ranks;
    size_t step = ranks ? (size_t)ranks->size : 1, first = ranks ? (size_t)ranks->rank : 0;
    int rc = 0;
    while (rc == 0 && !msw_worker_pool_stopping(pool)) {
        size_t at = first + step * atomic_fetch_add(&pool->next_build, 1);
        if (at >= pool->builds.count)
            break;
        rc = msw_worker_build(worker, pool->builds.all[at].index, err);
    }
    return rc;
}

static void worker_main(msw_worker_pool *pool)
{
    msw_err err = {0};
    msw_worker *worker = NULL;
    int rc = msw_worker_new(pool->plan, pool->artifacts, pool->keys, &worker, &err);
    if (rc == 0)
        rc = build_first(pool, worker, &err);
    if (rc == 0)
        rc = work(pool, worker, &err);
    msw_worker_free(worker);
    if (rc)
        msw_worker_pool_fail(pool, &err);
    msw_lock_take(pool->lock);
    pool->active--;
    tell_coordinator(pool);
    msw_lock_give(pool->lock);
}

/* ---- the coordinator's side ---- */

msw_batch *msw_worker_pool_collect(msw_worker_pool *pool, bool *finished)
{
    msw_lock_take(pool->lock);
    msw_batch *batch = NULL;
    if (pool->full.count) {
        batch = pool->full.batches[0];
        memmove(pool->full.batches, pool->full.batches + 1, --pool->full.count * sizeof batch);
    }
    *finished = !batch && pool->active == 0;
    msw_lock_give(pool->lock);
    return batch;
}

void msw_worker_pool_recycle(msw_worker_pool *pool, msw_batch *batch)
{
    msw_batch_clear(batch);
    msw_lock_take(pool->lock);
    pool->empty.batches[pool->empty.count++] = batch;
    msw_signal_send(pool->work);
    msw_lock_give(pool->lock);
}

void msw_worker_pool_wait(msw_worker_pool *pool, double seconds)
{
    msw_lock_take(pool->lock);
    if (!pool->fresh)
        msw_signal_wait(pool->news, pool->lock, seconds);
    pool->fresh = false;
    msw_lock_give(pool->lock);
}

bool msw_worker_pool_give_up(msw_worker_pool *pool, int workers, double seconds_per_point,
                             msw_range *range)
{
    *range = (msw_range){0};
    msw_lock_take(pool->lock);
    bool any = !msw_worker_pool_stopping(pool) &&
               msw_queue_take(&pool->queue,
                              msw_grant_size(pool->queue.left, pool->takers, workers,
                                             seconds_per_point, GRANT_SECONDS),
                              range);
    msw_lock_give(pool->lock);
    return any;
}

int msw_worker_pool_grant(msw_worker_pool *pool, const msw_range *range, msw_err *err)
{
    int rc = 0;
    msw_lock_take(pool->lock);
    pool->last_grant = range->wanted;
    if (!range->wanted)
        pool->fed = false;
    else if (pool->granted_count < MSW_GRANTS_AHEAD)
        pool->granted[pool->granted_count++] = *range;
    else
        rc = msw_fail_kind(err, MSW_ERR_INTERNAL, "more work was granted than asked for");
    msw_signal_send(pool->work);
    msw_lock_give(pool->lock);
    return rc;
}

/* Work is asked for ahead of need, but near the end (grants have become small) long points only
 * when a worker waits: one rank must not hold them while another has nothing to do. */
bool msw_worker_pool_wants_work(msw_worker_pool *pool, double *seconds_per_point)
{
    msw_lock_take(pool->lock);
    double pace = msw_pace_read(&pool->pace, 0);
    bool many = pool->last_grant > 8 * (uint64_t)pool->options->threads;
    bool soon = pace > 0 && (many || pace <= AHEAD_SECONDS / 5) &&
                (double)on_hand(pool) * pace <= AHEAD_SECONDS * pool->options->threads;
    bool wants_work = pool->fed && !pool->granted_count && (soon || pool->idle > 0);
    *seconds_per_point = pace;
    msw_lock_give(pool->lock);
    return wants_work;
}

/* ---- making one ---- */

static int make_batches(msw_worker_pool *pool, msw_err *err)
{
    size_t count = 4 * (size_t)pool->options->threads + 2;
    pool->empty.batches = calloc(count, sizeof *pool->empty.batches);
    pool->full.batches = calloc(count, sizeof *pool->full.batches);
    if (!pool->empty.batches || !pool->full.batches)
        return msw_fail_memory(err);
    for (; pool->empty.count < count; pool->empty.count++) {
        msw_batch *batch = msw_batch_new(MSW_BATCH_ROWS, pool->plan->schema.count,
                                         msw_metrics_count(pool->plan->mech->metrics));
        if (!batch)
            return msw_fail_memory(err);
        pool->empty.batches[pool->empty.count] = batch;
    }
    return 0;
}

static void free_batches(msw_batch_list *list)
{
    for (size_t i = 0; list->batches && i < list->count; i++)
        msw_batch_free(list->batches[i]);
    free(list->batches);
}

static int open_desk(msw_worker_pool *pool, msw_err *err)
{
    msw_desk_owner owner = {pool, wake_coordinator, is_stopping};
    pool->desk = msw_desk_new(&owner);
    if (!pool->desk)
        return msw_fail_memory(err);
    msw_artifacts_set_desk(pool->artifacts, pool->desk);
    return 0;
}

int msw_worker_pool_open(msw_worker_pool *pool, const msw_plan *plan, const msw_todo *todo,
                         bool fed, msw_err *err)
{
    pool->plan = plan;
    pool->lock = msw_lock_new();
    pool->work = msw_signal_new();
    pool->news = msw_signal_new();
    pool->artifacts = pool->options->shared ? pool->options->shared
                                            : msw_artifacts_new(pool->options->artifact_bytes);
    if (!pool->lock || !pool->work || !pool->news || !pool->artifacts)
        return msw_fail_memory(err);
    if (open_desk(pool, err) ||
        msw_builds_find(plan, todo->everything ? NULL : todo->bitmap, &pool->builds, err) ||
        make_batches(pool, err) ||
        msw_schedule_make(plan, pool->options->shuffled, &pool->order, &pool->blocks, err))
        return -1;
    bool points = !pool->options->only_builds;
    msw_queue_init(&pool->queue, &pool->order, todo->everything ? NULL : todo->bitmap,
                   fed || !points ? 0 : todo->missing);
    pool->fed = fed && points;
    pool->active = pool->options->threads;
    pool->takers = pool->options->threads;
    return 0;
}

void msw_worker_pool_close(msw_worker_pool *pool)
{
    free_batches(&pool->empty);
    free_batches(&pool->full);
    free(pool->blocks);
    if (!pool->options->shared)
        msw_artifacts_free(pool->artifacts);
    msw_desk_free(pool->desk);
    msw_builds_free(&pool->builds);
    msw_signal_free(pool->work);
    msw_signal_free(pool->news);
    msw_lock_free(pool->lock);
}

typedef struct shift {
    msw_worker_pool *pool;
    void (*coordinator)(void *);
    void *context;
} shift;

static void shift_worker(void *context, int id)
{
    (void)id;
    worker_main(((shift *)context)->pool);
}

static void shift_coordinator(void *context)
{
    shift *s = context;
    s->coordinator(s->context);
}

int msw_worker_pool_work(msw_worker_pool *pool, void (*coordinator)(void *), void *context,
                         msw_err *err)
{
    shift s = {pool, coordinator, context};
    if (msw_pool_run(pool->options->threads, shift_worker, shift_coordinator, &s))
        return msw_fail_kind(err, MSW_ERR_IO, "could not start %d threads", pool->options->threads);
    if (!pool->broken.kind)
        return 0;
    if (err)
        *err = pool->broken;
    return -1;
}
