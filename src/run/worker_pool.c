/* SPDX-License-Identifier: MIT */
#include "run/worker_pool.h"
#include "memsweep/base/clock.h"
#include "memsweep/store/leaf.h"

#include "run/artifact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a rank holds at most, and when it asks for more. */
#define GRANT_SECONDS 1.0
#define AHEAD_SECONDS 0.05

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

static void wake_coordinator(void *context)
{
    msw_worker_pool *pool = context;
    msw_lock_take(pool->lock);
    msw_worker_pool_tell(pool);
    msw_lock_give(pool->lock);
}

static bool is_stopping(void *context)
{
    return msw_worker_pool_stopping(context);
}

static msw_batch *new_batch(const msw_plan *plan, size_t rows)
{
    return msw_batch_new(rows, plan->schema.count, msw_metrics_count(plan->mech->metrics));
}

static int scan_leaf(msw_scan *scan, msw_worker *worker, uint64_t leaf, double timeout_s,
                     msw_batch *row, msw_err *err)
{
    const msw_answerer who = {worker, msw_worker_answer, msw_worker_coords};
    double start = msw_now();
    MSW_TRY(msw_scan_leaf(scan, &who, leaf, timeout_s, row, err));
    row->seconds += msw_now() - start;
    return 0;
}

static int evaluate_range(msw_worker_pool *pool, msw_worker *worker, msw_scan *scan, msw_hand *hand,
                          msw_batch *row, msw_err *err)
{
    uint64_t index;
    int rc;
    double timeout_s = pool->options->point_timeout_s;
    while ((rc = msw_hand_next(pool, hand, row, &index, err)) > 0)
        if (scan ? scan_leaf(scan, worker, index, timeout_s, row, err)
                 : msw_worker_evaluate(worker, index, timeout_s, row, err))
            return -1;
    return rc;
}

static int work(msw_worker_pool *pool, msw_worker *worker, msw_hand *hand, msw_err *err)
{
    msw_scan *scan = NULL;
    msw_forest *forest = pool->options->scan;
    msw_batch *row = new_batch(pool->plan, 1);
    int rc = row ? 0 : msw_fail_memory(err);
    if (rc == 0 && forest)
        rc = msw_scan_new(pool->plan, &forest->shape, &scan, err);
    while (rc == 0 && msw_hand_take_work(pool, hand)) {
        rc = evaluate_range(pool, worker, scan, hand, row, err);
        msw_hand_in(pool, hand);
    }
    msw_scan_free(scan);
    msw_batch_free(row);
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

static void worker_main(msw_worker_pool *pool, msw_hand *hand)
{
    msw_err err = {0};
    msw_worker *worker = NULL;
    int rc = msw_worker_new(pool->plan, pool->artifacts, pool->keys, &worker, &err);
    if (rc == 0)
        rc = msw_worker_launch(worker, pool->options->launches, &err);
    if (rc == 0)
        msw_worker_tell(worker, &hand->done);
    if (rc == 0)
        rc = build_first(pool, worker, &err);
    if (rc == 0)
        rc = work(pool, worker, hand, &err);
    msw_worker_free(worker);
    if (rc)
        msw_worker_pool_fail(pool, &err);
    msw_lock_take(pool->lock);
    pool->active--;
    msw_worker_pool_tell(pool);
    msw_lock_give(pool->lock);
}

/* ---- the coordinator's side ---- */

msw_batch *msw_worker_pool_collect(msw_worker_pool *pool, bool *finished)
{
    msw_lock_take(pool->lock);
    msw_batch *batch = NULL;
    msw_hands_look(pool);
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
    msw_worker_pool_refill(pool);
    bool any = !msw_worker_pool_stopping(pool) &&
               msw_queue_take(&pool->queue,
                              msw_grant_size(msw_worker_pool_on_hand(pool), pool->takers, workers,
                                             seconds_per_point, GRANT_SECONDS),
                              range);
    pool->abroad += range->wanted;
    msw_lock_give(pool->lock);
    return any;
}

int msw_worker_pool_abroad(msw_worker_pool *pool, int64_t more, const msw_range *range,
                           msw_err *err)
{
    msw_lock_take(pool->lock);
    pool->abroad += (uint64_t)more;
    int rc = range ? msw_worker_pool_put_back(pool, range, err) : 0;
    if (!pool->abroad)
        msw_signal_send(pool->work);
    msw_lock_give(pool->lock);
    return rc;
}

int msw_worker_pool_grant(msw_worker_pool *pool, const msw_range *range, msw_err *err)
{
    msw_lock_take(pool->lock);
    pool->last_grant = range->wanted;
    pool->fed = range->wanted > 0;
    int rc = pool->fed ? MSW_VEC_PUSH(&pool->ahead, *range, err) : 0;
    msw_signal_send(pool->work);
    msw_lock_give(pool->lock);
    return rc;
}

/* Keeps the queue's first points and gives the rest. */
static msw_range split_queue(msw_worker_pool *pool, uint64_t kept)
{
    msw_range first;
    msw_queue_take(&pool->queue, kept, &first);
    msw_range rest = msw_worker_pool_rest(pool);
    msw_queue_load(&pool->queue, &first);
    return rest;
}

/* Nobody gives back what would be asked for again at once. */
bool msw_worker_pool_give_back(msw_worker_pool *pool, msw_range *range)
{
    msw_lock_take(pool->lock);
    double pace = msw_pace_read(&pool->pace, 0), workers = pool->options->threads;
    double kept = fmax(pace > 0 ? GRANT_SECONDS * workers / pace : 1e18, workers);
    bool any = pool->fed && !msw_worker_pool_stopping(pool) &&
               (double)msw_worker_pool_on_hand(pool) > 2 * kept;
    if (any && pool->ahead.count)
        *range = pool->ahead.items[--pool->ahead.count];
    else if (any)
        *range = split_queue(pool, (uint64_t)kept);
    msw_lock_give(pool->lock);
    return any;
}

/* Work is asked for ahead of need, but near the end (grants have become small) long points only
 * when a worker waits: one rank must not hold them while another has nothing to do. */
bool msw_worker_pool_wants_work(msw_worker_pool *pool, double *seconds_per_point)
{
    msw_lock_take(pool->lock);
    double pace = msw_pace_read(&pool->pace, 0);
    bool many = pool->last_grant > 8 * (uint64_t)pool->options->threads;
    bool soon =
        pace > 0 && (many || pace <= AHEAD_SECONDS / 5) &&
        (double)msw_worker_pool_on_hand(pool) * pace <= AHEAD_SECONDS * pool->options->threads;
    bool wants_work = pool->fed && !pool->ahead.count && (soon || pool->idle > 0);
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
        msw_batch *batch = new_batch(pool->plan, pool->options->scan ? 1 : MSW_BATCH_ROWS);
        if (!batch)
            return msw_fail_memory(err);
        pool->empty.batches[pool->empty.count] = batch;
    }
    return 0;
}

