/* Workers compute batches of rows; the calling thread writes them, reports and watches. */
#include "memsweep/run.h"

#include "artifact.h"
#include "pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A worker hands in its rows after about this much work, or this many rows. */
#define BATCH_SECONDS 0.05
enum { BATCH_ROWS = 2048 };
#define POLL_SECONDS 0.0005

typedef struct batch_list {
    msw_batch **batches;
    size_t count;
} batch_list;

/* Everything the threads of a run share; `lock` guards from `queue` to `broken`. */
typedef struct run {
    const msw_plan *plan;
    msw_store *store;
    int64_t sweep_id, run_id;
    const msw_run_options *options;
    msw_artifacts *artifacts;
    msw_order order;
    size_t *blocks;
    msw_lock *lock;
    msw_queue queue;
    batch_list empty, full;
    double work_seconds;
    uint64_t evaluated;
    int active;     /* workers not yet done */
    bool halt;      /* the keeper wants everybody to finish */
    msw_err broken; /* first trouble of a worker */
    /* the keeper's own */
    msw_run_result *result;
    msw_progress progress;
    double start, last_report;
    struct {
        double seconds;
        uint64_t done;
    } marks[8]; /* recent reports, for the rate */
    size_t mark;
} run;

/* ---- workers ---- */

static bool stop_wanted(const run *r)
{
    return r->halt || (r->options->stop && *r->options->stop);
}

/* Takes an empty batch and a range of work. Returns 1, 0 when all is done, -1 to ask again. */
static int take_work(run *r, msw_batch **batch, msw_range *range)
{
    int rc = -1;
    msw_lock_take(r->lock);
    double per_point = r->evaluated ? r->work_seconds / (double)r->evaluated : BATCH_SECONDS;
    if (stop_wanted(r) || !r->queue.left)
        rc = 0;
    else if (r->empty.count) {
        *batch = r->empty.batches[--r->empty.count];
        msw_queue_take(&r->queue,
                       msw_queue_share(r->queue.left, r->options->threads, per_point, BATCH_SECONDS,
                                       BATCH_ROWS),
                       range);
        rc = 1;
    }
    msw_lock_give(r->lock);
    return rc;
}

static void hand_in(run *r, msw_batch *batch)
{
    msw_lock_take(r->lock);
    r->work_seconds += batch->seconds;
    r->evaluated += batch->count;
    r->full.batches[r->full.count++] = batch;
    msw_lock_give(r->lock);
}

static int evaluate_range(run *r, msw_worker *worker, const msw_range *range, msw_batch *batch,
                          msw_err *err)
{
    for (uint64_t position = range->first; position < range->end; position++) {
        uint64_t index = msw_order_index(&r->order, position);
        if (!msw_queue_wants(&r->queue, index))
            continue;
        if (msw_worker_evaluate(worker, index, r->options->point_timeout_s, batch, err))
            return -1;
        /* Asked to stop: what is in hand is finished, the rest stays for the next run. */
        if (r->options->stop && *r->options->stop)
            break;
    }
    return 0;
}

static int work(run *r, msw_worker *worker, msw_err *err)
{
    for (;;) {
        msw_batch *batch = NULL;
        msw_range range;
        int rc = take_work(r, &batch, &range);
        if (rc == 0)
            return 0;
        if (rc < 0) {
            msw_nap(POLL_SECONDS);
            continue;
        }
        rc = evaluate_range(r, worker, &range, batch, err);
        hand_in(r, batch);
        if (rc)
            return -1;
    }
}

static void worker_main(void *context, int id)
{
    run *r = context;
    (void)id;
    msw_err err = {0};
    msw_worker *worker = NULL;
    int rc = msw_worker_new(r->plan, r->artifacts, r->store != NULL, &worker, &err);
    if (rc == 0)
        rc = work(r, worker, &err);
    msw_worker_free(worker);
    msw_lock_take(r->lock);
    if (rc && !r->broken.kind)
        r->broken = err;
    r->halt = r->halt || rc;
    r->active--;
    msw_lock_give(r->lock);
}

