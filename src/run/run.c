/* SPDX-License-Identifier: MIT */
/* Workers compute batches of rows; the main thread writes them or sends them, reports and watches.
 */
#include "memsweep/base/clock.h"
#include "run/coordinator.h"

#include <math.h>
#include <stdio.h>

/* Between looks: at what other ranks sent, which does not wake anybody; and at the rest. */
#define MAIL_SECONDS 0.0005
#define LOOK_SECONDS 0.02

/* The rate is over a window: a ring of marks, of which the oldest is replaced by the present. */
static void report(msw_coordinator *k, bool last)
{
    const msw_run_options *o = k->pool->options;
    double now = msw_now();
    if (!o->progress || o->progress_seconds <= 0 ||
        (!last && now - k->last_progress < o->progress_seconds))
        return;
    msw_progress *p = &k->progress;
    size_t oldest = (k->mark + 1) % (sizeof k->marks / sizeof *k->marks);
    p->done = k->result->evaluated;
    p->failed = k->result->failed;
    p->timeout = k->result->timeout;
    p->committed = k->store ? msw_coordinator_committed(k) : 0;
    p->parts = 0;
    for (int h = 0; h < o->threads; h++)
        p->parts += atomic_load(&k->pool->hands[h].done) / 1000.0;
    p->seconds = now - k->start;
    double span = p->seconds - k->marks[oldest].seconds;
    p->rate = span > 0 ? (double)(p->done - k->marks[oldest].done) / span : 0;
    p->eta_seconds = p->rate > 0 ? (double)(p->total - p->done) / p->rate : NAN;
    k->mark = oldest;
    k->marks[oldest].seconds = p->seconds;
    k->marks[oldest].done = p->done;
    k->last_progress = now;
    o->progress(o->progress_context, p);
}

/* Nothing to write just now: rows that have waited long enough are committed. */
static void rest(msw_coordinator *k)
{
    msw_err err;
    msw_err_clear(&err);
    msw_worker_pool_wait(k->pool, k->peers ? MAIL_SECONDS : LOOK_SECONDS);
    if (k->store && !msw_worker_pool_is_broken(k->pool) &&
        (k->pool->options->scan ? msw_coordinator_store_leaves(k, false, &err)
                                : msw_store_tick(k->store, &err)))
        msw_worker_pool_fail(k->pool, &err);
}

/* Whoever asked to stop may not wait for the points in hand: what is done is made safe at once, and
 * the record says why, in case there is no time for more. */
static void note_stop(msw_coordinator *k)
{
    char reason[MSW_ERR_TEXT_BYTES + 16] = "interrupted";
    if (k->recorded || !k->store || !msw_worker_pool_stopping(k->pool))
        return;
    k->recorded = true;
    if (k->pool->options->scan)
        msw_coordinator_store_leaves(k, true, NULL);
    msw_lock_take(k->pool->lock);
    if (k->pool->broken.kind)
        snprintf(reason, sizeof reason, "failed: %s", k->pool->broken.text);
    msw_lock_give(k->pool->lock);
    msw_store_end_run(k->store, k->run_id, reason, NULL);
}

/* For work in a scratch folder: what is committed there is copied to where it belongs. */
static void checkpoint(msw_coordinator *k)
{
    msw_err err;
    const msw_run_options *o = k->pool->options;
    if (o->checkpoint_seconds <= 0 || msw_now() - k->last_checkpoint < o->checkpoint_seconds)
        return;
    msw_err_clear(&err);
    if (msw_store_commit(k->store, &err) || o->checkpoint(o->checkpoint_context, &err))
        msw_worker_pool_fail(k->pool, &err);
    k->last_checkpoint = msw_now();
}

/* Rank 0's thread 0: it alone writes to the store and talks to MPI. A turn does one batch and a
 * limited number of messages, so neither side waits long for the other. */
