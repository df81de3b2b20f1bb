/* SPDX-License-Identifier: MIT */
/* Computes latencies from traffic: those of operators (cycles.c) with the largest rate, up to that
 * of the memory, with which tenants x traffic / latency, means over the networks by weight, does
 * not exceed the memory's. */
#include "mech/camdn/closed/traffic.h"
#include "mech/camdn/model.h"

typedef struct network {
    camdn_closed closed;
    double share; /* of the tasks */
    camdn_moved moved;
    camdn_op_time *ops;
    double memory_wait, page_wait; /* cycles */
} network;

typedef struct mix {
    const camdn_config *config;
    network networks[MSW_GRAPH_NETWORKS_MAX];
    uint32_t count;
    camdn_memory_form memory;
    const camdn_plans *plans; /* with pages */
    const camdn_expected *expected;
} mix;

/* Traffic and time of operators, with as many pages as are found now: most of them
 * run as with a few pages more or less. */
static void open_ops(network *n)
{
    const camdn_closed *c = &n->closed;
    n->moved = (camdn_moved){0};
    n->page_wait = 0;
    for (uint32_t o = 0; o < c->net->op_count; o++) {
        camdn_op_time *t = &n->ops[o];
        const camdn_level *level = c->plan ? camdn_paged_level(c, o) : NULL;
        if (!level || t->level != level) {
            camdn_moved moved = camdn_moved_by(c, o);
            *t = camdn_time_of(c, o, &moved);
            t->level = level;
        }
        const camdn_moved *m = &t->moved;
        n->moved.requests += m->requests, n->moved.hits += m->hits, n->moved.read += m->read;
        n->moved.written += m->written, n->moved.compute += m->compute;
        n->page_wait += t->pages;
    }
}

static double latency_of(const network *n, double rate)
{
    double cycles = 0;
    for (uint32_t o = 0; o < n->closed.net->op_count; o++)
        cycles += camdn_cycles_with(&n->ops[o], rate);
    return cycles;
}

/* Waiting for memory: for tiles whose last line comes from there; last stores wait for the cache.
 */
static double memory_wait_of(const network *n, double rate)
{
    double cycles = 0;
    for (uint32_t o = 0; o < n->closed.net->op_count; o++) {
        const camdn_op_time *t = &n->ops[o];
        double rest = camdn_cycles_with(t, rate) - t->compute - t->answer - t->stores - t->pages;
        cycles += rest > 0 ? rest * t->last : 0;
    }
    return cycles;
}

static void set_pages(mix *m, int64_t pages)
{
    for (uint32_t i = 0; i < m->count; i++) {
        m->networks[i].closed.pages = pages;
        open_ops(&m->networks[i]);
    }
}

static void open_pages(mix *m, const camdn_plans *plans)
{
    m->plans = plans;
    for (uint32_t i = 0; i < m->count; i++)
        m->networks[i].closed.plan = &plans->of[i];
    set_pages(m, plans->share);
}

/* Pages that a tenant holds on average. */
static double mean_held(const mix *m, double rate)
{
    double pages = 0, all = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const network *n = &m->networks[i];
        for (uint32_t o = 0; o < n->closed.net->op_count; o++) {
            double cycles = n->share * camdn_cycles_with(&n->ops[o], rate);
            pages += cycles * camdn_paged_held(&n->closed, o);
            all += cycles;
        }
    }
    return pages / all;
}

/* The most pages that a tenant finds where the others hold what they hold with as many. */
static void find_pages(mix *m, double rate)
{
    int64_t low = 0, high = m->plans->pages;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        set_pages(m, middle);
        double others = (double)(m->config->tenants - 1) * mean_held(m, rate);
        if ((double)middle + others <= (double)m->plans->pages)
            low = middle;
        else
            high = middle - 1;
    }
    set_pages(m, low);
}

static int open_mix(const msw_task *task, mix *m, msw_err *err)
{
    const msw_graph_product *product = task->product->data;
    double weights = camdn_draws_of(task).weights, mean = 0;
    camdn_mesh_load mesh = camdn_mesh_load_of(task->config);
    *m = (mix){.config = task->config, .count = product->count, .expected = camdn_expect(task)};
    if (!m->expected)
        return msw_fail_memory(err);
    camdn_memory_open(m->config, &m->memory);
    for (uint32_t i = 0; i < m->count; i++) {
        network *n = &m->networks[i];
        n->share = product->networks[i].weight / weights;
        n->ops = msw_arena_zero(task->arena, product->networks[i].op_count + 1, sizeof *n->ops);
        if (!n->ops)
            return msw_fail_memory(err);
        n->closed = camdn_closed_of(task, m->config, i);
        n->closed.mesh = mesh;
        n->closed.reach = (double)m->config->cache * (double)camdn_tagged_ways(m->config) /
                          (double)(m->config->ways * m->config->tenants);
        mean += n->share * n->closed.shape->touched_all;
    }
    for (uint32_t i = 0; i < m->count; i++)
        m->networks[i].closed.since = mean / (m->networks[i].share + 1e-9);
    if (m->config->control == CAMDN_PAGED)
        open_pages(m, task->artifacts[CAMDN_ARTIFACT_PLANS]);
    for (uint32_t i = 0; i < m->count && !m->plans; i++)
        open_ops(&m->networks[i]);
    return 0;
}

