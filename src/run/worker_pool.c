#include "run/worker_pool.h"

#include "run/schedule.h"

#include <stdlib.h>
#include <string.h>

/* A worker hands in its rows after about this much work, or MSW_BATCH_ROWS rows. */
#define BATCH_SECONDS 0.05
/* What a rank holds at most, and when it asks for more. */
#define GRANT_SECONDS 1.0
#define AHEAD_SECONDS 0.05
/* A worker without work looks up this often, lest it misses that everybody was asked to stop. */
#define IDLE_SECONDS 0.1

bool msw_crew_stopping(const msw_crew *crew)
{
    return atomic_load(&crew->halt) || (crew->options->stop && *crew->options->stop);
}

void msw_crew_halt(msw_crew *crew)
{
    msw_lock_take(crew->lock);
    atomic_store(&crew->halt, true);
    msw_signal_send(crew->work);
    msw_lock_give(crew->lock);
}

void msw_crew_fail(msw_crew *crew, const msw_err *err)
{
    msw_lock_take(crew->lock);
    if (!crew->broken.kind)
        crew->broken = *err;
    msw_lock_give(crew->lock);
    msw_crew_halt(crew);
}

bool msw_crew_is_broken(msw_crew *crew)
{
    msw_lock_take(crew->lock);
    bool broken = crew->broken.kind != MSW_ERR_NONE;
    msw_lock_give(crew->lock);
    return broken;
}

/* ---- workers ---- */

static void tell_keeper(msw_crew *crew)
{
    crew->fresh = true;
    msw_signal_send(crew->news);
}

/* Goes on with the next range granted when the one in work is used up. */
static void refill(msw_crew *crew)
{
    if (crew->queue.left || !crew->granted_count)
        return;
    msw_queue_load(&crew->queue, &crew->granted[0]);
    memmove(crew->granted, crew->granted + 1,
            (size_t)--crew->granted_count * sizeof *crew->granted);
}

static uint64_t on_hand(const msw_crew *crew)
{
    uint64_t points = crew->queue.left;
    for (int g = 0; g < crew->granted_count; g++)
        points += crew->granted[g].wanted;
    return points;
}

static void take_range(msw_crew *crew, msw_batch **batch, msw_range *range)
{
    double per_point = msw_pace_read(&crew->pace, BATCH_SECONDS);
    *batch = crew->empty.batches[--crew->empty.count];
    msw_queue_take(
        &crew->queue,
        msw_queue_share(on_hand(crew), crew->takers, per_point, BATCH_SECONDS, MSW_BATCH_ROWS),
        range);
}

static bool is_over(const msw_crew *crew)
{
    return msw_crew_stopping(crew) || (!crew->queue.left && !crew->fed);
}

static void wait_for_work(msw_crew *crew)
{
    bool idle = !crew->queue.left;
    crew->idle += idle;
    tell_keeper(crew);
    msw_signal_wait(crew->work, crew->lock, IDLE_SECONDS);
    crew->idle -= idle;
    refill(crew);
}

/* Takes an empty batch and a range of work, as soon as there are both. Returns whether there are;
 * if not, all is done. */
static bool take_work(msw_crew *crew, msw_batch **batch, msw_range *range)
{
    msw_lock_take(crew->lock);
    refill(crew);
    while (!is_over(crew) && !(crew->queue.left && crew->empty.count))
        wait_for_work(crew);
    bool any = !is_over(crew);
    if (any)
        take_range(crew, batch, range);
    msw_lock_give(crew->lock);
    return any;
}

static void hand_in(msw_crew *crew, msw_batch *batch)
{
    msw_lock_take(crew->lock);
    crew->work_seconds += batch->seconds;
    msw_pace_add(&crew->pace, batch->seconds, batch->count);
    crew->full.batches[crew->full.count++] = batch;
    tell_keeper(crew);
    msw_lock_give(crew->lock);
}

static int evaluate_range(msw_crew *crew, msw_worker *worker, const msw_range *range,
                          msw_batch *batch, msw_err *err)
{
    for (uint64_t position = range->first; position < range->end; position++) {
        uint64_t index = msw_order_index(&crew->order, position);
        if (!msw_queue_wants(&crew->queue, index))
            continue;
        if (msw_worker_evaluate(worker, index, crew->options->point_timeout_s, batch, err))
            return -1;
        /* Asked to stop: what is in hand is finished, the rest stays for the next run. */
        if (msw_crew_stopping(crew))
            break;
    }
    return 0;
}

static int work(msw_crew *crew, msw_worker *worker, msw_err *err)
{
    msw_batch *batch;
    msw_range range;
    int rc = 0;
    while (rc == 0 && take_work(crew, &batch, &range)) {
        rc = evaluate_range(crew, worker, &range, batch, err);
        hand_in(crew, batch);
    }
    return rc;
}

static void worker_main(msw_crew *crew)
{
    msw_err err = {0};
    msw_worker *worker = NULL;
    int rc = msw_worker_new(crew->plan, crew->artifacts, crew->keys, &worker, &err);
    if (rc == 0)
        rc = work(crew, worker, &err);
    msw_worker_free(worker);
    if (rc)
        msw_crew_fail(crew, &err);
    msw_lock_take(crew->lock);
    crew->active--;
    tell_keeper(crew);
    msw_lock_give(crew->lock);
}

/* ---- the keeper's side ---- */

msw_batch *msw_crew_collect(msw_crew *crew, bool *finished)
{
    msw_lock_take(crew->lock);
    msw_batch *batch = NULL;
    if (crew->full.count) {
        batch = crew->full.batches[0];
        memmove(crew->full.batches, crew->full.batches + 1, --crew->full.count * sizeof batch);
    }
    *finished = !batch && crew->active == 0;
    msw_lock_give(crew->lock);
    return batch;
}

