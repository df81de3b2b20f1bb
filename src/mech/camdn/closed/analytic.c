/* SPDX-License-Identifier: MIT */
/* Computes latencies from traffic: those of operators (cycles.c) with the largest rate, up to that
 * of the memory, with which NPUs that run x traffic / latency, means over the networks by their
 * share of the tasks, does not exceed the memory's. What tasks find, which ways they run in, how
 * many NPUs are busy and how long they take depend on each other: they are found in turn. */
#include "mech/camdn/closed/mix.h"
#include "mech/camdn/model.h"

#include "memsweep/base/math.h"

#include <math.h>

static const double NEAR = 1e-4;    /* of a rate: no closer is it found */
static const double SETTLED = 2e-3; /* of a share of time: no more is it moved */

/* Bytes of its own that a tenant may move between two uses of a line, where those that run share
 * the cache; one that is kept from one task to the next outlives the time of others' tasks too. */
static void set_reach(camdn_mix *m)
{
    const camdn_config *c = m->config;
    bool closed = c->arrivals == CAMDN_CLOSED, all = c->share == CAMDN_SHARE_ALL;
    bool parts = closed || c->share == CAMDN_SHARE_WAYS; /* as many as there are tenants */
    double tenants = parts ? (double)c->tenants : (double)camdn_running(c);
    double ways = (double)camdn_tagged_ways(c), way = (double)c->cache / (double)c->ways;
    double running = !closed && all ? m->busy : tenants;
    m->apart = closed || !all;
    m->room = m->apart ? way * ways / tenants : way * ways;
    m->ways = msw_max_f64(1, all ? ways : ways / tenants);
    m->sharers = closed ? tenants : m->busy;
    for (uint32_t i = 0; i < m->count; i++) {
        camdn_closed *n = &m->networks[i].closed;
        double before = n->reach;
        n->reach = way * ways / running;
        n->way = n->reach / m->ways;
        n->sharers = m->sharers;
        if (fabs(n->reach - before) > 0.01 * before)
            camdn_runs_forget(&m->networks[i]);
        camdn_runs_keep(&m->networks[i]);
    }
}

/* All tenants begin at time 0. Those that draw the same networks stay side by side; decks of all
 * networks bring them together again. */
static double abreast_of(const camdn_config *c, double share)
{
    if (c->arrivals != CAMDN_CLOSED)
        return 1;
    double drawn = c->draw == CAMDN_DRAW_RANDOM ? (double)c->first + (double)(c->tasks + 1) / 2 : 1;
    return msw_max_f64(1, (double)c->tenants * msw_math_pow(share, drawn));
}

static int open_mix(const msw_task *task, camdn_mix *m, msw_err *err)
{
    const msw_graph_product *product = task->product->data;
    const camdn_config *c = task->config;
    double weights = camdn_draws_of(task).weights, mean = 0;
    camdn_mesh_load mesh = camdn_mesh_load_of(c);
    *m = (camdn_mix){.config = c,
                     .task = task,
                     .count = product->count,
                     .expected = camdn_expect(task),
                     .busy = c->npu_policy == CAMDN_GANG_ONE ? (double)camdn_running(c) : 1};
    if (!m->expected)
        return msw_fail_memory(err);
    if (c->control == CAMDN_PAGED)
        m->plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    camdn_memory_open(c, &m->memory);
    m->pace = (camdn_pace){.rate = camdn_memory_rate(c) / m->busy};
    for (uint32_t i = 0; i < m->count; i++) {
        camdn_network *n = &m->networks[i];
        n->number = i;
        n->share = product->networks[i].weight / weights;
        n->parts[m->plans ? CAMDN_FOUND : CAMDN_FRESH] = 1;
        n->closed = camdn_closed_of(task, c, i);
        n->closed.mesh = mesh;
        n->closed.plan = m->plans ? &m->plans->of[i] : NULL;
        mean += n->share * n->closed.filled->touched;
        MSW_TRY(camdn_runs_open(m, n, err));
    }
    for (uint32_t i = 0; i < m->count; i++) {
        m->networks[i].closed.mean_since = mean / (m->networks[i].share + 1e-9);
        m->networks[i].closed.abreast = abreast_of(c, m->networks[i].share);
    }
    set_reach(m);
    return camdn_toll_open(m, err);
}

