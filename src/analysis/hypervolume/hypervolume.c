/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/hypervolume.h"

#include "analysis/hypervolume/boxes.h"
#include "analysis/hypervolume/measure.h"
#include "analysis/pareto/ladder.h"
#include "analysis/pareto/space.h"
#include "analysis/pareto/two.h"

#include <math.h>

static double length(const measure *job, const uint32_t *rows, size_t n)
{
    double best = job->reference[0];
    for (size_t i = 0; i < n; i++)
        best = fmin(best, pareto_value(&job->list, 0, rows[i]));
    return job->reference[0] - best;
}

static int area(const measure *job, const uint32_t *rows, size_t n, double *volume)
{
    pareto_two sorted;
    if (pareto_two_sort(&job->list, rows, n, &sorted, job->arena))
        return -1;
    double sum = 0, low = job->reference[1];
    for (size_t i = 0; i < n; i++)
        if (sorted.y[i] < low) {
            sum += (job->reference[0] - sorted.x[i]) * (low - sorted.y[i]);
            low = sorted.y[i];
        }
    *volume = sum;
    return 0;
}

/* The area that point (x, y) adds to the staircase; its steps below the point are taken out. */
static double add_step(const measure *job, const pareto_space *space, ladder *steps, int32_t x,
                       int32_t y)
{
    const double *X = space->values[1], *Y = space->values[2];
    int64_t before = ladder_at_or_below(steps, x);
    if (before >= 0 && steps->value[before] <= y)
        return 0;
    double sum = 0, left = X[x], top = before < 0 ? job->reference[2] : Y[steps->value[before]];
    int64_t next = ladder_above(steps, x);
    for (; next >= 0 && steps->value[next] >= y; next = ladder_above(steps, x)) {
        sum += (X[next] - left) * (top - Y[y]);
        left = X[next];
        top = Y[steps->value[next]];
        ladder_erase(steps, next);
    }
    ladder_insert(steps, x, y);
    return sum + ((next < 0 ? job->reference[1] : X[next]) - left) * (top - Y[y]);
}

/* Sweeps along objective 0: each point adds its new area times its distance to the reference. */
static int volume_of_three(const measure *job, const uint32_t *rows, size_t n, double *volume)
{
    pareto_space space;
    ladder steps;
    if (pareto_space_make(&job->list, rows, n, &space, job->arena) ||
        ladder_init(&steps, space.distinct[1], job->arena))
        return -1;
    double sum = 0;
    for (size_t i = 0; i < space.count; i++) {
        const int32_t *x = space.x + 3 * i;
        double added = add_step(job, &space, &steps, x[1], x[2]);
        sum += added * (job->reference[0] - space.values[0][x[0]]);
    }
    *volume = sum;
    return 0;
}

/* Distances to the reference of the nondominated distinct points in the order of the space:
 * objective 0 in `depth`, the others as boxes. Returns the boxes, or NULL without memory. */
static double *front_corners(const measure *job, const pareto_space *space, double *depth,
                             size_t *count)
{
    unsigned k = space->k;
    double *corners = msw_arena_take(job->arena, (space->count + 1) * (k - 1) * sizeof *corners);
    int32_t *dominated = msw_arena_take(job->arena, space->count * sizeof *dominated);
    if (!corners || !dominated || pareto_space_front(space, dominated, job->arena))
        return NULL;
    double *box = corners;
    for (size_t i = 0; i < space->count; i++) {
        if (dominated[i])
            continue;
        *depth++ = job->reference[0] - space->values[0][space->x[i * k]];
        for (unsigned j = 1; j < k; j++)
            *box++ = job->reference[j] - space->values[j][space->x[i * k + j]];
    }
    *count = (size_t)(box - corners) / (k - 1);
    return corners;
}

/* Adds up slices along objective 0: what each box adds, in the other objectives, to those before.
 */
static int add_slices(const measure *job, box_tree *tree, const double *corners,
                      const double *depth, size_t count, double *volume)
{
    unsigned m = job->list.points->k - 1;
    boxes shared[BOXES_BATCH];
    double sum = 0, common[BOXES_BATCH];
    int status = 0;
    for (size_t b = 0; b < BOXES_BATCH; b++)
        shared[b] = (boxes){.m = m};
    for (size_t first = 0; first < count && status == 0; first += BOXES_BATCH) {
        size_t batch = count - first < BOXES_BATCH ? count - first : BOXES_BATCH;
        for (size_t b = 0; b < batch && status == 0; b++) {
            status = box_tree_shared(tree, (uint32_t)(first + b), true, &shared[b]);
            box_tree_add(tree, (uint32_t)(first + b));
        }
        status = status ? status : boxes_volumes(shared, batch, common);
        for (size_t i = first; i < first + batch && status == 0; i++)
            sum += (box_volume(corners + i * m, m) - common[i - first]) * depth[i];
    }
    for (size_t b = 0; b < BOXES_BATCH; b++)
        boxes_free(&shared[b]);
    *volume = sum;
    return status;
}

static int volume_of_more(const measure *job, const uint32_t *rows, size_t n, double *volume)
{
    pareto_space space;
    if (pareto_space_make(&job->list, rows, n, &space, job->arena))
        return -1;
    size_t count;
    double *depth = msw_arena_take(job->arena, space.count * sizeof *depth);
    double *corners = depth ? front_corners(job, &space, depth, &count) : NULL;
    if (corners && measure_limit(job, count, space.k))
        return 1;
    box_tree *tree = corners ? box_tree_new(corners, count, space.k - 1) : NULL;
    int status = tree ? add_slices(job, tree, corners, depth, count, volume) : -1;
    box_tree_free(tree);
    return status;
}

static int volume_of_group(const measure *job, uint32_t group, double *out)
{
    unsigned k = job->list.points->k;
    uint32_t *rows;
    int64_t within = measure_rows(job, group, &rows);
    if (within < 0)
        return -1;
    double *volume = out + group;
    *volume = 0;
    size_t n = pareto_rows_prune(&job->list, rows, (size_t)within, job->arena);
    if (n == 0)
        return 0;
    if (k == 1) {
        *volume = length(job, rows, n);
        return 0;
    }
    return (k == 2 ? area : k == 3 ? volume_of_three : volume_of_more)(job, rows, n, volume);
}

int msw_hypervolume(const msw_points *points, const double *reference, double *volume, msw_err *err)
{
    msw_arena arena = {0};
    measure job;
    int status = measure_start(&job, points, reference, &arena, err);
    if (status == 0)
        status = measure_groups(&job, volume_of_group, volume, err);
    msw_arena_free(&arena);
    return status;
}
