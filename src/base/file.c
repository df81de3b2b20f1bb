/* SPDX-License-Identifier: MIT */
#include "memsweep/base/file.h"

#include "memsweep/base/disk.h"
#include "memsweep/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, TRIES_MAX = 1000, LINK_BYTES = 4096 };

static int fail_errno(const char *path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "%s: %s", path, strerror(errno));
}

/* ---- identity ---- */

static msw_file_kind kind_of(mode_t mode)
{
    return S_ISREG(mode)   ? MSW_FILE_PLAIN
           : S_ISDIR(mode) ? MSW_FILE_FOLDER
           : S_ISLNK(mode) ? MSW_FILE_LINK
                           : MSW_FILE_OTHER;
}

static msw_file_info info_of(const struct stat *s)
{
    return (msw_file_info){.kind = kind_of(s->st_mode),
                           .device = (uint64_t)s->st_dev,
                           .inode = (uint64_t)s->st_ino,
                           .links = (uint64_t)s->st_nlink,
                           .bytes = (uint64_t)s->st_size,
                           .owner = (uint64_t)s->st_uid,
                           .mode = (uint64_t)s->st_mode & 07777,
                           .changed_s = (int64_t)s->st_mtim.tv_sec,
                           .changed_ns = (int64_t)s->st_mtim.tv_nsec};
}

int msw_file_look(const char *path, msw_file_info *info, msw_err *err)
{
    struct stat s;
    *info = (msw_file_info){.kind = MSW_FILE_NONE};
    if (lstat(path, &s) == 0)
        *info = info_of(&s);
    else if (errno != ENOENT)
        return fail_errno(path, err);
    return 0;
}

int msw_file_look_open(int fd, msw_file_info *info)
{
    struct stat s;
    if (fstat(fd, &s) != 0)
        return -1;
    *info = info_of(&s);
    return 0;
}

bool msw_file_same(const msw_file_info *a, const msw_file_info *b)
{
    return a->kind != MSW_FILE_NONE && a->kind == b->kind && a->device == b->device &&
           a->inode == b->inode;
}

bool msw_file_unchanged(const msw_file_info *before, const msw_file_info *now)
{
    if (before->kind == MSW_FILE_NONE)
        return now->kind == MSW_FILE_NONE;
    return msw_file_same(before, now) && before->bytes == now->bytes &&
           before->changed_s == now->changed_s && before->changed_ns == now->changed_ns;
}

/* ---- names ---- */

const char *msw_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *msw_file_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return msw_strdup(".");
    return slash == path ? msw_strdup("/") : msw_strfmt("%.*s", (int)(slash - path), path);
}

/* Joins a name to the folder of another. Returns it, or NULL when memory runs out. */
static char *beside(const char *path, const char *name)
{
    char *folder = name[0] == '/' ? NULL : msw_file_folder(path);
    char *joined = name[0] == '/' ? msw_strdup(name) : NULL;
    if (folder)
        joined = msw_strfmt("%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
    free(folder);
    return joined;
}

/* Where a link points that leads to nothing yet. Returns NULL when the path is no link. */
static char *target_of(const char *path)
{
    char target[LINK_BYTES];
    ssize_t size = readlink(path, target, sizeof target - 1);
    if (size < 0)
        return NULL;
    target[size] = '\0';
    return beside(path, target);
}

/* The file is not there: its folder has to be. */
static char *real_of_missing(const char *path, msw_err *err)
{
    char *folder = msw_file_folder(path);
    char *real = folder ? realpath(folder, NULL) : NULL;
    char *joined = NULL;
    if (!folder)
        msw_fail_memory(err);
    else if (!real)
        fail_errno(folder, err);
    else if (!(joined =
                   msw_strfmt("%s/%s", strcmp(real, "/") == 0 ? "" : real, msw_file_name(path))))
        msw_fail_memory(err);
    free(folder);
    free(real);
    return joined;
}

char *msw_file_real(const char *path, msw_err *err)
{
    char *name = msw_strdup(path), *real = NULL, *next;
    for (int links = 0; name; links++) {
        real = realpath(name, NULL);
        if (real || errno != ENOENT || links == LINKS_MAX) {
            if (!real)
                fail_errno(path, err);
            break;
        }
        if (!(next = target_of(name))) {
            real = real_of_missing(name, err);
            break;
        }
        free(name);
        name = next;
    }
    if (!name)
        msw_fail_memory(err);
    free(name);
    return real;
}

/* A name as /proc/self/mountinfo writes it. */
static void add_escaped(const char *name, msw_text *out)
{
    for (; *name; name++)
        msw_text_add(out, strchr(" \t\n\\", *name) ? "\\%03o" : "%c", (unsigned char)*name);
}

bool msw_file_is_mount(const char *real)
{
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    msw_text wanted = MSW_TEXT_EMPTY;
    FILE *mounts = msw_disk_read_stream("/proc/self/mountinfo");
    add_escaped(real, &wanted);
    while (mounts && !found && getline(&line, &capacity, mounts) > 0) {
        /* id, parent, device, root, mount point, ... */
        char *at = line, *field = NULL;
        for (int i = 0; i < 5; i++)
            field = strtok_r(i ? NULL : line, " ", &at);
        found = field && strcmp(field, msw_text_str(&wanted)) == 0;
    }
    if (mounts)
        fclose(mounts);
    free(line);
    msw_text_free(&wanted);
    return found;
}

/* ---- files of our own ---- */

static int refuse_foreign(const char *path, const msw_file_info *found, msw_err *err)
{
    const char *what = found->kind == MSW_FILE_LINK     ? "a symbolic link"
                       : found->kind == MSW_FILE_FOLDER ? "a folder"
                       : found->kind == MSW_FILE_PLAIN  ? "a file with several names (hard links)"
                                                        : "not a file";
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s: %s is there, which memsweep does not make and will not touch: move "
                         "it away",
                         path, what);
}

