/* SPDX-License-Identifier: MIT */
/* Containers: arrays that grow, and hash tables with keys that are numbers or text. */
#include "memsweep/base/map.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/hash.h"
#include "memsweep/base/vec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 8 };

/* The room for `count` items: at least twice as much as before. Returns 0 where that many bytes
 * cannot be. */
static size_t next_room(size_t room, size_t count, size_t size)
{
    size_t most = SIZE_MAX / 4 / size;
    if (count > most)
        return 0;
    size_t wanted = room > most / 2 ? most : 2 * room;
    if (wanted < LEAST_ROOM && LEAST_ROOM <= most)
        wanted = LEAST_ROOM;
    return msw_max_u64(wanted, count);
}

static void *pointer_at(const void *items)
{
    void *pointer;
    memcpy(&pointer, items, sizeof pointer);
    return pointer;
}

int msw_vec_reserve(void *items, size_t *room, size_t count, size_t size, msw_err *err)
{
    if (count <= *room)
        return 0;
    size_t wanted = next_room(*room, count, size);
    void *larger = wanted ? realloc(pointer_at(items), wanted * size) : NULL;
    if (!larger)
        return msw_fail_memory(err);
    memcpy(items, &larger, sizeof larger);
    *room = wanted;
    return 0;
}

int msw_vec_reserve_in(msw_arena *arena, void *items, size_t *room, size_t count, size_t size,
                       msw_err *err)
{
    if (count <= *room)
        return 0;
    size_t wanted = next_room(*room, count, size);
    void *larger = wanted ? msw_arena_take(arena, wanted * size) : NULL;
    if (!larger)
        return msw_fail_memory(err);
    if (*room)
        memcpy(larger, pointer_at(items), *room * size);
    memcpy(items, &larger, sizeof larger);
    *room = wanted;
    return 0;
}

int msw_vec_extend(void *items, size_t count, size_t size, msw_err *err)
{
    if (count & (count - 1))
        return 0; /* between two powers of two there is room */
    size_t room = 0;
    return msw_vec_reserve(items, &room, count ? 2 * count : 1, size, err);
}

void msw_vec_trim(void *items, size_t *room, size_t count, size_t size)
{
    void *smaller = count < *room && count ? realloc(pointer_at(items), count * size) : NULL;
    if (!smaller)
        return;
    memcpy(items, &smaller, sizeof smaller);
    *room = count;
}

enum { LEAST_SLOTS = 16 };
static const size_t ENTRIES_MAX = (size_t)1 << 31;

/* ---- index ---- */

static void put_slot(uint64_t *slots, size_t slot_count, uint64_t slot)
{
    size_t at = (size_t)(slot >> 32) & (slot_count - 1);
    while (slots[at])
        at = (at + 1) & (slot_count - 1);
    slots[at] = slot;
}

/* Half of the slots are used at most. */
int msw_index_reserve(msw_index *index, size_t count, msw_err *err)
{
    if (2 * count <= index->slot_count && count <= ENTRIES_MAX)
        return 0;
    if (count > ENTRIES_MAX)
        return msw_fail_memory(err);
    size_t wanted = (size_t)msw_bits_power(2 * (uint64_t)count);
    if (wanted < LEAST_SLOTS)
        wanted = LEAST_SLOTS;
    uint64_t *slots = index->arena ? msw_arena_zero(index->arena, wanted, sizeof *slots)
                                   : calloc(wanted, sizeof *slots);
    if (!slots)
        return msw_fail_memory(err);
    for (size_t i = 0; i < index->slot_count; i++)
        if (index->slots[i])
            put_slot(slots, wanted, index->slots[i]);
    if (!index->arena)
        free(index->slots);
    index->slots = slots;
    index->slot_count = wanted;
    return 0;
}

int msw_index_add(msw_index *index, uint32_t hash, uint32_t number, msw_err *err)
{
    MSW_TRY(msw_index_reserve(index, index->count + 1, err));
    put_slot(index->slots, index->slot_count, (uint64_t)hash << 32 | (number + 1));
    index->count++;
    return 0;
}