static void msw_coordinator_main(void *context)
{
    msw_coordinator *k = context;
    bool finished = false;
    while (!finished) {
        msw_batch *batch = msw_worker_pool_collect(k->pool, &finished);
        if (batch) {
            msw_coordinator_take(k, batch);
            msw_worker_pool_recycle(k->pool, batch);
        }
        bool served = msw_archive_serve(&k->archive);
        served = (k->peers && msw_peers_serve(k->peers)) || served;
        finished = finished && (!k->peers || msw_peers_finished(k->peers));
        note_stop(k);
        checkpoint(k);
        if (!batch && !served && !finished)
            rest(k);
        report(k, false);
    }
    msw_archive_serve(&k->archive); /* what a build saved before it ended */
    msw_coordinator_let_go(k);
    msw_err err = {0};
    if (k->store && !msw_worker_pool_is_broken(k->pool) &&
        (k->pool->options->scan ? msw_coordinator_store_leaves(k, true, &err)
                                : msw_store_commit(k->store, &err)))
        msw_worker_pool_fail(k->pool, &err);
    if (k->peers)
        msw_peers_release(k->peers);
    report(k, true);
}

static void finish(msw_coordinator *k, const msw_todo *todo)
{
    k->result->seconds = msw_now() - k->start;
    k->result->stopped = k->pool->options->only_builds ? msw_worker_pool_stopping(k->pool)
                                                       : k->result->evaluated < todo->missing;
}

static int run_first(msw_worker_pool *pool, msw_coordinator *k, const msw_ranks *ranks,
                     const msw_todo *todo, msw_err *err)
{
    int rc = 0;
    k->pool = pool;
    k->archive = (msw_archive){.owners = {.ranks = ranks ? ranks->size : 1},
                               .requests = pool->requests,
                               .store = k->store,
                               .other = pool->options->artifacts,
                               .log = pool->options->log,
                               .result = k->result};
    k->committed_before = k->store ? msw_store_committed(k->store) : 0;
    k->progress.total = todo->missing;
    k->progress.before = todo->answered + todo->reused;
    k->start = k->last_progress = k->last_checkpoint = msw_now();
    if (ranks && ranks->size > 1)
        rc = msw_peers_open(&k->peers, ranks, k, err);
    if (rc == 0)
        rc = msw_worker_pool_work(pool, msw_coordinator_main, k, err);
    finish(k, todo);
    msw_archive_close(&k->archive);
    msw_peers_close(k->peers);
    return rc;
}

int msw_run(const msw_plan *plan, msw_store *store, int64_t sweep_id, int64_t run_id,
            const msw_todo *todo, const msw_run_options *options, msw_run_result *result,
            msw_err *err)
{
    const msw_ranks *ranks = options->ranks;
    bool first = !ranks || ranks->rank == 0;
    msw_worker_pool pool = {.options = options, .keys = store != NULL || options->keys};
    msw_coordinator coordinator = {
        .store = store, .sweep_id = sweep_id, .run_id = run_id, .result = result};
    *result = (msw_run_result){0};
    if (!todo->missing)
        return 0;
    int rc = msw_worker_pool_open(&pool, plan, todo, !first, err);
    if (rc == 0)
        rc = first ? run_first(&pool, &coordinator, ranks, todo, err)
                   : msw_remote_run(&pool, ranks, result, err);
    /* An error that breaks the pool is sent to the other ranks; one that kept it from starting is
     * not. */
    if (rc && ranks && ranks->size > 1 && !pool.broken.kind)
        result->lost = true;
    msw_worker_pool_close(&pool);
    return rc;
}

void msw_run_result_add(msw_run_result *all, const msw_run_result *r)
{
    all->evaluated += r->evaluated;
    all->ok += r->ok;
    all->doubtful += r->doubtful;
    all->unknown += r->unknown;
    all->stratum = r->unknown ? r->stratum : all->stratum;
    all->infeasible += r->infeasible;
    all->failed += r->failed;
    all->timeout += r->timeout;
    all->stopped = all->stopped || r->stopped;
    all->lost = all->lost || r->lost;
    all->seconds += r->seconds;
    all->work_seconds += r->work_seconds;
    all->built += r->built;
    all->found += r->found;
    all->build_seconds += r->build_seconds;
    for (int i = 0; i < r->failure_count && all->failure_count < MSW_FAILURES_SHOWN; i++)
        all->failures[all->failure_count++] = r->failures[i];
}
