/* SPDX-License-Identifier: MIT */
/* Steps an NPU through its operators. Tile i is loaded while tile i - 1 computes, into the buffer
 * that tile i - 2 left; it computes when it is there and the array is free; it is stored when it
 * has been computed, behind the loads of tile i + 1 in the order of the DMA:
 *
 *   load 0, load 1, store 0, load 2, store 1, ...
 *   load i     not before the end of computing tile i - 2    (single buffer: of tile i - 1)
 *   compute i  not before load i is there and compute i - 1 is over
 *   store i    not before compute i is over                  (single buffer: before load i + 1)
 *
 * An operator ends with its last store and its computing; then the next one begins. */
#include "mech/camdn/machine/system.h"

static void open_phase(camdn_npu *n, camdn_phase phase, uint64_t not_before)
{
    n->dma.phase = phase;
    n->dma.at = (camdn_cursor){.port_line = n->task.memory.line};
    n->dma.arrived = n->dma.arrived_memory = 0;
    n->time = msw_max_u64(n->time, not_before);
}

/* One run, already known. */
static void open_store(camdn_system *s, camdn_npu *n, camdn_phase phase, uint64_t not_before)
{
    open_phase(n, phase, not_before);
    n->dma.at.run = n->dma.store;
    if (n->dma.store.bytes > 0)
        camdn_npu_open_row(s, &n->dma.at);
    if (s->translate.on)
        camdn_translate_open(s, (uint32_t)(n - s->npus));
}

static void open_loads(camdn_system *s, camdn_npu *n, uint64_t not_before)
{
    open_phase(n, CAMDN_LOADS, not_before);
    if (s->translate.on)
        camdn_translate_open(s, (uint32_t)(n - s->npus));
}

static void open_op(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    const camdn_step *step =
        s->plans ? &n->level->step : camdn_plain_step(n->task.table, n->task.op);
    camdn_gang_open(s, tenant, step);
    n->time += (uint64_t)s->config->start_cycles;
    n->dma.computed = n->dma.computed_before = n->dma.stored = n->time;
    n->unsettled = false;
    n->at = 0;
    n->tiles[0] = n->tiles[1] = (camdn_tile){0};
    n->dma.store = n->dma.store_next = (camdn_run){0};
    if (s->config->throttle)
        camdn_throttle_open(s, tenant);
    n->single = s->array.single || (n->dma.walk.list && !n->task.net->overlaps);
    open_loads(s, n, n->time);
}

static void begin_op(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    n->stage = CAMDN_RUNNING;
    n->task.before = n->task.now;
    n->task.op_started = n->time;
    camdn_gang_change(s, tenant);
    if (s->plans)
        camdn_pages_begin(s, tenant);
    if (n->stage == CAMDN_RUNNING)
        open_op(s, tenant);
}

/* A task of a network starts. */
static void open_network(camdn_system *s, uint32_t tenant, uint32_t network)
{
    camdn_npu *n = &s->npus[tenant];
    uint32_t nets = s->draws.mix->count;
    const uint64_t *bases = s->bases + 2 * ((size_t)tenant * nets + network);
    n->task.net = &s->draws.mix->networks[network];
    n->task.table = s->tables->of[network];
    n->plan = s->plans ? &s->plans->of[network] : NULL;
    n->expected_ops = s->expected->ops[network];
    n->expected_blocks = s->expected->blocks[network];
    n->task.memory = (camdn_memory){.activations = bases[0],
                                    .weights = bases[1],
                                    .sums = bases[0] + n->task.net->bytes,
                                    .line = (uint64_t)s->config->line};
    n->task.op = 0;
    n->task.started = n->time;
    n->task.now = (camdn_result){.network = network, .tenant = tenant};
}

/* The next task that has come; none: the NPU is idle until one does. */
static void take_job(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    bool ready = camdn_gang_ready(s);
    n->task.number = ready ? camdn_jobs_take(&s->jobs, n->time) : UINT64_MAX;
    if (n->task.number == UINT64_MAX) {
        n->stage = CAMDN_IDLE;
        n->throttle = (camdn_throttle){0};
        n->time = ready ? camdn_jobs_time(&s->jobs) : UINT64_MAX;
        return;
    }
    const camdn_job *job = &s->jobs.list[n->task.number];
    open_network(s, tenant, job->network);
    n->stage = CAMDN_RUNNING;
    n->task.started = job->time;
    n->task.target = n->task.now.target = job->target;
    n->task.priority = job->priority;
    n->task.now.wait_start = n->time - job->time;
    camdn_gang_form(s, tenant);
}

