/* Opening and closing: is it ours, is it whole, may we? */
#include "store/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

double msw_store_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Locks and journal lie beside one name: through another one they are not seen. */
static int check_names(const char *path, const struct stat *file, msw_err *err)
{
    if (file->st_nlink > 1)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: the file has %lu names (hard links), and whoever uses another "
                             "one sees neither lock nor journal of this one: copy it to a file of "
                             "its own, or remove the other names",
                             path, (unsigned long)file->st_nlink);
    char *real = msw_file_real(path, err);
    bool mounted = real && msw_file_is_mount(real);
    free(real);
    if (!real)
        return -1;
    return mounted ? msw_fail_kind(err, MSW_ERR_IO,
                                   "%s: the file itself is a mount point, so its lock and journal "
                                   "are not seen where it comes from: mount its folder instead",
                                   path)
                   : 0;
}

static int check_path(const char *path, msw_store_mode mode, msw_err *err)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return mode == MSW_STORE_WRITE && errno == ENOENT
                   ? 0
                   : msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: not a file", path);
    if (file.st_size == 0 && mode == MSW_STORE_READ)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: an empty file: no sweep was run into it", path);
    if (mode == MSW_STORE_WRITE && access(path, W_OK) != 0)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: %s: allow writing or name another file", path,
                             strerror(errno));
    return mode == MSW_STORE_WRITE ? check_names(path, &file, err) : 0;
}

int msw_store_check_path(const char *path, msw_err *err)
{
    return check_path(path, MSW_STORE_WRITE, err);
}

/* "ptw_cuont" in double quotes must be an error and not a string. */
static void forbid_double_quoted_strings(sqlite3 *db)
{
#ifdef SQLITE_DBCONFIG_DQS_DML
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
#else
    (void)db;
#endif
}

int msw_store_connect(msw_store *store, const char *file, int flags, msw_err *err)
{
    /* One thread at a time uses a store: a mutex around each value would cost a tenth. */
    const char *locks = store->unlocked ? "unix-none" : NULL;
    if (msw_open_path(file, flags | SQLITE_OPEN_NOMUTEX, locks, &store->db) != SQLITE_OK)
        return store->db ? msw_sql_fail(store, err) : msw_fail_memory(err);
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, MSW_BUSY_MS);
    forbid_double_quoted_strings(store->db);
    msw_harden(store->db);
    return msw_expr_register(store->db, err);
}

static int connect(msw_store *store, int flags, msw_err *err)
{
    return msw_store_connect(store, store->real, flags, err);
}

/* A killed writer leaves a journal that a read-only connection may not play back: a writing one
 * does so on its first look. */
static int recover(msw_store *store, msw_err *err)
{
    int64_t ignored;
    sqlite3_close(store->db);
    store->db = NULL;
    if (connect(store, SQLITE_OPEN_READWRITE, err) ||
        msw_sql_integer(store, "SELECT count(*) FROM sqlite_master", NULL, &ignored, err))
        return -1;
    sqlite3_close(store->db);
    store->db = NULL;
    return connect(store, SQLITE_OPEN_READONLY, err);
}

