/* SPDX-License-Identifier: MIT */
/* rows: the rows of a comparison group by group, the two forms in which they are compared, and the
 * staircase that sweeps over them keep. */
#ifndef MSW_ANALYSIS_PARETO_ROWS_H
#define MSW_ANALYSIS_PARETO_ROWS_H

#include "memsweep/analysis/pareto.h"
#include "memsweep/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* The rows that take part in a comparison, group by group; smaller is better. */
typedef struct pareto_rows {
    const msw_points *points;
    double sign[MSW_PARETO_OBJECTIVES]; /* times a value: smaller is better */
    uint32_t *rows;                     /* rows without NaN, group after group */
    size_t *start;                      /* group_count + 1 offsets into rows */
    uint32_t groups;
    size_t left_out;
} pareto_rows;

/* Checks the description and lists the rows that take part. Returns 0, or -1 with `err`. */
int pareto_rows_list(const msw_points *points, pareto_rows *list, msw_arena *arena, msw_err *err);

/* Takes rows out that are certainly dominated by another of the list, cheaply; far from all of them
 * when the front is small, none when nearly all rows are on it. Returns how many rows are left. */
size_t pareto_rows_prune(const pareto_rows *list, uint32_t *rows, size_t n, msw_arena *arena);

/* Reads one objective of one row, smaller being better. Returns it. */
static inline double pareto_value(const pareto_rows *list, unsigned objective, size_t row)
{
    return list->sign[objective] * list->points->columns[objective][row];
}

/* Rows sorted for two objectives, which need one sort and one sweep. */
typedef struct pareto_two {
    size_t n;
    uint32_t *row; /* sorted by objective 0, then by objective 1 */
    double *x, *y; /* in that order, smaller being better */
} pareto_two;

/* Sorts n > 0 rows. Returns 0, or -1 without memory. */
int pareto_two_sort(const pareto_rows *list, const uint32_t *rows, size_t n, pareto_two *sorted,
                    msw_arena *arena);

/* Points as integers.
 *
 * Dominance depends only on the order of values within each objective, so every value is replaced
 * by its dense rank; ties, infinities and signed zeros are settled here once. Points are kept in
 * lexicographic order and equal points are one: a point can then only be dominated by earlier ones,
 * and an earlier point that is nowhere worse always dominates. */
typedef struct pareto_space {
    size_t n;     /* rows given */
    size_t count; /* distinct points */
    unsigned k;
    int32_t *x;         /* count x k dense ranks */
    uint32_t *row;      /* the n rows in lexicographic order */
    uint32_t *position; /* for each of them: its point */
    double **values;    /* k tables: dense rank -> value, smaller being better */
    size_t *distinct;   /* k sizes of those tables */
} pareto_space;

/* Makes the integer points of n > 0 rows. Returns 0, or -1 without memory. */
int pareto_space_make(const pareto_rows *list, const uint32_t *rows, size_t n, pareto_space *space,
                      msw_arena *arena);

/* Marks the dominated points (count flags, 0 or 1). Returns 0, or -1 without memory. */
int pareto_space_front(const pareto_space *space, int32_t *dominated, msw_arena *arena);

/* Ranks the points from 0. Returns 0, or -1 without memory. */
int pareto_space_rank(const pareto_space *space, int32_t *rank, msw_arena *arena);

/* The lower staircase of (key, value) pairs, keys 0 .. size-1.
 *
 * Answers "what is the lowest value at any key up to this one" while pairs are added. Only pairs
 * that change an answer are kept, so values fall strictly as keys rise; the kept keys are marked in
 * a tree of 64-bit words, which makes a step to a neighbour a few bit scans. */

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
