/* SPDX-License-Identifier: MIT */
/* Opens a file without lock or shard: is it ours, is it whole, may we? On a network file system? */
#include "store/file/file.h"
#include "store/state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Is a folder on a network file system? statfs is an extension of Linux. */

#define _GNU_SOURCE

#include "memsweep/store/store.h"

#include <sys/vfs.h>

typedef struct network {
    unsigned long type; /* as statfs reports it */
    const char *name;
} network;

static const network NETWORKS[] = {
    {0x6969, "NFS"},        {0x517B, "SMB"},      {0xFE534D42, "SMB"},    {0xFF534D42, "CIFS"},
    {0x0BD00BD0, "Lustre"}, {0x47504653, "GPFS"}, {0x19830326, "BeeGFS"}, {0xAAD7AAEA, "PanFS"},
    {0x00C36400, "Ceph"},   {0x01021997, "9P"},   {0x5346414F, "AFS"},    {0, NULL},
};

const char *msw_store_network_name(unsigned long type)
{
    const network *n = NETWORKS;
    while (n->name && n->type != (type & 0xFFFFFFFF))
        n++;
    return n->name;
}

const char *msw_store_network(const char *folder)
{
    struct statfs info;
    return statfs(folder, &info) == 0 ? msw_store_network_name((unsigned long)info.f_type) : NULL;
}

/* Lock and journal are next to one name of the file: who opens it by another name does not see
 * them. */
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
    if (version < 0)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: schema %" PRId64
                             " is not valid: the file is damaged, use an earlier copy",
                             store->path, version);
    if (version > MSW_SCHEMA_VERSION)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: written by a newer memsweep (schema %" PRId64
                             ", this one knows up to %d): use that memsweep",
                             store->path, version, MSW_SCHEMA_VERSION);
    if (version < MSW_SCHEMA_READABLE && store->mode == MSW_STORE_READ)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: written by an older memsweep (schema %" PRId64
                             "): 'memsweep run' or 'memsweep merge' bring it up to date",
                             store->path, version);
    bool old = version < MSW_SCHEMA_VERSION;
    if (msw_trust_check(store, "main", store->mode == MSW_STORE_WRITE, old, err))
        return -1;
    return old && store->mode == MSW_STORE_WRITE ? msw_migrate(store, version, err) : 0;
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
    MSW_TRY(msw_sql_exec(store, MSW_SAFE_WRITES, err));
    return msw_file_look(store->real, &store->opened, err);
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
        msw_store_close_plain(fresh);
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
        msw_store_close_plain(fresh);
        return -1;
    }
    *store = fresh;
    return 0;
}

void msw_store_close_plain(msw_store *store)
{
    if (!store)
        return;
    msw_writer_close(&store->writer);
    msw_session_free(&store->session);
    msw_merged_free(&store->merged);
    msw_batch_free(store->commits.batch);
    msw_made_views_free(&store->views);
    free(store->complete);
    msw_keyset_free(&store->warm);
    sqlite3_close(store->db);
    msw_file_lock_release(store->lock);
    free(store->path);
    free(store->real);
    free(store->rescued);
    free(store);
}
