/* SPDX-License-Identifier: MIT */
/* Finds fronts and ranks: of two objectives by one sort and one sweep, of more by points of
 * integers. */
#include "memsweep/analysis/pareto.h"

#include "analysis/pareto/rows.h"
#include "analysis/stats/sort.h"

#include <string.h>

/* ---- two objectives ---- */

/* Sorts a run of equal x by y. */
static int sort_run(pareto_two *sorted, size_t start, size_t n, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    uint32_t *order = msw_arena_take(arena, n * sizeof *order);
    uint32_t *row = msw_arena_take(arena, n * sizeof *row);
    double *y = msw_arena_take(arena, n * sizeof *y);
    if (!order || !row || !y || sort_ascending(sorted->y + start, n, order, arena))
        return -1;
    for (size_t i = 0; i < n; i++) {
        row[i] = sorted->row[start + order[i]];
        y[i] = sorted->y[start + order[i]];
    }
    memcpy(sorted->row + start, row, n * sizeof *row);
    memcpy(sorted->y + start, y, n * sizeof *y);
    msw_arena_release(arena, mark);
    return 0;
}

static int sort_ties(pareto_two *sorted, msw_arena *arena)
{
    for (size_t start = 0, end; start < sorted->n; start = end) {
        for (end = start + 1; end < sorted->n && sorted->x[end] == sorted->x[start]; end++)
            ;
        if (end - start > 1 && sort_run(sorted, start, end - start, arena))
            return -1;
    }
    return 0;
}

/* The first objective of the rows, one after another: the column itself where all rows take part as
 * they are. */
static const double *first_objective(const pareto_rows *list, const uint32_t *rows, size_t n,
                                     msw_arena *arena)
{
    if (n == list->points->n && list->sign[0] > 0)
        return list->points->columns[0];
    double *x = msw_arena_take(arena, n * sizeof *x);
    for (size_t i = 0; x && i < n; i++)
        x[i] = pareto_value(list, 0, rows[i]);
    return x;
}

/* The sorted columns are taken after the sort, so that they lie in the pages it has touched: fresh
 * pages cost as much as the sort itself. */
int pareto_two_sort(const pareto_rows *list, const uint32_t *rows, size_t n, pareto_two *sorted,
                    msw_arena *arena)
{
    sorted->n = n;
    sorted->row = msw_arena_take(arena, n * sizeof *sorted->row);
    const double *x = first_objective(list, rows, n, arena);
    if (!sorted->row || !x || sort_ascending(x, n, sorted->row, arena))
        return -1;
    sorted->x = msw_arena_take(arena, n * sizeof *sorted->x);
    sorted->y = msw_arena_take(arena, n * sizeof *sorted->y);
    if (!sorted->x || !sorted->y)
        return -1;
    for (size_t i = 0; i < n; i++) {
        sorted->x[i] = x[sorted->row[i]];
        sorted->row[i] = rows[sorted->row[i]];
    }
    for (size_t i = 0; i < n; i++)
        sorted->y[i] = pareto_value(list, 1, sorted->row[i]);
    return sort_ties(sorted, arena);
}

static inline bool repeats(const pareto_two *sorted, size_t i)
{
    return i > 0 && sorted->y[i] == sorted->y[i - 1] && sorted->x[i] == sorted->x[i - 1];
}

/* Gives each sorted row 0 if it is on the front, else 1. */
static void pareto_two_front(const pareto_two *sorted, int32_t *dominated)
{
    double lowest = 0;
    for (size_t i = 0; i < sorted->n; i++) {
        if (repeats(sorted, i)) {
            dominated[i] = dominated[i - 1];
            continue;
        }
        dominated[i] = i > 0 && lowest <= sorted->y[i];
        if (!dominated[i])
            lowest = sorted->y[i];
    }
}

/* Finds how many of `n` rising tails are at or below y: n halvings without a branch to guess. */
static inline int32_t count_at_or_below(const double *tail, int32_t n, double y)
{
    int32_t base = 0;
    while (n > 0) {
        int32_t half = n - n / 2;
        base = tail[base + half - 1] <= y ? base + half : base;
        n -= half;
    }
    return base;
}

/* Each front keeps its lowest y so far. Those rise with the rank, so a point belongs to the first
 * front whose lowest y is above its own. */
static int pareto_two_rank(const pareto_two *sorted, int32_t *rank, msw_arena *arena)
{
    double *tail = msw_arena_take(arena, sorted->n * sizeof *tail);
    if (!tail)
        return -1;
    int32_t fronts = 0;
    for (size_t i = 0; i < sorted->n; i++) {
        if (repeats(sorted, i)) {
            rank[i] = rank[i - 1];
            continue;
        }
        rank[i] = count_at_or_below(tail, fronts, sorted->y[i]);
        tail[rank[i]] = sorted->y[i];
        fronts += rank[i] == fronts;
    }
    return 0;
}

/* ---- groups ---- */

/* The result for n rows of one group: ranks, or 0 and 1 when only the front was asked for. */
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
static int settle_rows(const pareto_rows *list, const uint32_t *rows, size_t n, bool front_only,
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
    if (settle_rows(list, rows, n, true, &result, arena))
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
    if (settle_rows(list, rows, n, false, &result, arena))
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
    int rc = -1;
    if (pareto_rows_list(points, &list, &arena, err))
        goto done;
    msw_arena_mark mark = msw_arena_now(&arena);
    for (uint32_t g = 0; g < list.groups; g++) {
        if (on_front ? front_of_group(&list, g, on_front, &own, &arena)
                     : rank_of_group(&list, g, rank, &own, &arena)) {
            msw_fail_memory(err);
            goto done;
        }
        msw_arena_release(&arena, mark);
    }
    own.left_out = list.left_out;
    if (count)
        *count = own;
    rc = 0;
done:
    msw_arena_free(&arena);
    return rc;
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