/* Bytes of a task on average, and of a network. */
static camdn_moved moved_by(const camdn_network *n)
{
    camdn_moved m = {0};
    for (int r = 0; r < CAMDN_RUNS; r++) {
        m.read += n->parts[r] * n->runs[r].moved.read;
        m.written += n->parts[r] * n->runs[r].moved.written;
    }
    return m;
}

static double mean_latency(camdn_mix *m, const camdn_pace *pace)
{
    double latency = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        m->networks[i].cycles = camdn_runs_time(&m->networks[i], pace);
        latency += m->networks[i].share * m->networks[i].cycles;
    }
    return latency;
}

/* Traffic that all tenants ask of the memory. */
typedef struct demand {
    double memory; /* bytes per cycle that it carries */
    double others; /* bytes of all tasks that run but one */
    double lines;  /* from memory that leave together, on average */
} demand;

static demand demand_of(const camdn_mix *m)
{
    double read = 0, written = 0, lines = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const camdn_network *n = &m->networks[i];
        camdn_moved moved = moved_by(n);
        double group = 0;
        for (int r = 0; r < CAMDN_RUNS; r++)
            group += n->parts[r] * n->runs[r].group;
        read += n->share * moved.read;
        written += n->share * moved.written;
        lines += n->share * (moved.read + moved.written) * group;
    }
    return (demand){.memory = camdn_memory_with(&m->memory, read, written).rate,
                    .others = (m->busy - 1) * (read + written),
                    .lines = read + written > 0 ? lines / (read + written) : 0};
}

/* Cycles that a task takes walkers for, and lines that its walks read from memory. */
static camdn_toll walks_of(const camdn_mix *m)
{
    camdn_toll sum = {0};
    for (uint32_t i = 0; i < m->count; i++) {
        const camdn_network *n = &m->networks[i];
        for (int r = 0; r < CAMDN_RUNS; r++) {
            double share = n->share * n->parts[r];
            sum.walk += share * n->runs[r].toll.walk;
            sum.walk_far += share * n->runs[r].toll.walk_far;
        }
    }
    return sum;
}

/* Cycles that a line waits for those of others that use such a share of the memory. They come in
 * runs as random as an exponential is, as many at a time as requests are under way on average
 * (M/M/1), and no more of them can be ahead than there are. */
static double queue_of(const camdn_mix *m, const demand *d, double share)
{
    double group = d->lines * (double)m->config->line / d->memory, most = (m->busy - 1) * group;
    return share < 1 ? msw_min_f64(group * share / (1 - share), most) : most;
}

static camdn_pace pace_at(const camdn_mix *m, const demand *d, double rate)
{
    return (camdn_pace){.rate = rate, .queue = queue_of(m, d, 1 - rate / d->memory)};
}

/* Rates between which the memory begins to be asked for more than it carries. */
typedef struct bracket {
    double low, high;
} bracket;

/* Bytes per cycle that are asked for beyond what the memory carries; it grows with the rate. */
static double excess_at(camdn_mix *m, const demand *d, double rate, bracket *known, double *others)
{
    camdn_pace pace = pace_at(m, d, rate);
    *others = d->others / mean_latency(m, &pace);
    double excess = rate + *others - d->memory;
    *(excess > 0 ? &known->high : &known->low) = rate;
    return excess;
}

/* Narrows what is known by secants that step over the root by a part of NEAR, from the present rate
 * on where it lies between. The slope is at least 1, and at most that of a tenant that only waits
 * for memory. */
static void narrow(camdn_mix *m, const demand *d, bracket *known)
{
    enum { SECANTS = 8 };
    double rate = m->pace.rate, before = 0, excess_before = 0, others;
    if (rate <= known->low || rate >= known->high)
        rate = sqrt(known->low * known->high);
    for (int i = 0; i < SECANTS && known->high > known->low * (1 + NEAR / 2); i++) {
        double excess = excess_at(m, d, rate, known, &others), most = 1 + others / rate;
        double slope = i > 0 ? (excess - excess_before) / (rate - before) : most;
        before = rate, excess_before = excess;
        rate -= excess / msw_min_f64(msw_max_f64(slope, 1), most);
        rate += (excess > 0 ? -1 : 1) * NEAR / 4 * rate;
        if (rate <= known->low || rate >= known->high)
            rate = (known->low + known->high) / 2;
    }
}

