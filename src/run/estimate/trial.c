/* SPDX-License-Identifier: MIT */
/* Tries points of a plan, to see how long they and what they share take. */
#include "memsweep/base/clock.h"
#include "run/estimate/tried.h"

#include "memsweep/base/map.h"
#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"
#include "memsweep/run/run.h"
#include "memsweep/sweep/preview.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS_TRIED = 256 };

static void count_row(const msw_row *row, msw_run_estimate *e)
{
    e->tried++;
    e->failed += row->status == MSW_FAILED;
    e->timeout += row->status == MSW_TIMEOUT;
    e->whole += row->status == MSW_OK && row->units > 0 && row->measured == row->units;
}

/* Sets up the task of a point; its expressions may fail there. Returns 0, or -1. */
static int task_at(const msw_plan *plan, const msw_metric_map *map, msw_pointer *pointer,
                   uint64_t index, msw_point *point, msw_task *task)
{
    MSW_TRY(msw_pointer_at(pointer, index, false, point, NULL));
    msw_point_task(plan, point, task);
    task->map = map;
    return 0;
}

/* Whether a point's units are predicted before they are measured; a reference of it that cannot be
 * is rare enough for an estimate. */
static void count_predicted(msw_pointer *pointer, uint64_t index, const msw_row *row,
                            const msw_plan *plan, msw_run_estimate *e)
{
    msw_point point;
    msw_task task;
    if (plan->fidelity != MSW_SAMPLED || !plan->mech->predict || row->status != MSW_OK ||
        task_at(plan, NULL, pointer, index, &point, &task) ||
        (plan->mech->predictable && !plan->mech->predictable(task.config)))
        return;
    e->predicted++;
    e->measured += (double)row->measured;
    e->units += (double)row->units;
}

/* Trying a point must not mean minutes of building what a run keeps. */
static bool is_long(const msw_plan *plan, const msw_metric_map *map, msw_pointer *pointer,
                    uint64_t index, double seconds)
{
    msw_kept_need needs[MSW_ARTIFACTS_MAX];
    msw_point point;
    msw_task task;
    bool is = false;
    if (task_at(plan, map, pointer, index, &point, &task))
        return false;
    size_t count = msw_mech_kept(&task, needs);
    for (size_t n = 0; n < count; n++)
        is = is || !(needs[n].cost * 1e-6 <= seconds / 4);
    return is;
}

/* Points are tried workload by workload in turn, each time another part of its points: neighbours
 * have similar costs, and a trial that ends early has seen something of all. */
static uint64_t tried_at(const msw_plan *plan, uint64_t i, uint64_t wanted)
{
    uint64_t workloads = plan->workload_count, each = plan->points / workloads;
    uint64_t parts = wanted / workloads, workload = i % workloads;
    if (!each || !parts)
        return i % plan->points;
    uint64_t part = msw_permute(i / workloads % parts, parts, workload);
    return workload * each + (uint64_t)((double)each / (double)parts * ((double)part + 0.5));
}

/* What was tried of one workload: points at the second time, when what they share is there, and
 * what the first time took in addition. */
typedef struct sample {
    uint64_t points, built;
    double spent, builds;
} sample;

/* How many different things there are, each as likely as another, where n points met d of them:
 * d = D (1 - exp(-n / D)). As many as there may be where none came twice. */
static double different(double n, double d, double most)
{
    double low = d, high = most;
    if (d >= n || most * -msw_math_expm1(-n / most) <= d)
        return most;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(middle * -msw_math_expm1(-n / middle) < d ? &low : &high) = middle;
    }
    return high;
}

/* How many different sets of shared things a workload's points need: keys are told without
 * building. */
static int count_shared(const msw_plan *plan, const msw_metric_map *map, msw_pointer *pointer,
                        uint64_t workload, double *count, msw_err *err)
{
    enum { LOOKED_MOST = 1024 };
    uint64_t each = plan->points / plan->workload_count, *value;
    uint64_t looked = each < LOOKED_MOST ? each : LOOKED_MOST;
    msw_map seen = {0};
    msw_point point;
    msw_task task;
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < looked; i++) {
        uint64_t index = workload * each + msw_permute(i, each, workload);
        if (task_at(plan, map, pointer, index, &point, &task) == 0)
            rc = msw_map_add(&seen, msw_mech_shared(&task).lo, &value, err);
    }
    *count = looked == each ? (double)seen.count
                            : different((double)looked, (double)seen.count, (double)each);
    msw_map_free(&seen);
    return rc;
}

