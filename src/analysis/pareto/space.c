/* SPDX-License-Identifier: MIT */
#include "analysis/pareto/space.h"

#include "analysis/pareto/ladder.h"
#include "analysis/stats/sort.h"

#include <string.h>

/* Dense ranks of one objective into `ranks` (n x k, row by row). The order of the first objective
 * is what the lexicographic order starts from. */
static int rank_objective(const pareto_rows *list, const uint32_t *rows, pareto_space *space,
                          unsigned j, int32_t *ranks, msw_arena *arena)
{
    msw_arena_mark mark;
    double *table = msw_arena_take(arena, space->n * sizeof *table);
    mark = msw_arena_now(arena);
    double *value = msw_arena_take(arena, space->n * sizeof *value);
    uint32_t *order = j ? msw_arena_take(arena, space->n * sizeof *order) : space->row;
    if (!table || !value || !order)
        return -1;
    for (size_t i = 0; i < space->n; i++)
        value[i] = pareto_value(list, j, rows[i]);
    if (sort_ascending(value, space->n, order, arena))
        return -1;
    size_t distinct = 0;
    for (size_t i = 0; i < space->n; i++) {
        double v = value[order[i]];
        if (distinct == 0 || table[distinct - 1] != v)
            table[distinct++] = v;
        ranks[order[i] * space->k + j] = (int32_t)distinct - 1;
    }
    space->values[j] = table;
    space->distinct[j] = distinct;
    msw_arena_release(arena, mark);
    return 0;
}

/* Objective 0 is sorted already; only ties in it need the other objectives, last one first. */
static int sort_lexicographically(pareto_space *space, const int32_t *ranks, msw_arena *arena)
{
    if (space->distinct[0] == space->n)
        return 0;
    for (unsigned j = space->k; j-- > 0;)
        if (sort_by_key(ranks + j, space->k, space->distinct[j], space->row, space->n, arena))
            return -1;
    return 0;
}

/* Copies the ranks in lexicographic order, equal points once, and turns positions into rows. */
static void collapse(pareto_space *space, const uint32_t *rows, const int32_t *ranks)
{
    size_t bytes = space->k * sizeof *ranks;
    space->count = 0;
    for (size_t i = 0; i < space->n; i++) {
        const int32_t *point = ranks + (size_t)space->row[i] * space->k;
        int32_t *end = space->x + space->count * space->k;
        if (space->count == 0 || memcmp(end - space->k, point, bytes) != 0) {
            memcpy(end, point, bytes);
            space->count++;
        }
        space->position[i] = (uint32_t)space->count - 1;
        space->row[i] = rows[space->row[i]];
    }
}

int pareto_space_make(const pareto_rows *list, const uint32_t *rows, size_t n, pareto_space *space,
                      msw_arena *arena)
{
    unsigned k = list->points->k;
    *space = (pareto_space){.n = n, .k = k};
    space->x = msw_arena_take(arena, n * k * sizeof *space->x);
    space->row = msw_arena_take(arena, n * sizeof *space->row);
    space->position = msw_arena_take(arena, n * sizeof *space->position);
    space->values = msw_arena_take(arena, k * sizeof *space->values);
    space->distinct = msw_arena_take(arena, k * sizeof *space->distinct);
    int32_t *ranks = msw_arena_take(arena, n * k * sizeof *ranks);
    if (!space->x || !space->row || !space->position || !space->values || !space->distinct ||
        !ranks)
        return -1;
    for (unsigned j = 0; j < k; j++)
        if (rank_objective(list, rows, space, j, ranks, arena))
            return -1;
    if (sort_lexicographically(space, ranks, arena))
        return -1;
    collapse(space, rows, ranks);
    return 0;
}

/* Sweeps along objective 0; the ladder knows the lowest objective 2 up to each objective 1. */
static int front_of_three(const pareto_space *space, int32_t *dominated, msw_arena *arena)
{
    ladder steps;
    if (ladder_init(&steps, space->distinct[1], arena))
        return -1;
    for (size_t i = 0; i < space->count; i++) {
        const int32_t *x = space->x + 3 * i;
        dominated[i] = ladder_lowest(&steps, x[1]) <= x[2];
        if (!dominated[i])
            ladder_put(&steps, x[1], x[2]);
    }
    return 0;
}

int pareto_space_front(const pareto_space *space, int32_t *dominated, msw_arena *arena)
{
    if (space->k == 1) {
        for (size_t i = 0; i < space->count; i++)
            dominated[i] = i > 0;
        return 0;
    }
    if (space->k == 3)
        return front_of_three(space, dominated, arena);
    return pareto_divide_front(space, dominated, arena);
}

int pareto_space_rank(const pareto_space *space, int32_t *rank, msw_arena *arena)
{
    if (space->k == 1) {
        for (size_t i = 0; i < space->count; i++)
            rank[i] = (int32_t)i;
        return 0;
    }
    return pareto_divide_rank(space, rank, arena);
}
