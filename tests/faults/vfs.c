/* SPDX-License-Identifier: MIT */
/* A file system registered with SQLite: the usual one, but for calls that fail. Nothing is waited
 * for: a trial does not outlive its process, so syncing would only cost time. */
#include "inject.h"
#include "power.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef struct file {
    sqlite3_file head;
    sqlite3_file *real;
    int id;     /* of power.c */
    bool fresh; /* a journal whose folder has not been synchronised since it was made */
} file;

static sqlite3_vfs shims[2], *reals[2];
static const char *const NAMES[2] = {"unix", "unix-none"};
static int last_error;

static file *of(sqlite3_file *f)
{
    return (file *)f;
}

static int fail(fault_call call, int code)
{
    last_error = fault_errno(call);
    return code;
}

static int write_code(void)
{
    return fail(FAULT_WRITE, fault_kind_now() == FAULT_IO ? SQLITE_IOERR_WRITE : SQLITE_FULL);
}

/* ---- an open file ---- */

static int x_close(sqlite3_file *f)
{
    return of(f)->real->pMethods->xClose(of(f)->real);
}

static int x_read(sqlite3_file *f, void *bytes, int size, sqlite3_int64 at)
{
    if (fault_now(FAULT_READ))
        return fail(FAULT_READ, SQLITE_IOERR_READ);
    return of(f)->real->pMethods->xRead(of(f)->real, bytes, size, at);
}

static int x_write(sqlite3_file *f, const void *bytes, int size, sqlite3_int64 at)
{
    sqlite3_file *real = of(f)->real;
    if (fault_now(FAULT_WRITE)) {
        if (fault_kind_now() == FAULT_SHORT)
            real->pMethods->xWrite(real, bytes, size / 2, at);
        return write_code();
    }
    power_write(of(f)->id, bytes, (size_t)size, (uint64_t)at);
    return real->pMethods->xWrite(real, bytes, size, at);
}

static int x_truncate(sqlite3_file *f, sqlite3_int64 size)
{
    if (fault_now(FAULT_WRITE))
        return fail(FAULT_WRITE, SQLITE_IOERR_TRUNCATE);
    power_truncate(of(f)->id, (uint64_t)size);
    return of(f)->real->pMethods->xTruncate(of(f)->real, size);
}

/* The usual one synchronises the folder of a new journal with its first sync. */
static int x_sync(sqlite3_file *f, int flags)
{
    (void)flags;
    if (fault_now(FAULT_SYNC))
        return fail(FAULT_SYNC, SQLITE_IOERR_FSYNC);
    power_sync(of(f)->id, of(f)->fresh);
    of(f)->fresh = false;
    return SQLITE_OK;
}

static int x_size(sqlite3_file *f, sqlite3_int64 *size)
{
    if (fault_now(FAULT_READ))
        return fail(FAULT_READ, SQLITE_IOERR_FSTAT);
    return of(f)->real->pMethods->xFileSize(of(f)->real, size);
}

static int x_lock(sqlite3_file *f, int level)
{
    if (fault_now(FAULT_LOCK))
        return fail(FAULT_LOCK, SQLITE_IOERR_LOCK);
    return of(f)->real->pMethods->xLock(of(f)->real, level);
}

static int x_unlock(sqlite3_file *f, int level)
{
    return of(f)->real->pMethods->xUnlock(of(f)->real, level);
}

static int x_check(sqlite3_file *f, int *result)
{
    if (fault_now(FAULT_LOCK))
        return fail(FAULT_LOCK, SQLITE_IOERR_CHECKRESERVEDLOCK);
    return of(f)->real->pMethods->xCheckReservedLock(of(f)->real, result);
}

static int x_control(sqlite3_file *f, int what, void *arg)
{
    return of(f)->real->pMethods->xFileControl(of(f)->real, what, arg);
}

static int x_sector(sqlite3_file *f)
{
    return of(f)->real->pMethods->xSectorSize(of(f)->real);
}

/* What the usual one promises of "power-safe overwrite" is not taken for granted. */
static int x_traits(sqlite3_file *f)
{
    (void)f;
    return 0;
}

static const sqlite3_io_methods METHODS = {
    .iVersion = 1,
    .xClose = x_close,
    .xRead = x_read,
    .xWrite = x_write,
    .xTruncate = x_truncate,
    .xSync = x_sync,
    .xFileSize = x_size,
    .xLock = x_lock,
    .xUnlock = x_unlock,
    .xCheckReservedLock = x_check,
    .xFileControl = x_control,
    .xSectorSize = x_sector,
    .xDeviceCharacteristics = x_traits,
};

/* ---- the file system ---- */

static sqlite3_vfs *real_of(sqlite3_vfs *vfs)
{
    return vfs->pAppData;
}

