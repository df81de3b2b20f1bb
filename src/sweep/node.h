/* SPDX-License-Identifier: MIT */
/* A sweep file as a tree, and the messages about it, collected while it is read and printed in file
 * order. */
#ifndef MSW_SWEEP_NODE_H
#define MSW_SWEEP_NODE_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"
#include "memsweep/base/yaml.h"
#include "memsweep/sweep/sweep.h"

#include <stdbool.h>
#include <stddef.h>

enum { MSW_DIAGNOSTICS_MAX = 50 };

typedef struct msw_diagnostic {
    const char *file;
    int line, column; /* from 1; line 0: the file as a whole */
    char *text;
} msw_diagnostic;

/* Start from a zeroed struct. */
typedef struct msw_diagnostics {
    size_t count, dropped;
    bool trouble; /* of files or memory, which is no fault of what was read */
    msw_diagnostic list[MSW_DIAGNOSTICS_MAX];
} msw_diagnostics;

/* Reads a sweep file; `file` must outlive the nodes. Returns 0 and its root, a map, or -1 with the
 * reason in `diagnostics`. */
int msw_sweep_parse(const char *file, const char *text, size_t size, msw_arena *arena,
                    msw_diagnostics *diagnostics, msw_node **root);

/* Adds a message; `file` must outlive the notes. Messages over the limit are only counted. */
void msw_diagnostics_add(msw_diagnostics *diagnostics, const char *file, int line, int column,
                         const char *fmt, ...) MSW_PRINTF(5, 6);

/* Adds that memory ran out, of which the file is not to blame. */
void msw_diagnostics_memory(msw_diagnostics *diagnostics, const char *file, int line, int column);

/* Prints all messages, sorted by position, one line each. */
void msw_diagnostics_print(msw_diagnostics *diagnostics, msw_messages *out);

/* Frees the messages. */
void msw_diagnostics_free(msw_diagnostics *diagnostics);

#endif
