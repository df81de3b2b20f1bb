/* SPDX-License-Identifier: MIT */
#include "sweep/node.h"

#include <string.h>

msw_node *msw_node_new(msw_arena *arena, msw_node_kind kind, const msw_node *at)
{
    msw_node *node = msw_arena_zero(arena, 1, sizeof *node);
    if (!node)
        return NULL;
    *node = (msw_node){.kind = kind,
                       .file = at->file,
                       .line = at->line,
                       .column = at->column,
                       .text = "",
                       .weight = 1};
    return node;
}

static msw_node **grown(msw_arena *arena, msw_node **old, size_t count, size_t capacity)
{
    msw_node **list = msw_arena_zero(arena, capacity, sizeof *list);
    if (list && count)
        memcpy(list, old, count * sizeof *list);
    return list;
}

static int reserve(msw_arena *arena, msw_node *parent)
{
    if (parent->count < parent->capacity)
        return 0;
    size_t capacity = parent->capacity ? 2 * parent->capacity : 8;
    msw_node **items = grown(arena, parent->items, parent->count, capacity);
    msw_node **keys = grown(arena, parent->keys, parent->keys ? parent->count : 0, capacity);
    if (!items || !keys)
        return -1;
    parent->items = items;
    parent->keys = keys;
    parent->capacity = capacity;
    return 0;
}

int msw_node_add(msw_arena *arena, msw_node *parent, msw_node *key, msw_node *item)
{
    if (reserve(arena, parent) != 0)
        return -1;
    parent->keys[parent->count] = key;
    parent->items[parent->count++] = item;
    return 0;
}

bool msw_key_same(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if ((*a == '.' ? '_' : *a) != (*b == '.' ? '_' : *b))
            return false;
    return *a == *b;
}

size_t msw_node_find(const msw_node *map, const char *key)
{
    if (!map || map->kind != MSW_NODE_MAP)
        return map ? map->count : 0;
    size_t i = 0;
    while (i < map->count && !msw_key_same(map->keys[i]->text, key))
        i++;
    return i;
}

const msw_node *msw_node_get(const msw_node *map, const char *key)
{
    size_t i = msw_node_find(map, key);
    if (!map || i == map->count || map->items[i]->kind == MSW_NODE_NULL)
        return NULL;
    return map->items[i];
}

const char *msw_node_what(const msw_node *node)
{
    static const char *const WHAT[] = {"nothing", "a single value", "a list", "a mapping"};
    return WHAT[node->kind];
}