int msw_file_open_own(const char *path, msw_err *err)
{
    msw_file_info info;
    if (msw_file_look(path, &info, err))
        return -1;
    if (info.kind != MSW_FILE_NONE && (info.kind != MSW_FILE_PLAIN || info.links > 1))
        return refuse_foreign(path, &info, err);
    int fd = msw_disk_open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (fd < 0)
        return msw_fail_kind(err, MSW_ERR_IO,
                             "%s: %s: is the folder there, and may you write to it?", path,
                             strerror(errno));
    if (msw_file_look_open(fd, &info) == 0 && info.kind == MSW_FILE_PLAIN && info.links <= 1)
        return fd;
    close(fd);
    return refuse_foreign(path, &info, err);
}

int msw_file_create_beside(const char *path, const char *tag, char **name, msw_file_info *info,
                           msw_err *err)
{
    long number = (long)getpid();
    for (int i = 0; i < TRIES_MAX; i++, number++) {
        *name = msw_strfmt("%s.%s-%ld", path, tag, number);
        if (!*name)
            return msw_fail_memory(err);
        int fd = msw_disk_open(*name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
        int looked = fd < 0 ? -1 : msw_file_look_open(fd, info);
        if (fd >= 0)
            close(fd);
        if (looked == 0)
            return 0;
        if (errno != EEXIST)
            fail_errno(*name, err);
        free(*name);
        *name = NULL;
        if (errno != EEXIST)
            return -1;
    }
    return msw_fail_kind(err, MSW_ERR_IO, "%s.%s-*: too many such files are there", path, tag);
}

bool msw_file_remove(const char *path, const msw_file_info *seen)
{
    msw_file_info now;
    if (msw_file_look(path, &now, NULL) || now.kind == MSW_FILE_NONE)
        return now.kind == MSW_FILE_NONE;
    return msw_file_same(seen, &now) && msw_disk_remove(path) == 0;
}

int msw_file_private_folder(const char *path, msw_err *err)
{
    msw_file_info info;
    if (msw_disk_make_folder(path, 0700) == 0)
        return msw_file_sync_name(path, err);
    if (errno != EEXIST)
        return msw_fail_kind(err, MSW_ERR_IO, "cannot make the folder %s: %s", path,
                             strerror(errno));
    if (msw_file_look(path, &info, err))
        return -1;
    const char *wrong = info.kind != MSW_FILE_FOLDER                ? "it is not a folder"
                        : info.owner != (uint64_t)geteuid()         ? "it belongs to another user"
                        : info.mode & (uint64_t)(S_IRWXG | S_IRWXO) ? "other users may enter it"
                                                                    : NULL;
    return wrong ? msw_fail_kind(err, MSW_ERR_IO,
                                 "%s: a private folder was expected, but %s: move it away or "
                                 "choose another place",
                                 path, wrong)
                 : 0;
}

int msw_file_sync(const char *path, msw_err *err)
{
    int fd = msw_disk_open(path, O_RDONLY, 0);
    if (fd < 0)
        return fail_errno(path, err);
    int rc = msw_disk_sync(fd) ? fail_errno(path, err) : 0;
    close(fd);
    return rc;
}

int msw_file_sync_name(const char *path, msw_err *err)
{
    char *folder = msw_file_folder(path);
    if (!folder)
        return msw_fail_memory(err);
    int fd = msw_disk_open(folder, O_RDONLY, 0), rc = 0;
    /* A folder that may be written to and not be read cannot be synchronised. */
    if (fd < 0 ? errno != EACCES : msw_disk_sync(fd) != 0)
        rc = msw_fail_kind(err, MSW_ERR_IO, "%s: its folder cannot be synchronised: %s", path,
                           strerror(errno));
    if (fd >= 0)
        close(fd);
    free(folder);
    return rc;
}

int msw_file_replace(const char *from, const char *to, const msw_file_info *seen, msw_err *err)
{
    msw_file_info now;
    if (msw_file_look(to, &now, err))
        return -1;
    if (!msw_file_unchanged(seen, &now))
        return 1;
    if (msw_disk_rename(from, to) != 0)
        return fail_errno(to, err);
    return msw_file_sync_name(to, err);
}
