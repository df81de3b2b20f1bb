/* SPDX-License-Identifier: MIT */
/* file: which file a name means, whether it is still the one it was, and replacing it in one step.
 *
 * A name proves nothing: links, mounts and other processes change what is behind it. What is to be
 * removed, replaced or truncated is compared with what was seen before, by device and inode. */
#ifndef MEMSWEEP_BASE_FILE_H
#define MEMSWEEP_BASE_FILE_H

#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum msw_file_kind {
    MSW_FILE_NONE, /* nothing of that name */
    MSW_FILE_PLAIN,
    MSW_FILE_FOLDER,
    MSW_FILE_LINK,
    MSW_FILE_OTHER /* a device, a pipe, a socket */
} msw_file_kind;

/* The file behind a name at one moment. */
typedef struct msw_file_info {
    msw_file_kind kind;
    uint64_t device, inode;
    uint64_t links, bytes;
    uint64_t owner, mode;          /* user number; permission bits */
    int64_t changed_s, changed_ns; /* last change of the content */
} msw_file_info;

/* Looks at a name itself: a symbolic link is reported as a link. Nothing there is no error. Returns
 * 0, or -1. */
int msw_file_look(const char *path, msw_file_info *info, msw_err *err);

/* The same of an open descriptor. Returns 0, or -1 with errno. */
int msw_file_look_open(int fd, msw_file_info *info);

/* Returns whether both are one file: same device and inode. */
bool msw_file_same(const msw_file_info *a, const msw_file_info *b);

/* Returns whether both are one file and nobody wrote to it in between (or nothing is there in both
 * cases). */
bool msw_file_unchanged(const msw_file_info *before, const msw_file_info *now);

/* Finds the absolute name without any links. The file may be missing, its folder not. Returns the
 * name, to be freed, or NULL with `err`. */
char *msw_file_real(const char *path, msw_err *err);

/* Returns whether something is mounted exactly at this absolute name: a file bound to a second
 * place has a second folder, where no lock and no journal of the first is seen. */
bool msw_file_is_mount(const char *real);

/* Opens a file for reading and writing, made when missing: never through a link, never a device or
 * a folder, never one with several names. Returns the descriptor, or -1 with `err`. */
int msw_file_open_own(const char *path, msw_err *err);

/* Makes an empty file "<path>.<tag>-<number>" that was not there before. Returns 0 with its name,
 * to be freed, and what it is, or -1. */
int msw_file_create_beside(const char *path, const char *tag, char **name, msw_file_info *info,
                           msw_err *err);

/* Removes a file if it is still the one that was seen. Returns whether it is gone. */
bool msw_file_remove(const char *path, const msw_file_info *seen);

/* Makes a folder that only this user can enter, or checks that it is one. Returns 0, or -1. */
int msw_file_private_folder(const char *path, msw_err *err);

/* Waits until the content of a file is on the disk. Returns 0, or -1. */
int msw_file_sync(const char *path, msw_err *err);

/* Waits until the folder that holds a name is on the disk: until then a power failure may undo what
 * made, replaced or removed it. Returns 0, or -1. */
int msw_file_sync_name(const char *path, msw_err *err);

/* Puts `from` in the place of `to`, in one step for whoever reads there, if `to` is still what was
 * seen. Returns 0, 1 when it is not, or -1. */
int msw_file_replace(const char *from, const char *to, const msw_file_info *seen, msw_err *err);

/* Cuts the last part off a path ("." when there is only one). Returns the folder, to be freed, or
 * NULL when memory runs out. */
char *msw_file_folder(const char *path);

/* Returns the part after the last '/'. */
const char *msw_file_name(const char *path);

#endif
