/* SPDX-License-Identifier: MIT */
/* context: what a command hands down: where data and results are, and who gets messages. */
#ifndef MEMSWEEP_BASE_CONTEXT_H
#define MEMSWEEP_BASE_CONTEXT_H

#include "memsweep/base/err.h"
#include "memsweep/base/log.h"

#include <stdbool.h>

typedef struct msw_context {
    const char *const *data_dirs; /* what comes with memsweep: searched in order, ended by NULL */
    const char *results_dir;
    msw_log log;
} msw_context;

/* The sweep file a word means: a path, or the name of one that comes with memsweep. The caller
 * frees it. Returns NULL when memory runs out. */
char *msw_context_sweep(const msw_context *context, const char *word);

/* The database a word means: a path, or the name of a sweep in the results folder. The caller frees
 * it. Returns NULL when memory runs out. */
char *msw_context_database(const msw_context *context, const char *word);

/* Cuts the last part off a path. Returns false when there is none. */
bool msw_path_cut(char *path);

/* Returns whether there is a folder of that path. */
bool msw_is_folder(const char *path);

/* Makes the folder of a file, and those above it. Returns 0, or -1. */
int msw_make_folder(const char *path, msw_err *err);

#endif
