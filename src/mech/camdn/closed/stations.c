/* SPDX-License-Identifier: MIT */
/* Runs tasks that come from outside through gangs of NPUs, operator by operator: each operator is a
 * station, with mean cycles on 1, 2 and 4 NPUs where 1, 2, 4, ... tasks run at a time. Between
 * those it is as fast as a line through both says; who starts or ends changes the speed of all.
 * When tasks start and between stations the rules of the machine (../gang.c) say how many NPUs a
 * task has. */
#include "mech/camdn/closed/mix.h"

#include "memsweep/base/math.h"

#include <math.h>

static const double NO_TARGET = 1e15, LONG = 100000; /* as machine/gangs.c has them */

void camdn_queue_ran(const camdn_mix *m, camdn_queue *q, uint64_t number, double start, double end)
{
    uint64_t first = camdn_first_counted(m->task), counted = camdn_counted(m->task);
    q->starts[q->count] = start;
    q->ends[q->count++] = end;
    if (number < first || number >= first + counted)
        return;
    q->spans[q->counts][0] = start, q->spans[q->counts++][1] = end;
}

/* A task that runs. */
typedef struct resident {
    bool live;
    uint32_t op, width;
    double time, started; /* when its station ends; when it got its NPUs */
    double since, left;   /* the part of the station that is left since then */
    camdn_station at;     /* all of it, with those that run now */
    uint64_t number;
    camdn_task_run task;
    camdn_find find;
} resident;

typedef struct yard {
    camdn_mix *mix;
    camdn_queue *queue;
    uint32_t room, idle; /* idle: NPUs */
    uint32_t running;    /* tasks */
    resident at[CAMDN_TENANTS_MAX];
    camdn_history history;
    double work[MSW_GRAPH_NETWORKS_MAX][CAMDN_GANG_SIZES];
    camdn_served_fn served;
    void *context;
} yard;

static const double *left_of(const yard *y, const resident *p)
{
    return y->mix->networks[p->task.network].left[p->op];
}

static camdn_claim claim_of(const yard *y, const resident *p, double now)
{
    double arrived = p->started - p->task.waited, target = (double)p->task.target;
    return (camdn_claim){target > 0 ? target - (now - arrived) : NO_TARGET, left_of(y, p), p->width,
                         !y->mix->config->hopeless_gives};
}

static uint32_t waiting(const yard *y, double now)
{
    const camdn_jobs *jobs = &y->queue->jobs;
    uint32_t count = 0;
    for (uint64_t i = jobs->first;
         i < jobs->count && (double)jobs->list[i].time <= now && count < y->room; i++)
        count += !jobs->list[i].taken;
    return count;
}

static uint32_t wanted(const yard *y, const resident *p, bool starts)
{
    const camdn_config *c = y->mix->config;
    uint32_t count = 0, most = camdn_gang_most(c);
    camdn_claim others[CAMDN_TENANTS_MAX], own = claim_of(y, p, p->time);
    for (uint32_t i = 0; i < y->room; i++)
        if (y->at[i].live && &y->at[i] != p)
            others[count++] = claim_of(y, &y->at[i], p->time);
    if (c->npu_policy == CAMDN_GANG_STATIC)
        return most;
    if (c->npu_policy == CAMDN_GANG_EQUAL)
        return camdn_equal_size(y->room, 1 + count + waiting(y, p->time), most);
    uint32_t size = starts ? camdn_aurora_size(&own, count == 0)
                           : camdn_aurora_change(&own, others, count, y->idle);
    return (uint32_t)msw_min_u64(size, most);
}

/* The present station, with as many tasks as run now. */
static camdn_station station_of(const yard *y, const resident *p)
{
    const camdn_network *n = &y->mix->networks[p->task.network];
    uint32_t size = camdn_size_of(p->width), low = 0;
    while (low + 2 < CAMDN_CROWDS && (2U << low) < y->running)
        low++;
    double high = ((double)y->running - (1U << low)) / (1U << low);
    const camdn_station *a = camdn_station_at(n, p->task.run, low, size, p->op);
    const camdn_station *b = camdn_station_at(n, p->task.run, low + 1, size, p->op);
    return (camdn_station){.cycles = a->cycles + high * (b->cycles - a->cycles),
                           .compute = a->compute,
                           .memory_wait =
                               a->memory_wait + high * (b->memory_wait - a->memory_wait)};
}

/* Books what of the station has been done by now. */
static void spend(resident *p, double now)
{
    double part = msw_min_f64(p->left, (now - p->since) / p->at.cycles);
    p->task.cycles += now - p->since;
    p->task.compute += part * p->at.compute;
    p->task.memory_wait += part * p->at.memory_wait;
    p->left -= part;
    p->since = now;
}

/* The speed of all but one changes: another number of tasks runs. */
static void run_with(yard *y, uint32_t running, const resident *but, double now)
{
    y->running = running;
    for (uint32_t i = 0; i < y->room; i++) {
        resident *p = &y->at[i];
        if (!p->live || p == but)
            continue;
        spend(p, now);
        p->at = station_of(y, p);
        p->time = now + p->left * p->at.cycles;
    }
}

