/* SPDX-License-Identifier: MIT */
/* Finds the volume between a front and a reference point, and the share of each point in it. Rows
 * relative to the reference are the common start. */
#include "memsweep/analysis/hypervolume.h"

#include "analysis/hypervolume/boxes.h"
#include "analysis/pareto/rows.h"

#include <math.h>

/* This many volumes are computed side by side. */
enum { BOXES_BATCH = 64 };

typedef struct measure {
    pareto_rows list;
    double reference[MSW_PARETO_OBJECTIVES]; /* smaller being better, as pareto_value gives */
    msw_arena *arena;
    msw_err *err;
} measure;

/* Checks rows and reference and lists the rows. Returns 0, or -1 with `err`. */
static int measure_start(measure *job, const msw_points *points, const double *reference,
                         msw_arena *arena, msw_err *err)
{
    *job = (measure){.arena = arena, .err = err};
    if (pareto_rows_list(points, &job->list, arena, err))
        return -1;
    for (unsigned j = 0; j < points->k; j++) {
        if (!isfinite(reference[j]))
            return msw_fail(err, "the reference of objective %u is not a finite number", j + 1);
        job->reference[j] = job->list.sign[j] * reference[j];
    }
    return 0;
}

static bool within(const measure *job, uint32_t row)
{
    bool better = true;
    for (unsigned j = 0; j < job->list.points->k; j++)
        better &= pareto_value(&job->list, j, row) < job->reference[j];
    return better;
}

/* Lists the rows of a group that are strictly better than the reference everywhere. Returns how
 * many, or -1 without memory. */
static int64_t measure_rows(const measure *job, uint32_t group, uint32_t **rows)
{
    size_t start = job->list.start[group], end = job->list.start[group + 1];
    int64_t kept = 0;
    *rows = msw_arena_take(job->arena, (end - start + 1) * sizeof **rows);
    if (!*rows)
        return -1;
    for (size_t i = start; i < end; i++) {
        (*rows)[kept] = job->list.rows[i];
        kept += within(job, job->list.rows[i]);
    }
    return kept;
}

/* The numbers of points that take some ten seconds where none dominates another; the cost grows
 * like the k-th power.
 */
static size_t most_points(unsigned k)
{
    static const size_t MOST[] = {50000, 5000, 1200, 400, 180, 110, 80, 65};
    return k < 5 ? SIZE_MAX : k < 13 ? MOST[k - 5] : 40;
}

/* Checks that this many boxes in `k` dimensions can be worked on. Returns 0, or 1 with the error.
 */
static int measure_limit(const measure *job, size_t count, unsigned k)
{
    if (count <= most_points(k))
        return 0;
    unsigned own = job->list.points->k;
    msw_fail(job->err,
             "%zu points in %u objectives: the %s takes minutes to hours from %zu points on; use "
             "fewer objectives, or fewer points",
             count, own, k > own ? "exclusive part of a hypervolume" : "hypervolume",
             most_points(k) + 1);
    return 1;
}

/* Calls `one` for each group with `out`; it returns 0, -1 without memory, or 1 with the error.
 * Returns 0, or -1 with `err`. */
static int measure_groups(measure *job, int (*one)(const measure *job, uint32_t group, double *out),
                          double *out, msw_err *err)
{
    msw_arena_mark mark = msw_arena_now(job->arena);
    for (uint32_t g = 0; g < job->list.groups; g++) {
        int status = one(job, g, out);
        if (status)
            return status < 0 ? msw_fail_memory(err) : -1;
        msw_arena_release(job->arena, mark);
    }
    return 0;
}

/* ---- volumes ---- */

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
    int rc = -1;
    for (size_t b = 0; b < BOXES_BATCH; b++)
        shared[b] = (boxes){.m = m};
    for (size_t first = 0; first < count; first += BOXES_BATCH) {
        size_t batch = count - first < BOXES_BATCH ? count - first : BOXES_BATCH;
        for (size_t b = 0; b < batch; b++) {
            if (box_tree_shared(tree, (uint32_t)(first + b), true, &shared[b]))
                goto done;
            box_tree_add(tree, (uint32_t)(first + b));
        }
        if (boxes_volumes(shared, batch, common))
            goto done;
        for (size_t i = first; i < first + batch; i++)
            sum += (box_volume(corners + i * m, m) - common[i - first]) * depth[i];
    }
    rc = 0;
done:
    for (size_t b = 0; b < BOXES_BATCH; b++)
        boxes_free(&shared[b]);
    *volume = sum;
    return rc;
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
    int rc = -1;
    if (measure_start(&job, points, reference, &arena, err) ||
        measure_groups(&job, volume_of_group, volume, err))
        goto done;
    rc = 0;
done:
    msw_arena_free(&arena);
    return rc;
}

/* ---- shares ---- */

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
    int rc = -1;
    for (size_t b = 0; b < BOXES_BATCH; b++)
        shared[b] = (boxes){.m = k};
    for (size_t first = 0; first < space->count; first += BOXES_BATCH) {
        size_t batch = space->count - first < BOXES_BATCH ? space->count - first : BOXES_BATCH;
        for (size_t b = 0; b < batch; b++) {
            shared[b].n = 0;
            if (!dominated[first + b] &&
                box_tree_shared(tree, (uint32_t)(first + b), false, &shared[b]))
                goto done;
        }
        if (boxes_volumes(shared, batch, common))
            goto done;
        for (size_t i = first; i < first + batch; i++)
            own[i] = dominated[i] ? 0 : box_volume(corners + i * k, k) - common[i - first];
    }
    rc = 0;
done:
    for (size_t b = 0; b < BOXES_BATCH; b++)
        boxes_free(&shared[b]);
    return rc;
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
    int rc = -1;
    for (size_t row = 0; row < points->n; row++)
        share[row] = NAN;
    if (measure_start(&job, points, reference, &arena, err) ||
        measure_groups(&job, share_of_group, share, err))
        goto done;
    rc = 0;
done:
    msw_arena_free(&arena);
    return rc;
}
