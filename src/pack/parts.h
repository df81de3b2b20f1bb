/* SPDX-License-Identifier: MIT */
/* Private to pack: what its files share. */
#ifndef MSW_PACK_PARTS_H
#define MSW_PACK_PARTS_H

#include "memsweep/base/arena.h"
#include "memsweep/pack/pack.h"
#include "memsweep/pack/packed.h"
#include "memsweep/store/store.h"
#include "memsweep/sweep/bundle.h"

/* A file on its way into the archive; `name` lies in the arena. */
typedef struct msw_pack_member {
    const char *name;
    const char *type;   /* as the web names it: text/csv */
    const char *role;   /* input, result, figure, page, versions, about */
    const char *origin; /* the command that makes it from the database; or NULL */
    const char *bytes;
    char *owned; /* the same where they are to be freed, or NULL */
    size_t size;
} msw_pack_member;

/* One packing on its way. */
typedef struct msw_pack_job {
    const msw_pack_ask *ask;
    msw_pack_made *made;
    msw_arena arena;
    msw_recorder recorder;
    msw_plan *plan;
    char *folder;      /* for temporary files */
    char *database;    /* the copy, in the folder */
    char *called;      /* the sweep in it: NAME@DIGITS */
    const char *sweep; /* member of the sweep file */
    size_t folder_count;
    const char *folders[MSW_PACKED_FOLDERS]; /* members' folders in which names are looked for */
    const char *date;                        /* of the last run */
    msw_table runs;                          /* which program computed the rows */
    size_t count, capacity;
    msw_pack_member *members;
    msw_err *err;
} msw_pack_job;

/* members.c: appends one. Where `owned` is given the bytes are the job's, also on failure. A second
 * one of the name is refused unless it holds the same. Return 0, or -1. */
int msw_pack_add(msw_pack_job *job, const msw_pack_member *member);
int msw_pack_add_text(msw_pack_job *job, const char *name, const char *type, const char *role,
                      msw_text *text);
int msw_pack_add_file(msw_pack_job *job, const char *path, const msw_pack_member *member);
void msw_pack_free_members(msw_pack_job *job);

/* The arena's copy of a formatted text. Returns it, or NULL after failing. */
const char *msw_pack_text(msw_pack_job *job, const char *fmt, ...) MSW_PRINTF(2, 3);

/* layout.c: gives all recorded files their names in the archive and adds them. Returns 0, or -1. */
int msw_pack_inputs(msw_pack_job *job);

/* path.c: joins a path with the folder it is meant from and takes out '.' and '..'. Returns it
 * without a '/' at its end ("" for the root, also for what leads above it), or NULL. */
char *msw_pack_path(const char *folder, const char *path);

/* The same behind `at` bytes that stand in `out` already, which has room for two more than the path
 * takes. Returns how many stand there then. */
size_t msw_pack_straight(char *out, size_t at, const char *path);

/* database.c: copies the rows of the sweep, and only those, into a database in the temporary
 * folder; finds out whether they are all. Returns 0, or -1. */
int msw_pack_database(msw_pack_job *job);

/* pictures.c: makes page and figures from it and adds them. Returns 0, or -1. */
int msw_pack_pictures(msw_pack_job *job);

/* describe.c, crate.c, readme.c: add what says what the others are. Return 0, or -1. */
int msw_pack_versions(msw_pack_job *job);
int msw_pack_crate(msw_pack_job *job);
int msw_pack_readme(msw_pack_job *job);

/* The command that gives an archive's rows anew. */
#define MSW_PACK_REPLAY "memsweep replay"

#endif
