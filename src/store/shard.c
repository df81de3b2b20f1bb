/* SPDX-License-Identifier: MIT */
/* Where rows go while a reader keeps the file from being committed to: a store of its own beside
 * it, merged when the file is free again. */
#include "store/file/file.h"
#include "store/merge/merge.h"
#include "store/open.h"
#include "store/sum/sum.h"

#include <stdlib.h>

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
        sqlite3_bind_int64(from, 1, store->run);
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
        shard->run = sqlite3_last_insert_rowid(shard->db);
        if (got == 0)
            got = msw_sum_seal(shard, "msw_run", shard->run, err);
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
    if (store->shard->plan == store->plan)
        return 0;
    if (msw_store_add_sweep(store->shard, store->plan, &sweep, err) ||
        copy_run(store, sweep, err) || msw_writer_open(store->shard, store->plan, sweep, err))
        return -1;
    store->shard->plan = store->plan;
    return 0;
}

int msw_shard_write(msw_store *store, msw_err *err)
{
    MSW_TRY(prepare_shard(store, err));
    MSW_TRY(msw_write_batch(store->shard, &store->session, store->plan, store->shard->run,
                            store->pending, err));
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