/* The rate of a tenant is what the others leave on average, as if each of them could take what it
 * asks for at any time: rate = memory - (busy - 1) traffic / latency(rate). By halving, so that the
 * rate does not depend on where the search began: only halves that are not known are computed. */
static void find_rate_now(camdn_mix *m)
{
    enum { STEPS = 24 };
    demand d = demand_of(m);
    if (m->visits) {
        camdn_toll walks = walks_of(m);
        double line = (double)m->config->line;
        camdn_shared shared = {d.memory, d.others + (m->busy - 1) * walks.walk_far * line,
                               d.lines * line / d.memory, walks.walk};
        m->pace = camdn_toll_pace(m, &shared, mean_latency);
        return;
    }
    double low = d.memory / m->busy, high = d.memory, rate = m->pace.rate, others;
    bracket known = {low, high};
    if (high <= low * (1 + NEAR)) {
        m->pace = pace_at(m, &d, high);
        return;
    }
    narrow(m, &d, &known);
    for (int step = 0; step < STEPS && high > low * (1 + NEAR); step++) {
        double half = (low + high) / 2;
        if (half > known.low && half < known.high)
            excess_at(m, &d, half, &known, &others);
        *(half >= known.high ? &high : &low) = half;
        rate = half;
    }
    m->pace = pace_at(m, &d, rate);
}

/* Finds it for crowds, too, where tasks are followed one by one. */
static void find_rate(camdn_mix *m)
{
    double busy = m->busy;
    for (uint32_t k = 0; camdn_gang_most(m->config) > 1 && k < CAMDN_CROWDS; k++) {
        m->busy = msw_min_f64((double)(1U << k), (double)camdn_tasks_most(m->config));
        find_rate_now(m);
        m->crowds[k] = m->pace;
    }
    m->busy = busy;
    find_rate_now(m);
}

/* Tenants that share an NPU. Tasks that come from outside have one for themselves. */
static double turns_of(const camdn_config *c)
{
    return c->arrivals == CAMDN_CLOSED ? (double)c->tenants / (double)camdn_running(c) : 1;
}

static const int SUMMED[] = {CAMDN_CYCLES,       CAMDN_COMPUTE,
                             CAMDN_WAIT_CACHE,   CAMDN_WAIT_MEMORY,
                             CAMDN_WAIT_PAGES,   CAMDN_WAIT_NPU,
                             CAMDN_WAIT_START,   CAMDN_TARGETED,
                             CAMDN_IN_TIME,      CAMDN_STOPPED,
                             CAMDN_TASKS,        CAMDN_REQUESTS,
                             CAMDN_HITS,         CAMDN_READ,
                             CAMDN_WRITTEN,      CAMDN_TRAFFIC,
                             CAMDN_UNCACHED,     CAMDN_LAYERWISE,
                             CAMDN_FUSED,        CAMDN_FUSED_PAGES,
                             CAMDN_FIXED,        CAMDN_WAIT_TRANSLATION,
                             CAMDN_TRANSLATIONS, CAMDN_TLB_HITS,
                             CAMDN_TLB_MISSES,   CAMDN_WALKS,
                             CAMDN_MERGED,       CAMDN_WALK_ACCESSES};

/* Adds whether a task has a target of latency, and is below it. */
static void add_target(double latency, uint64_t target, double *metrics)
{
    metrics[CAMDN_TARGETED] += target > 0;
    metrics[CAMDN_IN_TIME] += target > 0 && latency < (double)target;
}

/* What counted tasks took. */
typedef struct tally {
    camdn_mix *mix;
    double count[MSW_GRAPH_NETWORKS_MAX], cycles[MSW_GRAPH_NETWORKS_MAX];
    double traffic[MSW_GRAPH_NETWORKS_MAX], *metrics;
    camdn_ended *ended;
    uint64_t ended_count;
} tally;

