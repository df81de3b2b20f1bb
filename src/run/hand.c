/* SPDX-License-Identifier: MIT */
/* Work in the hand of a worker: finished rows, and the points it is to do next. One point may take
 * hours. Then the coordinator takes both from it: the rows are stored, and the points go to whoever
 * has time. */
#include "memsweep/base/clock.h"
#include "run/worker_pool.h"

#include <string.h>

/* A worker takes a range of about this much work, or MSW_BATCH_ROWS points. */
#define BATCH_SECONDS 0.05
/* Between looks: so a row waits for twice as long at most. */
#define LOOK_SECONDS 0.1
/* A worker without work checks this often whether everybody was asked to stop. */
#define IDLE_SECONDS 0.1

/* ---- what is on hand ---- */

bool msw_worker_pool_stopping(const msw_worker_pool *pool)
{
    return atomic_load(&pool->halt) || (pool->options->stop && *pool->options->stop);
}

void msw_worker_pool_tell(msw_worker_pool *pool)
{
    pool->fresh = true;
    msw_signal_send(pool->news);
}

void msw_worker_pool_refill(msw_worker_pool *pool)
{
    if (pool->queue.left || !pool->ahead.count)
        return;
    msw_queue_load(&pool->queue, &pool->ahead.items[0]);
    memmove(pool->ahead.items, pool->ahead.items + 1,
            --pool->ahead.count * sizeof *pool->ahead.items);
}

uint64_t msw_worker_pool_on_hand(const msw_worker_pool *pool)
{
    uint64_t points = pool->queue.left;
    for (size_t a = 0; a < pool->ahead.count; a++)
        points += pool->ahead.items[a].wanted;
    return points;
}

msw_range msw_worker_pool_rest(const msw_worker_pool *pool)
{
    return (msw_range){pool->queue.position, pool->order.points, pool->queue.left};
}

int msw_worker_pool_put_back(msw_worker_pool *pool, const msw_range *range, msw_err *err)
{
    if (MSW_VEC_RESERVE(&pool->ahead, pool->ahead.count + 1, err))
        return -1;
    if (pool->queue.left) {
        memmove(pool->ahead.items + 1, pool->ahead.items,
                pool->ahead.count++ * sizeof *pool->ahead.items);
        pool->ahead.items[0] = msw_worker_pool_rest(pool);
    }
    msw_queue_load(&pool->queue, range);
    msw_signal_send(pool->work);
    return 0;
}

/* ---- what one worker has ---- */

static void take_range(msw_worker_pool *pool, msw_hand *hand)
{
    double per_point = msw_pace_read(&pool->pace, BATCH_SECONDS);
    uint64_t share = msw_queue_share(msw_worker_pool_on_hand(pool), pool->takers, per_point,
                                     BATCH_SECONDS, MSW_BATCH_ROWS);
    msw_lock_take(hand->lock);
    hand->batch = pool->empty.batches[--pool->empty.count];
    msw_queue_take(&pool->queue, share, &hand->range);
    hand->looked = false;
    msw_lock_give(hand->lock);
}

static bool is_held(const msw_worker_pool *pool)
{
    bool held = false;
    for (int h = 0; h < pool->options->threads && !held; h++) {
        msw_lock_take(pool->hands[h].lock);
        held = pool->hands[h].range.wanted > 0;
        msw_lock_give(pool->hands[h].lock);
    }
    return held;
}

bool msw_worker_pool_is_dry(msw_worker_pool *pool, bool anywhere)
{
    msw_lock_take(pool->lock);
    bool dry = !msw_worker_pool_on_hand(pool) && !(anywhere && (pool->abroad || is_held(pool)));
    msw_lock_give(pool->lock);
    return dry;
}

/* `fed`: more ranges may still be granted. Without it an empty queue is the end, unless somebody
 * may yet give points back. */
static bool is_over(const msw_worker_pool *pool)
{
    return msw_worker_pool_stopping(pool) ||
           (!msw_worker_pool_on_hand(pool) && !pool->fed && !pool->abroad && !is_held(pool));
}

