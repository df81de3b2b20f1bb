/* A copy of an open file, made through SQLite: a descriptor of our own on a file that SQLite has
 * open would, when closed, drop the locks SQLite holds on it. */
#include "store/internal.h"

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

static int fail_copy(const msw_store *store, const char *to, sqlite3 *db, msw_err *err)
{
    int reason = db ? sqlite3_system_errno(db) : 0;
    return msw_fail_kind(err, MSW_ERR_IO, "copying %s to %s: %s%s%s", store->path, to,
                         db ? sqlite3_errmsg(db) : "out of memory", reason ? ": " : "",
                         reason ? strerror(reason) : "");
}

int msw_store_copy(msw_store *store, const char *to, msw_err *err)
{
    sqlite3 *db = NULL;
    /* Nobody else knows the file, so it needs neither locks nor a journal. */
    int rc = sqlite3_open_v2(to, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none");
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL,
                          NULL);
    sqlite3_backup *backup =
        rc == SQLITE_OK ? sqlite3_backup_init(db, "main", store->db, "main") : NULL;
    int stepped = backup ? run_backup(backup) : SQLITE_ERROR;
    if (backup)
        rc = sqlite3_backup_finish(backup);
    int result = rc == SQLITE_OK && stepped == SQLITE_DONE ? 0 : fail_copy(store, to, db, err);
    sqlite3_close(db);
    return result ? -1 : msw_file_sync(to, err);
}