static void add_task(const camdn_mix *m, const camdn_task_run *task, double *metrics)
{
    const camdn_run_of *run = &m->networks[task->network].runs[task->run];
    const camdn_moved *moved = &run->moved;
    double cycles = task->cycles, pages = run->table_wait + run->wait;
    double turns = turns_of(m->config);
    metrics[CAMDN_CYCLES] += cycles * turns;
    metrics[CAMDN_WAIT_NPU] += cycles * (turns - 1);
    metrics[CAMDN_COMPUTE] += task->compute;
    metrics[CAMDN_WAIT_MEMORY] += task->memory_wait;
    metrics[CAMDN_WAIT_PAGES] += pages;
    double lines = run->toll.lines;
    if (m->config->translation.kind == CAMDN_TRANSLATE_IDEAL)
        lines = moved->requests / (double)m->config->line;
    metrics[CAMDN_TRANSLATIONS] += lines;
    metrics[CAMDN_TLB_MISSES] += run->toll.misses;
    metrics[CAMDN_TLB_HITS] += lines - run->toll.misses;
    metrics[CAMDN_WALKS] += run->toll.walks;
    metrics[CAMDN_MERGED] += run->toll.merged;
    metrics[CAMDN_WALK_ACCESSES] += run->toll.accesses;
    double rest = cycles - task->compute - task->memory_wait - pages;
    double toll = msw_max_f64(msw_min_f64(run->toll_wait, rest), 0);
    metrics[CAMDN_WAIT_TRANSLATION] += toll;
    metrics[CAMDN_WAIT_CACHE] += rest - toll;
    metrics[CAMDN_TASKS] += 1;
    metrics[CAMDN_REQUESTS] += moved->requests / (double)m->config->line;
    metrics[CAMDN_HITS] += moved->hits / (double)m->config->line;
    metrics[CAMDN_READ] += moved->read;
    metrics[CAMDN_WRITTEN] += moved->written;
    metrics[CAMDN_TRAFFIC] += moved->read + moved->written;
}

/* A counted task that has waited for an NPU. */
static void add_served(void *context, const camdn_task_run *task)
{
    tally *t = context;
    const camdn_mix *m = t->mix;
    uint32_t network = task->network;
    const camdn_moved *moved = &m->networks[network].runs[task->run].moved;
    double latency = task->waited + task->cycles * turns_of(m->config);
    add_task(m, task, t->metrics);
    t->metrics[CAMDN_CYCLES] += task->waited;
    t->metrics[CAMDN_WAIT_START] += task->waited;
    add_target(latency, task->target, t->metrics);
    camdn_limits_add(m->task->artifacts[CAMDN_ARTIFACT_PLANS], network, t->metrics);
    t->cycles[network] += latency;
    t->traffic[network] += moved->read + moved->written;
    t->count[network]++;
    t->ended[t->ended_count++] = (camdn_ended){network, latency, (double)task->target};
}

/* The counted tasks of tenants that draw them one after the other. */
static void add_drawn(tally *t)
{
    camdn_mix *m = t->mix;
    const camdn_config *c = m->config;
    camdn_draws draws = camdn_draws_of(m->task);
    camdn_history h;
    camdn_history_open(&h, 1);
    for (uint32_t tenant = 0; tenant < (uint32_t)c->tenants; tenant++) {
        camdn_history_forget(&h);
        for (uint64_t n = 0; n < (uint64_t)(c->first + c->tasks); n++) {
            uint32_t i = camdn_draw(&draws, tenant, n);
            camdn_find find = camdn_history_add(&h, m, 0, i, (double)n);
            camdn_task_run ran =
                camdn_ran_of(&m->networks[i], find.run,
                             camdn_target_cycles(c, m->networks[i].closed.net->target_ms));
            if (n >= (uint64_t)c->first)
                add_served(t, &ran);
        }
    }
}

/* The rows of the detail table: means of a network. */
static int add_rows(const tally *t, msw_err *err)
{
    for (uint32_t i = 0; i < t->mix->count; i++) {
        double count = t->count[i], cycles = t->cycles[i] / count;
        double row[] = {i, count, cycles, cycles, cycles, t->traffic[i] / count, 0};
        if (count > 0)
            MSW_TRY(msw_detail_add(t->mix->task, CAMDN_DETAIL_NETWORKS, row, err));
    }
    return 0;
}

static void sum_all(camdn_mix *m)
{
    for (uint32_t i = 0; i < m->count; i++)
        camdn_runs_sum(&m->networks[i]);
}

