/* SPDX-License-Identifier: MIT */
/* One writer per file. The lock is a flock on <file>.lock beside the file's real name, so that all
 * links to a database share one; the system drops it when its holder dies, however it dies. The
 * content says who holds it: for messages, and for network file systems on which a lock taken on
 * another host is not seen. It also names the file a copy is being written to, so that the next
 * holder can see what a killed one left. What carries no mark of ours is never written to. */
#include "store/file/file.h"
#include "store/state.h"

#include "memsweep/base/disk.h"
#include "memsweep/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CONTENT_BYTES = 1024 };
static const char MARK[] = "memsweep lock: ";

struct msw_file_lock {
    int fd;
    char *path;
    size_t bytes; /* of the content, without the name of a copy */
};

typedef struct holder {
    char host[256], since[64];
    long pid;
} holder;

/* ---- the content ---- */

/* Reads as much as a lock may hold. Returns the size, 0 also on failure. */
static size_t read_content(int fd, char text[CONTENT_BYTES])
{
    ssize_t size = msw_disk_read_at(fd, text, CONTENT_BYTES - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    return size > 0 ? (size_t)size : 0;
}

/* The first files had no mark: host, process and time, and nothing else. */
static bool is_early(const char *text)
{
    int used = 0, year;
    return sscanf(text, "%*255s %*d %4d-%*2d-%*2dT%*2d:%*2d:%*2dZ\n%n", &year, &used) == 1 &&
           used > 0 && text[used] == '\0' && text[used - 1] == '\n';
}

/* A power failure may leave zeros where the holder was named, and the name of the copy behind them.
 */
static bool is_cut_off(const char *text, size_t size)
{
    size_t zeros = 0;
    while (zeros < size && text[zeros] == '\0')
        zeros++;
    return zeros > 0 && (zeros == size || strncmp(text + zeros, "copy ", 5) == 0);
}

/* Whether the content is a lock's. A process killed while it wrote leaves nothing, or a part of the
 * mark. */
static bool is_ours(const char *text, size_t size)
{
    if (is_cut_off(text, size))
        return size < CONTENT_BYTES - 1;
    size_t shared = size < sizeof MARK - 1 ? size : sizeof MARK - 1;
    return size < CONTENT_BYTES - 1 && (memcmp(text, MARK, shared) == 0 || is_early(text));
}

/* Returns whether the content names somebody. */
static bool read_holder(int fd, holder *who)
{
    char text[CONTENT_BYTES];
    size_t size = read_content(fd, text);
    *who = (holder){0};
    if (!is_ours(text, size))
        return false;
    const char *at = is_early(text) || size < sizeof MARK ? text : text + sizeof MARK - 1;
    return sscanf(at, "%255s %ld %63s", who->host, &who->pid, who->since) == 3;
}

/* Written before what was there is cut off: killed in between, one of the two can be read. */
static int write_content(msw_file_lock *lock, const char *text, size_t size, msw_err *err)
{
    if (msw_disk_write_at(lock->fd, text, size, (off_t)lock->bytes) == 0 &&
        msw_disk_truncate(lock->fd, (off_t)(lock->bytes + size)) == 0)
        return 0;
    return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", lock->path, strerror(errno));
}

static int write_holder(msw_file_lock *lock, msw_err *err)
{
    char host[256] = "", since[64], text[CONTENT_BYTES];
    gethostname(host, sizeof host - 1);
    time_t now = time(NULL);
    struct tm utc;
    strftime(since, sizeof since, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    int size = snprintf(text, sizeof text, "%s%s %ld %s\n", MARK, host, (long)getpid(), since);
    if (write_content(lock, text, (size_t)size, err))
        return -1;
    lock->bytes = (size_t)size;
    return 0;
}

/* Device and inode identify the file: by its name alone a later file of somebody else could be
 * removed. */
int msw_file_lock_note(msw_file_lock *lock, const char *copy, const msw_file_info *info,
                       msw_err *err)
{
    msw_text line = MSW_TEXT_EMPTY;
    msw_text_add(&line, "copy %" PRIu64 " %" PRIu64 " %s\n", info->device, info->inode,
                 msw_file_name(copy));
    int rc = line.failed ? msw_fail_memory(err)
                         : write_content(lock, msw_text_str(&line), line.size, err);
    msw_text_free(&line);
    return rc;
}

/* Removes the copy a killed holder was writing, if it is the very file it noted; one that was noted
 * and not yet made is nothing, or empty. */
static void remove_copy(const msw_file_lock *lock)
{
    char text[CONTENT_BYTES], name[256];
    msw_file_info seen = {.kind = MSW_FILE_PLAIN}, now;
    read_content(lock->fd, text);
    const char *line = strchr(text, '\n');
    if (!line ||
        sscanf(line, "\ncopy %" SCNu64 " %" SCNu64 " %255[^\n]", &seen.device, &seen.inode, name) !=
            3 ||
        strchr(name, '/'))
        return;
    char *folder = msw_file_folder(lock->path);
    char *copy = folder ? msw_strfmt("%s/%s", folder, name) : NULL;
    if (copy && msw_file_look(copy, &now, NULL) == 0)
        msw_file_remove(copy, seen.inode || now.bytes ? &seen : &now);
    free(folder);
    free(copy);
}

/* ---- who else? ---- */

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

static int refuse_foreign(const char *lock_path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: a file that is no lock of memsweep lies where the lock belongs: "
                         "move it away, or write to a database of another name",
                         lock_path);
}

static bool is_alive(const holder *who)
{
    return is_here(who) && (kill((pid_t)who->pid, 0) == 0 || errno == EPERM);
}

/* ---- taking and giving back ---- */

static int fail_open(const char *path, msw_err *err)
{
    return msw_fail_prefix(err, "%s: no lock file can be made beside it: ", path);
}

/* Opens the lock file and locks it; `*sure` says whether the file system knows locks. Returns the
 * descriptor; -1 with `err`; -2 when the file was removed by its last holder in between. */
static int open_locked(const char *lock_path, const char *path, bool *sure, msw_err *err)
{
    int fd = msw_file_open_own(lock_path, err);
    if (fd < 0)
        return fail_open(path, err);
    holder who;
    *sure = msw_disk_lock(fd) == 0;
    if (!*sure && errno == EWOULDBLOCK) {
        if (!read_holder(fd, &who))
            who = (holder){"this or another host", "a moment ago", 0};
        close(fd);
        return refuse(path, &who, err);
    }
    msw_file_info mine, there;
    if (msw_file_look_open(fd, &mine) == 0 && msw_file_look(lock_path, &there, NULL) == 0 &&
        msw_file_same(&mine, &there))
        return fd;
    close(fd);
    return -2;
}

/* No lock of this host blocks us: does the content of the file? */
static int check_content(const msw_file_lock *lock, const char *path, bool sure, bool take_over,
                         msw_err *err)
{
    holder who;
    char text[CONTENT_BYTES];
    if (!is_ours(text, read_content(lock->fd, text)))
        return refuse_foreign(lock->path, err);
    if (!read_holder(lock->fd, &who))
        return 0;
    if (!sure && is_alive(&who))
        return refuse(path, &who, err);
    return is_here(&who) || take_over ? 0 : refuse_far(path, &who, err);
}

static void give_back(const msw_file_lock *lock)
{
    msw_file_info mine;
    if (msw_file_look_open(lock->fd, &mine) == 0)
        msw_file_remove(lock->path, &mine);
}

static int take(msw_file_lock *lock, const char *path, bool take_over, msw_err *err)
{
    bool sure = false;
    do
        lock->fd = open_locked(lock->path, path, &sure, err);
    while (lock->fd == -2);
    if (lock->fd < 0 || check_content(lock, path, sure, take_over, err))
        return -1;
    remove_copy(lock);
    if (write_holder(lock, err) == 0)
        return 0;
    give_back(lock);
    return -1;
}

static char *lock_path_of(const char *path, msw_err *err)
{
    char *real = msw_file_real(path, err);
    if (!real)
        return NULL;
    char *lock_path = msw_strfmt("%s.lock", real);
    free(real);
    if (!lock_path)
        msw_fail_memory(err);
    return lock_path;
}

int msw_file_lock_take(const char *path, bool take_over, msw_file_lock **lock, msw_err *err)
{
    msw_file_lock *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return msw_fail_memory(err);
    fresh->fd = -1;
    fresh->path = lock_path_of(path, err);
    if (!fresh->path || take(fresh, path, take_over, err)) {
        if (fresh->fd >= 0)
            close(fresh->fd);
        free(fresh->path);
        free(fresh);
        return -1;
    }
    *lock = fresh;
    return 0;
}

bool msw_file_lock_guards(const msw_file_lock *lock, const char *real)
{
    size_t size = strlen(real);
    return strncmp(lock->path, real, size) == 0 && strcmp(lock->path + size, ".lock") == 0;
}

void msw_file_lock_release(msw_file_lock *lock)
{
    if (!lock)
        return;
    give_back(lock);
    close(lock->fd);
    free(lock->path);
    free(lock);
}

bool msw_file_lock_held(const char *path)
{
    char *lock_path = lock_path_of(path, NULL);
    int fd = lock_path ? msw_disk_open(lock_path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0) : -1;
    free(lock_path);
    if (fd < 0)
        return false;
    holder who;
    bool held = read_holder(fd, &who) && (is_alive(&who) || !is_here(&who));
    close(fd);
    return held;
}
