/* SPDX-License-Identifier: MIT */
/* The journal a killed writer left. SQLite plays it back when the file is next opened, and does
 * what it says: so it is looked at before. */
#include "store/file/file.h"

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

/* The journal of a transaction over several files ends with the name of another journal, and
 * playing it back removes the file of that name. Ours never does. */
static bool names_another(const char *journal)
{
    static const unsigned char MAGIC[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char last[sizeof MAGIC];
    return msw_read_at(journal, -(off_t)sizeof last, SEEK_END, last, sizeof last) &&
           memcmp(last, MAGIC, sizeof MAGIC) == 0;
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