/* Halves the interval so often that its ends are as good as one. */
static double find_rate(const mix *m)
{
    enum { STEPS = 24 };
    double read = 0, written = 0, running = (double)camdn_running(m->config);
    for (uint32_t i = 0; i < m->count; i++) {
        const network *n = &m->networks[i];
        read += n->share * n->moved.read;
        written += n->share * n->moved.written;
    }
    double memory = camdn_memory_with(&m->memory, read, written).rate;
    double low = memory / running, high = memory, traffic = read + written;
    for (int step = 0; step < STEPS; step++) {
        double rate = step ? (low + high) / 2 : high, latency = 0;
        for (uint32_t i = 0; i < m->count; i++)
            latency += m->networks[i].share * latency_of(&m->networks[i], rate);
        if (running * traffic > memory * latency)
            high = rate;
        else if (step == 0)
            return rate;
        else
            low = rate;
    }
    return low;
}

/* Tenants that share an NPU. Tasks that come from outside have one for themselves. */
static double turns_of(const camdn_config *c)
{
    return c->arrivals == CAMDN_CLOSED ? (double)c->tenants / (double)camdn_running(c) : 1;
}

static const int SUMMED[] = {
    CAMDN_CYCLES,   CAMDN_COMPUTE,    CAMDN_WAIT_CACHE, CAMDN_WAIT_MEMORY, CAMDN_WAIT_PAGES,
    CAMDN_WAIT_NPU, CAMDN_WAIT_START, CAMDN_TARGETED,   CAMDN_IN_TIME,     CAMDN_STOPPED,
    CAMDN_TASKS,    CAMDN_REQUESTS,   CAMDN_HITS,       CAMDN_READ,        CAMDN_WRITTEN,
    CAMDN_TRAFFIC,  CAMDN_UNCACHED,   CAMDN_LAYERWISE,  CAMDN_FUSED,       CAMDN_FUSED_PAGES,
    CAMDN_FIXED,    CAMDN_CLAIRVOYANT};

/* Adds whether a task has a target of latency, and is below it. */
static void add_target(double latency, uint64_t target, double *metrics)
{
    metrics[CAMDN_TARGETED] += target > 0;
    metrics[CAMDN_IN_TIME] += target > 0 && latency < (double)target;
}

static void add_task(const mix *m, const network *n, double cycles, double *metrics)
{
    const camdn_moved *moved = &n->moved;
    double turns = turns_of(m->config);
    metrics[CAMDN_CYCLES] += cycles * turns;
    metrics[CAMDN_WAIT_NPU] += cycles * (turns - 1);
    metrics[CAMDN_COMPUTE] += moved->compute;
    metrics[CAMDN_WAIT_MEMORY] += n->memory_wait;
    metrics[CAMDN_WAIT_PAGES] += n->page_wait;
    metrics[CAMDN_WAIT_CACHE] += cycles - moved->compute - n->memory_wait - n->page_wait;
    metrics[CAMDN_TASKS] += 1;
    metrics[CAMDN_REQUESTS] += moved->requests / (double)m->config->line;
    metrics[CAMDN_HITS] += moved->hits / (double)m->config->line;
    metrics[CAMDN_READ] += moved->read;
    metrics[CAMDN_WRITTEN] += moved->written;
    metrics[CAMDN_TRAFFIC] += moved->read + moved->written;
}

/* The row of the detail table: every task of a network takes the same. */
static int add_row(const msw_task *task, uint32_t number, double tasks, double sum,
                   const camdn_moved *moved, msw_err *err)
{
    double cycles = sum / tasks;
    double row[] = {number, tasks, cycles, cycles, cycles, moved->read + moved->written, 0};
    return tasks > 0 ? msw_detail_add(task, CAMDN_DETAIL_NETWORKS, row, err) : 0;
}

/* Tasks that come from outside: the NPU that is free takes the next one; all take as long as when
 * all NPUs run. */
