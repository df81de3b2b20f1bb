/* SPDX-License-Identifier: MIT */
#include "memsweep/base/vec.h"

#include "memsweep/base/bits.h"

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
