/* SPDX-License-Identifier: MIT */
/* ladder: the lower staircase of (key, value) pairs, keys 0 .. size-1.
 *
 * Answers "what is the lowest value at any key up to this one" while pairs are added. Only pairs
 * that change an answer are kept, so values fall strictly as keys rise; the kept keys are marked in
 * a tree of 64-bit words, which makes a step to a neighbour a few bit scans. */
#ifndef MSW_ANALYSIS_PARETO_LADDER_H
#define MSW_ANALYSIS_PARETO_LADDER_H

#include "memsweep/base/arena.h"

#include <stddef.h>
#include <stdint.h>

enum { LADDER_LEVELS = 6, LADDER_NONE = -1 };

typedef struct ladder {
    uint64_t *bits[LADDER_LEVELS];
    int32_t *value;
    unsigned levels;
    size_t size;
} ladder;

/* Takes the memory of an empty ladder for keys below `size`. Returns 0, or -1 without memory. */
int ladder_init(ladder *steps, size_t size, msw_arena *arena);

/* Empties the ladder and limits it to keys below `size`, at most the size it was made with. */
void ladder_reset(ladder *steps, size_t size);

/* Finds the last kept key at or below `key`. Returns it, or LADDER_NONE. */
int64_t ladder_at_or_below(const ladder *steps, int64_t key);

/* Finds the first kept key above `key`. Returns it, or LADDER_NONE. */
int64_t ladder_above(const ladder *steps, int64_t key);

/* Adds a kept key without looking at its neighbours. */
void ladder_insert(ladder *steps, int64_t key, int32_t value);

/* Takes out a kept key. */
void ladder_erase(ladder *steps, int64_t key);

/* Finds the lowest value at keys up to `key`. Returns it, or INT32_MAX when there is none. */
int32_t ladder_lowest(const ladder *steps, int64_t key);

/* Adds a pair and takes out the pairs it makes useless. */
void ladder_put(ladder *steps, int64_t key, int32_t value);

#endif