static int add_arrived(const msw_task *task, const mix *m, const double *cycles, double *sums,
                       double *count, double *metrics, msw_err *err)
{
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    uint64_t first = camdn_first_counted(task), counted = camdn_counted(task),
             free_at[CAMDN_TENANTS_MAX] = {0};
    int64_t npus = camdn_running(m->config);
    camdn_job *list = msw_arena_zero(task->arena, camdn_job_count(task) + 1, sizeof *list);
    camdn_jobs jobs;
    if (!list)
        return msw_fail_memory(err);
    if (camdn_jobs_fill(task, list, &jobs, err))
        return -1;
    while (camdn_jobs_time(&jobs) != UINT64_MAX) {
        uint64_t *npu = free_at;
        for (int64_t i = 1; i < npus; i++)
            npu = free_at[i] < *npu ? &free_at[i] : npu;
        uint64_t now = msw_max_u64(*npu, camdn_jobs_time(&jobs)),
                 number = camdn_jobs_take(&jobs, now);
        const camdn_job *job = &list[number];
        uint32_t i = job->network;
        *npu = now + (uint64_t)cycles[i];
        if (number < first || number >= first + counted)
            continue;
        double waited = (double)(now - job->time);
        add_task(m, &m->networks[i], cycles[i], metrics);
        metrics[CAMDN_CYCLES] += waited;
        metrics[CAMDN_WAIT_START] += waited;
        add_target(waited + cycles[i], job->target, metrics);
        camdn_limits_add(plans, m->expected, i, metrics);
        sums[i] += waited + cycles[i];
        count[i]++;
    }
    return 0;
}

/* The counted tasks of tenants that draw them one after the other. */
static void add_drawn(const msw_task *task, mix *m, const double *cycles, double *sums,
                      double *count, double *metrics)
{
    const camdn_config *c = task->config;
    const camdn_plans *plans = task->artifacts[CAMDN_ARTIFACT_PLANS];
    camdn_draws draws = camdn_draws_of(task);
    uint64_t units = camdn_counted(task), first = camdn_first_counted(task);
    for (uint64_t u = 0; u < units; u++) {
        uint64_t number = first + u, tenants = (uint64_t)c->tenants;
        uint32_t i = camdn_draw(&draws, (uint32_t)(number % tenants), number / tenants);
        const msw_graph_network *net = m->networks[i].closed.net;
        add_task(m, &m->networks[i], cycles[i], metrics);
        add_target(cycles[i] * turns_of(c), camdn_target_cycles(c, net->target_ms), metrics);
        camdn_limits_add(plans, m->expected, i, metrics);
        sums[i] += cycles[i] * turns_of(c);
        count[i]++;
    }
}

int camdn_analytic(const msw_task *task, double *metrics, msw_err *err)
{
    mix m;
    double cycles[MSW_GRAPH_NETWORKS_MAX], count[MSW_GRAPH_NETWORKS_MAX] = {0};
    double sums[MSW_GRAPH_NETWORKS_MAX] = {0}; /* of latencies */
    const msw_graph_product *product = task->product->data;
    const camdn_config *c = task->config;
    if (c->npu_policy != CAMDN_GANG_ONE)
        return msw_fail(err, "npu_policy: the closed form knows tasks on one NPU; allowed: one, or "
                             "fidelity sampled or full");
    if (c->residents > 0 && c->arrivals == CAMDN_CLOSED)
        return msw_fail(err, "residents: the closed form knows tenants that all draw the same; "
                             "allowed: 0, or fidelity sampled or full");
    for (size_t i = 0; i < sizeof SUMMED / sizeof *SUMMED; i++)
        metrics[SUMMED[i]] = 0;
    if (open_mix(task, &m, err))
        return -1;
    double rate = find_rate(&m);
    for (int i = 0; i < 3 && m.plans && c->allocation == CAMDN_DYNAMIC; i++) {
        int64_t before = i ? m.networks->closed.pages : -1;
        find_pages(&m, rate);
        if (m.networks->closed.pages == before)
            break; /* the same rate follows */
        rate = find_rate(&m);
    }
    for (uint32_t i = 0; i < m.count; i++) {
        m.networks[i].memory_wait = memory_wait_of(&m.networks[i], rate);
        cycles[i] = latency_of(&m.networks[i], rate);
    }
    if (c->arrivals == CAMDN_CLOSED)
        add_drawn(task, &m, cycles, sums, count, metrics);
    else
        MSW_TRY(add_arrived(task, &m, cycles, sums, count, metrics, err));
    double macs = 0;
    for (uint32_t i = 0; i < m.count; i++)
        macs += count[i] * camdn_macs(m.networks[i].closed.net);
    camdn_energy_fill(c, product->element_bytes, macs, metrics);
    MSW_TRY(camdn_memory_tell(task, &m.memory, metrics[CAMDN_READ], metrics[CAMDN_WRITTEN], err));
    for (uint32_t i = 0; i < m.count; i++)
        MSW_TRY(add_row(task, i, count[i], sums[i], &m.networks[i].moved, err));
    return 0;
}
