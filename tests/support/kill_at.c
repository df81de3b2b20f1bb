/* SPDX-License-Identifier: MIT */
#include "kill_at.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static long kill_countdown; /* 0: never */

static void kill_count(void)
{
    if (kill_countdown && --kill_countdown == 0)
        kill(getpid(), SIGKILL);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    kill_count();
    return syscall(SYS_pwrite64, fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t at);
ssize_t pwrite64(int fd, const void *data, size_t size, off_t at)
{
    return pwrite(fd, data, size, at);
}

int ftruncate(int fd, off_t size)
{
    kill_count();
    return (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate64(int fd, off_t size);
int ftruncate64(int fd, off_t size)
{
    return ftruncate(fd, size);
}

int unlink(const char *path)
{
    kill_count();
    return (int)syscall(SYS_unlinkat, -100, path, 0); /* AT_FDCWD */
}

int rmdir(const char *path)
{
    kill_count();
    return (int)syscall(SYS_unlinkat, -100, path, 0x200); /* AT_REMOVEDIR */
}

int rename(const char *from, const char *to)
{
    kill_count();
    return (int)syscall(SYS_renameat2, -100, from, -100, to, 0);
}

int mkdir(const char *path, mode_t mode)
{
    kill_count();
    return (int)syscall(SYS_mkdirat, -100, path, mode);
}

int fsync(int fd)
{
    (void)fd;
    kill_count();
    return 0;
}

int fdatasync(int fd)
{
    return fsync(fd);
}

bool kill_at(long n, int (*body)(void *context, int report), void *context, uint64_t *safe)
{
    int ends[2], status;
    uint64_t next;
    if (pipe(ends))
        abort();
    pid_t child = fork();
    if (child == 0) {
        kill_countdown = n;
        _exit(body(context, ends[1]));
    }
    close(ends[1]);
    while (read(ends[0], &next, sizeof next) == sizeof next)
        *safe = next;
    close(ends[0]);
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status)) {
        fprintf(stderr, "the process ended by itself with %d at step %ld\n", WEXITSTATUS(status),
                n);
        abort();
    }
    return WIFEXITED(status);
}
