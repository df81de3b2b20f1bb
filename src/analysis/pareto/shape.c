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
