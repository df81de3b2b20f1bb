/* SPDX-License-Identifier: MIT */
/* vec: arrays that grow.
 *
 * The owner keeps a typed pointer, the count and the room, in MSW_VEC(type) or in fields of its
 * own; these functions only make room. Room doubles, so n items cost n copies at most. */
#ifndef MEMSWEEP_BASE_VEC_H
#define MEMSWEEP_BASE_VEC_H

#include "memsweep/base/arena.h"
#include "memsweep/base/err.h"

#include <stddef.h>

/* Start from a zeroed struct. What is on the heap is released by free(vec.items). */
#define MSW_VEC(type)                                                                              \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, room;                                                                        \
    }

/* Makes room for `count` items of `size` bytes. `items` is the address of the owner's pointer.
 * Returns 0, or -1 when memory runs out; then nothing has changed. */
int msw_vec_reserve(void *items, size_t *room, size_t count, size_t size, msw_err *err);

/* The same in an arena: items move to a new place there. Returns 0, or -1. */
int msw_vec_reserve_in(msw_arena *arena, void *items, size_t *room, size_t count, size_t size,
                       msw_err *err);

/* Makes room for one more item in a heap array that only this function enlarges, one by one: the
 * room follows from the count and is stored nowhere. Returns 0, or -1 as msw_vec_reserve. */
int msw_vec_extend(void *items, size_t count, size_t size, msw_err *err);

/* Gives back the room behind `count` items, where the system takes it. */
void msw_vec_trim(void *items, size_t *room, size_t count, size_t size);

/* The same with an MSW_VEC; arguments are evaluated more than once. A push appends a value of the
 * items' type (a compound literal in parentheses). Each gives 0, or -1. */
#define MSW_VEC_RESERVE(vec, wanted, err)                                                          \
    msw_vec_reserve(&(vec)->items, &(vec)->room, wanted, sizeof *(vec)->items, err)

#define MSW_VEC_PUSH(vec, item, err)                                                               \
    (((vec)->count == (vec)->room && MSW_VEC_RESERVE(vec, (vec)->count + 1, err))                  \
         ? -1                                                                                      \
         : ((vec)->items[(vec)->count++] = (item), 0))

#define MSW_VEC_RESERVE_IN(arena, vec, wanted, err)                                                \
    msw_vec_reserve_in(arena, &(vec)->items, &(vec)->room, wanted, sizeof *(vec)->items, err)

#define MSW_VEC_PUSH_IN(arena, vec, item, err)                                                     \
    (((vec)->count == (vec)->room && MSW_VEC_RESERVE_IN(arena, vec, (vec)->count + 1, err))        \
         ? -1                                                                                      \
         : ((vec)->items[(vec)->count++] = (item), 0))

#endif