void msw_crew_recycle(msw_crew *crew, msw_batch *batch)
{
    msw_batch_clear(batch);
    msw_lock_take(crew->lock);
    crew->empty.batches[crew->empty.count++] = batch;
    msw_signal_send(crew->work);
    msw_lock_give(crew->lock);
}

void msw_crew_wait(msw_crew *crew, double seconds)
{
    msw_lock_take(crew->lock);
    if (!crew->fresh)
        msw_signal_wait(crew->news, crew->lock, seconds);
    crew->fresh = false;
    msw_lock_give(crew->lock);
}

bool msw_crew_cede(msw_crew *crew, int workers, double seconds_per_point, msw_range *range)
{
    *range = (msw_range){0};
    msw_lock_take(crew->lock);
    bool any = !msw_crew_stopping(crew) &&
               msw_queue_take(&crew->queue,
                              msw_grant_size(crew->queue.left, crew->takers, workers,
                                             seconds_per_point, GRANT_SECONDS),
                              range);
    msw_lock_give(crew->lock);
    return any;
}

int msw_crew_grant(msw_crew *crew, const msw_range *range, msw_err *err)
{
    int rc = 0;
    msw_lock_take(crew->lock);
    crew->last_grant = range->wanted;
    if (!range->wanted)
        crew->fed = false;
    else if (crew->granted_count < MSW_GRANTS_AHEAD)
        crew->granted[crew->granted_count++] = *range;
    else
        rc = msw_fail_kind(err, MSW_ERR_INTERNAL, "more work was granted than asked for");
    msw_signal_send(crew->work);
    msw_lock_give(crew->lock);
    return rc;
}

/* Work is asked for ahead of need, but near the end (grants have become small) long points only
 * when a worker waits: one rank must not hold them while another has nothing to do. */
bool msw_crew_hungry(msw_crew *crew, double *seconds_per_point)
{
    msw_lock_take(crew->lock);
    double pace = msw_pace_read(&crew->pace, 0);
    bool many = crew->last_grant > 8 * (uint64_t)crew->options->threads;
    bool soon = pace > 0 && (many || pace <= AHEAD_SECONDS / 5) &&
                (double)on_hand(crew) * pace <= AHEAD_SECONDS * crew->options->threads;
    bool hungry = crew->fed && !crew->granted_count && (soon || crew->idle > 0);
    *seconds_per_point = pace;
    msw_lock_give(crew->lock);
    return hungry;
}

/* ---- making one ---- */

static int make_batches(msw_crew *crew, msw_err *err)
{
    size_t count = 4 * (size_t)crew->options->threads + 2;
    crew->empty.batches = calloc(count, sizeof *crew->empty.batches);
    crew->full.batches = calloc(count, sizeof *crew->full.batches);
    if (!crew->empty.batches || !crew->full.batches)
        return msw_fail_memory(err);
    for (; crew->empty.count < count; crew->empty.count++) {
        msw_batch *batch = msw_batch_new(MSW_BATCH_ROWS, crew->plan->schema.count,
                                         msw_metrics_count(crew->plan->mech->metrics));
        if (!batch)
            return msw_fail_memory(err);
        crew->empty.batches[crew->empty.count] = batch;
    }
    return 0;
}

static void free_batches(msw_batch_list *list)
{
    for (size_t i = 0; list->batches && i < list->count; i++)
        msw_batch_free(list->batches[i]);
    free(list->batches);
}

int msw_crew_open(msw_crew *crew, const msw_plan *plan, const msw_todo *todo, bool fed,
                  msw_err *err)
{
    crew->plan = plan;
    crew->lock = msw_lock_new();
    crew->work = msw_signal_new();
    crew->news = msw_signal_new();
    crew->artifacts = msw_artifacts_new(crew->options->artifact_bytes);
    if (!crew->lock || !crew->work || !crew->news || !crew->artifacts)
        return msw_fail_memory(err);
    if (make_batches(crew, err) ||
        msw_order_make(plan, crew->options->shuffled, &crew->order, &crew->blocks, err))
        return -1;
    msw_queue_init(&crew->queue, &crew->order, todo->everything ? NULL : todo->bitmap,
                   fed ? 0 : todo->missing);
    crew->fed = fed;
    crew->active = crew->options->threads;
    crew->takers = crew->options->threads;
    return 0;
}

void msw_crew_close(msw_crew *crew)
{
    free_batches(&crew->empty);
    free_batches(&crew->full);
    free(crew->blocks);
    msw_artifacts_free(crew->artifacts);
    msw_signal_free(crew->work);
    msw_signal_free(crew->news);
    msw_lock_free(crew->lock);
}

typedef struct shift {
    msw_crew *crew;
    void (*keeper)(void *);
    void *context;
} shift;

static void shift_worker(void *context, int id)
{
    (void)id;
    worker_main(((shift *)context)->crew);
}

static void shift_keeper(void *context)
{
    shift *s = context;
    s->keeper(s->context);
}

int msw_crew_work(msw_crew *crew, void (*keeper)(void *), void *context, msw_err *err)
{
    shift s = {crew, keeper, context};
    if (msw_pool_run(crew->options->threads, shift_worker, shift_keeper, &s))
        return msw_fail_kind(err, MSW_ERR_IO, "could not start %d threads", crew->options->threads);
    if (!crew->broken.kind)
        return 0;
    if (err)
        *err = crew->broken;
    return -1;
}
