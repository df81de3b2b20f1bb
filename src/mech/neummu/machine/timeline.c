/* SPDX-License-Identifier: MIT */
/* Loads, computing and stores around the steps (../README.md, "Order of execution"), and what a
 * step adds to the metrics: the difference of two counts, times its executions. */
#include "mech/neummu/machine/timeline.h"

#include "memsweep/base/bits.h"

#include <string.h>

static const neummu_tile *tile_of(const neummu_stream *stream, uint32_t step)
{
    return &stream->tiles[stream->steps[step].tile];
}

/* The place of a flow in the order of issue: order.h. */
typedef struct position {
    uint64_t during;
    int part;
} position;

static uint64_t transfer(neummu_machine *machine, const neummu_flow *flow, position at,
                         uint64_t start)
{
    if (flow->count)
        neummu_prefetch_part(machine, at.during, at.part, start);
    return neummu_transfer(machine, flow, start);
}

/* Stores a step's output when it has been computed. Returns when that is over; `ready` when there
 * is nothing to store. */
static uint64_t store(neummu_machine *machine, const neummu_stream *stream, uint32_t step,
                      position at, uint64_t ready)
{
    return step == NEUMMU_NO_STEP ? ready
                                  : transfer(machine, &tile_of(stream, step)->store, at, ready);
}

/* Memory and engine as they would be, from the begin of a step on, with every translation known. */
typedef struct shadow {
    neummu_memory memory;
    uint64_t issue;
    uint64_t waited, loaded; /* what loads wait for is over; all loads are there */
} shadow;

static shadow shadow_of(const neummu_machine *machine, const neummu_timeline *line)
{
    return (shadow){.memory = machine->memory, .issue = machine->issue, .waited = line->end};
}

static uint64_t shadow_move(shadow *s, const neummu_flow *flow, uint64_t start)
{
    return flow->count ? neummu_transfer_oracle(&s->memory, &s->issue, flow, start) : start;
}

/* Time from the end of computing to `waited` and on to `start`; what the shadow does not take of it
 * is lost to translation, first of all in the store that loads wait for. */
static neummu_period divide(const neummu_timeline *line, uint64_t waited, uint64_t start,
                            const shadow *known)
{
    uint64_t would = msw_min_u64(msw_max_u64(known->waited, known->loaded), start);
    uint64_t stored = msw_min_u64(known->waited, would), lost = start - would;
    neummu_period period = {
        .compute = line->end - line->start,
        .write_back = stored - line->end,
        .memory = would - stored,
        .store_translation = msw_min_u64(lost, waited - stored),
    };
    period.translation = lost - period.store_translation;
    return period;
}

/* Issues what waits for the computing of the step before: its store, if that goes first, and the
 * late loads. Returns when these may begin; `loaded` and the shadow go on to their end. */
static uint64_t execute_late(neummu_machine *machine, const neummu_stream *stream,
                             const neummu_timeline *line, const neummu_tile *tile, uint32_t step,
                             shadow *known, uint64_t *loaded)
{
    uint64_t waited = line->end;
    position late = {step, NEUMMU_PART_LATE};
    if (neummu_stores_first(tile) && line->last != NEUMMU_NO_STEP) {
        position at = {step, NEUMMU_PART_STORE};
        uint64_t stored = store(machine, stream, line->last, at, line->end);
        uint64_t would = shadow_move(known, &tile_of(stream, line->last)->store, line->end);
        if (tile->boundary == NEUMMU_BOUNDARY_STORED) {
            waited = stored;
            known->waited = would;
        }
    }
    *loaded = msw_max_u64(*loaded, transfer(machine, &tile->late, late, waited));
    known->loaded = msw_max_u64(known->loaded, shadow_move(known, &tile->late, known->waited));
    return waited;
}

neummu_period neummu_execute_step(neummu_machine *machine, const neummu_stream *stream,
                                  neummu_timeline *line, uint32_t step)
{
    return neummu_execute_tile(machine, stream, line, step, tile_of(stream, step));
}

