/* SPDX-License-Identifier: MIT */
/* A file that was moved, replaced or removed while it was being written. SQLite still has it open:
 * everything in it goes to a new file, and what is left to write goes there, too. */
#include "store/file/file.h"
#include "store/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
