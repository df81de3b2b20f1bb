/* One writer per file. The lock is a flock on <path>.lock, which the system drops when its holder
 * dies, however it dies. The file's content says who holds it: for messages, and for network file
 * systems on which a lock taken on another host is not seen. */
#include "store/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HOLDER_BYTES = 512 };

struct msw_file_lock {
    int fd;
    char *path;
};

typedef struct holder {
    char host[256], since[64];
    long pid;
} holder;

/* Returns whether the content names somebody. */
static bool read_holder(int fd, holder *who)
{
    char text[HOLDER_BYTES];
    ssize_t size = pread(fd, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    *who = (holder){0};
    return sscanf(text, "%255s %ld %63s", who->host, &who->pid, who->since) == 3;
}

static int write_holder(int fd, const char *path, msw_err *err)
{
    char host[256] = "", since[64], text[HOLDER_BYTES];
    gethostname(host, sizeof host - 1);
    time_t now = time(NULL);
    struct tm utc;
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    int size = snprintf(text, sizeof text, "%s %ld %s\n", host, (long)getpid(), since);
    if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)size, 0) == size)
        return 0;
    return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
}

static bool is_here(const holder *who)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return strcmp(host, who->host) == 0;
}

static int refuse(const char *path, const holder *who, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: process %ld on %s has been writing to it since %s: wait for it, or "
                         "write to another file and merge the two later",
                         path, who->pid, who->host, who->since);
}

static int refuse_far(const char *path, const holder *who, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: process %ld on host %s took it at %s and has not given it back: when "
                         "you know that process has ended, run again with --take-over",
                         path, who->pid, who->host, who->since);
}

static bool is_alive(const holder *who)
{
    return is_here(who) && (kill((pid_t)who->pid, 0) == 0 || errno == EPERM);
}

/* Opens the lock file and locks it; `*sure` tells whether the file system knows locks. Returns the
 * descriptor; -1 with `err`; -2 when the file was removed by its last holder in between. */
static int open_locked(const char *lock_path, const char *path, bool *sure, msw_err *err)
{
    int fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: no lock file can be made beside it: %s: is the folder there, and "
                             "may you write to it?",
                             path, strerror(errno));
    holder who;
    *sure = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (!*sure && errno == EWOULDBLOCK) {
        if (!read_holder(fd, &who))
            who = (holder){"this or another host", "a moment ago", 0};
        close(fd);
        return refuse(path, &who, err);
    }
    struct stat mine, there;
    if (fstat(fd, &mine) == 0 && stat(lock_path, &there) == 0 && mine.st_ino == there.st_ino)
        return fd;
    close(fd);
    return -2;
}

/* No lock of this host stands against us: does the content of the file? */
static int check_content(int fd, const char *path, bool sure, bool take_over, msw_err *err)
{
    holder who;
    if (!read_holder(fd, &who))
        return 0;
    if (!sure && is_alive(&who))
        return refuse(path, &who, err);
    return is_here(&who) || take_over ? 0 : refuse_far(path, &who, err);
}

int msw_file_lock_take(const char *path, bool take_over, msw_file_lock **lock, msw_err *err)
{
    char *lock_path = msw_strfmt("%s.lock", path);
    msw_file_lock *fresh = malloc(sizeof *fresh);
    int fd = lock_path && fresh ? -2 : msw_fail_memory(err);
    bool sure = false;
    while (fd == -2)
        fd = open_locked(lock_path, path, &sure, err);
    if (fd < 0 || check_content(fd, path, sure, take_over, err) ||
        write_holder(fd, lock_path, err)) {
        if (fd >= 0)
            close(fd);
        free(lock_path);
        free(fresh);
        return -1;
    }
    *fresh = (msw_file_lock){fd, lock_path};
    *lock = fresh;
    return 0;
}

void msw_file_lock_release(msw_file_lock *lock)
{
    if (!lock)
        return;
    unlink(lock->path);
    close(lock->fd);
    free(lock->path);
    free(lock);
}

bool msw_file_lock_held(const char *path)
{
    char *lock_path = msw_strfmt("%s.lock", path);
    int fd = lock_path ? open(lock_path, O_RDONLY | O_CLOEXEC) : -1;
    free(lock_path);
    if (fd < 0)
        return false;
    holder who;
    bool held = read_holder(fd, &who) && (is_alive(&who) || !is_here(&who));
    close(fd);
    return held;
}
