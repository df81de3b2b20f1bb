/* SPDX-License-Identifier: MIT */
/* The cycle model: a unit is one step, with all its executions.
 *
 * Before a unit the TLBs are given the pages that the steps so far used last, as far back as reuse
 * reaches, and the path caches the last paths; then the last loads of the step before it, or
 * several small steps, run in unmeasured detail. What a unit gives depends on its step alone, so
 * repetitions of it cost nothing. */
#include "mech/neummu/machine/timeline.h"
#include "mech/neummu/machine/warm_state.h"
#include "mech/neummu/model.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { WARM_STEPS_MOST = 8, WARM_VISITS = 512 };

typedef struct state {
    neummu_execution x;
    neummu_warm_room room;
    neummu_misses misses;
    uint64_t warm_visits; /* that run, unmeasured, before a unit */
    /* With a policy that cannot be rebuilt, at full: what each step gave in one pass, and its
     * visits. */
    double *carried;
    uint64_t *events;
} state;

size_t neummu_state_bytes(const msw_task *task)
{
    return msw_align_line(sizeof(state)) + neummu_machine_bytes(task->config);
}

int neummu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    if (stream->stratum_count > task->mech->strata_max)
        return msw_fail(err, "%llu strata of layers and tile classes: at most %zu",
                        (unsigned long long)stream->stratum_count, task->mech->strata_max);
    *count = stream->stratum_count;
    for (uint64_t h = 0; h < stream->stratum_count; h++) {
        const neummu_stratum *s = &stream->strata[h];
        const neummu_step *first = &stream->steps[s->steps[0]];
        const neummu_tile *tile = &stream->tiles[first->tile];
        strata[h] = (msw_stratum){.units = s->count,
                                  .cost = 1 + (double)(tile->early.count + tile->late.count)};
    }
    return 0;
}

static int take_room(const msw_task *task, state *s, msw_err *err)
{
    const neummu_config *config = task->config;
    uint64_t reach = neummu_warm_pages(config);
    s->room.recent = msw_arena_take(task->arena, reach * sizeof *s->room.recent);
    s->room.seen = msw_arena_take(task->arena, neummu_warm_slots(reach) * sizeof *s->room.seen);
    s->room.in_set = msw_arena_take(task->arena, neummu_warm_sets(config) * sizeof *s->room.in_set);
    if (!s->room.recent || !s->room.seen || !s->room.in_set)
        return msw_fail_memory(err);
    if (config->oracle || !s->x.machine.stage.mmu.config.has_l2)
        return 0;
    s->room.misses = &s->misses;
    return neummu_find_misses(&s->misses, task->artifacts[0], &s->x.machine.stage.mmu.config.l1,
                              task->arena, err);
}

static int carry(const msw_task *task, state *s, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    s->carried =
        msw_arena_zero(task->arena, stream->step_count, NEUMMU_UNIT_METRICS * sizeof *s->carried);
    s->events = msw_arena_take(task->arena, stream->step_count * sizeof *s->events);
    if (!s->carried || !s->events)
        return msw_fail_memory(err);
    return neummu_total_pass(&s->x, task, s->carried, s->events, err);
}

bool neummu_carries(const neummu_config *config)
{
    msw_mmu_config mmu = neummu_mmu_config(config);
    bool first = mmu.l1.policy != MSW_POLICY_LRU && mmu.l1.ways > 1;
    bool second = mmu.has_l2 && mmu.l2.policy != MSW_POLICY_LRU && mmu.l2.ways > 1;
    return !config->oracle && (first || second || neummu_prefetches(config));
}

bool neummu_carried(const msw_task *task)
{
    return neummu_carries(task->config);
}

int neummu_begin(const msw_task *task, void *memory, msw_err *err)
{
    const neummu_config *config = task->config;
    state *s = memory;
    *s = (state){.warm_visits = task->fidelity == MSW_ANALYTIC ? NEUMMU_WARM_SHORT : WARM_VISITS};
    if (neummu_price(config, &s->x.prices, err) ||
        neummu_machine_init(&s->x.machine, config, (char *)memory + msw_align_line(sizeof *s), err))
        return -1;
    if (neummu_prefetch_open(&s->x.machine.prefetch, config, task->artifacts[0], task->arena,
                             err) ||
        neummu_ledger_open(&s->x.ledger, task, err))
        return -1;
    if (task->fidelity == MSW_FULL && neummu_carried(task))
        return carry(task, s, err);
    return take_room(task, s, err);
}

/* The step before has just begun to compute. */
static neummu_timeline line_before(const neummu_stream *stream, uint64_t step, uint64_t width)
{
    if (step == 0)
        return (neummu_timeline){.last = NEUMMU_NO_STEP, .behind = NEUMMU_NO_STEP};
    const neummu_tile *tile = &stream->tiles[stream->steps[step - 1].tile];
    return (neummu_timeline){
        .end = tile->compute_cycles * width,
        .last = (uint32_t)(step - 1),
        .behind = !neummu_stores_first(tile) && step > 1 ? (uint32_t)(step - 2) : NEUMMU_NO_STEP,
    };
}

/* Whether nothing is under way when a step's loads begin: they wait for all that came before, and
 * no store of an earlier step, which may have begun before the step before did, goes first. */