static int x_open(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *f, int flags, int *given)
{
    sqlite3_vfs *real = real_of(vfs);
    int there = 0;
    f->pMethods = NULL;
    if (fault_now(FAULT_OPEN))
        return fail(FAULT_OPEN, SQLITE_CANTOPEN);
    if (path)
        real->xAccess(real, path, SQLITE_ACCESS_EXISTS, &there);
    of(f)->real = (sqlite3_file *)(of(f) + 1);
    int rc = real->xOpen(real, path, of(f)->real, flags, given);
    if (!of(f)->real->pMethods)
        return rc;
    f->pMethods = &METHODS;
    of(f)->id = path && rc == SQLITE_OK ? power_open(path) : -1;
    of(f)->fresh = path && !there && (flags & SQLITE_OPEN_MAIN_JOURNAL);
    return rc;
}

static int x_delete(sqlite3_vfs *vfs, const char *path, int sync)
{
    if (fault_now(FAULT_NAME))
        return fail(FAULT_NAME, SQLITE_IOERR_DELETE);
    int rc = real_of(vfs)->xDelete(real_of(vfs), path, 0);
    if (rc == SQLITE_OK)
        power_remove(path);
    if (rc == SQLITE_OK && sync && fault_now(FAULT_SYNC))
        return fail(FAULT_SYNC, SQLITE_IOERR_DIR_FSYNC);
    if (rc == SQLITE_OK && sync)
        power_sync_folder_of(path);
    return rc;
}

static int x_access(sqlite3_vfs *vfs, const char *path, int flags, int *result)
{
    if (fault_now(FAULT_READ))
        return fail(FAULT_READ, SQLITE_IOERR_ACCESS);
    return real_of(vfs)->xAccess(real_of(vfs), path, flags, result);
}

static int x_full_path(sqlite3_vfs *vfs, const char *path, int size, char *out)
{
    return real_of(vfs)->xFullPathname(real_of(vfs), path, size, out);
}

static int x_random(sqlite3_vfs *vfs, int size, char *out)
{
    (void)vfs;
    memset(out, 42, (size_t)size);
    return size;
}

static int x_sleep(sqlite3_vfs *vfs, int us)
{
    if (!fault_is_on())
        return real_of(vfs)->xSleep(real_of(vfs), us);
    fault_clock_sleep(1e-6 * us);
    return us;
}

static int x_now(sqlite3_vfs *vfs, sqlite3_int64 *ms)
{
    if (!fault_is_on())
        return real_of(vfs)->xCurrentTimeInt64(real_of(vfs), ms);
    /* Julian days in milliseconds; days alone, so that how many looks there were is not seen. */
    *ms = INT64_C(212566000000000);
    return SQLITE_OK;
}

static int x_last_error(sqlite3_vfs *vfs, int size, char *text)
{
    int real = real_of(vfs)->xGetLastError(real_of(vfs), size, text);
    return last_error ? last_error : real;
}

void fault_vfs_install(void)
{
    for (int i = 0; i < 2; i++) {
        reals[i] = sqlite3_vfs_find(NAMES[i]);
        shims[i] = (sqlite3_vfs){
            .iVersion = 2,
            .szOsFile = (int)sizeof(file) + reals[i]->szOsFile,
            .mxPathname = reals[i]->mxPathname,
            .zName = NAMES[i],
            .pAppData = reals[i],
            .xOpen = x_open,
            .xDelete = x_delete,
            .xAccess = x_access,
            .xFullPathname = x_full_path,
            .xDlOpen = reals[i]->xDlOpen,
            .xDlError = reals[i]->xDlError,
            .xDlSym = reals[i]->xDlSym,
            .xDlClose = reals[i]->xDlClose,
            .xRandomness = x_random,
            .xSleep = x_sleep,
            .xGetLastError = x_last_error,
            .xCurrentTimeInt64 = x_now,
        };
        sqlite3_vfs_register(&shims[i], i == 0);
    }
    if (sqlite3_vfs_find("unix-none") != &shims[1])
        abort();
}

/* ---- what is told to be safe ---- */

typedef int take_row(void *context, int columns, char **values, char **names);
int __real_sqlite3_exec(sqlite3 *db, const char *sql, take_row *take, void *context, char **error);
int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, take_row *take, void *context, char **error);

static int take_count(void *count, int columns, char **values, char **names)
{
    (void)columns, (void)names;
    *(uint64_t *)count = values[0] ? strtoull(values[0], NULL, 10) : 0;
    return 0;
}

/* Whoever has committed goes on in the belief that these rows are safe. */
int __wrap_sqlite3_exec(sqlite3 *db, const char *sql, take_row *take, void *context, char **error)
{
    uint64_t rows = 0;
    int rc = __real_sqlite3_exec(db, sql, take, context, error);
    if (rc == SQLITE_OK && power_is_on() && strcmp(sql, "COMMIT") == 0) {
        __real_sqlite3_exec(db, "SELECT count(*) FROM points_null", take_count, &rows, NULL);
        power_mark(POWER_COMMIT, rows);
    }
    return rc;
}
