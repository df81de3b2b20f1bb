/* SPDX-License-Identifier: MIT */
#include "analysis/hypervolume/measure.h"

#include "memsweep/analysis/hypervolume.h"

#include <math.h>

int measure_start(measure *job, const msw_points *points, const double *reference, msw_arena *arena,
                  msw_err *err)
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

int64_t measure_rows(const measure *job, uint32_t group, uint32_t **rows)
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
size_t msw_hypervolume_most(unsigned k)
{
    static const size_t MOST[] = {50000, 5000, 1200, 400, 180, 110, 80, 65};
    return k < 5 ? SIZE_MAX : k < 13 ? MOST[k - 5] : 40;
}

int measure_limit(const measure *job, size_t boxes, unsigned k)
{
    if (boxes <= msw_hypervolume_most(k))
        return 0;
    unsigned own = job->list.points->k;
    msw_fail(job->err,
             "%zu points in %u objectives: the %s takes minutes to hours from %zu points on; use "
             "fewer objectives, or fewer points",
             boxes, own, k > own ? "exclusive part of a hypervolume" : "hypervolume",
             msw_hypervolume_most(k) + 1);
    return 1;
}

int measure_groups(measure *job, int (*one)(const measure *job, uint32_t group, double *out),
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
