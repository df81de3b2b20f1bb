/* SPDX-License-Identifier: MIT */
/* Copies an open file, through SQLite: a descriptor of our own on a file that SQLite has open
 * would, when closed, drop the locks SQLite holds on it. A file that was moved, replaced or
 * removed while it was being written is rescued: everything in it goes to a new file, and what is
 * left to write goes there, too. */
#include "memsweep/base/clock.h"
#include "store/file/file.h"

#include "store/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Copies, waiting for whoever holds the file. Returns SQLite's code. */
static int run_backup(sqlite3_backup *backup)
{
    const struct timespec pause = {0, 20000000};
    double end = msw_now() + MSW_BUSY_MS / 1000.0;
    int rc;
    while (((rc = sqlite3_backup_step(backup, -1)) == SQLITE_BUSY || rc == SQLITE_LOCKED) &&
           msw_now() < end)
        nanosleep(&pause, NULL);
    return rc;
}

static int fail_copy(const msw_store *store, const msw_store *to, msw_err *err)
{
    int reason = sqlite3_system_errno(to->db);
    return msw_fail_kind(err, MSW_ERR_IO, "copying %s to %s: %s%s%s", store->path, to->path,
                         sqlite3_errmsg(to->db), reason ? ": " : "",
                         reason ? strerror(reason) : "");
}

/* No journal and no syncs while copying: a copy that is cut short is thrown away, and a whole one
 * is synced at the end. */
static int back_up(msw_store *store, msw_store *to, msw_err *err)
{
    if (msw_sql_exec(to, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", err))
        return -1;
    sqlite3_backup *backup = sqlite3_backup_init(to->db, "main", store->db, "main");
    int stepped = backup ? run_backup(backup) : SQLITE_ERROR;
    int rc = backup ? sqlite3_backup_finish(backup) : SQLITE_ERROR;
    return rc == SQLITE_OK && stepped == SQLITE_DONE ? 0 : fail_copy(store, to, err);
}

int msw_store_copy(msw_store *store, const char *path, msw_err *err)
{
    /* Nobody else knows the file, so it needs neither locks nor a journal. */
    msw_store to = {.path = (char *)path, .unlocked = true};
    int rc = msw_store_connect(&to, path, SQLITE_OPEN_READWRITE, err) || back_up(store, &to, err);
    sqlite3_close(to.db);
    return rc ? -1 : msw_file_sync(path, err);
}

bool msw_store_has_moved(const msw_store *store)
{
    if (store->rescued || store->opened.kind == MSW_FILE_NONE)
        return false;
    /* A link that leads to the file counts as the file. */
    struct stat now;
    if (stat(store->real, &now) != 0)
        return errno == ENOENT || errno == ENOTDIR;
    return !S_ISREG(now.st_mode) || (uint64_t)now.st_dev != store->opened.device ||
           (uint64_t)now.st_ino != store->opened.inode;
}

/* The folder may have gone with the file. */
static int make_place(const msw_store *store, char **name, msw_err *err)
{
    msw_file_info info;
    if (msw_file_create_beside(store->real, "rescued", name, &info, err) == 0)
        return 0;
    const char *temporary = getenv("TMPDIR");
    char *path = msw_strfmt("%s/%s", temporary && *temporary ? temporary : "/tmp",
                            msw_file_name(store->real));
    int rc =
        path ? msw_file_create_beside(path, "rescued", name, &info, err) : msw_fail_memory(err);
    free(path);
    return rc;
}

/* Statements belong to a connection; what they wrote is in the copy. */
static int move_there(msw_store *store, const char *name, msw_err *err)
{
    if (msw_store_copy(store, name, err))
        return -1;
    msw_writer_close(&store->writer);
    sqlite3_close(store->db);
    store->db = NULL;
    MSW_TRY(msw_store_connect(store, name, SQLITE_OPEN_READWRITE, err));
    MSW_TRY(msw_sql_exec(
        store, "PRAGMA cache_size = -32768; PRAGMA temp_store = MEMORY; " MSW_SAFE_WRITES, err));
    return 0;
}

int msw_store_rescue(msw_store *store, msw_err *err)
{
    char *name = NULL;
    if (make_place(store, &name, err) || move_there(store, name, err)) {
        free(name);
        return msw_fail_prefix(
            err,
            "%s: was moved or replaced during the run, and its rows could not be "
            "copied to another file: ",
            store->path);
    }
    store->rescued = name;
    store->moved = false;
    return 0;
}

int msw_store_fail_moved(const msw_store *store, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: was moved or replaced during the run: all its rows are in %s: "
                         "'memsweep merge DATABASE %s' adds them to a database",
                         store->path, store->rescued, store->rescued);
}