/* The next station begins. */
static void begin(yard *y, resident *p)
{
    const camdn_network *n = &y->mix->networks[p->task.network];
    p->at = station_of(y, p);
    p->left = 1, p->since = p->time;
    p->time += p->at.cycles;
    y->work[p->task.network][camdn_size_of(p->width)] +=
        camdn_station_at(n, p->task.run, 0, 0, p->op)->cycles;
}

static bool is_ready(const yard *y)
{
    bool fixed = y->mix->config->npu_policy == CAMDN_GANG_STATIC;
    return y->idle >= (fixed ? camdn_gang_most(y->mix->config) : 1);
}

static resident *first_empty(yard *y)
{
    uint32_t i = 0;
    while (i < y->room && y->at[i].live)
        i++;
    return i < y->room ? &y->at[i] : NULL;
}

static void start(yard *y, resident *p, uint64_t now)
{
    camdn_mix *m = y->mix;
    uint64_t number = camdn_jobs_take(&y->queue->jobs, now);
    const camdn_job *job = &y->queue->list[number];
    camdn_find find =
        camdn_history_add(&y->history, m, (uint32_t)(p - y->at), job->network, (double)now);
    *p = (resident){.live = true, .number = number, .width = 1, .time = (double)now};
    p->started = (double)now;
    p->find = find;
    p->task = (camdn_task_run){.network = job->network,
                               .run = find.run,
                               .waited = (double)(now - job->time),
                               .target = job->target};
    uint32_t size = wanted(y, p, true);
    while (size > y->idle)
        size /= 2;
    y->idle -= size;
    p->width = size;
    run_with(y, y->running + 1, p, p->time);
    begin(y, p);
}

static void end(yard *y, resident *p)
{
    uint64_t before = y->queue->counts;
    p->live = false;
    y->idle += p->width;
    run_with(y, y->running - 1, p, p->time);
    camdn_queue_ran(y->mix, y->queue, p->number, p->started, p->time);
    if (y->queue->counts == before)
        return;
    camdn_history_count(&y->history, p->task.network, p->find);
    if (y->served)
        y->served(y->context, &p->task);
}

static void change(yard *y, resident *p)
{
    const double *left = left_of(y, p);
    int64_t policy = y->mix->config->npu_policy;
    double present = left[0] - left[CAMDN_GANG_SIZES];
    if (policy == CAMDN_GANG_STATIC || (policy == CAMDN_GANG_AURORA && present <= LONG))
        return;
    uint32_t size = wanted(y, p, false);
    while (size > p->width && size - p->width > y->idle)
        size /= 2;
    y->idle = y->idle + p->width - size;
    p->width = size;
}

static void go_on(yard *y, resident *p)
{
    spend(p, p->time);
    if (++p->op == y->mix->networks[p->task.network].closed.net->op_count) {
        end(y, p);
        return;
    }
    change(y, p);
    begin(y, p);
}

static resident *first_live(yard *y)
{
    resident *first = NULL;
    for (uint32_t i = 0; i < y->room; i++)
        if (y->at[i].live && (!first || y->at[i].time < first->time))
            first = &y->at[i];
    return first;
}

/* Runs all tasks. */
static void run_all(yard *y)
{
    double now = 0;
    for (;;) {
        resident *p = first_live(y), *empty = is_ready(y) ? first_empty(y) : NULL;
        uint64_t comes = camdn_jobs_time(&y->queue->jobs);
        double starts = empty && comes != UINT64_MAX ? fmax(now, (double)comes) : INFINITY;
        if (!p && !(starts < INFINITY))
            return;
        now = p ? fmin(p->time, starts) : starts;
        if (p && p->time <= starts)
            go_on(y, p);
        else
            start(y, empty, (uint64_t)ceil(starts));
    }
}

/* Shares that the next round begins with; half of the way: jumps would not settle. */
static void set_shares(const yard *y)
{
    camdn_mix *m = y->mix;
    for (uint32_t i = 0; i < m->count; i++) {
        double all = 0;
        for (int k = 0; k < CAMDN_GANG_SIZES; k++)
            all += y->work[i][k];
        for (int k = 0; k < CAMDN_GANG_SIZES && all > 0; k++)
            m->networks[i].sizes[k] += (y->work[i][k] / all - m->networks[i].sizes[k]) / 2;
    }
    camdn_history_set(&y->history, m);
}

void camdn_stations_run(camdn_mix *m, camdn_queue *q, camdn_served_fn served, void *context)
{
    yard y = {.mix = m, .queue = q, .served = served, .context = context};
    y.room = y.idle = (uint32_t)camdn_running(m->config);
    camdn_history_open(&y.history, y.room);
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t k = 0; k < CAMDN_CROWDS; k++)
            camdn_runs_stations(&m->networks[i], k, &m->crowds[k]);
    run_all(&y);
    set_shares(&y);
}