static int open_db(msw_store *store, msw_err *err)
{
    if (store->mode == MSW_STORE_WRITE)
        return connect(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    int64_t ignored;
    if (connect(store, SQLITE_OPEN_READONLY, err))
        return -1;
    if (msw_sql_integer(store, "SELECT count(*) FROM sqlite_master", NULL, &ignored, err) == 0)
        return 0;
    int rc = sqlite3_extended_errcode(store->db);
    return rc == SQLITE_READONLY_ROLLBACK && !store->source ? recover(store, err) : -1;
}

static int check_schema(msw_store *store, int64_t application, int64_t version, msw_err *err)
{
    if (application != MSW_APPLICATION_ID)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: a database of another program: name another file", store->path);
    if (version > MSW_SCHEMA_VERSION)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: written by a newer memsweep (schema %" PRId64
                             ", this one knows up to %d): use that memsweep",
                             store->path, version, MSW_SCHEMA_VERSION);
    if (version < MSW_SCHEMA_VERSION && store->mode == MSW_STORE_READ)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: written by an older memsweep (schema %" PRId64
                             "): 'memsweep run' or 'memsweep merge' bring it up to date",
                             store->path, version);
    bool old = version < MSW_SCHEMA_VERSION;
    if (msw_trust_check(store, "main", store->mode == MSW_STORE_WRITE, old, err))
        return -1;
    return old ? msw_migrate(store, version, err) : 0;
}

static int check_file(msw_store *store, msw_err *err)
{
    int64_t application = 0, version = 0, tables = 0;
    if (msw_sql_integer(store, "SELECT count(*) FROM sqlite_master", NULL, &tables, err) ||
        msw_sql_integer(store, "PRAGMA application_id", NULL, &application, err) ||
        msw_sql_integer(store, "PRAGMA user_version", NULL, &version, err))
        return -1;
    if (!application && !tables && store->mode == MSW_STORE_WRITE)
        return msw_schema_create(store, err);
    return check_schema(store, application, version, err);
}

static int set_up(msw_store *store, msw_err *err)
{
    if (open_db(store, err) ||
        msw_sql_exec(store, "PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY", err) ||
        check_file(store, err))
        return -1;
    if (store->mode == MSW_STORE_READ)
        return 0;
    /* Only now: a file of another program must stay as it is. */
    return msw_sql_exec(store, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL", err) ||
                   msw_file_look(store->real, &store->place, err)
               ? -1
               : 0;
}

static int open_as(msw_store *fresh, const char *path, msw_err *err)
{
    fresh->path = msw_strdup(path);
    fresh->real = fresh->path ? msw_file_real(path, err) : NULL;
    if (!fresh->path)
        return msw_fail_memory(err);
    return fresh->real ? set_up(fresh, err) : -1;
}

static int open_plain(const char *path, msw_store_mode mode, bool source, const msw_log *log,
                      msw_store **store, msw_err *err)
{
    if (check_path(path, mode, err) || msw_journal_check(path, err))
        return -1;
    msw_store *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return msw_fail_memory(err);
    fresh->mode = mode;
    fresh->source = source;
    fresh->log = log ? *log : (msw_log){MSW_LOG_QUIET};
    if (open_as(fresh, path, err)) {
        fresh->mode = MSW_STORE_READ; /* nothing to finish */
        msw_store_close(fresh, NULL);
        return -1;
    }
    *store = fresh;
    return 0;
}

int msw_store_open_source(const char *path, msw_store **store, msw_err *err)
{
    return open_plain(path, MSW_STORE_READ, true, NULL, store, err);
}

int msw_store_open_plain(const char *path, msw_store_mode mode, const msw_log *log,
                         msw_store **store, msw_err *err)
{
    return open_plain(path, mode, false, log, store, err);
}

int msw_store_open_unlocked(const char *path, msw_store **store, msw_err *err)
{
    msw_store *fresh = msw_journal_check(path, err) ? NULL : calloc(1, sizeof *fresh);
    if (!fresh)
        return err && err->kind ? -1 : msw_fail_memory(err);
    *fresh = (msw_store){.mode = MSW_STORE_READ, .unlocked = true, .log = {MSW_LOG_QUIET}};
    if (open_as(fresh, path, err)) {
        msw_store_close(fresh, NULL);
        return -1;
    }
    *store = fresh;
    return 0;
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
    return check_path(path, mode, err) || msw_file_lock_take(path, take_over, &lock, err) ||
                   msw_store_open_locked(path, lock, log, store, err)
               ? -1
               : 0;
}

/* A file that nothing more was written to may have gone, too. */
static int check_place(msw_store *store, msw_err *err)
{
    if (!msw_store_has_moved(store))
        return 0;
    return msw_store_rescue(store, err) ? -1 : msw_store_fail_moved(store, err);
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
    msw_writer_close(&store->writer);
    msw_session_free(&store->session);
    msw_merged_free(&store->merged);
    msw_batch_free(store->pending);
    msw_made_views_free(&store->views);
    free(store->complete);
    sqlite3_close(store->db);
    msw_file_lock_release(store->lock);
    free(store->path);
    free(store->real);
    free(store->rescued);
    free(store);
    return result;
}
