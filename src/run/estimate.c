/* SPDX-License-Identifier: MIT */
/* How long a run takes on many ranks, and what it asks of rank 0. docs/scaling.md has the rates. */
#include "memsweep/run/estimate.h"

#include "memsweep/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum {
    POINTS_TRIED = 256,
    BYTES_PER_POINT = 32,          /* what is kept per point while a sweep runs */
    BYTES_PER_ROW = 64,            /* of the store: key, status, counts, B-tree */
    BYTES_PER_VALUE = 9,           /* a real in SQLite's record format */
    BATCH_BYTES = 16 << 20,        /* rows on their way */
    WRITTEN_PER_SECOND = 60000000, /* bytes one writer stores */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void count_row(const msw_row *row, msw_run_estimate *e)
{
    e->tried++;
    e->failed += row->status == MSW_FAILED;
    e->timeout += row->status == MSW_TIMEOUT;
    e->whole += row->status == MSW_OK && row->units > 0 && row->measured == row->units;
}

/* Whether a point's units are predicted before they are measured; a reference of it that cannot be
 * is rare enough for an estimate. */
static int count_predicted(msw_pointer *pointer, uint64_t index, const msw_row *row,
                           const msw_plan *plan, msw_run_estimate *e, msw_err *err)
{
    msw_point point;
    msw_task task;
    if (plan->fidelity != MSW_SAMPLED || !plan->mech->predict || row->status != MSW_OK)
        return 0;
    if (msw_pointer_at(pointer, index, false, &point, err))
        return -1;
    msw_point_task(plan, &point, &task);
    if (plan->mech->predictable && !plan->mech->predictable(task.config))
        return 0;
    e->predicted++;
    e->measured += (double)row->measured;
    e->units += (double)row->units;
    return 0;
}

/* Trying a point must not mean minutes of building what a run keeps. */
static bool is_long(const msw_plan *plan, const msw_metric_map *map, msw_pointer *pointer,
                    uint64_t index, double seconds)
{
    msw_kept_need needs[MSW_ARTIFACTS_MAX];
    msw_point point;
    msw_task task;
    bool is = false;
    if (msw_pointer_at(pointer, index, false, &point, NULL))
        return false;
    msw_point_task(plan, &point, &task);
    task.map = map;
    size_t count = msw_mech_kept(&task, needs);
    for (size_t n = 0; n < count; n++)
        is = is || !(needs[n].cost * 1e-6 <= seconds / 4);
    return is;
}

/* The first point pays for artifacts and cold memory, so it is tried twice and counted once. */
static int try_points(const msw_plan *plan, msw_worker *worker, msw_pointer *pointer,
                      msw_batch *batch, double seconds, msw_run_estimate *e, msw_err *err)
{
    uint64_t wanted = plan->points < POINTS_TRIED ? plan->points : POINTS_TRIED;
    double start = now(), limit = start + seconds, spent = 0;
    msw_metric_map map;
    if (msw_metric_map_init(&map, plan->mech, err) ||
        (!is_long(plan, &map, pointer, 0, seconds) &&
         msw_worker_evaluate(worker, 0, seconds, batch, err)))
        return -1;
    for (uint64_t i = 0; i < wanted && (i == 0 || now() < limit); i++) {
        /* Evenly over the plan, because neighbours in it have similar costs. */
        uint64_t index = (uint64_t)((double)plan->points / (double)wanted * (double)i);
        if (is_long(plan, &map, pointer, index, seconds)) {
            e->left_out++;
            continue;
        }
        double before = now();
        msw_batch_clear(batch);
        if (msw_worker_evaluate(worker, index, seconds, batch, err))
            return -1;
        spent += now() - before;
        count_row(&batch->rows[0], e);
        if (count_predicted(pointer, index, &batch->rows[0], plan, e, err))
            return -1;
    }
    e->point_seconds = e->tried ? spent / (double)e->tried : 0;
    return 0;
}

static double file_bytes(const msw_plan *plan, size_t metrics)
{
    double half_widths = plan->fidelity == MSW_SAMPLED ? BYTES_PER_VALUE : 1;
    double row = BYTES_PER_ROW + (double)plan->schema.count * BYTES_PER_VALUE +
                 (double)metrics * (BYTES_PER_VALUE + half_widths);
    return row * (double)plan->points;
}

static double memory_bytes(const msw_plan *plan)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss + BATCH_BYTES +
           (double)BYTES_PER_POINT * (double)plan->points;
}

int msw_run_estimate_plan(const msw_plan *plan, double seconds, msw_run_estimate *estimate,
                          msw_err *err)
{
    size_t metrics = msw_metrics_count(plan->mech->metrics);
    msw_worker *worker = NULL;
    msw_pointer *pointer = NULL;
    msw_artifacts *artifacts = msw_artifacts_new(0);
    msw_batch *batch = msw_batch_new(1, plan->schema.count, metrics);
    int rc = artifacts && batch ? msw_worker_new(plan, artifacts, false, &worker, err)
                                : msw_fail_memory(err);
    *estimate = (msw_run_estimate){0};
    if (rc == 0 && plan->points)
        rc = msw_pointer_new(plan, &pointer, err);
    if (rc == 0 && plan->points)
        rc = try_points(plan, worker, pointer, batch, seconds, estimate, err);
    estimate->memory_bytes = memory_bytes(plan);
    estimate->file_bytes = file_bytes(plan, metrics);
    estimate->write_seconds = estimate->file_bytes / WRITTEN_PER_SECOND;
    msw_worker_free(worker);
    msw_pointer_free(pointer);
    msw_batch_free(batch);
    msw_artifacts_free(artifacts);
    return rc;
}

enum { MEMORY_LEAST_MIB = 256 };

int msw_run_node_memory(const msw_plan *plan, int64_t ranks, int64_t *mib, msw_err *err)
{
    msw_run_estimate estimate;
    if (msw_run_estimate_plan(plan, 0.2, &estimate, err))
        return -1;
    *mib = MEMORY_LEAST_MIB + (int64_t)(1.25 * estimate.memory_bytes * (double)ranks / (1 << 20));
    return 0;
}

/* Messages rank 0 answers over a network, and how many each rank sends per second: a request, rows
 * five times, half an acknowledgement. */
#define ANSWERED_PER_SECOND 50000.0
#define SENT_PER_RANK       6.5
/* Below this many seconds nobody minds. */
#define WORTH_SHARDS 60.0

msw_run_forecast msw_run_forecast_make(const msw_plan *plan, const msw_run_estimate *e,
                                       const msw_run_size *size)
{
    msw_run_forecast f = {.shards = 1};
    double turns = ceil((double)plan->points / size->ranks / size->threads);
    double compute = e->point_seconds * turns;
    /* A rank whose points take longer than its turn sends less often. */
    double per_rank = size->threads / (e->point_seconds > 0 ? e->point_seconds : 1e-9);
    f.messages_per_second = (size->ranks - 1) * fmin(SENT_PER_RANK, 2.5 * per_rank);
    f.answering = f.messages_per_second / ANSWERED_PER_SECOND;
    double busy = e->write_seconds / fmax(1 - f.answering, 0.05);
    f.seconds = fmax(compute, busy);
    f.writing = f.seconds > 0 ? e->write_seconds / f.seconds : 0;
    if (size->ranks > 1 && busy > fmax(compute, WORTH_SHARDS) && compute > 0)
        f.shards = (int)fmin(ceil(busy / compute), size->ranks);
    return f;
}