static bool begins_still(const neummu_config *config, const neummu_stream *stream, uint64_t step)
{
    bool ahead = neummu_prefetches(config) && config->tlb_prefetch >= NEUMMU_PREFETCH_LAYER;
    return !stream->tiles[stream->steps[step].tile].overlapped && !ahead &&
           line_before(stream, step, 1).behind == NEUMMU_NO_STEP;
}

/* The first of the steps that run, unmeasured, before a step. */
static uint64_t warm_from(const state *s, const neummu_stream *stream, uint64_t step)
{
    uint64_t from = step, visits = 0;
    if (begins_still(s->x.machine.config, stream, step))
        return step;
    while (from > 0 && step - from < WARM_STEPS_MOST && visits < s->warm_visits) {
        const neummu_tile *tile = &stream->tiles[stream->steps[--from].tile];
        visits += tile->early.count + tile->late.count + tile->store.count;
    }
    return from;
}

/* Cuts a flow after its first visits, `rest` before its end. Returns the first part. */
static neummu_flow cut_head(neummu_flow *flow, uint64_t rest)
{
    neummu_flow head = {.visits = flow->visits};
    while (head.count + rest < flow->count) {
        const neummu_visit *visit = &flow->visits[head.count++];
        head.requests += visit->requests;
        head.bytes += visit->bytes;
    }
    flow->visits += head.count;
    flow->count -= head.count;
    flow->requests -= head.requests;
    flow->bytes -= head.bytes;
    return head;
}

/* Finds the rest of a tile when all but its last loads, so many visits, have been done. */
static neummu_tile tail_of(const neummu_tile *tile, uint64_t visits, neummu_flow *head)
{
    neummu_tile tail = *tile;
    if (tile->overlapped) {
        *head = cut_head(&tail.early, visits);
    } else {
        *head = cut_head(&tail.late, visits);
        tail.early = (neummu_flow){0};
    }
    return tail;
}

/* Moves a line whose tile was loaded in part to where it would be had all of it been loaded: loads
 * took `times` as long, while the step before computed for `compute`. */
static void stretch(neummu_timeline *line, double times, uint64_t compute)
{
    uint64_t loaded = (uint64_t)((double)line->start * times);
    if (compute > loaded) {
        line->start += compute - loaded;
        line->end += compute - loaded;
        line->ready = line->start;
    } else {
        loaded -= compute;
        line->ready = line->start > loaded ? line->start - loaded : 0;
    }
}

/* Executes the last loads of a step; the step before computes meanwhile if the tile allows it. */
static void execute_tail(state *s, const neummu_stream *stream, uint64_t step,
                         const neummu_tile *tail)
{
    const neummu_tile *tile = &stream->tiles[stream->steps[step].tile];
    uint64_t compute = s->x.line.end;
    s->x.line.end = 0;
    neummu_execute_tile(&s->x.machine, stream, &s->x.line, (uint32_t)step, tail);
    if (tile->overlapped)
        stretch(&s->x.line, (double)tile->early.count / (double)tail->early.count, compute);
}

/* What the loads already done have waited for has been stored. */
static void skip_stores(state *s, const neummu_stream *stream, uint64_t from)
{
    const neummu_tile *tile = &stream->tiles[stream->steps[from].tile];
    s->x.line.behind = NEUMMU_NO_STEP;
    if (neummu_stores_first(tile))
        s->x.line.last = NEUMMU_NO_STEP;
    s->room.begun = from;
    s->room.begun_part = tile->overlapped ? NEUMMU_PART_EARLY : NEUMMU_PART_LATE;
}

static int warm(state *s, const neummu_stream *stream, uint64_t step, msw_err *err)
{
    const neummu_config *config = s->x.machine.config;
    uint64_t from = warm_from(s, stream, step), next = from;
    const neummu_tile *first = &stream->tiles[stream->steps[from].tile];
    neummu_tile tail = tail_of(first, s->warm_visits, &s->room.head);
    bool cut = from < step && s->room.head.count;
    if (neummu_machine_reset(&s->x.machine, err))
        return -1;
    s->x.line = line_before(stream, from, (uint64_t)config->issue_width);
    s->room.begun = UINT64_MAX;
    if (cut)
        skip_stores(s, stream, from);
    if (!config->oracle)
        neummu_restore_warm_state(&s->room, &s->x.machine, stream, from, step);
    if (cut)
        execute_tail(s, stream, next++, &tail);
    for (; next < step; next++)
        neummu_execute_step(&s->x.machine, stream, &s->x.line, (uint32_t)next);
    return 0;
}

int neummu_warm(const msw_task *task, void *memory, size_t stratum, uint64_t unit, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    state *s = memory;
    return s->carried ? 0 : warm(s, stream, stream->strata[stratum].steps[unit], err);
}

int neummu_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    state *s = memory;
    uint64_t step = stream->strata[stratum].steps[unit];
    if (s->carried) {
        memcpy(out->totals, &s->carried[step * NEUMMU_UNIT_METRICS],
               NEUMMU_UNIT_METRICS * sizeof *out->totals);
        out->events = s->events[step];
    } else {
        if (neummu_total_step(&s->x, task, stratum, step, out->totals, err))
            return -1;
        out->events = s->x.machine.visits; /* the machine was reset: warm-up is included */
    }
    neummu_ledger_add(&s->x.ledger, stratum, step, out->totals);
    return 0;
}

int neummu_finish_details(const msw_task *task, void *memory, msw_err *err)
{
    (void)task;
    state *s = memory;
    return neummu_ledger_write(&s->x.ledger, err);
}
