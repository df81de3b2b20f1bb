/* SPDX-License-Identifier: MIT */
#include "analysis/pareto/two.h"

#include "analysis/stats/sort.h"

#include <string.h>

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

void pareto_two_front(const pareto_two *sorted, int32_t *dominated)
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
int pareto_two_rank(const pareto_two *sorted, int32_t *rank, msw_arena *arena)
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
