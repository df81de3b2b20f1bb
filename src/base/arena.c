/* SPDX-License-Identifier: MIT */
#include "memsweep/base/arena.h"

#include "memsweep/base/bits.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64, FIRST_BLOCK = 1 << 16 };

struct msw_arena_block {
    msw_arena_block *next;
    size_t capacity;
    char pad[ALIGNMENT - 2 * sizeof(size_t)];
    char data[];
};

static msw_arena_block *block_new(size_t capacity)
{
    size_t bytes = sizeof(msw_arena_block) + capacity;
    msw_arena_block *block = aligned_alloc(ALIGNMENT, bytes);
    if (block) {
        block->next = NULL;
        block->capacity = capacity;
    }
    return block;
}

/* Moves on to a block that holds `size`: a kept one if it is large enough, else a new one that is
 * put in front of the kept ones. */
static int advance_block(msw_arena *arena, size_t size)
{
    msw_arena_block *next = arena->current ? arena->current->next : arena->first;
    if (!next || next->capacity < size) {
        size_t capacity = arena->total > FIRST_BLOCK ? arena->total : FIRST_BLOCK;
        msw_arena_block *fresh = block_new(capacity > size ? capacity : size);
        if (!fresh)
            return -1;
        fresh->next = next;
        *(arena->current ? &arena->current->next : &arena->first) = fresh;
        arena->total += fresh->capacity;
        next = fresh;
    }
    arena->current = next;
    arena->used = 0;
    return 0;
}

void *msw_arena_take(msw_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 4)
        return NULL;
    size = msw_align_up(size, ALIGNMENT);
    if (!arena->current || arena->current->capacity - arena->used < size)
        if (advance_block(arena, size))
            return NULL;
    void *memory = arena->current->data + arena->used;
    arena->used += size;
    return memory;
}

void *msw_arena_zero(msw_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 4 / size)
        return NULL;
    void *memory = msw_arena_take(arena, count * size);
    return memory ? memset(memory, 0, count * size) : NULL;
}

msw_arena_mark msw_arena_now(const msw_arena *arena)
{
    return (msw_arena_mark){arena->current, arena->used};
}

void msw_arena_release(msw_arena *arena, msw_arena_mark mark)
{
    arena->current = mark.block;
    arena->used = mark.used;
}

void msw_arena_reset(msw_arena *arena)
{
    arena->current = NULL;
    arena->used = 0;
}

void msw_arena_free(msw_arena *arena)
{
    if (!arena)
        return;
    for (msw_arena_block *block = arena->first; block;) {
        msw_arena_block *next = block->next;
        free(block);
        block = next;
    }
    *arena = (msw_arena){0};
}
