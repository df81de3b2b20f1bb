/* SPDX-License-Identifier: MIT */
/* Files that somebody else made: a folder for them, files to start from, and whether anything in a
 * folder has changed. */
#ifndef MEMSWEEP_TESTS_FOREIGN_H
#define MEMSWEEP_TESTS_FOREIGN_H

#include "testing.h"

#include "store_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Runs SQL as any other program would. */
void execute(const char *path, const char *sql);

/* Makes a file of the toy one from before there were checksums: what is changed in it is not
 * damage.
 */
void uncover(const char *path);

int64_t count_of(const char *path, const char *sql);

/* A file with one sweep of so many points; `salt` makes its rows different ones. */
void make_file(const char *path, const char *name, uint64_t points, uint64_t salt);

void copy_bytes(const char *from, const char *to);

/* A number that changes when a file of the folder is added, removed, written to or touched. */
uint64_t state_of_folder(const char *folder);

/* A folder of the test's own, with one more in it for files to be merged. */
typedef struct foreign {
    char folder[64], sources[80], into[80], from[100];
} foreign;

void foreign_init(foreign *f);

void foreign_free(foreign *f);

/* Merges; the sources' folder must be what it was. Returns what the merge returned. */
int merge_files(const foreign *f, msw_merge_rule rule, uint64_t *rows, msw_err *err);

#endif
