/* SPDX-License-Identifier: MIT */
/* folder: the files of a trial, kept in memory: put on the disk before it and compared after it. */
#ifndef MEMSWEEP_FAULTS_FOLDER_H
#define MEMSWEEP_FAULTS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FOLDER_FILES = 64 };

typedef struct folder_file {
    char name[256]; /* relative */
    char *bytes;    /* NULL: a folder */
    size_t size;
} folder_file;

typedef struct folder {
    size_t count;
    folder_file files[FOLDER_FILES];
} folder;

/* Reads all files below `path`, in the order of their names. Aborts when that fails. */
void folder_read(folder *f, const char *path);

/* Makes the content of `path` these files and nothing else. */
void folder_write(const folder *f, const char *path);
void folder_clear(const char *path);
void folder_free(folder *f);

/* Returns a digest of names and contents. */
uint64_t folder_digest(const folder *f);

/* Returns the file of that name, or NULL. */
const folder_file *folder_find(const folder *f, const char *name);

/* Names that are in `now` and not in `usual`, but for journals and, where they may stay, begun
 * outputs; "" when none. */
void folder_extra(const folder *now, const folder *usual, bool parts_may_stay, char *text,
                  size_t size);

#endif
