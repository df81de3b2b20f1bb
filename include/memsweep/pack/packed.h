/* SPDX-License-Identifier: MIT */
/* packed: an archive that msw_pack made, or that somebody says it made.
 *
 * Nothing of it is unpacked to a disk: a plan reads its files through a source. The whole archive
 * is looked at first; names that lead out of it, links, members in members, wrong sums and the like
 * are refused with one message. */
#ifndef MEMSWEEP_PACK_PACKED_H
#define MEMSWEEP_PACK_PACKED_H

#include "memsweep/base/zip.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/sweep.h"

/* The comment of an archive. */
#define MSW_PACKED_MARK "packed by memsweep pack"

/* Names of what is in every archive. */
#define MSW_PACKED_VERSIONS "versions.json"
#define MSW_PACKED_DATABASE "results.db"
#define MSW_PACKED_CRATE    "ro-crate-metadata.json"

enum { MSW_PACKED_FORMAT = 1, MSW_PACKED_FOLDERS = 8 };

/* What versions.json says. */
typedef struct msw_packed_facts {
    const char *name, *file;                             /* of the sweep; its member */
    const char *fidelity, *seed;                         /* given instead of the file's, or NULL */
    const char *version, *compiler, *revision, *machine; /* of who packed; revision may be NULL */
    const struct msw_json *models;                       /* name: version */
    msw_digest plan, digest;                             /* of the sweep; of its rows */
    uint64_t rows, points;
} msw_packed_facts;

typedef struct msw_packed_entry {
    const char *name;
    msw_zip_entry entry;
    bool listed; /* in versions.json, with a digest */
} msw_packed_entry;

/* An open archive. Must not move while its source is used. */
typedef struct msw_packed {
    char *root; /* its path: in front of the names of its files */
    char *bytes;
    msw_zip zip;
    msw_arena arena;
    msw_packed_entry *entries; /* in the order of their names */
    size_t count, unlisted;    /* unlisted: which somebody has added */
    msw_packed_facts facts;
    char *sweep;                                 /* path of the sweep file below the root */
    const char *folders[MSW_PACKED_FOLDERS + 1]; /* where it looks for files, ended by NULL */
    msw_file_source files;
} msw_packed;

/* Reads an archive and checks all of it. Returns 0, or -1. */
int msw_packed_open(msw_packed *packed, const char *path, msw_err *err);

/* The same of bytes at hand, which are copied neither nor freed. Returns 0, or -1. */
int msw_packed_read(msw_packed *packed, const char *path, const char *bytes, size_t size,
                    msw_err *err);
void msw_packed_close(msw_packed *packed);

/* The options that its sweep is planned with: files, folders, fidelity and seed. Returns 0, or -1.
 */
int msw_packed_options(const msw_packed *packed, msw_plan_options *options, msw_err *err);

/* Unpacks a member onto the heap, zero-terminated. Returns 0, or -1. */
int msw_packed_member(const msw_packed *packed, const char *name, char **data, size_t *size,
                      msw_err *err);

/* differ.c: appends a line for each version that is another one here: of the machine, of models,
 * parts, sampler, front ends, design. Returns how many there are. */
size_t msw_packed_differ(const msw_packed *packed, const msw_plan *plan, const char *machine,
                         msw_text *lines);

/* Name of this machine's architecture. Returns it, in `name`. */
const char *msw_machine(char name[64]);

/* What came of comparing rows. */
typedef struct msw_packed_rows {
    uint64_t compared, different, missing; /* rows of the archive; missing here */
    msw_text lines;                        /* the first of them, a line each */
} msw_packed_rows;

/* compare.c: compares the rows of the archive with those of `sweep` in a store. Returns 0, or -1.
 */
int msw_packed_compare(const msw_packed *packed, msw_store *store, const char *sweep,
                       msw_packed_rows *found, msw_err *err);

#endif
