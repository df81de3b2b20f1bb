/* SPDX-License-Identifier: MIT */
#include "memsweep/base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int msw_disk_open(const char *path, int flags, mode_t mode)
{
    return open(path, flags | O_CLOEXEC, mode);
}

ssize_t msw_disk_read(int fd, void *bytes, size_t size)
{
    ssize_t got;
    do
        got = read(fd, bytes, size);
    while (got < 0 && errno == EINTR);
    return got;
}

ssize_t msw_disk_read_at(int fd, void *bytes, size_t size, off_t offset)
{
    ssize_t got;
    do
        got = pread(fd, bytes, size, offset);
    while (got < 0 && errno == EINTR);
    return got;
}

/* A disk that is nearly full takes a part and says why only when asked for the rest. */
int msw_disk_write(int fd, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = write(fd, (const char *)bytes + done, size - done);
        if (put < 0 && errno != EINTR)
            return -1;
        done += put > 0 ? (size_t)put : 0;
    }
    return 0;
}

int msw_disk_write_at(int fd, const void *bytes, size_t size, off_t offset)
{
    for (size_t done = 0; done < size;) {
        ssize_t put = pwrite(fd, (const char *)bytes + done, size - done, offset + (off_t)done);
        if (put < 0 && errno != EINTR)
            return -1;
        done += put > 0 ? (size_t)put : 0;
    }
    return 0;
}

int msw_disk_truncate(int fd, off_t size)
{
    return ftruncate(fd, size);
}

int msw_disk_sync(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : -1;
}

int msw_disk_lock(int fd)
{
    return flock(fd, LOCK_EX | LOCK_NB);
}

int msw_disk_rename(const char *from, const char *to)
{
    return rename(from, to);
}

int msw_disk_remove(const char *path)
{
    return unlink(path);
}

int msw_disk_remove_in(int folder, const char *name)
{
    return unlinkat(folder, name, 0);
}

int msw_disk_link(const char *target, const char *path)
{
    return symlink(target, path);
}

int msw_disk_set_mode(const char *path, mode_t mode)
{
    return chmod(path, mode);
}

int msw_disk_set_mode_open(int fd, mode_t mode)
{
    return fchmod(fd, mode);
}

int msw_disk_make_folder(const char *path, mode_t mode)
{
    return mkdir(path, mode);
}

int msw_disk_remove_folder(const char *path)
{
    return rmdir(path);
}

int msw_disk_make_own_folder(char *pattern)
{
    return mkdtemp(pattern) ? 0 : -1;
}

FILE *msw_disk_stream(int fd, const char *mode)
{
    return fdopen(fd, mode);
}

FILE *msw_disk_read_stream(const char *path)
{
    return fopen(path, "re");
}

int msw_disk_finish(FILE *stream, bool sync)
{
    errno = 0;
    int rc = fflush(stream) == 0 && !ferror(stream) ? 0 : -1;
    if (rc == 0 && sync)
        rc = msw_disk_sync(fileno(stream));
    int why = errno;
    if (fclose(stream) == 0)
        errno = why;
    else
        rc = -1;
    return rc;
}
