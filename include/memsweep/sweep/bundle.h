/* SPDX-License-Identifier: MIT */
/* bundle: the files a plan was made from, as one block of bytes that can be sent to other ranks.
 *
 * The rank that reads files plans through a recorder; the others plan through a player of the
 * recorded bytes and touch no file. */
#ifndef MEMSWEEP_SWEEP_BUNDLE_H
#define MEMSWEEP_SWEEP_BUNDLE_H

#include "memsweep/base/text.h"
#include "memsweep/sweep/sweep.h"

/* Where files are read from, and where what was read is written down. */
typedef struct msw_recorder {
    msw_text bytes;
    const msw_file_source *from; /* NULL: the file system */
    bool limited, forgot;        /* limited: forgets all once it would be more than `most` bytes */
    size_t most;
} msw_recorder;

/* In the place of a file: "label\n" MSW_IDENTITY "path" is the digest of the file at `path`, which
 * is recorded as a file called by the label. */
#define MSW_IDENTITY "identity of "

/* Appends every file read to the bytes of a recorder. Returns the source, which lives as long as
 * that. */
msw_file_source msw_bundle_recorder(msw_recorder *recorder);

/* Knows the recorded files and no others. Returns the source, which lives as long as `bytes`. */
msw_file_source msw_bundle_player(const msw_text *bytes);

/* Appends a file as a recorder does. */
void msw_bundle_add(msw_text *bytes, const char *path, const char *content, size_t size);

/* Where a plan's files are: its sweep file and the data folders, a line each. */
void msw_bundle_paths(const char *path, const char *const *dirs, msw_text *paths);

/* Cuts such lines, of which the first is the sweep file: its folders end with NULL. */
enum { MSW_BUNDLE_DIRS = 8 };
void msw_bundle_cut_paths(char *paths, const char *dirs[MSW_BUNDLE_DIRS + 1]);

/* One recorded file. */
typedef struct msw_bundle_file {
    const char *path, *content;
    size_t size;
} msw_bundle_file;

/* Goes through the recorded files in the order in which they were read first; `at` starts at 0.
 * Returns whether there is one more. */
bool msw_bundle_next(const msw_text *bytes, size_t *at, msw_bundle_file *file);

#endif
