/* SPDX-License-Identifier: MIT */
/* yaml: a YAML text as a tree in an arena, with the place of everything in it.
 *
 * Text has to be UTF-8; tags are refused; anchors and aliases share nodes; at most 32 levels. */
#ifndef MEMSWEEP_BASE_YAML_H
#define MEMSWEEP_BASE_YAML_H

#include "memsweep/base/arena.h"

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

/* Told of everything that is wrong with a text; places count from 1. `trouble`: memory ran out, of
 * which the text is not to blame. */
typedef struct msw_yaml_listener {
    void (*say)(void *context, const msw_node *at, bool trouble, const char *text);
    void *context;
} msw_yaml_listener;

/* Reads one YAML document; `file` must outlive the nodes. Returns 0 and its root, NULL where the
 * text is empty, or -1. */
int msw_yaml_parse(const char *file, const char *text, size_t size, msw_arena *arena,
                   const msw_yaml_listener *listener, msw_node **root);

/* Reads all documents of a text, as a list. Returns 0, or -1. */
int msw_yaml_parse_all(const char *file, const char *text, size_t size, msw_arena *arena,
                       const msw_yaml_listener *listener, msw_node **root);

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

/* Names the kind of a node, for messages: "nothing", "a single value", "a list", "a mapping". */
const char *msw_node_what(const msw_node *node);

#endif
