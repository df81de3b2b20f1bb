/* SPDX-License-Identifier: MIT */
/* Our own files: what src/base/disk.c calls, replaced by the linker (--wrap). */
#include "inject.h"
#include "power.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { DESCRIPTORS = 1024, STREAMS = 8, PATH_BYTES = 4096 };

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *bytes, size_t size);
ssize_t __real_pread(int fd, void *bytes, size_t size, off_t at);
ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t at);
int __real_ftruncate(int fd, off_t size);
int __real_fsync(int fd);
int __real_flock(int fd, int how);
int __real_rename(const char *from, const char *to);
int __real_unlink(const char *path);
int __real_unlinkat(int folder, const char *name, int flags);
int __real_mkdir(const char *path, mode_t mode);
int __real_rmdir(const char *path);
int __real_symlink(const char *target, const char *path);
int __real_chmod(const char *path, mode_t mode);
int __real_fchmod(int fd, mode_t mode);
char *__real_mkdtemp(char *pattern);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int fd, const char *mode);
int __real_fileno(FILE *stream);
DIR *__real_opendir(const char *path);
int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *bytes, size_t size);
ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t at);
ssize_t __wrap_write(int fd, const void *bytes, size_t size);
ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at);
int __wrap_ftruncate(int fd, off_t size);
int __wrap_fsync(int fd);
int __wrap_flock(int fd, int how);
int __wrap_rename(const char *from, const char *to);
int __wrap_unlink(const char *path);
int __wrap_unlinkat(int folder, const char *name, int flags);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_rmdir(const char *path);
int __wrap_symlink(const char *target, const char *path);
int __wrap_chmod(const char *path, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode);
char *__wrap_mkdtemp(char *pattern);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);
int __wrap_fileno(FILE *stream);
DIR *__wrap_opendir(const char *path);

/* What a descriptor is to power.c: 1 + its number; folders have their name. */
static int files[DESCRIPTORS];
static char *folders[DESCRIPTORS];

static bool known(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS && fault_is_on();
}

static int file_of(int fd)
{
    return known(fd) ? files[fd] - 1 : -1;
}

/* ---- descriptors ---- */

static void note_open(int fd, const char *path)
{
    struct stat info;
    if (!known(fd))
        return;
    bool folder = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
    files[fd] = folder ? 0 : power_open(path) + 1;
    folders[fd] = folder ? strdup(path) : NULL;
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (fault_now(FAULT_OPEN))
        return -1;
    int fd = __real_open(path, flags, mode);
    note_open(fd, path);
    return fd;
}

int __wrap_close(int fd)
{
    if (known(fd)) {
        files[fd] = 0;
        free(folders[fd]);
        folders[fd] = NULL;
    }
    return __real_close(fd);
}

ssize_t __wrap_read(int fd, void *bytes, size_t size)
{
    return fault_now(FAULT_READ) ? -1 : __real_read(fd, bytes, size);
}

ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t at)
{
    return fault_now(FAULT_READ) ? -1 : __real_pread(fd, bytes, size, at);
}

/* A short write takes half and says so; the next one says why. */
static bool short_write(void)
{
    return fault_kind_now() == FAULT_SHORT;
}

static ssize_t write_at(int fd, const void *bytes, size_t size, off_t at)
{
    ssize_t put = __real_pwrite(fd, bytes, size, at);
    if (put > 0)
        power_write(file_of(fd), bytes, (size_t)put, (uint64_t)at);
    return put;
}

ssize_t __wrap_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    if (fault_now(FAULT_WRITE))
        return short_write() && size > 1 ? write_at(fd, bytes, size / 2, at) : -1;
    return write_at(fd, bytes, size, at);
}

static ssize_t write_on(int fd, const void *bytes, size_t size)
{
    off_t at = known(fd) ? lseek(fd, 0, SEEK_CUR) : 0;
    ssize_t put = __real_write(fd, bytes, size);
    if (put > 0)
        power_write(file_of(fd), bytes, (size_t)put, (uint64_t)at);
    return put;
}

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
    if (fd > STDERR_FILENO && fault_now(FAULT_WRITE))
        return short_write() && size > 1 ? write_on(fd, bytes, size / 2) : -1;
    return write_on(fd, bytes, size);
}

int __wrap_ftruncate(int fd, off_t size)
{
    if (fault_now(FAULT_WRITE))
        return -1;
    power_truncate(file_of(fd), (uint64_t)size);
    return __real_ftruncate(fd, size);
}