/* Finds what depends on each other in turn. */
static int settle(camdn_mix *m, camdn_queue *queue, msw_err *err)
{
    enum { ROUNDS = 5, STEPS = 4 };
    const camdn_config *c = m->config;
    bool dynamic = m->plans && c->allocation == CAMDN_DYNAMIC, closed = c->arrivals == CAMDN_CLOSED;
    camdn_contest *contest = dynamic ? camdn_contest_open(m) : NULL;
    if (dynamic && !contest)
        return msw_fail_memory(err);
    sum_all(m);
    find_rate(m);
    double latency = mean_latency(m, &m->pace);
    for (int round = 0; round < ROUNDS; round++) {
        double before = latency;
        if (closed)
            camdn_history_drawn(m);
        else
            camdn_queue_run(m, queue, NULL, NULL);
        if (!m->plans)
            set_reach(m);
        for (int step = 0; step < STEPS && dynamic; step++)
            if (camdn_contest_step(contest) < SETTLED)
                break;
        sum_all(m);
        find_rate(m);
        latency = mean_latency(m, &m->pace);
        if (fabs(latency - before) < 1e-3 * before)
            break;
    }
    return 0;
}

/* Says where the forms are known to fail: README.md, "Doubt". */
static void doubt(const camdn_mix *m, const double *metrics)
{
    const double FULL = 0.95, LONG = 0.1, PART = 0.25;
    const int64_t FLIGHT = 1024;
    const camdn_config *c = m->config;
    double npus = (double)camdn_tasks_most(c);
    double busy = c->arrivals != CAMDN_CLOSED && npus > 1 ? m->busy / npus : 0;
    double waits = metrics[CAMDN_WAIT_PAGES] / metrics[CAMDN_CYCLES];
    for (uint32_t i = 0; i < m->count; i++)
        if (m->networks[i].closed.net->list)
            msw_task_doubt(m->task, "tile list '%s': the closed form takes it as a stream",
                           m->networks[i].closed.net->name);
    double partly = 0;
    for (uint32_t i = 0; i < m->count; i++)
        partly += m->networks[i].share * m->networks[i].parts[CAMDN_PARTLY] * m->networks[i].kept;
    if (c->requests > FLIGHT)
        msw_task_doubt(m->task,
                       "in_flight %lld: whole tiles are under way at once, and wait for each other",
                       (long long)c->requests);
    if (partly > PART)
        msw_task_doubt(m->task,
                       "DRRIP may keep %.0f %% of what LRU loses: its sets have to learn it first",
                       100 * partly);
    if (busy > FULL)
        msw_task_doubt(m->task,
                       "NPUs are busy for %.0f %% of the time: how long tasks queue depends "
                       "on how they meet",
                       100 * busy);
    if (waits > LONG)
        msw_task_doubt(m->task,
                       "tenants wait for pages for %.0f %% of the time: who gets them first "
                       "decides",
                       100 * waits);
}

int camdn_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    camdn_mix m;
    camdn_queue queue;
    tally t = {.mix = &m, .metrics = metrics};
    const msw_graph_product *product = task->product->data;
    const camdn_config *c = task->config;
    for (size_t i = 0; i < sizeof SUMMED / sizeof *SUMMED; i++)
        metrics[SUMMED[i]] = 0;
    MSW_TRY(camdn_check_lists(task, err));
    MSW_TRY(open_mix(task, &m, err));
    t.ended = msw_arena_take(task->arena, (camdn_counted(task) + 1) * sizeof *t.ended);
    if (!t.ended)
        return msw_fail_memory(err);
    if (c->arrivals != CAMDN_CLOSED)
        MSW_TRY(camdn_queue_open(&m, &queue, err));
    MSW_TRY(settle(&m, &queue, err));
    if (c->arrivals == CAMDN_CLOSED)
        add_drawn(&t);
    else
        camdn_queue_run(&m, &queue, add_served, &t);
    doubt(&m, metrics);
    camdn_toll walks = walks_of(&m);
    camdn_toll_doubt(&m, &walks, mean_latency(&m, &m.pace));
    double macs = 0;
    for (uint32_t i = 0; i < m.count; i++)
        macs += t.count[i] * camdn_macs(m.networks[i].closed.net);
    camdn_energy_fill(c, product->element_bytes, macs, metrics);
    MSW_TRY(camdn_memory_tell(task, &m.memory, metrics[CAMDN_READ], metrics[CAMDN_WRITTEN], err));
    MSW_TRY(camdn_service_tell(task, t.ended, t.ended_count, err));
    return add_rows(&t, err);
}
