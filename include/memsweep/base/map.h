/* SPDX-License-Identifier: MIT */
/* map: hash tables with open addressing: an index of items that the caller has, a map from whole
 * numbers to whole numbers, a set of strings, a set of whole numbers in memory of the caller.
 *
 * Hashes have no seed and entries are numbered as they come, so that no answer depends on them.
 * Tables on the heap start zeroed, those in an arena with `.arena` set (`.index.arena`). Nothing is
 * removed. Up to 2^31 entries. */
#ifndef MEMSWEEP_BASE_MAP_H
#define MEMSWEEP_BASE_MAP_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MSW_NOWHERE UINT32_MAX /* no such entry */

/* Mixes a number, so that every bit of it counts. Returns the hash that tables go by. */
static inline uint32_t msw_map_hash(uint64_t key)
{
    return (uint32_t)(((key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

/* ---- index: numbers of items by a hash of their keys ---- */

typedef struct msw_index {
    uint64_t *slots; /* hash << 32 | number + 1; 0: free */
    size_t slot_count, count;
    msw_arena *arena; /* NULL: the heap */
} msw_index;

/* Makes room for `count` entries. Returns 0, or -1; then nothing has changed. */
int msw_index_reserve(msw_index *index, size_t count, msw_err *err);

/* Adds the number of an item whose key has this hash (msw_map_hash). Returns 0, or -1. */
int msw_index_add(msw_index *index, uint32_t hash, uint32_t number, msw_err *err);

/* Walks through the numbers of all items whose hash is this one: the caller compares their keys.
 * `*at` is the walk's own. Both return a number, or MSW_NOWHERE at the end. */
static inline uint32_t msw_index_next(const msw_index *index, uint32_t hash, size_t *at)
{
    while (index->slots[*at]) {
        uint64_t slot = index->slots[*at];
        *at = (*at + 1) & (index->slot_count - 1);
        if (slot >> 32 == hash)
            return (uint32_t)slot - 1;
    }
    return MSW_NOWHERE;
}

static inline uint32_t msw_index_first(const msw_index *index, uint32_t hash, size_t *at)
{
    if (!index->slot_count)
        return MSW_NOWHERE;
    *at = hash & (index->slot_count - 1);
    return msw_index_next(index, hash, at);
}

/* Frees what is on the heap; the index is empty afterwards. */
void msw_index_free(msw_index *index);

/* ---- map: whole numbers to whole numbers ---- */

typedef struct msw_map_entry {
    uint64_t key, value;
} msw_map_entry;

typedef struct msw_map {
    msw_map_entry *entries; /* in the order in which they came */
    size_t count, room;
    msw_index index;
} msw_map;

/* Looks a key up. Returns its value, valid until the next add, or NULL. */
uint64_t *msw_map_find(const msw_map *map, uint64_t key);

/* Finds a key, or adds it with the value 0. Returns 0 and its value in `*value`, or -1. */
int msw_map_add(msw_map *map, uint64_t key, uint64_t **value, msw_err *err);

/* Frees what is on the heap; the map is empty afterwards. */
void msw_map_free(msw_map *map);

/* ---- strings: numbers of strings in the order in which they came ---- */

typedef struct msw_strings_entry {
    const char *text; /* the caller's */
    size_t size;
} msw_strings_entry;

typedef struct msw_strings {
    msw_strings_entry *entries;
    size_t count, room;
    msw_index index;
} msw_strings;

/* Looks up a string of `size` bytes. Returns its number, or MSW_NOWHERE. */
uint32_t msw_strings_find(const msw_strings *strings, const char *text, size_t size);

/* Finds a string, or adds it: it is not copied. Returns 0 and its number, which is the old count
 * where it is new, or -1. */
int msw_strings_add(msw_strings *strings, const char *text, size_t size, uint32_t *number,
                    msw_err *err);

/* Frees what is on the heap; the table is empty afterwards. */
void msw_strings_free(msw_strings *strings);

/* ---- set: whole numbers, in memory of the caller ---- */

typedef struct msw_set {
    uint64_t *slots; /* key + 1; 0: free */
    size_t mask;
    bool has_last; /* UINT64_MAX, which has no slot */
} msw_set;

/* Slots that a set of `most` keys needs. Returns a power of two. */
size_t msw_set_slots(size_t most);

/* Empties a set of up to `most` keys; `slots` has room for msw_set_slots(most). */
void msw_set_init(msw_set *set, uint64_t *slots, size_t most);

/* The slot of a key, or the free one where it would be. Returns its number. */
static inline size_t msw_set_slot(const msw_set *set, uint64_t key)
{
    size_t at = msw_map_hash(key) & set->mask;
    while (set->slots[at] && set->slots[at] != key + 1)
        at = (at + 1) & set->mask;
    return at;
}

/* Returns whether a key is there. */
static inline bool msw_set_has(const msw_set *set, uint64_t key)
{
    return key == UINT64_MAX ? set->has_last : set->slots[msw_set_slot(set, key)] != 0;
}

/* Adds a key. Returns whether it is new. */
static inline bool msw_set_add(msw_set *set, uint64_t key)
{
    if (key == UINT64_MAX) {
        bool is_new = !set->has_last;
        set->has_last = true;
        return is_new;
    }
    size_t at = msw_set_slot(set, key);
    bool is_new = !set->slots[at];
    set->slots[at] = key + 1;
    return is_new;
}

#endif
