/* SPDX-License-Identifier: MIT */
/* Hands NPUs over: when a task starts, at the ends of its operators, when it is over. */
#include "mech/camdn/machine/system.h"

enum { LONG = 100000 }; /* AuRORA: operators that are worth a change take more cycles */

static const double NO_TARGET = 1e15;

size_t camdn_left_bytes(const msw_task *task)
{
    const camdn_config *c = task->config;
    const msw_graph_product *mix = task->product->data;
    size_t rows = 0;
    for (uint32_t i = 0; i < mix->count; i++)
        rows += mix->networks[i].op_count + 1;
    return camdn_gang_most(c) > 1 ? rows * sizeof(double[CAMDN_GANG_SIZES]) : 0;
}

static const double *left_of(const camdn_system *s, const camdn_npu *n)
{
    uint32_t network = n->task.now.network;
    return s->left[s->log.first[network] + network + n->task.op];
}

void camdn_gangs_start(camdn_system *s)
{
    const msw_graph_product *mix = s->draws.mix;
    s->free_npus = s->cores;
    for (uint32_t i = 0; i < s->count; i++) {
        camdn_gang *t = &s->npus[i].gang;
        *t = (camdn_gang){.width = 1, .slots = s->groups};
    }
    for (uint32_t i = 0; camdn_gang_most(s->config) > 1 && i < mix->count; i++)
        camdn_left_fill(s->config, s->tables->of[i], &mix->networks[i], &s->array,
                        s->left + s->log.first[i] + i);
}

static bool is_live(const camdn_npu *n)
{
    return n->stage != CAMDN_IDLE && n->task.net;
}

static camdn_claim claim_of(const camdn_system *s, const camdn_npu *n, uint64_t now)
{
    double slack = (double)n->task.target - ((double)now - (double)n->task.started);
    return (camdn_claim){n->task.target ? slack : NO_TARGET, left_of(s, n), n->gang.width,
                         !s->config->hopeless_gives};
}

static uint32_t others_of(const camdn_system *s, uint32_t tenant, uint64_t now, camdn_claim *others)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (i != tenant && is_live(&s->npus[i]))
            others[count++] = claim_of(s, &s->npus[i], now);
    return count;
}

static void set_width(camdn_system *s, camdn_npu *n, uint32_t width)
{
    if (width == n->gang.width)
        return;
    n->gang.width = width;
    n->gang.slots = s->groups * width;
    n->slot %= n->gang.slots;
    msw_dram_server_init(&n->port, 0, (double)(s->config->port_bytes * (int64_t)width));
}

bool camdn_gang_ready(const camdn_system *s)
{
    uint32_t least = s->config->npu_policy == CAMDN_GANG_STATIC ? camdn_gang_most(s->config) : 1;
    return s->config->npu_policy == CAMDN_GANG_ONE || s->free_npus >= least;
}

/* Tasks that have come and that no NPU has taken. */
static uint32_t waiting(const camdn_system *s, uint64_t now)
{
    uint32_t count = 0;
    for (uint64_t i = s->jobs.first;
         i < s->jobs.count && s->jobs.list[i].time <= now && count < s->cores; i++)
        count += !s->jobs.list[i].taken;
    return count;
}

static uint32_t wanted(const camdn_system *s, uint32_t tenant, bool starts)
{
    const camdn_npu *n = &s->npus[tenant];
    camdn_claim others[CAMDN_TENANTS_MAX], own = claim_of(s, n, n->time);
    uint32_t most = camdn_gang_most(s->config), count = others_of(s, tenant, n->time, others);
    if (s->config->npu_policy == CAMDN_GANG_STATIC)
        return most;
    if (s->config->npu_policy == CAMDN_GANG_EQUAL)
        return camdn_equal_size(s->cores, 1 + count + waiting(s, n->time), most);
    uint32_t size = starts ? camdn_aurora_size(&own, count == 0)
                           : camdn_aurora_change(&own, others, count, s->free_npus);
    return (uint32_t)msw_min_u64(size, most);
}

void camdn_gang_form(camdn_system *s, uint32_t tenant)
{
    if (s->config->npu_policy == CAMDN_GANG_ONE)
        return;
    uint32_t size = wanted(s, tenant, true);
    while (size > s->free_npus)
        size /= 2;
    s->free_npus -= size;
    set_width(s, &s->npus[tenant], size);
}

/* Idle NPUs look for tasks again. */
static void wake_idle(camdn_system *s, uint32_t tenant, uint64_t now)
{
    uint64_t time = msw_max_u64(now, camdn_jobs_time(&s->jobs));
    for (uint32_t i = 0; camdn_gang_ready(s) && i < s->count; i++) {
        camdn_npu *n = &s->npus[i];
        if (i == tenant || n->stage != CAMDN_IDLE || n->time <= time)
            continue;
        n->time = time;
        camdn_heap_update(s, i);
    }
}

void camdn_gang_leave(camdn_system *s, uint32_t tenant)
{
    if (s->config->npu_policy == CAMDN_GANG_ONE)
        return;
    s->free_npus += s->npus[tenant].gang.width;
    wake_idle(s, tenant, s->npus[tenant].time);
}

void camdn_gang_change(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    uint32_t policy = (uint32_t)s->config->npu_policy, held = n->gang.width;
    if (policy == CAMDN_GANG_ONE || policy == CAMDN_GANG_STATIC || n->task.op == 0)
        return;
    const double *left = left_of(s, n);
    double present = left[0] - left[CAMDN_GANG_SIZES]; /* of this operator, on one NPU */
    if (policy == CAMDN_GANG_AURORA && present <= LONG)
        return;
    uint32_t size = wanted(s, tenant, false);
    while (size > held && size - held > s->free_npus)
        size /= 2;
    s->free_npus += held;
    s->free_npus -= size;
    set_width(s, n, size);
    if (size < held)
        wake_idle(s, tenant, n->time);
}

/* ---- requests of a gang ---- */

void camdn_gang_open(camdn_system *s, uint32_t tenant, const camdn_step *step)
{
    camdn_npu *n = &s->npus[tenant];
    uint64_t compute = camdn_layers(n->task.table)[n->task.op].cycles;
    camdn_split split =
        camdn_split_of(n->task.net, n->task.op, step, &s->array, compute, n->gang.width);
    camdn_walk_start(&n->dma.walk, n->task.net, n->task.op, &split.step, &split.array,
                     &n->task.memory);
    n->dma.walk.cycles = split.cycles;
    n->gang.common = split.common;
}

void camdn_gang_run(const camdn_system *s, const camdn_npu *n, camdn_cursor *at)
{
    const camdn_gang *t = &n->gang;
    uint32_t part = at->part;
    uint64_t line = (uint64_t)s->config->line;
    bool common =
        (t->common == CAMDN_COMMON_W && part == 0) || (t->common == CAMDN_COMMON_A && part >= 2);
    at->port_line = common && s->config->multicast ? line * t->width : line;
    at->again = common && !s->config->multicast ? t->width - 1 : 0;
}

bool camdn_gang_again(camdn_cursor *at)
{
    if (at->again == 0 || at->run.bytes == 0)
        return false;
    at->again--;
    at->row = 0;
    at->run.old = at->run.rows > 1 ? at->run.rows : at->run.bytes; /* the first one has filled it */
    return true;
}
