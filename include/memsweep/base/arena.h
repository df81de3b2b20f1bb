/* SPDX-License-Identifier: MIT */
/* arena: scratch memory for one evaluation, handed back all at once.
 *
 * Blocks are kept over resets, so evaluating the second point of a kind allocates nothing. */
#ifndef MEMSWEEP_BASE_ARENA_H
#define MEMSWEEP_BASE_ARENA_H

#include <stddef.h>

typedef struct msw_arena_block msw_arena_block;

/* Start from a zeroed struct. Not shared between threads. */
typedef struct msw_arena {
    msw_arena_block *first, *current;
    size_t used;  /* bytes used in `current` */
    size_t total; /* bytes held in all blocks */
} msw_arena;

typedef struct msw_arena_mark {
    msw_arena_block *block;
    size_t used;
} msw_arena_mark;

/* Takes `size` bytes, aligned to 64, contents undefined. Returns NULL when memory runs out. */
void *msw_arena_take(msw_arena *arena, size_t size);

/* Takes `count` x `size` zeroed bytes. Returns NULL on overflow or when memory runs out. */
void *msw_arena_zero(msw_arena *arena, size_t count, size_t size);

/* Remembers the present fill. Returns a mark for msw_arena_release. */
msw_arena_mark msw_arena_now(const msw_arena *arena);

/* Gives back everything taken since the mark. */
void msw_arena_release(msw_arena *arena, msw_arena_mark mark);

/* Gives back everything and keeps the memory for the next evaluation. */
void msw_arena_reset(msw_arena *arena);

/* Frees all memory. */
void msw_arena_free(msw_arena *arena);

#endif