int __wrap_fsync(int fd)
{
    if (fault_now(FAULT_SYNC))
        return -1;
    if (known(fd) && folders[fd])
        power_sync_folder(folders[fd]);
    else
        power_sync(file_of(fd), false);
    return fault_is_on() ? 0 : __real_fsync(fd);
}

int __wrap_flock(int fd, int how)
{
    return fault_now(FAULT_LOCK) ? -1 : __real_flock(fd, how);
}

/* ---- names ---- */

int __wrap_rename(const char *from, const char *to)
{
    if (fault_now(FAULT_NAME))
        return -1;
    int rc = __real_rename(from, to);
    if (rc == 0)
        power_rename(from, to);
    return rc;
}

int __wrap_unlink(const char *path)
{
    if (fault_now(FAULT_NAME))
        return -1;
    int rc = __real_unlink(path);
    if (rc == 0)
        power_remove(path);
    return rc;
}

int __wrap_unlinkat(int folder, const char *name, int flags)
{
    char link[64], path[PATH_BYTES];
    if (fault_now(FAULT_NAME))
        return -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t size = readlink(link, path, sizeof path - 300);
    int rc = __real_unlinkat(folder, name, flags);
    if (rc == 0 && size > 0) {
        snprintf(path + size, 300, "/%s", name);
        power_remove(path);
    }
    return rc;
}

int __wrap_mkdir(const char *path, mode_t mode)
{
    if (fault_now(FAULT_NAME))
        return -1;
    int rc = __real_mkdir(path, mode);
    if (rc == 0)
        power_folder(path);
    return rc;
}

int __wrap_rmdir(const char *path)
{
    if (fault_now(FAULT_NAME))
        return -1;
    int rc = __real_rmdir(path);
    if (rc == 0)
        power_remove(path);
    return rc;
}

int __wrap_symlink(const char *target, const char *path)
{
    return fault_now(FAULT_NAME) ? -1 : __real_symlink(target, path);
}

int __wrap_chmod(const char *path, mode_t mode)
{
    return fault_now(FAULT_NAME) ? -1 : __real_chmod(path, mode);
}

int __wrap_fchmod(int fd, mode_t mode)
{
    return fault_now(FAULT_NAME) ? -1 : __real_fchmod(fd, mode);
}

char *__wrap_mkdtemp(char *pattern)
{
    return fault_now(FAULT_NAME) ? NULL : __real_mkdtemp(pattern);
}

DIR *__wrap_opendir(const char *path)
{
    return fault_now(FAULT_OPEN) ? NULL : __real_opendir(path);
}

/* ---- streams: their reads and writes are calls of ours, too ---- */

static struct {
    FILE *stream;
    int fd;
} streams[STREAMS];

static ssize_t stream_read(void *cookie, char *bytes, size_t size)
{
    return __wrap_read((int)(intptr_t)cookie, bytes, size);
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t size)
{
    ssize_t put = __wrap_write((int)(intptr_t)cookie, bytes, size);
    return put < 0 ? 0 : put; /* as the C library wants it: with errno */
}

static int stream_seek(void *cookie, off64_t *at, int whence)
{
    *at = lseek((int)(intptr_t)cookie, *at, whence);
    return *at < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    int fd = (int)(intptr_t)cookie;
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].fd == fd)
            streams[i].stream = NULL;
    return __wrap_close(fd);
}

FILE *__wrap_fdopen(int fd, const char *mode)
{
    static const cookie_io_functions_t CALLS = {stream_read, stream_write, stream_seek,
                                                stream_close};
    if (!fault_is_on())
        return __real_fdopen(fd, mode);
    if (fault_now(FAULT_MEMORY))
        return NULL;
    FILE *stream = fopencookie((void *)(intptr_t)fd, mode, CALLS);
    for (int i = 0; stream && i < STREAMS; i++)
        if (!streams[i].stream) {
            streams[i].stream = stream;
            streams[i].fd = fd;
            break;
        }
    return stream;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    if (!fault_is_on())
        return __real_fopen(path, mode);
    int fd = __wrap_open(path, O_RDONLY | O_CLOEXEC);
    FILE *stream = fd < 0 ? NULL : __wrap_fdopen(fd, "r");
    if (fd >= 0 && !stream)
        __wrap_close(fd);
    return stream;
}

int __wrap_fileno(FILE *stream)
{
    for (int i = 0; i < STREAMS; i++)
        if (stream && streams[i].stream == stream)
            return streams[i].fd;
    return __real_fileno(stream);
}