neummu_period neummu_execute_tile(neummu_machine *machine, const neummu_stream *stream,
                                  neummu_timeline *line, uint32_t step, const neummu_tile *tile)
{
    uint64_t waited = line->end, loaded;
    machine->prefetch.step = step;
    store(machine, stream, line->behind, (position){step, NEUMMU_PART_BEHIND}, line->ready);
    shadow known = shadow_of(machine, line);
    loaded = transfer(machine, &tile->early, (position){step, NEUMMU_PART_EARLY}, line->start);
    known.loaded = shadow_move(&known, &tile->early, line->start);
    if (!tile->overlapped)
        waited = execute_late(machine, stream, line, tile, step, &known, &loaded);
    uint64_t start = msw_max_u64(waited, loaded);
    neummu_period period = divide(line, waited, start, &known);
    *line = (neummu_timeline){
        .start = start,
        .end = start + tile->compute_cycles * (uint64_t)machine->config->issue_width,
        .ready = line->end,
        .last = step,
        .behind = neummu_stores_first(tile) ? NEUMMU_NO_STEP : line->last,
    };
    return period;
}

neummu_period neummu_finish(neummu_machine *machine, const neummu_stream *stream,
                            neummu_timeline *line)
{
    machine->prefetch.step = stream->step_count;
    position end = {stream->step_count, NEUMMU_PART_BEHIND};
    store(machine, stream, line->behind, end, line->ready);
    shadow known = shadow_of(machine, line);
    uint64_t stored = store(machine, stream, line->last, end, line->end);
    if (line->last != NEUMMU_NO_STEP)
        known.waited = shadow_move(&known, &tile_of(stream, line->last)->store, line->end);
    return divide(line, stored, stored, &known);
}

static void add_counts(const neummu_counts *from, const neummu_counts *to, double width, double *t)
{
    const msw_mmu_stats *a = &from->mmu, *b = &to->mmu;
    const msw_walker_stats *v = &from->walker, *w = &to->walker;
    t[NEUMMU_TRANSLATIONS] += (double)(b->requests - a->requests);
    t[NEUMMU_TLB_HITS] += (double)(b->l1_hits - a->l1_hits);
    t[NEUMMU_TLB_MISSES] += (double)(b->l1_misses - a->l1_misses);
    t[NEUMMU_TLB2_HITS] += (double)(b->l2_hits - a->l2_hits);
    t[NEUMMU_MERGED] += (double)(b->merged - a->merged);
    t[NEUMMU_WALKS] += (double)(w->walks - v->walks);
    t[NEUMMU_REPLAYED] += (double)(b->replayed - a->replayed);
    t[NEUMMU_REDUNDANT] += (double)(w->redundant - v->redundant);
    for (int cause = 0; cause < MSW_BLOCK_COUNT; cause++)
        t[NEUMMU_BLOCKED_WALKERS + cause] +=
            (double)(to->blocked[cause] - from->blocked[cause]) / width;
    t[NEUMMU_WALK_STEPS] += (double)(w->steps - v->steps);
    t[NEUMMU_WALK_ACCESSES] += (double)(w->accesses - v->accesses);
    t[NEUMMU_PREFETCH_LOOKUPS] += (double)(to->lookups - from->lookups);
    t[NEUMMU_PREFETCHES] += (double)(to->prefetches - from->prefetches);
    t[NEUMMU_PREFETCHES_USEFUL] += to->useful - from->useful;
    t[NEUMMU_PREFETCHES_LATE] += to->late - from->late;
    for (int level = 4; level > 1; level--)
        t[NEUMMU_PATH_HITS_L4 + 4 - level] += (double)(w->level_hits[level] - v->level_hits[level]);
}

static void add_period(const neummu_period *period, bool first, double width, double *t)
{
    double memory = (double)period->memory / width;
    double translation = (double)period->translation / width;
    t[first ? NEUMMU_FILL : NEUMMU_MEMORY] += memory;
    t[first ? NEUMMU_LAYER_START : NEUMMU_TRANSLATION] += translation;
    t[NEUMMU_COMPUTE] += (double)period->compute / width;
    t[NEUMMU_WRITE_BACK] += (double)period->write_back / width;
    t[NEUMMU_STORE_TRANSLATION] += (double)period->store_translation / width;
}

