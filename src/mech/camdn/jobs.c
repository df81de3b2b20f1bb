/* SPDX-License-Identifier: MIT */
/* Fills the tasks that come from outside, at random or from a list, and picks the next one. */
#include "mech/camdn/model.h"

#include "memsweep/base/math.h"
#include "memsweep/base/rng.h"

/* Tasks behind the counted ones keep the NPUs busy until those are done. */
uint64_t camdn_job_count(const msw_task *task)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    if (c->arrivals == CAMDN_LIST)
        return mix->arrival_count;
    uint64_t counted = (uint64_t)(c->tenants * (c->first + c->tasks));
    return c->arrivals == CAMDN_POISSON ? 2 * counted : 0;
}

uint64_t camdn_first_counted(const msw_task *task)
{
    const camdn_config *c = task->config;
    return c->arrivals == CAMDN_LIST ? 0 : (uint64_t)(c->tenants * c->first);
}

uint64_t camdn_counted(const msw_task *task)
{
    const camdn_config *c = task->config;
    return c->arrivals == CAMDN_LIST ? camdn_job_count(task) : (uint64_t)(c->tenants * c->tasks);
}

uint64_t camdn_target_cycles(const camdn_config *c, double target_ms)
{
    return (uint64_t)(target_ms * c->target_scale * 1e6 * c->frequency + 0.5);
}

/* With `urgency`: with the most NPUs. */
static double expected_of(const msw_task *task, uint32_t network)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    const camdn_tables *tables = task->artifacts[CAMDN_ARTIFACT_TABLES];
    const msw_graph_network *net = &mix->networks[network];
    const camdn_table *table = tables->of[network];
    camdn_array array = camdn_array_of(c, mix->element_bytes);
    double cycles = 0;
    if (c->scheduler == CAMDN_BY_URGENCY)
        return camdn_fastest(c, table, net, &array);
    for (uint32_t o = 0; o < net->op_count; o++)
        cycles += camdn_predicted(c, table, o, camdn_moca_bytes(c, net, o));
    return cycles;
}

static void fill_list(const msw_task *task, camdn_job *list)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    for (uint32_t i = 0; i < mix->arrival_count; i++) {
        const msw_graph_arrival *a = &mix->arrivals[i];
        list[i] = (camdn_job){
            .time = (uint64_t)(a->dispatch_ms * c->arrival_scale * 1e6 * c->frequency + 0.5),
            .target = camdn_target_cycles(c, a->target_ms),
            .network = a->network,
            .priority = a->priority};
    }
}

/* In cycles. With `load`, tasks that ran alone would keep so much of the NPUs busy. */
static double mean_interval(const msw_task *task)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    double alone[MSW_GRAPH_NETWORKS_MAX], mean = 0, weights = camdn_draws_of(task).weights;
    if (c->load <= 0)
        return c->interval * c->arrival_scale * c->frequency;
    camdn_alone(task, alone);
    for (uint32_t i = 0; i < mix->count; i++)
        mean += mix->networks[i].weight / weights * alone[i];
    return mean * c->arrival_scale / (c->load * (double)camdn_running(c));
}

/* Times and networks do not depend on how tasks share what they run on. */
static void fill_random(const msw_task *task, camdn_job *list, uint64_t count)
{
    const camdn_config *c = task->config;
    camdn_draws draws = camdn_draws_of(task);
    double at = 0, mean = mean_interval(task);
    msw_rng rng;
    msw_rng_init(&rng, task->stream, CAMDN_TENANTS_MAX); /* behind those of the tenants */
    for (uint64_t i = 0; i < count; i++) {
        at -= msw_math_log(1 - msw_rng_uniform(&rng)) * mean;
        uint32_t tenant = (uint32_t)(i % (uint64_t)c->tenants);
        uint32_t network = camdn_draw(&draws, tenant, i / (uint64_t)c->tenants);
        const msw_graph_network *net = &draws.mix->networks[network];
        list[i] = (camdn_job){.time = (uint64_t)at,
                              .target = camdn_target_cycles(c, net->target_ms),
                              .network = network,
                              .priority = (double)net->priority};
    }
}

int camdn_jobs_fill(const msw_task *task, camdn_job *list, camdn_jobs *jobs, msw_err *err)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    double expected[MSW_GRAPH_NETWORKS_MAX];
    *jobs = (camdn_jobs){.list = list, .count = camdn_job_count(task)};
    jobs->scored = c->scheduler != CAMDN_BY_ARRIVAL;
    jobs->urgent = c->scheduler == CAMDN_BY_URGENCY;
    if (jobs->count == 0)
        return msw_fail(err, "arrivals list: the workload has no list of tasks (a column "
                             "dispatch_ms), as mix/moca_a_m has");
    for (uint32_t i = 0; i < mix->count; i++)
        expected[i] = expected_of(task, i);
    if (c->arrivals == CAMDN_LIST)
        fill_list(task, list);
    else
        fill_random(task, list, jobs->count);
    for (uint64_t i = 0; i < jobs->count; i++)
        list[i].expected = expected[list[i].network];
    return 0;
}

/* AuRORA's: no task that cannot be in time. */
static double urgency_of(const camdn_job *job, double waited)
{
    bool late = job->target && (double)job->target - waited < job->expected;
    return late ? 0 : waited / job->expected;
}

/* MoCA's score, to the 1e-5 that its integers have. */
static double score_of(const camdn_jobs *jobs, const camdn_job *job, uint64_t now)
{
    if (jobs->urgent)
        return urgency_of(job, (double)(now - job->time));
    return job->priority + (double)(now - job->time) / job->expected;
}

uint64_t camdn_jobs_take(camdn_jobs *jobs, uint64_t now)
{
    uint64_t best = UINT64_MAX;
    double most = -1;
    for (uint64_t i = jobs->first; i < jobs->count && jobs->list[i].time <= now; i++) {
        const camdn_job *job = &jobs->list[i];
        double score = job->taken ? -1 : jobs->scored ? score_of(jobs, job, now) : 0;
        if (score > most) {
            most = score;
            best = i;
        }
        if (best != UINT64_MAX && !jobs->scored)
            break;
    }
    if (best != UINT64_MAX)
        jobs->list[best].taken = true;
    while (jobs->first < jobs->count && jobs->list[jobs->first].taken)
        jobs->first++;
    return best;
}

uint64_t camdn_jobs_time(const camdn_jobs *jobs)
{
    return jobs->first < jobs->count ? jobs->list[jobs->first].time : UINT64_MAX;
}
