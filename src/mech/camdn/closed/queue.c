/* SPDX-License-Identifier: MIT */
/* Runs tasks that come from outside through the queue of NPUs, with mean cycles: the NPU that is
 * free first takes the next one. While a counted task runs from s to e, so many NPUs are busy
 *
 *   (B(e) - B(s)) / (e - s),    B(t) = sum over all tasks of min(t, end) - min(t, start)
 *
 * on average, and it is the mean over the cycles of counted tasks that decides what is left of
 * cache, pages and memory for each. */
#include "mech/camdn/closed/mix.h"

#include "memsweep/base/math.h"
#include "memsweep/base/search.h"
#include "memsweep/base/sort.h"

int camdn_queue_open(camdn_mix *m, camdn_queue *q, msw_err *err)
{
    msw_arena *arena = m->task->arena;
    q->room = camdn_job_count(m->task);
    q->list = msw_arena_zero(arena, q->room + 1, sizeof *q->list);
    q->starts = msw_arena_take(arena, (q->room + 1) * sizeof *q->starts);
    q->ends = msw_arena_take(arena, (q->room + 1) * sizeof *q->ends);
    q->sums = msw_arena_take(arena, 2 * (q->room + 1) * sizeof *q->sums);
    q->spans = msw_arena_take(arena, (camdn_counted(m->task) + 1) * sizeof *q->spans);
    if (!q->list || !q->starts || !q->ends || !q->sums || !q->spans)
        return msw_fail_memory(err);
    return camdn_jobs_fill(m->task, q->list, &q->jobs, err);
}

/* Sums of min(t, values) over sorted values; sums[i]: of the first i. */
static double below(const double *values, const double *sums, uint64_t count, double t)
{
    uint64_t at;
    MSW_SEARCH(at, 0, count, values[at] <= t);
    return sums[at] + t * (double)(count - at);
}

static void sum_up(double *values, double *sums, uint64_t count)
{
    msw_sort_f64(values, count);
    sums[0] = 0;
    for (uint64_t i = 0; i < count; i++)
        sums[i + 1] = sums[i] + values[i];
}

/* Mean of the busy NPUs over the cycles of counted tasks. */
static double busy_of(const camdn_queue *q, uint64_t count, uint64_t counts)
{
    double overlap = 0, cycles = 0, *starts = q->sums, *ends = q->sums + q->room + 1;
    sum_up(q->starts, starts, count);
    sum_up(q->ends, ends, count);
    for (uint64_t i = 0; i < counts; i++) {
        const double *c = q->spans[i];
        for (int e = 0; e < 2; e++)
            overlap += (e ? 1 : -1) *
                       (below(q->ends, ends, count, c[e]) - below(q->starts, starts, count, c[e]));
        cycles += c[1] - c[0];
    }
    return cycles > 0 ? overlap / cycles : 1;
}

/* The first of those that are idle when a task comes, else the one that is free first. */
static uint32_t first_free(const double *free_at, uint32_t npus, double comes)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < npus && free_at[best] > comes; i++)
        best = free_at[i] < free_at[best] ? i : best;
    return best;
}

camdn_task_run camdn_ran_of(const camdn_network *n, int run, uint64_t target)
{
    const camdn_run_of *r = &n->runs[run];
    return (camdn_task_run){.network = n->number,
                            .run = run,
                            .cycles = r->cycles,
                            .compute = r->moved.compute,
                            .memory_wait = r->memory_wait,
                            .target = target};
}

/* Each task has an NPU of its own. */
static void run_alone(camdn_mix *m, camdn_queue *q, camdn_served_fn served, void *context)
{
    uint32_t npus = (uint32_t)camdn_running(m->config);
    double free_at[CAMDN_TENANTS_MAX] = {0};
    camdn_history history;
    camdn_history_open(&history, npus);
    while (camdn_jobs_time(&q->jobs) != UINT64_MAX) {
        uint64_t comes = camdn_jobs_time(&q->jobs);
        uint32_t npu = first_free(free_at, npus, (double)comes);
        uint64_t now = msw_max_u64((uint64_t)free_at[npu], comes);
        uint64_t number = camdn_jobs_take(&q->jobs, now);
        const camdn_job *job = &q->list[number];
        camdn_network *n = &m->networks[job->network];
        camdn_find find = camdn_history_add(&history, m, npu, job->network, (double)now);
        uint64_t before = q->counts;
        free_at[npu] = (double)now + n->runs[find.run].cycles;
        camdn_queue_ran(m, q, number, (double)now, free_at[npu]);
        if (q->counts == before)
            continue;
        camdn_history_count(&history, job->network, find);
        camdn_task_run ran = camdn_ran_of(n, find.run, job->target);
        ran.waited = (double)(now - job->time);
        if (served)
            served(context, &ran);
    }
    camdn_history_set(&history, m);
}

void camdn_queue_run(camdn_mix *m, camdn_queue *q, camdn_served_fn served, void *context)
{
    q->count = q->counts = 0;
    for (uint64_t i = 0; i < q->room; i++)
        q->list[i].taken = false;
    q->jobs.first = 0;
    if (camdn_gang_most(m->config) > 1)
        camdn_stations_run(m, q, served, context);
    else
        run_alone(m, q, served, context);
    m->busy = busy_of(q, q->count, q->counts);
}
