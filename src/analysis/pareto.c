#include "memsweep/pareto.h"

#include "pareto_space.h"

#include <string.h>

typedef struct ranking {
    pareto_space space;
    int32_t *value; /* of each point of the space */
} ranking;

/* Settles n rows of one group: their rank, or 0 and 1 when only the front is asked for. */
static int settle(const pareto_rows *list, const uint32_t *rows, size_t n, bool front_only,
                  ranking *result, msw_arena *arena)
{
    if (pareto_space_make(list, rows, n, &result->space, arena))
        return -1;
    result->value = msw_arena_take(arena, result->space.count * sizeof *result->value);
    if (!result->value)
        return -1;
    return front_only ? pareto_space_front(&result->space, result->value, arena)
                      : pareto_space_rank(&result->space, result->value, arena);
}

static int front_of_group(const pareto_rows *list, uint32_t group, bool *on_front,
                          msw_pareto_count *count, msw_arena *arena)
{
    uint32_t *rows = list->rows + list->start[group];
    size_t n = list->start[group + 1] - list->start[group];
    count->ranked += n;
    n = pareto_rows_prune(list, rows, n, arena);
    ranking result;
    if (n == 0)
        return 0;
    if (settle(list, rows, n, true, &result, arena))
        return -1;
    for (size_t i = 0; i < n; i++) {
        bool best = result.value[result.space.place[i]] == 0;
        on_front[result.space.row[i]] = best;
        count->front += best;
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
    if (n == 0)
        return 0;
    if (settle(list, rows, n, false, &result, arena))
        return -1;
    for (size_t i = 0; i < n; i++) {
        int32_t value = result.value[result.space.place[i]];
        rank[result.space.row[i]] = value;
        count->front += value == 0;
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