void msw_index_free(msw_index *index)
{
    if (!index->arena)
        free(index->slots);
    *index = (msw_index){.arena = index->arena};
}

static int reserve_entries(const msw_index *index, void *entries, size_t *room, size_t count,
                           size_t size, msw_err *err)
{
    return index->arena ? msw_vec_reserve_in(index->arena, entries, room, count, size, err)
                        : msw_vec_reserve(entries, room, count, size, err);
}

/* ---- map ---- */

static msw_map_entry *find_entry(const msw_map *map, uint32_t hash, uint64_t key)
{
    size_t at;
    for (uint32_t i = msw_index_first(&map->index, hash, &at); i != MSW_NOWHERE;
         i = msw_index_next(&map->index, hash, &at))
        if (map->entries[i].key == key)
            return &map->entries[i];
    return NULL;
}

uint64_t *msw_map_find(const msw_map *map, uint64_t key)
{
    msw_map_entry *entry = find_entry(map, msw_map_hash(key), key);
    return entry ? &entry->value : NULL;
}

int msw_map_add(msw_map *map, uint64_t key, uint64_t **value, msw_err *err)
{
    uint32_t hash = msw_map_hash(key);
    msw_map_entry *entry = find_entry(map, hash, key);
    if (!entry) {
        MSW_TRY(reserve_entries(&map->index, &map->entries, &map->room, map->count + 1,
                                sizeof *map->entries, err));
        MSW_TRY(msw_index_add(&map->index, hash, (uint32_t)map->count, err));
        entry = &map->entries[map->count++];
        *entry = (msw_map_entry){key, 0};
    }
    *value = &entry->value;
    return 0;
}

void msw_map_free(msw_map *map)
{
    if (!map->index.arena)
        free(map->entries);
    msw_index_free(&map->index);
    *map = (msw_map){.index = map->index};
}

/* ---- strings ---- */

static uint32_t hash_text(const char *text, size_t size)
{
    return msw_map_hash(msw_hash_bytes(text, size).lo);
}

static uint32_t find_text(const msw_strings *strings, uint32_t hash, const char *text, size_t size)
{
    size_t at;
    uint32_t i = msw_index_first(&strings->index, hash, &at);
    while (i != MSW_NOWHERE && (strings->entries[i].size != size ||
                                (size && memcmp(strings->entries[i].text, text, size) != 0)))
        i = msw_index_next(&strings->index, hash, &at);
    return i;
}

uint32_t msw_strings_find(const msw_strings *strings, const char *text, size_t size)
{
    return find_text(strings, hash_text(text, size), text, size);
}

int msw_strings_add(msw_strings *strings, const char *text, size_t size, uint32_t *number,
                    msw_err *err)
{
    uint32_t hash = hash_text(text, size);
    *number = find_text(strings, hash, text, size);
    if (*number != MSW_NOWHERE)
        return 0;
    MSW_TRY(reserve_entries(&strings->index, &strings->entries, &strings->room, strings->count + 1,
                            sizeof *strings->entries, err));
    MSW_TRY(msw_index_add(&strings->index, hash, (uint32_t)strings->count, err));
    *number = (uint32_t)strings->count;
    strings->entries[strings->count++] = (msw_strings_entry){text, size};
    return 0;
}

void msw_strings_free(msw_strings *strings)
{
    if (!strings->index.arena)
        free(strings->entries);
    msw_index_free(&strings->index);
    *strings = (msw_strings){.index = strings->index};
}

/* ---- set ---- */

size_t msw_set_slots(size_t most)
{
    return (size_t)msw_bits_power(2 * (uint64_t)most + 2);
}

void msw_set_init(msw_set *set, uint64_t *slots, size_t most)
{
    *set = (msw_set){.slots = slots, .mask = msw_set_slots(most) - 1};
    memset(slots, 0, (set->mask + 1) * sizeof *slots);
}
