/* SPDX-License-Identifier: MIT */
/* A file to be merged stays as it is: it is opened for reading only. Where reading would need more
 * than that (a killed writer's journal, a write-ahead log) a copy in a private folder is read. */
#include "store/merge/merge.h"

#include "memsweep/base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_file(const char *path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
}

static int fail_busy(const char *path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: another program writes to it: merge again when it has finished",
                         path);
}

/* ---- what kind of file it is ---- */

/* Bytes 18 and 19 of a database say 2 when it has a write-ahead log. */
static bool has_log(const char *path)
{
    unsigned char versions[2];
    return msw_read_at(path, 18, SEEK_SET, versions, 2) && (versions[0] == 2 || versions[1] == 2);
}

/* Whether a killed writer left a journal that has to be played back before the file can be read. */
static bool is_hot(const char *path)
{
    sqlite3 *db = NULL;
    bool hot =
        msw_open_path(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL, &db) == SQLITE_OK;
    if (hot) {
        sqlite3_busy_timeout(db, MSW_BUSY_MS);
        sqlite3_exec(db, "PRAGMA schema_version", NULL, NULL, NULL);
        hot = sqlite3_extended_errcode(db) == SQLITE_READONLY_ROLLBACK;
    }
    sqlite3_close(db);
    return hot;
}

/* ---- copying ---- */

static int copy_bytes(int from, int to, const char *path, msw_err *err)
{
    char *block = malloc(1 << 20);
    ssize_t got = block ? 1 : 0;
    int rc = block ? 0 : msw_fail_memory(err);
    while (rc == 0 && (got = msw_disk_read(from, block, 1 << 20)) > 0)
        if (msw_disk_write(to, block, (size_t)got))
            rc = msw_fail_kind(err, MSW_ERR_IO,
                               "copying %s to the folder for temporary files: %s: TMPDIR names "
                               "another one",
                               path, strerror(errno));
    free(block);
    return rc ? rc : got < 0 ? fail_file(path, err) : 0;
}

static int copy_file(const char *path, const char *copy, msw_err *err)
{
    int from = msw_disk_open(path, O_RDONLY, 0);
    if (from < 0)
        return fail_file(path, err);
    int to = msw_disk_open(copy, O_WRONLY | O_CREAT | O_EXCL, 0600);
    int rc = to < 0 ? fail_file(copy, err) : copy_bytes(from, to, path, err);
    close(from);
    if (to >= 0)
        close(to);
    return rc;
}