/* Workloads have as many points each; those not reached count as the mean of the others. */
static int sum_up(const msw_plan *plan, const msw_metric_map *map, msw_pointer *pointer,
                  const sample *of, msw_run_estimate *e, msw_err *err)
{
    double each = (double)plan->points / (double)plan->workload_count, seconds = 0, seen = 0, most;
    for (size_t w = 0; w < plan->workload_count; w++) {
        const sample *t = &of[w];
        if (!t->points)
            continue;
        seen++;
        seconds += t->spent / (double)t->points;
        if (!t->built)
            continue;
        MSW_TRY(count_shared(plan, map, pointer, w, &most, err));
        seconds += t->builds / (double)t->built / each *
                   different((double)t->points, (double)t->built, most);
    }
    e->point_seconds = seen > 0 ? seconds / seen : 0;
    return 0;
}

/* On a machine that does other things beside, a point takes longer than it works; one that hardly
 * works waits for something of its own, such as a program that it calls. */
static int time_point(msw_worker *worker, uint64_t index, double seconds, msw_batch *batch,
                      double *taken, msw_err *err)
{
    double start = msw_now(), idle = msw_process_seconds();
    msw_batch_clear(batch);
    MSW_TRY(msw_worker_evaluate(worker, index, seconds, batch, err));
    double wall = msw_now() - start, worked = msw_process_seconds() - idle;
    *taken = worked > wall / 8 && wall > 1e-3 ? fmin(worked, wall) : wall;
    return 0;
}

/* The first time a point pays for artifacts that others share, too. What takes less than a third
 * more the first time is no build. */
static int try_point(msw_worker *worker, uint64_t index, double seconds, msw_batch *batch,
                     sample *t, msw_err *err)
{
    double first, second;
    MSW_TRY(time_point(worker, index, seconds, batch, &first, err));
    second = first;
    if (first < seconds / 8)
        MSW_TRY(time_point(worker, index, seconds, batch, &second, err));
    t->points++;
    t->spent += fmin(first, second);
    if (first > second + second / 3) {
        t->built++;
        t->builds += first - second;
    }
    return 0;
}

/* Each workload is tried once, however long, but for many of them. */
static bool goes_on(const msw_plan *plan, uint64_t i, double past, double seconds)
{
    return past < seconds || (i < plan->workload_count && past < 4 * seconds);
}

static int count_point(const msw_plan *plan, msw_pointer *pointer, uint64_t index,
                       const msw_batch *batch, msw_tried *limits, msw_run_estimate *e, msw_err *err)
{
    count_row(&batch->rows[0], e);
    count_predicted(pointer, index, &batch->rows[0], plan, e);
    return limits ? msw_tried_add(limits, batch, err) : 0;
}

int msw_trial_points(const msw_plan *plan, msw_worker *worker, msw_pointer *pointer,
                     msw_batch *batch, double seconds, msw_tried *limits, msw_run_estimate *e,
                     msw_err *err)
{
    uint64_t wanted = plan->points < POINTS_TRIED ? plan->points : POINTS_TRIED;
    double start = msw_now();
    msw_metric_map map;
    sample *of = calloc(plan->workload_count + 1, sizeof *of);
    if (wanted < plan->workload_count)
        wanted = plan->workload_count;
    int rc = of ? msw_metric_map_init(&map, plan->mech, err) : msw_fail_memory(err);
    for (uint64_t i = 0; rc == 0 && i < wanted && goes_on(plan, i, msw_now() - start, seconds);
         i++) {
        uint64_t index = tried_at(plan, i, wanted);
        if (is_long(plan, &map, pointer, index, seconds)) {
            e->left_out++;
            continue;
        }
        rc = try_point(worker, index, seconds, batch, &of[i % plan->workload_count], err);
        if (rc == 0)
            rc = count_point(plan, pointer, index, batch, limits, e, err);
    }
    if (rc == 0)
        rc = sum_up(plan, &map, pointer, of, e, err);
    free(of);
    return rc;
}
