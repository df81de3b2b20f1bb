/* SPDX-License-Identifier: MIT */
/* The folder of a run, and the files that must stay what they were. */
#include "memsweep/base/context.h"
#include "memsweep/base/disk.h"
#include "memsweep/base/file.h"
#include "program/reading.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int trouble(const char *what, const char *path, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO, "cannot %s %s: %s", what, path, strerror(errno));
}

/* Where a file of the folder is; the folders on the way are made. */
static char *place(const char *folder, const char *name, msw_err *err)
{
    char *path = msw_strfmt("%s/%s", folder, name);
    if (!path)
        msw_fail_memory(err);
    for (char *c = path ? strchr(path + strlen(folder) + 1, '/') : NULL; c;
         c = strchr(c + 1, '/')) {
        *c = '\0';
        int rc = msw_disk_make_folder(path, 0700);
        *c = '/';
        if (rc && errno != EEXIST) {
            trouble("make", path, err);
            free(path);
            return NULL;
        }
    }
    return path;
}

static int write_template(const msw_program_scope *scope, const msw_program_file *file,
                          const char *path, msw_err *err)
{
    msw_text text = MSW_TEXT_EMPTY;
    int rc = msw_program_fill(scope, file->text, &text, err), fd = -1;
    if (rc == 0 && (fd = msw_disk_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600)) < 0)
        rc = trouble("make", path, err);
    if (rc == 0 && msw_disk_write(fd, msw_text_str(&text), text.size))
        rc = trouble("write", path, err);
    if (fd >= 0 && close(fd) && rc == 0)
        rc = trouble("write", path, err);
    msw_text_free(&text);
    return rc;
}

static int link_file(const msw_program_file *file, const char *path, msw_err *err)
{
    char *real = msw_file_real(file->path, err);
    if (!real)
        return -1;
    int rc = msw_disk_link(real, path) ? trouble("make the link", path, err) : 0;
    free(real);
    return rc;
}

static int fill(const msw_program_scope *scope, const char *folder, msw_err *err)
{
    const msw_program *p = scope->program;
    for (size_t i = 0; i < p->file_count + p->template_count; i++) {
        const msw_program_file *file =
            i < p->file_count ? &p->files[i] : &p->templates[i - p->file_count];
        char *path = place(folder, file->name, err);
        int rc = !path        ? -1
                 : file->text ? write_template(scope, file, path, err)
                              : link_file(file, path, err);
        free(path);
        MSW_TRY(rc);
    }
    return 0;
}

/* Zeros that bring the whole name to one of a few lengths: the length of the working folder's name
 * is on a program's stack and can change its answer (cachegrind's counts move with it), and an
 * answer must not depend on where the database lies. */
static int padding(size_t size)
{
    static const size_t LENGTHS[] = {128, 256, 512};
    for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++)
        if (size <= LENGTHS[i] && LENGTHS[i] - size < 200)
            return (int)(LENGTHS[i] - size);
    return 0;
}

/* Two levels, for a million runs. The first digits of all of them say the config. */
int program_folder_make(const char *work, const msw_program_scope *scope, char *folder,
                        msw_err *err)
{
    char digits[MSW_DIGEST_TEXT];
    const msw_mech *mech = &scope->program->external->mech;
    msw_digest all = msw_hash_bytes(scope->config, mech->config_size);
    msw_digest_text(msw_hash_pair(all, msw_hash_string(scope->workload->name)), digits);
    size_t size = strlen(work) + sizeof "/aa/bbbbbbbb--XXXXXX" - 1;
    if (snprintf(folder, MSW_PROGRAM_PATH, "%s/%.2s/%.8s-%0*d-XXXXXX", work, digits, digits + 2,
                 padding(size + 1) + 1, 0) >= MSW_PROGRAM_PATH)
        return msw_fail_kind(err, MSW_ERR_IO, "%s: too long a path", work);
    char *slash = strrchr(folder, '/');
    *slash = '\0';
    if (msw_disk_make_folder(folder, 0700) && errno != EEXIST)
        return trouble("make", folder, err);
    *slash = '/';
    if (msw_disk_make_own_folder(folder))
        return trouble("make", folder, err);
    if (fill(scope, folder, err) == 0)
        return 0;
    msw_program_remove(folder);
    return -1;
}

