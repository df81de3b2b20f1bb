/* SPDX-License-Identifier: MIT */
/* Lists the rows of a comparison, and takes out most of those that are dominated. Most rows of a
 * large set are dominated by any of a few good rows: the best rows of a small sample are tried on
 * all others; where the sample itself is mostly a front, nothing is tried. */
#include "analysis/pareto/rows.h"

#include "analysis/stats/sort.h"
#include "memsweep/base/bits.h"
#include "memsweep/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows that take part ---- */

static int check_points(const msw_points *points, msw_err *err)
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
    if (check_points(points, err))
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

/* ---- rows that are certainly dominated ---- */

enum { SAMPLE = 512, WORTHWHILE = 8 * SAMPLE, LEAST_POWER = SAMPLE / 64, MOST = 64 };

typedef struct pruner {
    double x[MSW_PARETO_OBJECTIVES];
    unsigned power; /* rows of the sample that it dominates */
    bool dominated;
} pruner;

static bool dominates(const double *a, const double *b, unsigned k)
{
    bool better = false;
    for (unsigned j = 0; j < k; j++) {
        if (a[j] > b[j])
            return false;
        better |= a[j] < b[j];
    }
    return better;
}

static void take_sample(const pareto_rows *list, const uint32_t *rows, size_t n, pruner *sample)
{
    for (size_t i = 0; i < SAMPLE; i++) {
        sample[i] = (pruner){.power = 0};
        for (unsigned j = 0; j < list->points->k; j++)
            sample[i].x[j] = pareto_value(list, j, rows[i * n / SAMPLE]);
    }
}

/* Counts who dominates whom. Returns how many of the sample are dominated. */
static size_t rate_sample(pruner *sample, unsigned k)
{
    size_t dominated = 0;
    for (size_t i = 0; i < SAMPLE; i++)
        for (size_t j = 0; j < SAMPLE; j++)
            if (dominates(sample[i].x, sample[j].x, k)) {
                sample[i].power++;
                dominated += !sample[j].dominated;
                sample[j].dominated = true;
            }
    return dominated;
}

static int stronger(const void *left, const void *right)
{
    const pruner *a = left, *b = right;
    return a->power > b->power ? -1 : a->power < b->power;
}

/* Keeps the rows of the sample that are worth trying, strongest first. Returns how many. */
static size_t choose_pruners(pruner *sample, unsigned k)
{
    if (rate_sample(sample, k) < SAMPLE / 4)
        return 0;
    size_t kept = 0;
    for (size_t i = 0; i < SAMPLE; i++)
        if (!sample[i].dominated && sample[i].power >= LEAST_POWER)
            sample[kept++] = sample[i];
    msw_sort(sample, kept, sizeof *sample, stronger);
    return msw_min_u64(kept, MOST);
}

static bool survives(const pareto_rows *list, size_t row, const pruner *pruners, size_t count)
{
    double x[MSW_PARETO_OBJECTIVES];
    unsigned k = list->points->k;
    for (unsigned j = 0; j < k; j++)
        x[j] = pareto_value(list, j, row);
    for (size_t p = 0; p < count; p++)
        if (dominates(pruners[p].x, x, k))
            return false;
    return true;
}

static size_t prune_once(const pareto_rows *list, uint32_t *rows, size_t n, pruner *sample)
{
    take_sample(list, rows, n, sample);
    size_t count = choose_pruners(sample, list->points->k), kept = 0;
    if (count == 0)
        return n;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = rows[i];
        rows[kept] = row;
        kept += survives(list, row, sample, count);
    }
    return kept;
}

size_t pareto_rows_prune(const pareto_rows *list, uint32_t *rows, size_t n, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    pruner *sample = n < WORTHWHILE ? NULL : msw_arena_take(arena, SAMPLE * sizeof *sample);
    for (size_t before = 2 * n; sample && n >= WORTHWHILE && n < before - before / 4;) {
        before = n;
        n = prune_once(list, rows, n, sample);
    }
    msw_arena_release(arena, mark);
    return n;
}
