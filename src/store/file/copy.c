/* SPDX-License-Identifier: MIT */
/* A copy of an open file, made through SQLite: a descriptor of our own on a file that SQLite has
 * open would, when closed, drop the locks SQLite holds on it. */
#include "store/file/file.h"
#include "store/state.h"

#include <string.h>
#include <time.h>

/* Copies, waiting for whoever holds the file. Returns SQLite's code. */
static int run_backup(sqlite3_backup *backup)
{
    const struct timespec pause = {0, 20000000};
    double end = msw_store_now() + MSW_BUSY_MS / 1000.0;
    int rc;
    while (((rc = sqlite3_backup_step(backup, -1)) == SQLITE_BUSY || rc == SQLITE_LOCKED) &&
           msw_store_now() < end)
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
