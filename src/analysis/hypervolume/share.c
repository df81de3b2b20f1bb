/* SPDX-License-Identifier: MIT */
#include "memsweep/analysis/hypervolume.h"

#include "analysis/hypervolume/boxes.h"
#include "analysis/hypervolume/measure.h"
#include "analysis/pareto/space.h"

#include <math.h>

/* All distinct points as boxes: a dominated point has no share, but takes from that of a point
 * which alone dominates it. */
static double *all_corners(const measure *job, const pareto_space *space)
{
    unsigned k = space->k;
    double *corners = msw_arena_take(job->arena, (space->count + 1) * k * sizeof *corners);
    for (size_t i = 0; corners && i < space->count; i++)
        for (unsigned j = 0; j < k; j++)
            corners[i * k + j] = job->reference[j] - space->values[j][space->x[i * k + j]];
    return corners;
}

/* Volume of each nondominated box less what it shares with all others. */
static int subtract_shared(box_tree *tree, const pareto_space *space, const int32_t *dominated,
                           const double *corners, double *own)
{
    unsigned k = space->k;
    boxes shared[BOXES_BATCH];
    double common[BOXES_BATCH];
    int status = 0;
    for (size_t b = 0; b < BOXES_BATCH; b++)
        shared[b] = (boxes){.m = k};
    for (size_t first = 0; first < space->count && status == 0; first += BOXES_BATCH) {
        size_t batch = space->count - first < BOXES_BATCH ? space->count - first : BOXES_BATCH;
        for (size_t b = 0; b < batch && status == 0; b++) {
            shared[b].n = 0;
            if (!dominated[first + b])
                status = box_tree_shared(tree, (uint32_t)(first + b), false, &shared[b]);
        }
        status = status ? status : boxes_volumes(shared, batch, common);
        for (size_t i = first; i < first + batch && status == 0; i++)
            own[i] = dominated[i] ? 0 : box_volume(corners + i * k, k) - common[i - first];
    }
    for (size_t b = 0; b < BOXES_BATCH; b++)
        boxes_free(&shared[b]);
    return status;
}

static int own_volumes(const measure *job, box_tree *tree, const pareto_space *space,
                       const double *corners, double *own)
{
    int32_t *dominated = msw_arena_take(job->arena, space->count * sizeof *dominated);
    if (!dominated || pareto_space_front(space, dominated, job->arena))
        return -1;
    size_t front = 0;
    for (size_t i = 0; i < space->count; i++)
        front += !dominated[i];
    if (measure_limit(job, front, space->k + 1))
        return 1;
    for (uint32_t i = 0; i < space->count; i++)
        box_tree_add(tree, i);
    return subtract_shared(tree, space, dominated, corners, own);
}

/* A point given twice shares everything with its copy. */
static void hand_out(const pareto_space *space, const double *own, double *share)
{
    for (size_t i = 0; i < space->n; i++) {
        uint32_t point = space->position[i];
        bool copied = (i > 0 && space->position[i - 1] == point) ||
                      (i + 1 < space->n && space->position[i + 1] == point);
        share[space->row[i]] = copied ? 0 : own[point];
    }
}

static int share_of_rows(const measure *job, const uint32_t *rows, size_t n, double *share)
{
    pareto_space space;
    if (pareto_space_make(&job->list, rows, n, &space, job->arena))
        return -1;
    double *own = msw_arena_take(job->arena, space.count * sizeof *own);
    double *corners = own ? all_corners(job, &space) : NULL;
    box_tree *tree = corners ? box_tree_new(corners, space.count, space.k) : NULL;
    int status = tree ? own_volumes(job, tree, &space, corners, own) : -1;
    if (status == 0)
        hand_out(&space, own, share);
    box_tree_free(tree);
    return status;
}

static int share_of_group(const measure *job, uint32_t group, double *share)
{
    for (size_t i = job->list.start[group]; i < job->list.start[group + 1]; i++)
        share[job->list.rows[i]] = 0;
    uint32_t *rows;
    int64_t n = measure_rows(job, group, &rows);
    if (n <= 0)
        return (int)n;
    return share_of_rows(job, rows, (size_t)n, share);
}

int msw_hypervolume_exclusive(const msw_points *points, const double *reference, double *share,
                              msw_err *err)
{
    msw_arena arena = {0};
    measure job;
    int status = measure_start(&job, points, reference, &arena, err);
    for (size_t row = 0; row < points->n; row++)
        share[row] = NAN;
    if (status == 0)
        status = measure_groups(&job, share_of_group, share, err);
    msw_arena_free(&arena);
    return status;
}
