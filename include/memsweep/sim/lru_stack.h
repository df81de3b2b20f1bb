/* SPDX-License-Identifier: MIT */
/* lru_stack: LRU stack distances, the number of different keys used since a key's last use.
 *
 * Every use is a time, counted from 1. The caller remembers for each key the time of its last use;
 * the stack marks those times in a Fenwick tree, so a distance is a count of marks behind one of
 * them (Mattson et al. 1970; Bennett and Kruskal 1975). Both ends of that count lie on paths
 * through the tree that soon meet where the last use is not long ago: each step walks only to where
 * they do. Distances are exact by definition, so the stack is no part with a version. */
#ifndef MEMSWEEP_SIM_LRU_STACK_H
#define MEMSWEEP_SIM_LRU_STACK_H

#include <stddef.h>
#include <stdint.h>

typedef struct msw_lru_stack {
    uint32_t *tree; /* node i: the marked times of the lowest set bit of i many, up to i */
    uint32_t times; /* the last one there is room for */
    uint32_t now;   /* the last one used */
    uint32_t keys;  /* that were used, each once */
} msw_lru_stack;

/* Words of memory, all 0 at the start, that a stack of so many times needs. Returns the count. */
static inline size_t msw_lru_stack_words(uint32_t times)
{
    return (size_t)times + 1;
}

/* Starts an empty stack on memory that is 0. */
static inline void msw_lru_stack_init(msw_lru_stack *stack, uint32_t times, uint32_t *memory)
{
    *stack = (msw_lru_stack){.tree = memory, .times = times};
}

/* Counts the keys used after a time. Returns the count: the distance of a key whose last use was
 * then. */
static inline uint32_t msw_lru_stack_since(const msw_lru_stack *stack, uint32_t time)
{
    uint32_t count = stack->keys;
    for (; time; time &= time - 1)
        count -= stack->tree[time];
    return count;
}

/* Uses a key whose last use was at time `before`, 0: never. There must be room for another time.
 * Returns the time of this use. */
static inline uint32_t msw_lru_stack_use(msw_lru_stack *stack, uint32_t before)
{
    size_t from = before, to = ++stack->now, end = (size_t)stack->times + 1;
    for (; from && from < to; from += from & -from)
        stack->tree[from]--;
    /* From here on up both paths are one: the mark that goes and the mark that comes cancel. */
    if (from && from < end)
        end = from;
    for (; to < end; to += to & -to)
        stack->tree[to]++;
    stack->keys += before == 0;
    return stack->now;
}

/* Out of times: marks those from 1 to the number of keys, and goes on from there. The caller gives
 * its keys these times, in the order of their last uses. */
static inline void msw_lru_stack_renumber(msw_lru_stack *stack)
{
    uint32_t kept = stack->now = stack->keys;
    for (size_t i = 1; i <= stack->times; i++) {
        size_t first = i & (i - 1);
        stack->tree[i] = first >= kept ? 0 : (uint32_t)((i < kept ? i : kept) - first);
    }
}

#endif