/* ---- the keeper ---- */

static void note_failure(run *r, const msw_batch *batch, size_t row)
{
    msw_run_result *result = r->result;
    if (result->failure_count == MSW_FAILURES_SHOWN)
        return;
    int k = result->failure_count++;
    result->failures[k].index = batch->rows[row].index;
    msw_worker_describe(r->plan, batch, row, result->failures[k].text,
                        sizeof result->failures[k].text);
}

static void count_rows(run *r, const msw_batch *batch)
{
    msw_run_result *result = r->result;
    uint64_t *const counts[] = {&result->ok, &result->infeasible, &result->failed,
                                &result->timeout};
    for (size_t i = 0; i < batch->count; i++) {
        msw_status status = (msw_status)batch->rows[i].status;
        ++*counts[status];
        if (status == MSW_FAILED || status == MSW_TIMEOUT)
            note_failure(r, batch, i);
    }
    result->evaluated += batch->count;
}

static void report(run *r, bool last)
{
    const msw_run_options *o = r->options;
    double now = msw_now();
    if (!o->progress || o->progress_seconds <= 0 ||
        (!last && now - r->last_report < o->progress_seconds))
        return;
    msw_progress *p = &r->progress;
    size_t oldest = (r->mark + 1) % (sizeof r->marks / sizeof *r->marks);
    p->done = r->result->evaluated;
    p->failed = r->result->failed;
    p->timeout = r->result->timeout;
    p->committed = r->store ? msw_store_committed(r->store) : 0;
    p->seconds = now - r->start;
    double span = p->seconds - r->marks[oldest].seconds;
    p->rate = span > 0 ? (double)(p->done - r->marks[oldest].done) / span : 0;
    p->eta_seconds = p->rate > 0 ? (double)(p->total - p->done) / p->rate : NAN;
    r->mark = oldest;
    r->marks[oldest].seconds = p->seconds;
    r->marks[oldest].done = p->done;
    r->last_report = now;
    o->progress(o->progress_context, p);
}

static msw_batch *next_full(run *r, bool *finished)
{
    msw_lock_take(r->lock);
    msw_batch *batch = NULL;
    if (r->full.count) {
        batch = r->full.batches[0];
        memmove(r->full.batches, r->full.batches + 1, --r->full.count * sizeof batch);
    }
    *finished = !batch && r->active == 0;
    msw_lock_give(r->lock);
    return batch;
}

static void give_back(run *r, msw_batch *batch)
{
    msw_batch_clear(batch);
    msw_lock_take(r->lock);
    r->empty.batches[r->empty.count++] = batch;
    msw_lock_give(r->lock);
}

static void fail_run(run *r, const msw_err *err)
{
    msw_lock_take(r->lock);
    if (!r->broken.kind)
        r->broken = *err;
    r->halt = true;
    msw_lock_give(r->lock);
}

static void keep(run *r, msw_batch *batch)
{
    msw_err err = {0};
    count_rows(r, batch);
    if (r->store && !r->broken.kind &&
        msw_store_write(r->store, r->plan, r->sweep_id, r->run_id, batch, &err))
        fail_run(r, &err);
    give_back(r, batch);
}

/* Nothing to write just now: rows that have waited long enough are committed. */
static void rest(run *r)
{
    msw_err err;
    msw_err_clear(&err);
    msw_nap(POLL_SECONDS);
    if (r->store && !r->broken.kind && msw_store_tick(r->store, &err))
        fail_run(r, &err);
}

static void keeper_main(void *context)
{
    run *r = context;
    bool finished = false;
    while (!finished) {
        msw_batch *batch = next_full(r, &finished);
        if (batch)
            keep(r, batch);
        else if (!finished)
            rest(r);
        report(r, false);
    }
    msw_err err = {0};
    if (r->store && !r->broken.kind && msw_store_commit(r->store, &err))
        fail_run(r, &err);
    report(r, true);
}

/* ---- set-up ---- */