/* A worker with work but without an empty batch waits here too, until the coordinator has stored
 * rows: so memory stays bounded. Only waiting for work counts as idle. */
static void wait_for_work(msw_worker_pool *pool)
{
    bool idle = !pool->queue.left;
    pool->idle += idle;
    msw_worker_pool_tell(pool);
    msw_signal_wait(pool->work, pool->lock, IDLE_SECONDS);
    pool->idle -= idle;
    msw_worker_pool_refill(pool);
}

bool msw_hand_take_work(msw_worker_pool *pool, msw_hand *hand)
{
    msw_lock_take(pool->lock);
    msw_worker_pool_refill(pool);
    while (!is_over(pool) && !(pool->queue.left && pool->empty.count))
        wait_for_work(pool);
    bool any = !is_over(pool);
    if (any)
        take_range(pool, hand);
    else
        msw_signal_send(pool->work); /* others may wait for what this one had */
    msw_lock_give(pool->lock);
    return any;
}

static uint64_t next_wanted(const msw_worker_pool *pool, msw_range *range)
{
    uint64_t index;
    do
        index = msw_schedule_index(&pool->order, range->first++);
    while (!msw_queue_wants(&pool->queue, index));
    range->wanted--;
    return index;
}

/* Asked to stop: what is in hand is finished, the rest stays for the next run. */
int msw_hand_next(msw_worker_pool *pool, msw_hand *hand, msw_batch *row, uint64_t *index,
                  msw_err *err)
{
    msw_lock_take(hand->lock);
    int rc = row->count ? msw_batch_append(hand->batch, row, err) : 0;
    if (msw_worker_pool_stopping(pool))
        hand->range.wanted = 0;
    if (rc == 0 && hand->range.wanted) {
        *index = next_wanted(pool, &hand->range);
        hand->begun++;
        rc = 1;
    }
    msw_lock_give(hand->lock);
    msw_batch_clear(row);
    return rc;
}

/* With the pool's lock held. */
static void give_rows(msw_worker_pool *pool, msw_batch *batch)
{
    pool->work_seconds += batch->seconds;
    msw_pace_add(&pool->pace, batch->seconds, batch->count);
    pool->full.batches[pool->full.count++] = batch;
    msw_worker_pool_tell(pool);
}

void msw_hand_in(msw_worker_pool *pool, msw_hand *hand)
{
    msw_lock_take(hand->lock);
    msw_batch *batch = hand->batch;
    hand->batch = NULL;
    msw_lock_give(hand->lock);
    msw_lock_take(pool->lock);
    give_rows(pool, batch);
    msw_lock_give(pool->lock);
}

/* Takes what was there at the look before, too. Where no empty batch is left, the coordinator has
 * more to store than it can. */
static void take_over(msw_worker_pool *pool, msw_hand *hand)
{
    if (hand->batch->count && pool->empty.count) {
        give_rows(pool, hand->batch);
        hand->batch = pool->empty.batches[--pool->empty.count];
    }
    if (hand->range.wanted && msw_worker_pool_put_back(pool, &hand->range, NULL) == 0)
        hand->range.wanted = 0;
}

static void look_at(msw_worker_pool *pool, msw_hand *hand, double now)
{
    msw_lock_take(hand->lock);
    if (hand->begun != hand->begun_then)
        hand->since = now;
    hand->begun_then = hand->begun;
    if (hand->batch) {
        if (hand->looked)
            take_over(pool, hand);
        hand->looked = true;
        msw_pace_at_least(&pool->pace, now - hand->since);
    }
    msw_lock_give(hand->lock);
}

void msw_hands_look(msw_worker_pool *pool)
{
    double now = msw_now();
    if (now - pool->looked < LOOK_SECONDS)
        return;
    pool->looked = now;
    for (int h = 0; h < pool->options->threads; h++)
        look_at(pool, &pool->hands[h], now);
}