static void open_task(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    if (s->jobs.count) {
        take_job(s, tenant);
        return;
    }
    open_network(s, tenant, camdn_draw(&s->draws, tenant, n->task.number));
    n->task.target = n->task.now.target = camdn_target_cycles(s->config, n->task.net->target_ms);
    n->task.priority = (double)n->task.net->priority;
}

/* Units are the counted tasks; UINT64_MAX: it is none. */
static uint64_t unit_of(const camdn_system *s, uint32_t tenant)
{
    const camdn_npu *n = &s->npus[tenant];
    uint64_t number = s->jobs.count ? n->task.number : n->task.number * s->count + tenant;
    bool counted = number >= s->first_counted && number < s->first_counted + s->counted;
    return counted ? number - s->first_counted : UINT64_MAX;
}

static void end_task(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    uint64_t unit = unit_of(s, tenant);
    if (unit != UINT64_MAX) {
        camdn_result *result = &s->results[unit];
        *result = n->task.now;
        result->cycles = n->time - n->task.started;
        result->done = true;
    }
    n->task.number++;
    camdn_gang_leave(s, tenant);
    open_task(s, tenant);
}

static void end_op(const camdn_system *s, camdn_npu *n)
{
    uint64_t over = msw_max_u64(n->time, n->dma.stored);
    if (over > n->dma.computed)
        n->task.now.wait_translation += msw_min_u64(n->ahead.delay, over - n->dma.computed);
    uint64_t release = s->plans ? camdn_pages_release_cycles(s, (uint32_t)(n - s->npus)) : 0;
    n->time = msw_max_u64(n->time, msw_max_u64(n->dma.stored, n->dma.computed)) + release;
    n->task.now.wait_pages += release;
    n->stage = CAMDN_BETWEEN;
}

/* From one operator to the next, when its time has come. Tenants of an NPU take turns: all of them
 * always have something to run. */
static void turn(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    if (unit_of(s, tenant) != UINT64_MAX)
        camdn_log_op(s, n);
    if (s->plans)
        camdn_pages_end(s, tenant);
    if (++n->task.op == n->task.net->op_count)
        end_task(s, tenant);
    if (n->stage == CAMDN_IDLE)
        return;
    uint32_t next = tenant + s->cores < s->count ? tenant + s->cores : tenant % s->cores;
    if (next == tenant) {
        begin_op(s, tenant);
        return;
    }
    s->npus[next].time = n->time;
    s->npus[next].stage = CAMDN_TURN;
    camdn_heap_update(s, next);
    n->stage = CAMDN_QUEUED;
    n->task.queued = n->time;
    n->time = UINT64_MAX;
}

/* The present tile is stored; the next one is loaded, or there is none. */
static void go_on(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    bool single = n->single;
    uint64_t done = n->dma.computed;
    if (single && n->dma.walk.list) /* nothing overlaps: stores are waited for */
        done = msw_max_u64(done, n->dma.stored);
    n->dma.store = n->dma.store_next;
    n->dma.store_tile = n->dma.walk.number;
    n->at ^= 1;
    n->tiles[n->at] = (camdn_tile){0};
    if (camdn_walk_next(&n->dma.walk))
        open_loads(s, n, single ? done : n->dma.computed_before);
    else if (single)
        end_op(s, n);
    else
        open_store(s, n, CAMDN_STORES_LAST, n->dma.computed);
}

/* All lines of a tile are there: it is known when it is computed. */
static void settle(camdn_npu *n, const camdn_tile *t)
{
    uint64_t ready = msw_max_u64(n->dma.computed, msw_max_u64(t->arrived, t->loaded));
    uint64_t wait = ready - n->dma.computed, translation = msw_min_u64(wait, t->delay);
    n->task.now.wait_translation += translation;
    if (t->arrived_memory == t->arrived && ready == t->arrived)
        n->task.now.wait_memory += wait - translation;
    n->dma.computed = ready + t->cycles;
    n->unsettled = false;
}

/* Returns whether a tile's lines are there; if not the NPU waits for them. */
static bool has_come(camdn_npu *n, uint8_t tile)
{
    if (n->tiles[tile].pending == 0)
        return true;
    n->awaited = tile;
    camdn_npu_park(n, CAMDN_FOR_TILE);
    return false;
}

/* Returns whether an operator, or a tile of a list in which nothing overlaps, ends with the stores
 * at hand. */
