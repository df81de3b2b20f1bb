/* SPDX-License-Identifier: MIT */
/* Reading files whole, never without an end: devices are no files, and what has no size of its own
 * (a pipe) is read up to a limit. */
#include "memsweep/base/disk.h"
#include "memsweep/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, WRITER_MS = 1000 };

/* How much a kind of file may hold. Returns 0 and the limit, or -1. */
static int check_kind(const char *path, const struct stat *info, size_t *most, msw_err *err)
{
    mode_t mode = info->st_mode;
    bool sized = S_ISREG(mode) && info->st_size > 0;
    if (!S_ISREG(mode) && !S_ISFIFO(mode))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: is a %s; allowed: a file or a pipe", path,
                             S_ISDIR(mode) ? "folder" : "device");
    if (!sized && *most > MSW_PIPE_MAX)
        *most = MSW_PIPE_MAX;
    return 0;
}

static int fail_large(const char *path, size_t most, msw_err *err)
{
    return msw_fail(err, "%s: larger than %zu MiB, which is the most that is read here", path,
                    most >> 20);
}

/* Reads to the end, one byte further than `most` at the farthest. */
static int read_all(int fd, const char *path, size_t most, msw_text *text, msw_err *err)
{
    char block[BLOCK];
    ssize_t got = 1;
    while (got > 0 && text->size <= most && !text->failed) {
        size_t left = most - text->size + 1;
        got = msw_disk_read(fd, block, left < sizeof block ? left : sizeof block);
        if (got > 0)
            msw_text_add_bytes(text, block, (size_t)got);
    }
    if (got < 0 && errno == EAGAIN)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: is a device; allowed: a file or a pipe", path);
    if (got < 0)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
    if (text->failed)
        return msw_fail_memory(err);
    return text->size > most ? fail_large(path, most, err) : 0;
}

static int read_open(int fd, const char *path, size_t most, msw_text *text, msw_err *err)
{
    struct stat info;
    if (fstat(fd, &info))
        return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
    if (check_kind(path, &info, &most, err))
        return -1;
    if (S_ISREG(info.st_mode) && (uintmax_t)info.st_size > most)
        return fail_large(path, most, err);
    return read_all(fd, path, most, text, err);
}

/* Pipes that processes have between them are links into /proc; those with a name of their own may
 * have nobody at the other end, and would be waited for as long as that. */
static bool is_named_pipe(const char *path, const struct stat *info)
{
    char *real = S_ISFIFO(info->st_mode) ? realpath(path, NULL) : NULL;
    free(real); /* what has no path resolves to none */
    return real != NULL;
}

static int await_writer(int fd, const char *path, msw_err *err)
{
    struct pollfd end = {.fd = fd, .events = POLLIN};
    int flags = fcntl(fd, F_GETFL);
    if (poll(&end, 1, WRITER_MS) == 0)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: is a named pipe to which nobody writes", path);
    return fcntl(fd, F_SETFL, flags & ~O_NONBLOCK)
               ? msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno))
               : 0;
}

int msw_read_file_most(const char *path, size_t most, char **data, size_t *size, msw_err *err)
{
    struct stat info = {0};
    size_t any = most;
    /* Before it is opened: opening alone does things to some devices. */
    if (stat(path, &info) == 0 && check_kind(path, &info, &any, err))
        return -1;
    /* Nor are those of the kernel's files that show no size and never end waited for. */
    bool odd = S_ISREG(info.st_mode) && info.st_size == 0, named = is_named_pipe(path, &info);
    int fd = msw_disk_open(path, O_RDONLY | O_NOCTTY | (odd || named ? O_NONBLOCK : 0), 0);
    if (fd < 0)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
    msw_text text = MSW_TEXT_EMPTY;
    int rc = named ? await_writer(fd, path, err) : 0;
    if (rc == 0)
        rc = read_open(fd, path, most, &text, err);
    close(fd);
    if (rc) {
        msw_text_free(&text);
        return -1;
    }
    *size = text.size;
    *data = text.data ? text.data : msw_strdup("");
    return *data ? 0 : msw_fail_memory(err);
}

int msw_read_input(const char *path, size_t most, char **data, size_t *size, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    if (strcmp(path, "-") != 0)
        return msw_read_file_most(path, most, data, size, err);
    if (read_open(STDIN_FILENO, "standard input", most, &text, err)) {
        msw_text_free(&text);
        return -1;
    }
    *size = text.size;
    *data = text.data ? text.data : msw_strdup("");
    return *data ? 0 : msw_fail_memory(err);
}

int msw_read_file(const char *path, char **data, size_t *size, msw_err *err)
{
    return msw_read_file_most(path, MSW_READ_MAX, data, size, err);
}
