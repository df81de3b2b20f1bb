/* SPDX-License-Identifier: MIT */
/* Checks what a killed run left under a name: a file of ours that it had begun to make, a
 * database, or a file of somebody else. To be asked under the lock that guards the name. The
 * journal of a killed writer is read before SQLite sees it, since SQLite plays it back when the
 * file is next opened, and does what it says. */
#include "store/file/file.h"

#include "store/sql/sql.h"
#include "store/state.h"

#include "memsweep/base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool msw_read_at(const char *path, off_t offset, int whence, void *bytes, size_t size)
{
    int fd = msw_disk_open(path, O_RDONLY, 0);
    off_t at = fd < 0 ? -1 : lseek(fd, offset, whence);
    bool got = at >= 0 && msw_disk_read_at(fd, bytes, size, at) == (ssize_t)size;
    if (fd >= 0)
        close(fd);
    return got;
}

static const char MAGIC[] = "SQLite format 3"; /* the final zero belongs to it */

/* The journal of a transaction over several files ends with the name of another journal, and
 * playing it back removes the file of that name. Ours never does. */
static bool names_another(const char *journal)
{
    static const unsigned char JOURNAL_MAGIC[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char last[sizeof JOURNAL_MAGIC];
    return msw_read_at(journal, -(off_t)sizeof last, SEEK_END, last, sizeof last) &&
           memcmp(last, JOURNAL_MAGIC, sizeof JOURNAL_MAGIC) == 0;
}

int msw_journal_remove(const char *path, msw_err *err)
{
    msw_file_info info;
    char *journal = msw_strfmt("%s-journal", path);
    int rc = journal ? msw_file_look(journal, &info, err) : msw_fail_memory(err);
    if (rc == 0 && info.kind == MSW_FILE_PLAIN &&
        (!msw_file_remove(journal, &info) || msw_file_sync_name(journal, NULL)))
        rc = msw_fail_kind(err, MSW_ERR_IO,
                           "%s: a journal of a file that is gone cannot be removed", journal);
    free(journal);
    return rc;
}

int msw_journal_check(const char *path, msw_err *err)
{
    char *real = msw_file_real(path, err), *journal = real ? msw_strfmt("%s-journal", real) : NULL;
    if (!real)
        return -1;
    free(real);
    if (!journal)
        return msw_fail_memory(err);
    int rc = names_another(journal)
                 ? msw_fail_kind(err, MSW_ERR_IO,
                                 "%s: its journal belongs to a transaction over several files, "
                                 "which memsweep never makes: open it with the program that did",
                                 path)
                 : 0;
    free(journal);
    return rc;
}

enum { BLOCK = 65536 };

/* Reads the start of a file and whether all of it is zeros, as after a power failure. */
static int read_start(const char *path, char start[sizeof MAGIC], bool *zeros, msw_err *err)
{
    char *block = malloc(BLOCK);
    int fd = block ? msw_disk_open(path, O_RDONLY | O_NOFOLLOW, 0) : -1;
    ssize_t got = fd < 0 ? -1 : 1;
    *zeros = true;
    for (off_t at = 0; got > 0 && *zeros && (got = msw_disk_read_at(fd, block, BLOCK, at)) > 0;
         at += got) {
        if (at == 0)
            memcpy(start, block, (size_t)got < sizeof MAGIC ? (size_t)got : sizeof MAGIC);
        for (ssize_t i = 0; i < got && *zeros; i++)
            *zeros = block[i] == 0;
    }
    if (fd >= 0)
        close(fd);
    free(block);
    return got < 0 ? msw_fail_kind(err, MSW_ERR_IO, "%s: it cannot be read", path) : 0;
}

static bool has_journal(const char *path)
{
    msw_file_info info;
    char *journal = msw_strfmt("%s-journal", path);
    bool has = journal && msw_file_look(journal, &info, NULL) == 0 && info.bytes > 0;
    free(journal);
    return has;
}

/* Lets SQLite undo what was not committed, and looks what is left. */
static int look_inside(const char *path, msw_leftover *what, msw_err *err)
{
    msw_store probe = {.path = (char *)path};
    int64_t tables = 0, application = 0;
    int rc = msw_store_connect(&probe, path, SQLITE_OPEN_READWRITE, err);
    if (rc == 0)
        rc = msw_sql_integer(&probe, "SELECT count(*) FROM sqlite_master", NULL, &tables, err);
    if (rc == 0)
        rc = msw_sql_integer(&probe, "PRAGMA application_id", NULL, &application, err);
    sqlite3_close(probe.db);
    *what = application == MSW_APPLICATION_ID ? MSW_LEFT_DATABASE
            : tables || application           ? MSW_LEFT_FOREIGN
                                              : MSW_LEFT_EMPTY;
    if (rc && probe.rc == SQLITE_NOTADB) {
        *what = MSW_LEFT_FOREIGN;
        return 0;
    }
    return rc;
}

int msw_leftover_find(const char *path, msw_leftover *what, msw_file_info *info, msw_err *err)
{
    char start[sizeof MAGIC] = "";
    bool zeros = true;
    if (msw_file_look(path, info, err))
        return -1;
    *what = info->kind == MSW_FILE_NONE ? MSW_LEFT_NOTHING : MSW_LEFT_FOREIGN;
    if (info->kind != MSW_FILE_PLAIN || info->links > 1)
        return 0;
    if (read_start(path, start, &zeros, err))
        return -1;
    if (has_journal(path) || memcmp(start, MAGIC, sizeof MAGIC) == 0)
        return look_inside(path, what, err);
    *what = zeros ? MSW_LEFT_EMPTY : MSW_LEFT_FOREIGN;
    return 0;
}

bool msw_leftover_remove(const char *path, const msw_file_info *seen)
{
    if (!msw_file_remove(path, seen))
        return false;
    msw_journal_remove(path, NULL);
    return true;
}
