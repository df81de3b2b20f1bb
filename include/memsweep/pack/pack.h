/* SPDX-License-Identifier: MIT */
/* pack: a sweep with everything that its answers came from, as one archive.
 *
 * The archive is a zip file that describes itself as an RO-Crate 1.1 (docs/pack.md): the sweep and
 * every file it is read from, the rows in a database of their own, figures, page, and the versions
 * of all that the answers depend on. The same content gives the same bytes. */
#ifndef MEMSWEEP_PACK_PACK_H
#define MEMSWEEP_PACK_PACK_H

#include "memsweep/base/context.h"
#include "memsweep/base/hash.h"
#include "memsweep/sweep/sweep.h"

/* The program that packs. */
typedef struct msw_pack_program {
    const char *version, *compiler, *revision; /* revision NULL: not known */
} msw_pack_program;

/* What is asked for; NULL where nothing was said. */
typedef struct msw_pack_ask {
    const msw_context *context;
    msw_pack_program program;
    const char *sweep;    /* path of the sweep file */
    const char *fidelity; /* instead of the file's */
    int64_t seed;         /* the same, when >= 0 */
    const char *database; /* as users name it; else that of the sweep */
    const char *output;   /* else <sweep>.zip in the results folder */
    const char *figures;  /* names with commas; else all that the sweep has something for */
    bool no_figures, no_page, partial;
} msw_pack_ask;

/* What was packed. */
typedef struct msw_pack_made {
    char *path;
    uint64_t rows, points, bytes;
    size_t inputs, figures;
    bool page, without_gnuplot;
    msw_digest digest; /* of the rows */
} msw_pack_made;
void msw_pack_made_free(msw_pack_made *made);

/* Packs a sweep. Nothing is left where it fails. Returns 0, or -1 with `err`; what is wrong with
 * the sweep file is in `messages` instead. */
int msw_pack(const msw_pack_ask *ask, msw_pack_made *made, msw_messages *messages, msw_err *err);

#endif
