/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/pareto.h"

#include "analysis/pareto/space.h"
#include "analysis/pareto/two.h"

#include <string.h>

/* What settling n rows of one group gives: ranks, or 0 and 1 when only the front was asked for. */
typedef struct ranking {
    const uint32_t *row; /* in some order of their own */
    int32_t *rank;       /* in that order */
} ranking;

static int settle_two(const pareto_rows *list, const uint32_t *rows, size_t n, bool front_only,
                      ranking *result, msw_arena *arena)
{
    pareto_two sorted;
    if (pareto_two_sort(list, rows, n, &sorted, arena))
        return -1;
    result->row = sorted.row;
    if (!front_only)
        return pareto_two_rank(&sorted, result->rank, arena);
    pareto_two_front(&sorted, result->rank);
    return 0;
}

/* Ranks the points of a space: its front first, which costs a fraction of ranking and is often all
 * there is where objectives are many, then the others among themselves. */
static int rank_space(const pareto_space *space, int32_t *value, msw_arena *arena)
{
    if (pareto_space_front(space, value, arena))
        return -1;
    pareto_space rest = *space;
    uint32_t *point = msw_arena_take(arena, space->count * sizeof *point);
    int32_t *rank = msw_arena_take(arena, space->count * sizeof *rank);
    rest.x = msw_arena_take(arena, space->count * space->k * sizeof *rest.x);
    if (!point || !rank || !rest.x)
        return -1;
    rest.count = 0;
    for (size_t i = 0; i < space->count; i++)
        if (value[i]) {
            memcpy(rest.x + rest.count * space->k, space->x + i * space->k,
                   space->k * sizeof *rest.x);
            point[rest.count++] = (uint32_t)i;
        }
    if (rest.count == 0)
        return 0;
    if (pareto_space_rank(&rest, rank, arena))
        return -1;
    for (size_t i = 0; i < rest.count; i++)
        value[point[i]] = 1 + rank[i];
    return 0;
}

static int settle_any(const pareto_rows *list, const uint32_t *rows, size_t n, bool front_only,
                      ranking *result, msw_arena *arena)
{
    pareto_space space;
    if (pareto_space_make(list, rows, n, &space, arena))
        return -1;
    int32_t *value = msw_arena_take(arena, space.count * sizeof *value);
    if (!value || (front_only ? pareto_space_front : rank_space)(&space, value, arena))
        return -1;
    result->row = space.row;
    for (size_t i = 0; i < n; i++)
        result->rank[i] = value[space.position[i]];
    return 0;
}

/* Two objectives need only a sort; for more the points go to a structure of their own. */
static int settle(const pareto_rows *list, const uint32_t *rows, size_t n, bool front_only,
                  ranking *result, msw_arena *arena)
{
    result->rank = msw_arena_take(arena, (n + 1) * sizeof *result->rank);
    if (!result->rank)
        return -1;
    if (n == 0)
        return 0;
    return (list->points->k == 2 ? settle_two : settle_any)(list, rows, n, front_only, result,
                                                            arena);
}

static int front_of_group(const pareto_rows *list, uint32_t group, bool *on_front,
                          msw_pareto_count *count, msw_arena *arena)
{
    uint32_t *rows = list->rows + list->start[group];
    size_t n = list->start[group + 1] - list->start[group];
    count->ranked += n;
    n = pareto_rows_prune(list, rows, n, arena);
    ranking result;
    if (settle(list, rows, n, true, &result, arena))
        return -1;
    for (size_t i = 0; i < n; i++) {
        on_front[result.row[i]] = result.rank[i] == 0;
        count->front += result.rank[i] == 0;
    }
    return 0;
}

static int rank_of_group(const pareto_rows *list, uint32_t group, int32_t *rank,
                         msw_pareto_count *count, msw_arena *arena)
{
    const uint32_t *rows = list->rows + list->start[group];
    size_t n = list->start[group + 1] - list->start[group];
    ranking result;
    count->ranked += n;
    if (settle(list, rows, n, false, &result, arena))
        return -1;
    for (size_t i = 0; i < n; i++) {
        rank[result.row[i]] = result.rank[i];
        count->front += result.rank[i] == 0;
    }
    return 0;
}

/* Runs one of the two for every group. */
static int each_group(const msw_points *points, bool *on_front, int32_t *rank,
                      msw_pareto_count *count, msw_err *err)
{
    msw_arena arena = {0};
    pareto_rows list;
    msw_pareto_count own = {0};
    int status = pareto_rows_list(points, &list, &arena, err);
    msw_arena_mark mark = msw_arena_now(&arena);
    for (uint32_t g = 0; status == 0 && g < list.groups; g++) {
        status = on_front ? front_of_group(&list, g, on_front, &own, &arena)
                          : rank_of_group(&list, g, rank, &own, &arena);
        if (status)
            msw_fail_memory(err);
        msw_arena_release(&arena, mark);
    }
    if (status == 0 && count) {
        own.left_out = list.left_out;
        *count = own;
    }
    msw_arena_free(&arena);
    return status;
}

int msw_pareto_front(const msw_points *points, bool *on_front, msw_pareto_count *count,
                     msw_err *err)
{
    memset(on_front, 0, points->n * sizeof *on_front);
    return each_group(points, on_front, NULL, count, err);
}

int msw_pareto_rank(const msw_points *points, int32_t *rank, msw_pareto_count *count, msw_err *err)
{
    for (size_t row = 0; row < points->n; row++)
        rank[row] = MSW_RANK_NONE;
    return each_group(points, NULL, rank, count, err);
}
