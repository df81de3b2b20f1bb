/* SPDX-License-Identifier: MIT */
/* The tree of a YAML text, with the place of everything in it, and the messages about a sweep file,
 * collected while it is read and printed in file order. */
#ifndef MSW_SWEEP_NODE_H
#define MSW_SWEEP_NODE_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"
#include "memsweep/sweep/sweep.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum msw_node_kind {
    MSW_NODE_NULL,
    MSW_NODE_SCALAR,
    MSW_NODE_LIST,
    MSW_NODE_MAP
} msw_node_kind;

typedef struct msw_node msw_node;
struct msw_node {
    msw_node_kind kind;
    const char *file;
    int line, column;
    const char *text; /* scalars and nulls, as written */
    bool quoted;
    size_t count, capacity;
    msw_node **keys;  /* maps: scalars */
    msw_node **items; /* lists and maps */
    size_t weight;    /* nodes below and this one, as if every alias were written out */
};

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

/* Reads one YAML document; `file` must outlive the nodes. Anchors and aliases share nodes. Returns
 * 0, or -1 with the reason in `diagnostics`. */
int msw_yaml_parse(const char *file, const char *text, size_t size, msw_arena *arena,
                   msw_diagnostics *diagnostics, msw_node **root);

/* Makes an empty node at the place of another. Returns it, or NULL when memory runs out. */
msw_node *msw_node_new(msw_arena *arena, msw_node_kind kind, const msw_node *at);

/* Appends to a list (key NULL) or a map. Returns 0, or -1 when memory runs out. */
int msw_node_add(msw_arena *arena, msw_node *parent, msw_node *key, msw_node *item);

/* Compares keys; '.' and '_' are the same letter there ("npu.batch"). Returns the verdict. */
bool msw_key_same(const char *a, const char *b);

/* Finds a key of a map. Returns its position, or `count` when it is not there (or not a map). */
size_t msw_node_find(const msw_node *map, const char *key);

/* Reads a key of a map. Returns its value, or NULL when it is absent or null. */
const msw_node *msw_node_get(const msw_node *map, const char *key);

/* What a node is, for messages: "nothing", "a single value", "a list", "a mapping". */
const char *msw_node_what(const msw_node *node);

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
