/* SPDX-License-Identifier: MIT */
#include "analysis/pareto/rows.h"

#include "analysis/stats/sort.h"

#include <string.h>

static int check(const msw_points *points, msw_err *err)
{
    if (points->k < 1 || points->k > MSW_PARETO_OBJECTIVES)
        return msw_fail(err, "%u objectives; 1 to %d are allowed", points->k,
                        MSW_PARETO_OBJECTIVES);
    if (points->n > SORT_MAX)
        return msw_fail(err, "%zu rows; at most %zu can be ranked", points->n, SORT_MAX);
    if (points->group && points->group_count == 0)
        return msw_fail(err, "groups are given, but their count is 0");
    return 0;
}

static bool has_nan(const msw_points *points, size_t row)
{
    bool nan = false;
    for (unsigned j = 0; j < points->k; j++)
        nan |= points->columns[j][row] != points->columns[j][row];
    return nan;
}

/* Lists the rows that take part, in their own order. */
static size_t take_rows(const msw_points *points, uint32_t *rows, size_t *left_out)
{
    size_t taken = 0;
    *left_out = 0;
    for (size_t row = 0; row < points->n; row++) {
        bool valid = !points->valid || points->valid[row], nan = has_nan(points, row);
        rows[taken] = (uint32_t)row;
        taken += valid && !nan;
        *left_out += valid && nan;
    }
    return taken;
}

/* Orders the rows by group, keeping their order within one. */
static int split_groups(pareto_rows *list, size_t n, msw_arena *arena, msw_err *err)
{
    const uint32_t *group = list->points->group;
    uint32_t *sorted = msw_arena_take(arena, (n + 1) * sizeof *sorted);
    if (!sorted)
        return msw_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint32_t row = list->rows[i];
        if (group[row] >= list->groups)
            return msw_fail(err, "row %u is in group %u, but there are %u groups", row, group[row],
                            list->groups);
        list->start[group[row] + 1]++;
    }
    for (uint32_t g = 0; g < list->groups; g++)
        list->start[g + 1] += list->start[g];
    for (size_t i = 0; i < n; i++)
        sorted[list->start[group[list->rows[i]]]++] = list->rows[i];
    memmove(list->start + 1, list->start, list->groups * sizeof *list->start);
    list->start[0] = 0;
    list->rows = sorted;
    return 0;
}

int pareto_rows_list(const msw_points *points, pareto_rows *list, msw_arena *arena, msw_err *err)
{
    if (check(points, err))
        return -1;
    *list = (pareto_rows){.points = points, .groups = points->group ? points->group_count : 1};
    for (unsigned j = 0; j < points->k; j++)
        list->sign[j] = points->goals && points->goals[j] == MSW_GOAL_HIGHER ? -1 : 1;
    list->rows = msw_arena_take(arena, (points->n + 1) * sizeof *list->rows);
    list->start = msw_arena_zero(arena, (size_t)list->groups + 1, sizeof *list->start);
    if (!list->rows || !list->start)
        return msw_fail_memory(err);
    size_t n = take_rows(points, list->rows, &list->left_out);
    if (points->group)
        return split_groups(list, n, arena, err);
    list->start[1] = n;
    return 0;
}