/* What happens between two counts, and where the time went. */
static void add_part(const neummu_execution *x, const neummu_counts *before,
                     const neummu_period *period, bool first, double *t)
{
    double width = (double)x->machine.config->issue_width;
    neummu_counts after = neummu_count(&x->machine);
    add_period(period, first, width, t);
    add_counts(before, &after, width, t);
}

/* All executions of a step: the same as one, so many times. */
static void execute_executions(neummu_execution *x, const neummu_stream *stream, uint64_t number,
                               double *t)
{
    const neummu_step *step = &stream->steps[number];
    const neummu_tile *tile = &stream->tiles[step->tile];
    neummu_counts before = neummu_count(&x->machine);
    neummu_period period = neummu_execute_step(&x->machine, stream, &x->line, (uint32_t)number);
    add_part(x, &before, &period, step->first, t);
    t[NEUMMU_TILES] = 1;
    t[NEUMMU_PAGES] = (double)tile->pages;
    for (int i = 0; i < NEUMMU_UNIT_METRICS; i++)
        t[i] *= (double)step->executions;
    t[NEUMMU_PAGES_MAX] = (double)tile->pages;
}

/* What is left to compute and to store after the last step. */
static void execute_rest(neummu_execution *x, const neummu_stream *stream, double *t)
{
    neummu_counts before = neummu_count(&x->machine);
    neummu_period period = neummu_finish(&x->machine, stream, &x->line);
    add_part(x, &before, &period, false, t);
}

/* Puts the machine under observation, as far as details are wanted. */
static void observe(neummu_execution *x, const msw_task *task, uint64_t step, neummu_bursts *bursts)
{
    const neummu_config *config = task->config;
    bool windows = config->profile_window && task->details;
    x->machine.bursts = windows ? bursts : NULL;
    x->machine.walks = windows || x->ledger.task ? &x->log : NULL;
    if (windows)
        neummu_bursts_start(bursts, task, x->line.start, (uint32_t)step);
    uint64_t first = x->line.behind == NEUMMU_NO_STEP
                         ? x->line.start
                         : msw_min_u64(x->line.start, x->line.ready); /* its store goes first */
    if (x->machine.walks)
        neummu_walk_log_start(&x->log, task, first, (uint32_t)step);
}

static int write_details(neummu_execution *x, uint64_t stratum, neummu_bursts *bursts, msw_err *err)
{
    if (x->machine.walks && neummu_walk_log_flush(&x->log, &x->ledger, stratum, err))
        return -1;
    if (!x->machine.bursts)
        return 0;
    return bursts->failed ? msw_fail(err, "%s", bursts->err.text)
                          : neummu_bursts_flush(bursts, err);
}

int neummu_total_step(neummu_execution *x, const msw_task *task, uint64_t stratum, uint64_t step,
                      double *t, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    neummu_bursts bursts;
    observe(x, task, step, &bursts);
    execute_executions(x, stream, step, t);
    if (step + 1 == stream->step_count)
        execute_rest(x, stream, t);
    for (int cause = NEUMMU_LAYER_START; cause <= NEUMMU_STORE_TRANSLATION; cause++)
        t[NEUMMU_CYCLES] += t[cause];
    t[NEUMMU_ENERGY] = neummu_energy(task->config, &x->prices, t);
    int rc = write_details(x, stratum, &bursts, err);
    x->machine.bursts = NULL;
    x->machine.walks = NULL;
    return rc;
}

int neummu_total_pass(neummu_execution *x, const msw_task *task, double *totals, uint64_t *events,
                      msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    x->line = (neummu_timeline){.last = NEUMMU_NO_STEP, .behind = NEUMMU_NO_STEP};
    for (uint64_t i = 0; i < stream->step_count; i++) {
        uint64_t before = x->machine.visits;
        if (neummu_total_step(x, task, 0, i, &totals[i * NEUMMU_UNIT_METRICS], err))
            return -1;
        events[i] = x->machine.visits - before;
        if (task->event_budget && x->machine.visits > task->event_budget)
            return msw_fail(err, "event budget of %llu spent",
                            (unsigned long long)task->event_budget);
        if (msw_task_expired(task))
            return msw_fail(err, "out of time");
    }
    return 0;
}
