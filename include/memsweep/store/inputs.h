/* SPDX-License-Identifier: MIT */
/* inputs: the files that a sweep was read from, kept in the database beside its rows, so that the
 * database alone is enough to compute them again. */
#ifndef MEMSWEEP_STORE_INPUTS_H
#define MEMSWEEP_STORE_INPUTS_H

#include "memsweep/store/store.h"

/* Files of a sweep, and how its plan was read from them. */
typedef struct msw_inputs {
    msw_text files;        /* a bundle (memsweep/sweep/bundle.h) */
    msw_text paths;        /* the sweep file and the data folders, as msw_bundle_paths gives them */
    const char *fidelity;  /* given instead of the file's, or NULL */
    int64_t seed;          /* the same, when >= 0 */
    uint64_t count, bytes; /* of the files; filled in by both functions */
    uint64_t stored;       /* what they take in the database, compressed */
    char given[32];        /* the fidelity that was read */
} msw_inputs;

/* Keeps the inputs of a plan and commits them, unless the file holds inputs of it already. Files
 * that several sweeps share are kept once. Returns 0, or -1. */
int msw_store_keep_inputs(msw_store *store, const msw_plan *plan, msw_inputs *inputs, msw_err *err);

/* Reads the inputs of the plan with a digest. Anybody may have written them: what is damaged, or
 * unpacks to more than files of a sweep may hold, is refused. Returns 1, 0 when the file has none
 * of that plan, or -1. */
int msw_store_inputs(msw_store *store, msw_digest plan, msw_inputs *inputs, msw_err *err);

void msw_inputs_free(msw_inputs *inputs);

#endif
