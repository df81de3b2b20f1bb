/* SPDX-License-Identifier: MIT */
/* Rows gather in memory and go in by whole transactions, so that the file is locked only for
 * moments and a row is forgotten here only when it is safe there. */
#include "store/file/file.h"
#include "store/open.h"

#include <time.h>

static const double COMMIT_SECONDS = 1, PATIENCE_SECONDS = 10;
static const double PAUSE_FIRST = 0.02, PAUSE_LAST = 0.5;

enum {
    COMMIT_ROWS = 20000,
    ROWS_MAX = 200000 /* more do not wait for a reader: they go to the shard */
};

static size_t pending_rows(const msw_store *store)
{
    return store->pending ? store->pending->count : 0;
}

static void settle(msw_store *store)
{
    store->committed += pending_rows(store);
    msw_batch_clear(store->pending);
    store->pending_since = store->busy_since = store->retry_at = store->pause = 0;
}

static void wait_longer(msw_store *store, double now)
{
    if (!store->busy_since)
        store->busy_since = now;
    store->pause = store->pause ? 2 * store->pause : PAUSE_FIRST;
    if (store->pause > PAUSE_LAST)
        store->pause = PAUSE_LAST;
    store->retry_at = now + store->pause;
}

static bool is_out_of_patience(const msw_store *store, double now)
{
    return now - store->busy_since > PATIENCE_SECONDS || pending_rows(store) > ROWS_MAX;
}

static int write_elsewhere(msw_store *store, msw_err *err)
{
    if (!store->shard)
        msw_log_line(&store->log, MSW_LOG_WARN,
                     "%s is being read for a long time: rows go to a shard beside it and are "
                     "merged later",
                     store->path);
    if (msw_shard_write(store, err))
        return -1;
    settle(store);
    return 0;
}

/* The file is not where it was: all rows go to another, and the run ends. Returns -1. */
static int write_rescued(msw_store *store, msw_err *err)
{
    if (msw_store_rescue(store, err) ||
        msw_writer_open(store, store->plan, store->session.sweep, err) ||
        msw_write_batch(store, &store->session, store->plan, store->run, store->pending, err))
        return -1;
    settle(store);
    return msw_store_fail_moved(store, err);
}

/* Tries once. Returns 1 when the rows are safe, 0 when a reader is in the way, or -1. */
static int try_commit(msw_store *store, msw_err *err)
{
    double now = msw_store_now();
    store->rc = SQLITE_OK;
    if (msw_writer_open(store, store->plan, store->session.sweep, err))
        return -1;
    if (msw_write_batch(store, &store->session, store->plan, store->run, store->pending, err) ==
        0) {
        settle(store);
        return 1;
    }
    if (store->moved)
        return write_rescued(store, err);
    if (store->rc != SQLITE_BUSY)
        return -1;
    wait_longer(store, now);
    if (!is_out_of_patience(store, now))
        return 0;
    return write_elsewhere(store, err) ? -1 : 1;
}

int msw_store_tick(msw_store *store, msw_err *err)
{
    if (!pending_rows(store))
        return 0;
    double now = msw_store_now();
    bool due = pending_rows(store) >= COMMIT_ROWS || now - store->pending_since >= COMMIT_SECONDS;
    return due && now >= store->retry_at && try_commit(store, err) < 0 ? -1 : 0;
}

static void sleep_until(double when)
{
    double seconds = when - msw_store_now();
    if (seconds <= 0)
        return;
    struct timespec pause = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&pause, NULL);
}

int msw_store_commit(msw_store *store, msw_err *err)
{
    int done = 0;
    while (pending_rows(store) && done == 0) {
        done = try_commit(store, err);
        if (done == 0)
            sleep_until(store->retry_at);
    }
    return done < 0 ? -1 : 0;
}

uint64_t msw_store_committed(const msw_store *store)
{
    return store->committed;
}

/* Pending rows are of one plan and run. */
static int turn_to(msw_store *store, const msw_plan *plan, int64_t sweep, int64_t run, msw_err *err)
{
    bool same = store->plan == plan && store->run == run && store->session.sweep == sweep;
    if (same && store->pending)
        return 0;
    msw_merged_free(&store->merged);
    if (msw_store_commit(store, err) || msw_session_load(store, plan, sweep, err))
        return -1;
    msw_batch_free(store->pending);
    store->pending = msw_batch_new(0, plan->schema.count, msw_plan_metrics(plan));
    store->plan = plan;
    store->run = run;
    return store->pending ? 0 : msw_fail_memory(err);
}

int msw_store_write(msw_store *store, const msw_plan *plan, int64_t sweep_id, int64_t run_id,
                    msw_batch *batch, msw_err *err)
{
    if (turn_to(store, plan, sweep_id, run_id, err))
        return -1;
    if (!pending_rows(store))
        store->pending_since = msw_store_now();
    if (msw_batch_append(store->pending, batch, err))
        return -1;
    return msw_store_tick(store, err);
}