static int make_batches(run *r, msw_err *err)
{
    size_t count = 4 * (size_t)r->options->threads + 2;
    r->empty.batches = calloc(count, sizeof *r->empty.batches);
    r->full.batches = calloc(count, sizeof *r->full.batches);
    if (!r->empty.batches || !r->full.batches)
        return msw_fail_memory(err);
    for (; r->empty.count < count; r->empty.count++) {
        msw_batch *batch = msw_batch_new(BATCH_ROWS, r->plan->schema.count,
                                         msw_metrics_count(r->plan->mech->metrics));
        if (!batch)
            return msw_fail_memory(err);
        r->empty.batches[r->empty.count] = batch;
    }
    return 0;
}

/* Expected cost of a workload's first point, where the mechanism can tell. */
static double block_cost(const msw_plan *plan, msw_pointer *pointer, size_t workload)
{
    msw_point point;
    msw_task task = {0};
    uint64_t block = plan->points / plan->workload_count;
    if (!plan->mech->cost || msw_pointer_at(pointer, workload * block, false, &point, NULL))
        return 0;
    msw_point_task(plan, &point, &task);
    return plan->mech->cost(&task);
}

/* Dearest workloads first: what is started late should be short. Equal costs keep file order. */
static int make_order(run *r, msw_err *err)
{
    const msw_plan *plan = r->plan;
    size_t count = plan->workload_count;
    msw_pointer *pointer = NULL;
    r->blocks = calloc(count, sizeof *r->blocks);
    if (!r->blocks)
        return msw_fail_memory(err);
    if (msw_pointer_new(plan, &pointer, err))
        return -1;
    for (size_t w = 0; w < count; w++) {
        double cost = block_cost(plan, pointer, w);
        size_t at = w;
        for (; at > 0 && block_cost(plan, pointer, r->blocks[at - 1]) < cost; at--)
            r->blocks[at] = r->blocks[at - 1];
        r->blocks[at] = w;
    }
    msw_pointer_free(pointer);
    r->order = (msw_order){.points = plan->points,
                           .block = plan->points / count,
                           .block_count = count,
                           .blocks = r->blocks,
                           .shuffle = r->options->shuffled ? plan->seed | 1 : 0};
    return 0;
}

static void free_batches(batch_list *list)
{
    for (size_t i = 0; list->batches && i < list->count; i++)
        msw_batch_free(list->batches[i]);
    free(list->batches);
}

static void run_close(run *r)
{
    free_batches(&r->empty);
    free_batches(&r->full);
    free(r->blocks);
    msw_artifacts_free(r->artifacts);
    msw_lock_free(r->lock);
}

static int run_open(run *r, const msw_todo *todo, msw_err *err)
{
    r->lock = msw_lock_new();
    r->artifacts = msw_artifacts_new(r->options->artifact_bytes);
    if (!r->lock || !r->artifacts)
        return msw_fail_memory(err);
    if (make_batches(r, err) || make_order(r, err))
        return -1;
    msw_queue_init(&r->queue, &r->order, todo->everything ? NULL : todo->bitmap, todo->missing);
    r->active = r->options->threads;
    r->progress.total = todo->missing;
    r->start = r->last_report = msw_now();
    return 0;
}

int msw_run(const msw_plan *plan, msw_store *store, int64_t sweep_id, int64_t run_id,
            const msw_todo *todo, const msw_run_options *options, msw_run_result *result,
            msw_err *err)
{
    run r = {.plan = plan,
             .store = store,
             .sweep_id = sweep_id,
             .run_id = run_id,
             .options = options,
             .result = result};
    *result = (msw_run_result){0};
    int rc = run_open(&r, todo, err);
    if (rc == 0 && todo->missing) {
        if (msw_pool_run(options->threads, worker_main, keeper_main, &r))
            rc = msw_fail_kind(err, MSW_ERR_IO, "could not start %d threads", options->threads);
        result->seconds = msw_now() - r.start;
        result->work_seconds = r.work_seconds;
        result->stopped = result->evaluated < todo->missing;
    }
    if (rc == 0 && r.broken.kind) {
        if (err)
            *err = r.broken;
        rc = -1;
    }
    run_close(&r);
    return rc;
}