static bool ends_with_stores(const camdn_npu *n)
{
    if (!n->single)
        return n->dma.phase == CAMDN_STORES_LAST;
    return n->dma.walk.list || n->dma.walk.number + 1 == n->dma.walk.tiles;
}

/* Returns whether memory has what it has to have by now; if not the NPU waits. */
static bool has_stored(camdn_npu *n)
{
    if (n->dma.storing == 0 || !ends_with_stores(n))
        return true;
    camdn_npu_park(n, CAMDN_FOR_STORES);
    return false;
}

static void end_loads(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    camdn_tile *t = &n->tiles[n->at];
    if (n->unsettled && !has_come(n, n->at ^ 1))
        return;
    if (n->unsettled)
        settle(n, &n->tiles[n->at ^ 1]);
    if (n->single && !has_come(n, n->at))
        return;
    t->arrived = msw_max_u64(t->arrived, n->dma.arrived);
    t->arrived_memory = msw_max_u64(t->arrived_memory, n->dma.arrived_memory);
    t->loaded = n->time;
    t->delay = n->ahead.delay;
    t->cycles = camdn_walk_cycles(&n->dma.walk);
    n->task.now.compute += t->cycles;
    n->dma.computed_before = n->dma.computed;
    n->unsettled = true;
    if (t->pending == 0)
        settle(n, t);
    camdn_walk_store(&n->dma.walk, 0, &n->dma.store_next);
    if (s->plans)
        camdn_source_store(n, &n->dma.store_next);
    if (n->single) {
        n->dma.store = n->dma.store_next;
        n->dma.store_tile = n->dma.walk.number;
    }
    open_store(s, n, CAMDN_STORES, n->single ? n->dma.computed : n->dma.computed_before);
}

static void end_phase(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    if (n->dma.phase == CAMDN_LOADS) {
        end_loads(s, tenant);
        return;
    }
    bool last = n->dma.phase == CAMDN_STORES && n->dma.walk.number + 1 == n->dma.walk.tiles;
    if (last && n->unsettled && !has_come(n, n->at))
        return;
    if (last && n->unsettled)
        settle(n, &n->tiles[n->at]);
    n->dma.stored = msw_max_u64(n->dma.stored, n->dma.arrived);
    if (!has_stored(n))
        return;
    if (n->dma.phase == CAMDN_STORES)
        go_on(s, tenant);
    else
        end_op(s, n);
}

void camdn_npu_start(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    open_task(s, tenant);
    if (n->stage == CAMDN_IDLE)
        return;
    if (tenant < s->cores) {
        begin_op(s, tenant);
        return;
    }
    n->stage = CAMDN_QUEUED;
    n->time = UINT64_MAX;
}

static void take_turn(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    n->task.now.wait_npu += n->time - n->task.queued;
    begin_op(s, tenant);
}

/* Pages are there, or time is out. */
static void try_again(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    if (n->stage == CAMDN_GRANTED)
        camdn_pages_granted(s, tenant);
    else
        camdn_pages_timeout(s, tenant);
    if (n->stage == CAMDN_RUNNING)
        open_op(s, tenant);
}

/* A task has come. */
static void wake(camdn_system *s, uint32_t tenant)
{
    take_job(s, tenant);
    if (s->npus[tenant].stage == CAMDN_RUNNING)
        begin_op(s, tenant);
}

/* Returns how many lines have left, or are waited for. */
static uint32_t issue(camdn_system *s, uint32_t tenant)
{
    uint64_t now = s->npus[tenant].time;
    if (!s->translate.on)
        return camdn_npu_issue(s, tenant);
    if (!camdn_translate_ready(s, tenant))
        return 1;
    uint32_t count = camdn_npu_issue(s, tenant);
    camdn_translate_take(s, tenant, count, now);
    return count;
}

void camdn_npu_go(camdn_system *s, uint32_t tenant)
{
    camdn_npu *n = &s->npus[tenant];
    uint64_t now = n->time;
    while (n->time == now && !s->failed) {
        if (n->stage == CAMDN_IDLE)
            wake(s, tenant);
        else if (n->stage == CAMDN_BETWEEN)
            turn(s, tenant);
        else if (n->stage == CAMDN_TURN)
            take_turn(s, tenant);
        else if (n->stage != CAMDN_RUNNING)
            try_again(s, tenant);
        else if (issue(s, tenant) == 0)
            end_phase(s, tenant);
    }
}
