/* SPDX-License-Identifier: MIT */
/* Writes rows: they gather in memory and go in by whole transactions, so that the file is locked
 * only for moments and a row is forgotten here only when it is safe there. While a reader keeps
 * the file from being committed to, rows go to a shard, a store of its own beside the file,
 * merged when the file is free again. */
#include "memsweep/base/clock.h"
#include "store/file/file.h"

#include "store/merge/merge.h"
#include "store/state.h"
#include "store/sum/sum.h"

#include <stdlib.h>
#include <time.h>

static char *shard_path(const msw_store *store)
{
    return msw_strfmt("%s.shard", store->real);
}

static int refuse_foreign(const char *path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: a file that memsweep did not make lies where rows wait while the "
                         "database is being read: move it away",
                         path);
}

/* A shard of an earlier run is used again; a file of another program by that name is never written
 * to. */
static int open_shard(msw_store *store, msw_err *err)
{
    msw_leftover what;
    msw_file_info seen;
    char *path = shard_path(store);
    int result = path ? msw_leftover_find(path, &what, &seen, err) : msw_fail_memory(err);
    if (result == 0)
        result = what == MSW_LEFT_FOREIGN
                     ? refuse_foreign(path, err)
                     : msw_store_open_plain(path, MSW_STORE_WRITE, &store->log, &store->shard, err);
    free(path);
    return result;
}

/* Copies the record of the run, so that merging finds it to be the same one. */
static int copy_run(msw_store *store, int64_t sweep, msw_err *err)
{
    msw_store *shard = store->shard;
    sqlite3_stmt *from = NULL, *to = NULL;
    int got = msw_sql_prepare(store,
                              "SELECT started, host, pid, command_line, version, build, ranks, "
                              "threads, revision FROM msw_run WHERE id = ?1",
                              &from, err);
    if (got == 0)
        got = msw_sql_prepare(shard,
                              "INSERT INTO msw_run(started, host, pid, command_line, version, "
                              "build, ranks, threads, revision, sweep) VALUES(?1, ?2, ?3, ?4, "
                              "?5, ?6, ?7, ?8, ?9, ?10)",
                              &to, err);
    if (got == 0) {
        sqlite3_bind_int64(from, 1, store->commits.run);
        got = msw_sql_step(store, from, err);
    }
    int copied = SQLITE_OK;
    for (int i = 0; got > 0 && copied == SQLITE_OK && i < 9; i++)
        copied = sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
    if (copied != SQLITE_OK) {
        got = msw_sql_fail(shard, err);
    } else if (got > 0) {
        sqlite3_bind_int64(to, 10, sweep);
        got = msw_sql_run(shard, to, err);
        shard->commits.run = sqlite3_last_insert_rowid(shard->db);
        if (got == 0)
            got = msw_sum_seal(shard, "msw_run", shard->commits.run, err);
    }
    sqlite3_finalize(from);
    sqlite3_finalize(to);
    return got;
}

static int prepare_shard(msw_store *store, msw_err *err)
{
    int64_t sweep;
    if (!store->shard && open_shard(store, err))
        return -1;
    if (store->shard->commits.plan == store->commits.plan)
        return 0;
    if (msw_store_add_sweep(store->shard, store->commits.plan, &sweep, err) ||
        copy_run(store, sweep, err) ||
        msw_writer_open(store->shard, store->commits.plan, sweep, err))
        return -1;
    store->shard->commits.plan = store->commits.plan;
    return 0;
}

/* Writes the pending rows into <path>.shard, made when needed. */
static int msw_shard_write(msw_store *store, msw_err *err)
{
    MSW_TRY(prepare_shard(store, err));
    MSW_TRY(msw_write_batch(store->shard, &store->session, store->commits.plan,
                            store->shard->commits.run, store->commits.batch, err));
    return 0;
}

/* Nothing is lost: the next writer merges. Returns 0. */
static int wait_with_merging(const msw_store *store, const char *path)
{
    msw_log_line(&store->log, MSW_LOG_WARN,
                 "%s is being read: the rows in %s are merged when it is next opened for writing",
                 store->path, path);
    return 0;
}

static int merge_rows(msw_store *store, const char *path, const msw_file_info *seen, msw_err *err)
{
    uint64_t rows = 0;
    store->rc = SQLITE_OK;
    if (msw_merge_file(store, path, MSW_MERGE_KEEP, true, &rows, err))
        return store->rc == SQLITE_BUSY ? wait_with_merging(store, path) : -1;
    if (!msw_leftover_remove(path, seen))
        msw_log_line(&store->log, MSW_LOG_WARN,
                     "%s: its rows are merged, but it cannot be removed: remove it", path);
    return 0;
}

