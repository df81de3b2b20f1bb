/* SPDX-License-Identifier: MIT */
/* Measures the shape of a front: crowding distance and knee. */
#include "analysis/pareto/rows.h"

#include "analysis/stats/sort.h"

#include <math.h>
#include <string.h>

/* A front in normalised objectives: 0 is its best and 1 its worst value of each. */
typedef struct box {
    double low[MSW_PARETO_OBJECTIVES], high[MSW_PARETO_OBJECTIVES];
} box;

static bool taken(const msw_points *points, const int32_t *rank, size_t row, uint32_t group)
{
    return rank[row] == 0 && (!points->group || points->group[row] == group);
}

static double oriented(const msw_points *points, unsigned j, size_t row)
{
    double value = points->columns[j][row];
    return points->goals && points->goals[j] == MSW_GOAL_HIGHER ? -value : value;
}

static size_t measure_box(const msw_points *points, const int32_t *rank, uint32_t group, box *range)
{
    size_t count = 0;
    for (size_t row = 0; row < points->n; row++) {
        if (!taken(points, rank, row, group))
            continue;
        for (unsigned j = 0; j < points->k; j++) {
            double v = oriented(points, j, row);
            range->low[j] = count ? fmin(range->low[j], v) : v;
            range->high[j] = count ? fmax(range->high[j], v) : v;
        }
        count++;
    }
    return count;
}

/* In normalised objectives the extremes lie in the plane where they add up to 1. An objective that
 * is the same on the whole front adds nothing, and one less objective spans the plane. */
static double below_plane(const msw_points *points, const box *range, size_t row)
{
    double sum = 0;
    unsigned varying = 0;
    for (unsigned j = 0; j < points->k; j++) {
        double width = range->high[j] - range->low[j];
        if (width > 0) {
            sum += (oriented(points, j, row) - range->low[j]) / width;
            varying++;
        }
    }
    return varying ? (1 - sum) / sqrt(varying) : 0;
}

int msw_pareto_knee(const msw_points *points, const int32_t *rank, uint32_t group, msw_knee *knee,
                    msw_err *err)
{
    box range;
    if (measure_box(points, rank, group, &range) == 0)
        return msw_fail(err, "group %u has no front: no row of it was ranked", group);
    *knee = (msw_knee){.row = points->n, .distance = -INFINITY};
    for (size_t row = 0; row < points->n; row++) {
        if (!taken(points, rank, row, group))
            continue;
        double distance = below_plane(points, &range, row);
        if (knee->row == points->n || distance > knee->distance)
            *knee = (msw_knee){row, distance};
    }
    return 0;
}

typedef struct crowd {
    const msw_points *points;
    const int32_t *rank;
    uint32_t *rows;
    size_t n;
    int32_t *front; /* of each row listed: a number of its own for every (group, rank) */
    size_t fronts;
} crowd;

static int list_ranked(crowd *job, msw_arena *arena)
{
    size_t n = job->points->n;
    job->rows = msw_arena_take(arena, (n + 1) * sizeof *job->rows);
    job->front = msw_arena_take(arena, (n + 1) * sizeof *job->front);
    if (!job->rows || !job->front)
        return -1;
    for (size_t row = 0; row < n; row++)
        if (job->rank[row] >= 0)
            job->rows[job->n++] = (uint32_t)row;
    return 0;
}

/* Sorts the rows by (group, rank) and numbers those pairs. */
static int number_fronts(crowd *job, msw_arena *arena)
{
    const uint32_t *group = job->points->group;
    if (sort_by_key(job->rank, 1, job->points->n, job->rows, job->n, arena) ||
        (group && sort_by_key((const int32_t *)group, 1, job->points->group_count, job->rows,
                              job->n, arena)))
        return -1;
    for (size_t i = 0; i < job->n; i++) {
        bool same = i > 0 && job->rank[job->rows[i]] == job->rank[job->rows[i - 1]] &&
                    (!group || group[job->rows[i]] == group[job->rows[i - 1]]);
        job->fronts += !same;
        job->front[job->rows[i]] = (int32_t)job->fronts - 1;
    }
    return 0;
}

/* Adds one objective to the rows of one front, sorted by it. */
static void add_gaps(const double *values, const uint32_t *rows, size_t n, double *crowding)
{
    double width = values[rows[n - 1]] - values[rows[0]];
    if (width > 0)
        for (size_t i = 1; i + 1 < n; i++)
            crowding[rows[i]] += (values[rows[i + 1]] - values[rows[i - 1]]) / width;
    crowding[rows[0]] = crowding[rows[n - 1]] = INFINITY;
}

static int add_objective(const crowd *job, unsigned j, double *crowding, msw_arena *arena)
{
    msw_arena_mark mark = msw_arena_now(arena);
    const double *column = job->points->columns[j];
    double *value = msw_arena_take(arena, (job->n + 1) * sizeof *value);
    uint32_t *order = msw_arena_take(arena, (job->n + 1) * sizeof *order);
    if (!value || !order)
        return -1;
    for (size_t i = 0; i < job->n; i++)
        value[i] = column[job->rows[i]];
    if (sort_ascending(value, job->n, order, arena))
        return -1;
    for (size_t i = 0; i < job->n; i++)
        order[i] = job->rows[order[i]];
    if (sort_by_key(job->front, 1, job->fronts, order, job->n, arena))
        return -1;
    for (size_t start = 0, end; start < job->n; start = end) {
        for (end = start; end < job->n && job->front[order[end]] == job->front[order[start]]; end++)
            ;
        add_gaps(column, order + start, end - start, crowding);
    }
    msw_arena_release(arena, mark);
    return 0;
}

int msw_pareto_crowding(const msw_points *points, const int32_t *rank, double *crowding,
                        msw_err *err)
{
    msw_arena arena = {0};
    crowd job = {.points = points, .rank = rank};
    for (size_t row = 0; row < points->n; row++)
        crowding[row] = rank[row] < 0 ? NAN : 0;
    int rc = -1;
    if (list_ranked(&job, &arena) || number_fronts(&job, &arena))
        goto done;
    for (unsigned j = 0; j < points->k; j++)
        if (add_objective(&job, j, crowding, &arena))
            goto done;
    rc = 0;
done:
    msw_arena_free(&arena);
    return rc ? msw_fail_memory(err) : 0;
}