enum { DEPTH_MOST = 64 };

static void remove_below(const char *path, int depth)
{
    struct dirent *entry;
    DIR *folder = opendir(path);
    if (!folder && errno == EACCES && msw_disk_set_mode(path, 0700) == 0)
        folder = opendir(path);
    msw_disk_set_mode(path, 0700);
    while (folder && (entry = readdir(folder))) {
        msw_file_info info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *inner = msw_strfmt("%s/%s", path, entry->d_name);
        if (inner && msw_disk_remove(inner) && depth < DEPTH_MOST &&
            msw_file_look(inner, &info, NULL) == 0 && info.kind == MSW_FILE_FOLDER)
            remove_below(inner, depth + 1);
        free(inner);
    }
    if (folder)
        closedir(folder);
    msw_disk_remove_folder(path);
}

void msw_program_remove(const char *folder)
{
    remove_below(folder, 0);
}

void msw_program_remove_work(char *work)
{
    char path[MSW_PROGRAM_PATH];
    for (int i = 0; i < 256; i++) {
        snprintf(path, sizeof path, "%s/%02x", work, i);
        msw_disk_remove_folder(path); /* only where it is empty */
    }
    char *slash = msw_disk_remove_folder(work) ? NULL : strrchr(work, '/');
    if (slash) {
        *slash = '\0';
        msw_disk_remove_folder(work);
    }
}

/* A quota and a want of inodes are only seen by who writes. */
bool program_folder_is_full(const char *folder)
{
    enum { LEAST = 16 << 10 };
    static const char BLANK[LEAST];
    struct statvfs info;
    if (statvfs(folder, &info) == 0 && info.f_blocks &&
        (double)info.f_bavail * (double)info.f_frsize < LEAST)
        return true;
    char *path = msw_strfmt("%s/.room", folder);
    int fd = path ? msw_disk_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600) : 0;
    bool full = path && (fd < 0 || msw_disk_write(fd, BLANK, LEAST));
    int number = errno;
    if (path && fd >= 0) {
        if (close(fd) && !full) { /* where a file server only says so at the end */
            number = errno;
            full = true;
        }
        msw_disk_remove(path);
    }
    free(path);
    return full && (number == ENOSPC || number == EDQUOT);
}

/* The files and executables of a definition must stay what they were when the sweep was planned. */

static const msw_program_file *file_at(const msw_program *p, size_t i)
{
    return i < p->file_count ? &p->files[i] : &p->tools[i - p->file_count];
}

static int look(const msw_program_file *file, msw_file_info *info, msw_err *err)
{
    char *real = msw_file_real(file->path, err);
    int rc = real ? msw_file_look(real, info, err) : -1;
    free(real);
    return rc;
}

static int changed(const msw_program_file *file, msw_err *err)
{
    return msw_fail_kind(err, MSW_ERR_IO,
                         "%s is no longer the file that this sweep was planned with: rows so far "
                         "stand; a new run has other keys",
                         file->path);
}

/* Once by content, so that a plan of another rank, job or day meets the same program. */
int program_files_look(const msw_program *p, msw_file_info **seen, msw_err *err)
{
    char digest[MSW_DIGEST_TEXT];
    msw_file_info *list = *seen = calloc(p->file_count + p->tool_count + 1, sizeof *list);
    if (!list)
        return msw_fail_memory(err);
    for (size_t i = 0; i < p->file_count + p->tool_count; i++) {
        const msw_program_file *file = file_at(p, i);
        if (look(file, &list[i], err) || msw_program_identify(file->path, digest, err)) {
            err->kind = MSW_ERR_IO;
            return -1;
        }
        if (strcmp(digest, file->digest) != 0)
            return changed(file, err);
    }
    return 0;
}

int program_files_check(const msw_program *p, const msw_file_info *seen, msw_err *err)
{
    for (size_t i = 0; i < p->file_count + p->tool_count; i++) {
        msw_file_info info;
        if (look(file_at(p, i), &info, NULL) || !msw_file_unchanged(&seen[i], &info))
            return changed(file_at(p, i), err);
    }
    return 0;
}