static int make_hands(msw_worker_pool *pool, msw_err *err)
{
    int count = pool->options->threads;
    pool->hands = calloc((size_t)count, sizeof *pool->hands);
    if (!pool->hands)
        return msw_fail_memory(err);
    for (int h = 0; h < count; h++)
        if (!(pool->hands[h].lock = msw_lock_new()))
            return msw_fail_memory(err);
    return 0;
}

static void free_hands(msw_worker_pool *pool)
{
    for (int h = 0; pool->hands && h < pool->options->threads; h++)
        msw_lock_free(pool->hands[h].lock);
    free(pool->hands);
}

static void free_batches(msw_batch_list *list)
{
    for (size_t i = 0; list->batches && i < list->count; i++)
        msw_batch_free(list->batches[i]);
    free(list->batches);
}

static int open_requests(msw_worker_pool *pool, msw_err *err)
{
    msw_kept_requests_owner owner = {pool, wake_coordinator, is_stopping};
    pool->requests = msw_kept_requests_new(&owner);
    if (!pool->requests)
        return msw_fail_memory(err);
    msw_artifacts_set_requests(pool->artifacts, pool->requests);
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
    if (open_requests(pool, err) ||
        msw_builds_find(plan, todo->everything || pool->options->scan ? NULL : todo->bitmap,
                        &pool->builds, err) ||
        make_batches(pool, err) || make_hands(pool, err) ||
        msw_schedule_make(plan, pool->options->shuffled, &pool->order, &pool->blocks, err))
        return -1;
    if (pool->options->scan) { /* what is handed out are leaves */
        pool->order.points = todo->points;
        pool->order.block = pool->options->scan->shape.leaves;
    }
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
    free_hands(pool);
    free(pool->ahead.items);
    free(pool->blocks);
    if (!pool->options->shared)
        msw_artifacts_free(pool->artifacts);
    msw_kept_requests_free(pool->requests);
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
    msw_worker_pool *pool = ((shift *)context)->pool;
    worker_main(pool, &pool->hands[id]);
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