static bool same_state(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* The endings of what belongs to a database, itself first. */
static const char *const PARTS[] = {"", "-journal", "-wal"};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

/* Size and time of each part; what is not there has inode 0. */
static int look(const char *path, struct stat states[PART_COUNT], msw_err *err)
{
    for (int i = 0; i < PART_COUNT; i++) {
        char *part = msw_strfmt("%s%s", path, PARTS[i]);
        if (!part)
            return msw_fail_memory(err);
        if (stat(part, &states[i]) != 0)
            states[i] = (struct stat){0};
        free(part);
    }
    return 0;
}

static int copy_parts(const char *path, const char *copy, msw_err *err)
{
    struct stat before[PART_COUNT], after[PART_COUNT];
    int rc = look(path, before, err);
    for (int i = 0; i < PART_COUNT && rc == 0; i++) {
        char *from = msw_strfmt("%s%s", path, PARTS[i]), *to = msw_strfmt("%s%s", copy, PARTS[i]);
        if (!from || !to)
            rc = msw_fail_memory(err);
        else if (before[i].st_ino)
            rc = copy_file(from, to, err);
        free(from);
        free(to);
    }
    if (rc == 0)
        rc = look(path, after, err);
    for (int i = 0; i < PART_COUNT && rc == 0; i++)
        if (!same_state(&before[i], &after[i]))
            rc = fail_busy(path, err);
    return rc;
}

/* Plays the journal or the log of the copy back. */
static int settle(const char *copy, const char *path, msw_err *err)
{
    sqlite3 *db = NULL;
    int rc = msw_open_path(copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL, &db);
    if (rc == SQLITE_OK) {
        msw_harden(db);
        rc = sqlite3_exec(db, "PRAGMA journal_mode = DELETE; SELECT count(*) FROM sqlite_master",
                          NULL, NULL, NULL);
    }
    if (rc != SQLITE_OK)
        msw_fail_kind(err, MSW_ERR_IO, "%s: what its writer left behind cannot be played back: %s",
                      path, sqlite3_errmsg(db));
    sqlite3_close(db);
    return rc == SQLITE_OK ? 0 : -1;
}

static int copy_source(msw_merge_source *source, const char *path, msw_err *err)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = msw_strfmt("%s/memsweep-merge-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!folder)
        return msw_fail_memory(err);
    if (msw_disk_make_own_folder(folder)) {
        int rc = fail_file(folder, err);
        free(folder);
        return rc;
    }
    source->folder = folder;
    source->read = msw_strfmt("%s/source.db", folder);
    if (!source->read)
        return msw_fail_memory(err);
    MSW_TRY(copy_parts(path, source->read, err));
    MSW_TRY(settle(source->read, path, err));
    return 0;
}

/* ---- opening ---- */

static int check_file(const char *path, const char *into, msw_err *err)
{
    struct stat from, to;
    if (stat(path, &from) != 0)
        return fail_file(path, err);
    if (!S_ISREG(from.st_mode))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: not a file", path);
    if (stat(into, &to) == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino)
        return msw_fail(err, "%s is the file that is merged into: name another one", path);
    return 0;
}

/* Takes `real` over. */
static int choose(msw_merge_source *source, char *real, bool own, msw_err *err)
{
    if (own || (!has_log(real) && !is_hot(real))) {
        source->read = real;
        return 0;
    }
    int rc = copy_source(source, real, err);
    free(real);
    return rc;
}

int msw_merge_source_open(msw_merge_source *source, const char *path, const char *into, bool own,
                          msw_err *err)
{
    *source = (msw_merge_source){.path = path};
    if (check_file(path, into, err) || msw_journal_check(path, err))
        return -1;
    char *real = msw_file_real(path, err);
    if (!real)
        return -1;
    if (choose(source, real, own, err) == 0)
        return 0;
    msw_merge_source_close(source);
    return -1;
}

void msw_merge_source_close(msw_merge_source *source)
{
    for (int i = 0; source->folder && source->read && i < PART_COUNT; i++) {
        char *part = msw_strfmt("%s%s", source->read, PARTS[i]);
        if (part)
            msw_disk_remove(part);
        free(part);
    }
    if (source->folder)
        msw_disk_remove_folder(source->folder);
    free(source->folder);
    free(source->read);
    *source = (msw_merge_source){0};
}

/* A file name as a URI that allows reading only. */
static void add_uri(msw_text *uri, const char *path)
{
    static const char PLAIN[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./";
    msw_text_add(uri, "file:%s", *path == '/' ? "" : "./");
    for (; *path; path++)
        msw_text_add(uri, strchr(PLAIN, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    msw_text_add(uri, "?mode=ro");
}

int msw_merge_source_attach(msw_store *store, const msw_merge_source *source, msw_err *err)
{
    sqlite3_stmt *stmt = NULL;
    msw_text uri = MSW_TEXT_EMPTY;
    add_uri(&uri, source->read);
    int rc = uri.failed ? msw_fail_memory(err)
                        : msw_sql_prepare(store, "ATTACH ?1 AS other", &stmt, err);
    if (rc == 0) {
        sqlite3_bind_text(stmt, 1, msw_text_str(&uri), -1, SQLITE_STATIC);
        sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 1);
        rc = msw_sql_run(store, stmt, err);
        sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 0);
        if (rc && err && err->kind == MSW_ERR_INTERNAL)
            err->kind = MSW_ERR_IO; /* such as another encoding of texts */
    }
    sqlite3_finalize(stmt);
    msw_text_free(&uri);
    return rc;
}
