/* SPDX-License-Identifier: MIT */
/* node: the tree of a YAML text, with the place of everything in it. */
#ifndef MSW_SWEEP_NODE_H
#define MSW_SWEEP_NODE_H

#include "memsweep/base/arena.h"
#include "sweep/diagnostics.h"

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

/* Reads one YAML document; `file` must outlive the nodes. Anchors and aliases share nodes. Returns
 * 0, or -1 with the reason in `diagnostics`. */
int msw_yaml_parse(const char *file, const char *text, size_t size, msw_arena *arena,
                   msw_diagnostics *diagnostics, msw_node **root);

/* Checks that bytes are UTF-8 without control characters. Returns 0, or -1 with the first bad place
 * in `diagnostics`. */
int msw_utf8_check(const char *file, const char *text, size_t size, msw_diagnostics *diagnostics);

/* Decodes in place what was between single quotes: '' is a quote, a line break is a blank.
 * Returns the new length. */
size_t msw_unquote(char *text);

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

#endif