static int merge_leftover(msw_store *store, const char *path, msw_err *err)
{
    msw_leftover what;
    msw_file_info seen;
    if (msw_leftover_find(path, &what, &seen, err))
        return -1;
    switch (what) {
    case MSW_LEFT_EMPTY:
        msw_leftover_remove(path, &seen);
        return 0;
    case MSW_LEFT_DATABASE:
        return merge_rows(store, path, &seen, err);
    case MSW_LEFT_FOREIGN:
        return refuse_foreign(path, err);
    default:
        return 0;
    }
}

int msw_shard_merge(msw_store *store, msw_err *err)
{
    char *path = shard_path(store);
    int result = path ? merge_leftover(store, path, err) : msw_fail_memory(err);
    free(path);
    return result;
}

static const double COMMIT_SECONDS = 1, PATIENCE_SECONDS = 10;
static const double PAUSE_FIRST = 0.02, PAUSE_LAST = 0.5;

enum {
    COMMIT_ROWS = 20000,
    ROWS_MAX = 200000 /* more do not wait for a reader: they go to the shard */
};

static size_t pending_rows(const msw_store *store)
{
    return store->commits.batch ? store->commits.batch->count : 0;
}

static void settle(msw_store *store)
{
    store->commits.rows += pending_rows(store);
    msw_batch_clear(store->commits.batch);
    store->commits.since = store->commits.busy_since = store->commits.retry_at =
        store->commits.pause = 0;
}

static void wait_longer(msw_store *store, double now)
{
    if (!store->commits.busy_since)
        store->commits.busy_since = now;
    store->commits.pause = store->commits.pause ? 2 * store->commits.pause : PAUSE_FIRST;
    if (store->commits.pause > PAUSE_LAST)
        store->commits.pause = PAUSE_LAST;
    store->commits.retry_at = now + store->commits.pause;
}

static bool is_out_of_patience(const msw_store *store, double now)
{
    return now - store->commits.busy_since > PATIENCE_SECONDS || pending_rows(store) > ROWS_MAX;
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
        msw_writer_open(store, store->commits.plan, store->session.sweep, err) ||
        msw_write_batch(store, &store->session, store->commits.plan, store->commits.run,
                        store->commits.batch, err))
        return -1;
    settle(store);
    return msw_store_fail_moved(store, err);
}

/* Tries once. Returns 1 when the rows are safe, 0 when a reader is in the way, or -1. */
static int try_commit(msw_store *store, msw_err *err)
{
    double now = msw_now();
    store->rc = SQLITE_OK;
    if (msw_writer_open(store, store->commits.plan, store->session.sweep, err))
        return -1;
    if (msw_write_batch(store, &store->session, store->commits.plan, store->commits.run,
                        store->commits.batch, err) == 0) {
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
    double now = msw_now();
    bool due = pending_rows(store) >= COMMIT_ROWS || now - store->commits.since >= COMMIT_SECONDS;
    if (due && now >= store->commits.retry_at && try_commit(store, err) < 0)
        return -1;
    return 0;
}

static void sleep_until(double when)
{
    double seconds = when - msw_now();
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
            sleep_until(store->commits.retry_at);
    }
    return done < 0 ? -1 : 0;
}

uint64_t msw_store_committed(const msw_store *store)
{
    return store->commits.rows;
}

/* Pending rows are of one plan and run. */
static int turn_to(msw_store *store, const msw_plan *plan, int64_t sweep, int64_t run, msw_err *err)
{
    bool same =
        store->commits.plan == plan && store->commits.run == run && store->session.sweep == sweep;
    if (same && store->commits.batch)
        return 0;
    msw_merged_free(&store->merged);
    if (msw_store_commit(store, err) || msw_session_load(store, plan, sweep, err))
        return -1;
    msw_batch_free(store->commits.batch);
    store->commits.batch = msw_batch_new(0, plan->schema.count, msw_plan_metrics(plan));
    store->commits.plan = plan;
    store->commits.run = run;
    return store->commits.batch ? 0 : msw_fail_memory(err);
}

int msw_store_write(msw_store *store, const msw_plan *plan, int64_t sweep_id, int64_t run_id,
                    msw_batch *batch, msw_err *err)
{
    if (turn_to(store, plan, sweep_id, run_id, err))
        return -1;
    if (!pending_rows(store))
        store->commits.since = msw_now();
    if (msw_batch_append(store->commits.batch, batch, err))
        return -1;
    return msw_store_tick(store, err);
}
