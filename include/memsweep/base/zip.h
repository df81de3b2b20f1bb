/* SPDX-License-Identifier: MIT */
/* zip: zip archives (PKWARE's APPNOTE 6.3: stored or deflated), read from memory (zip64, too) and
 * written to a stream.
 *
 * Reading an entry trusts nothing but what it needs; an archive that somebody else may have made up
 * goes through msw_zip_check first. Writing gives the same bytes for the same members: no times, no
 * owners. */
#ifndef MEMSWEEP_BASE_ZIP_H
#define MEMSWEEP_BASE_ZIP_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"
#include "memsweep/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct msw_zip {
    const char *file; /* for messages */
    const uint8_t *bytes;
    size_t size;
    const uint8_t *next, *end; /* of the directory */
    uint64_t count;            /* of entries, as the end of the archive says */
} msw_zip;

typedef struct msw_zip_entry {
    const char *name; /* not zero-terminated */
    size_t name_size;
    size_t from; /* where its header is in the file */
    const uint8_t *data;
    size_t packed, unpacked;
    uint32_t crc;
    unsigned mode; /* type and permissions of Unix; 0: made elsewhere */
    bool deflated;
} msw_zip_entry;

/* Finds the directory of an archive. Returns 0, or -1. */
int msw_zip_open(msw_zip *zip, const char *file, const char *bytes, size_t size, msw_err *err);

/* Reads the next entry of the directory. Returns 1, 0 at the end, or -1. */
int msw_zip_next(msw_zip *zip, msw_zip_entry *entry, msw_err *err);

/* Unpacks an entry, of at most `most` bytes, into the arena, and checks its sum. Returns its bytes,
 * zero-terminated, or NULL. */
const char *msw_zip_unpack(const msw_zip *zip, const msw_zip_entry *entry, size_t most,
                           msw_arena *arena, msw_err *err);

/* What an archive may hold. */
typedef struct msw_zip_limits {
    uint64_t members, bytes; /* bytes: unpacked, of all members */
} msw_zip_limits;

/* Looks at all entries for what only made-up or broken archives have: names that lead out of a
 * folder, names that come twice, links, members that overlap, headers that contradict the
 * directory, sizes that no content can have, more than the limits. Returns 0, or -1. */
int msw_zip_check(const msw_zip *zip, const msw_zip_limits *limits, msw_err *err);

/* Whether a name can be that of a member: a path below a folder, in UTF-8. Returns the verdict. */
bool msw_zip_name_is(const char *name, size_t size);

/* ---- zip_write.c ---- */

/* What one member may take, and the archive. */
#define MSW_ZIP_MEMBER_MAX ((size_t)2 << 30)
#define MSW_ZIP_FILE_MAX   ((uint64_t)4 << 30)

/* An archive on its way; start from {.out = stream}. msw_zip_end or msw_zip_drop frees it. */
typedef struct msw_zip_writer {
    FILE *out;
    msw_text directory;
    uint64_t at;
    unsigned count;
} msw_zip_writer;

/* Writes a member, deflated where that is shorter. Returns 0, or -1. */
int msw_zip_add(msw_zip_writer *writer, const char *name, const char *bytes, size_t size,
                msw_err *err);

/* Writes the directory, with a comment at its end, and frees what the writer holds. Returns 0, or
 * -1. */
int msw_zip_end(msw_zip_writer *writer, const char *comment, msw_err *err);

/* Frees it. */
void msw_zip_drop(msw_zip_writer *writer);

#endif
