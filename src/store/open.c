/* SPDX-License-Identifier: MIT */
/* Opens and closes a file with its lock and its shard, and merges on behalf of a caller: what is
 * pending comes first. */
#include "store/state.h"

#include "store/file/file.h"
#include "store/merge/merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int msw_store_merge(msw_store *store, const char *path, msw_merge_rule rule, uint64_t *rows,
                    msw_err *err)
{
    *rows = 0;
    MSW_TRY(msw_store_commit(store, err));
    return msw_merge_file(store, path, rule, false, rows, err);
}

int msw_store_merge_sweep(msw_store *store, const char *path, msw_digest plan, uint64_t *rows,
                          msw_err *err)
{
    char digest[MSW_DIGEST_TEXT];
    msw_merge merge = {.store = store, .path = path, .only = msw_digest_text(plan, digest)};
    *rows = 0;
    MSW_TRY(msw_store_commit(store, err));
    return msw_merge_asked(&merge, false, rows, err);
}

/* A link may have come to lead elsewhere since the lock was taken. */
static int check_lock(const msw_store *store, msw_err *err)
{
    return msw_file_lock_guards(store->lock, store->real)
               ? 0
               : msw_fail_kind(err, MSW_ERR_IO,
                               "%s: the name came to mean another file while it was opened: try "
                               "again",
                               store->path);
}

int msw_store_open_locked(const char *path, msw_file_lock *lock, const msw_log *log,
                          msw_store **store, msw_err *err)
{
    if (msw_store_open_plain(path, MSW_STORE_WRITE, log, store, err)) {
        msw_file_lock_release(lock);
        return -1;
    }
    (*store)->lock = lock;
    if (check_lock(*store, err) == 0 && msw_shard_merge(*store, err) == 0)
        return 0;
    msw_store_close(*store, NULL);
    *store = NULL;
    return -1;
}

int msw_store_open(const char *path, msw_store_mode mode, bool take_over, const msw_log *log,
                   msw_store **store, msw_err *err)
{
    msw_file_lock *lock = NULL;
    if (mode == MSW_STORE_READ)
        return msw_store_open_plain(path, mode, log, store, err);
    MSW_TRY(msw_store_check_path(path, err));
    MSW_TRY(msw_file_lock_take(path, take_over, &lock, err));
    return msw_store_open_locked(path, lock, log, store, err);
}

/* A file that nothing more was written to may have gone, too. */
static int check_place(msw_store *store, msw_err *err)
{
    if (!msw_store_has_moved(store))
        return 0;
    MSW_TRY(msw_store_rescue(store, err));
    return msw_store_fail_moved(store, err);
}

static int finish(msw_store *store, msw_err *err)
{
    int result = msw_store_commit(store, err);
    if (check_place(store, result ? NULL : err))
        result = -1;
    bool had_shard = store->shard != NULL;
    if (store->shard)
        msw_store_close(store->shard, NULL);
    store->shard = NULL;
    return had_shard && msw_shard_merge(store, result ? NULL : err) ? -1 : result;
}

int msw_store_close(msw_store *store, msw_err *err)
{
    if (!store)
        return 0;
    int result = store->db && store->mode == MSW_STORE_WRITE ? finish(store, err) : 0;
    msw_store_close_plain(store);
    return result;
}
