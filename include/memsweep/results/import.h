/* SPDX-License-Identifier: MIT */
/* import: a table of another program, in comma-separated values, becomes a sweep.
 *
 * Inputs become parameters and outputs metrics of an external mechanism (sweep/external.h). The
 * points are a complete grid where all combinations of the inputs are there, the design that is
 * named, else a list. */
#ifndef MEMSWEEP_RESULTS_IMPORT_H
#define MEMSWEEP_RESULTS_IMPORT_H

#include "memsweep/store/store.h"

/* What a user asks for; NULL where nothing was said. */
typedef struct msw_import_ask {
    const char *file, *sweep;
    const char *inputs;   /* "cores, 'L2 size' [KiB] log, policy as replacement" */
    const char *outputs;  /* "cycles [cycles] min, ipc max" */
    const char *workload; /* the column whose words are workloads */
    const char *design;   /* of msw_import_designs, or NULL: found */
    const char *fidelity; /* NULL: full */
    const char *derive;   /* "edp = energy * time min, ..." */
    const char *limits;   /* "area <= 3, ..." */
} msw_import_ask;

/* Designs that a table can be said to follow, ended by NULL. */
extern const char *const msw_import_designs[];

typedef struct msw_import msw_import;

/* Reads and checks a table. Returns 0, or -1 with what is wrong, where, and what is allowed. */
int msw_import_read(const msw_import_ask *ask, msw_import **import, msw_err *err);

/* The same of `size` bytes in memory, which are changed. */
int msw_import_parse(const msw_import_ask *ask, char *text, size_t size, msw_import **import,
                     msw_err *err);

void msw_import_free(msw_import *import);

/* Says what was understood: rows, design, workloads, objectives, and what was left out. */
void msw_import_note(const msw_import *import, msw_text *out);

/* The canonical text of the sweep it becomes. */
const char *msw_import_canonical(const msw_import *import);

/* Points that were given a row. */
typedef struct msw_import_count {
    uint64_t added;  /* a new one; those that equal another in everything share it */
    uint64_t reused; /* one that another sweep of the file has */
    uint64_t before; /* points of the sweep whose place it took: the table has grown */
} msw_import_count;

/* Adds the sweep and those of its rows that are not there yet. It takes the place of a sweep of its
 * name that has some of its rows and no others. Returns 0, or -1. */
int msw_import_store(const msw_import *import, msw_store *store, const msw_run_info *info,
                     msw_import_count *count, msw_err *err);

#endif
