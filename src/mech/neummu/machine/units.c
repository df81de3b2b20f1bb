/* The cycle model: a unit is one step, with all its executions.
 *
 * Before a unit the TLBs are given the pages that the steps so far used last, as far back as reuse
 * reaches, and the path caches the last paths; then the last loads of the step before it, or
 * several small steps, run in unmeasured detail. What a unit gives depends on its step alone, so
 * repetitions of it cost nothing. */
#include "mech/neummu/cost.h"
#include "mech/neummu/machine/warm_state.h"
#include "mech/neummu/metrics.h"
#include "mech/neummu/model.h"

#include "memsweep/base/bits.h"

#include <string.h>

enum { METRICS = NEUMMU_LEAKAGE + 1, WARM_STEPS_MOST = 8, WARM_RUNS = 512 };

typedef struct state {
    neummu_machine machine;
    neummu_timeline line;
    neummu_prices prices;
    neummu_warm_room room;
} state;

size_t neummu_state_bytes(const msw_task *task)
{
    uint64_t reach = neummu_warm_pages(task->config);
    return msw_align_line(sizeof(state)) + msw_align_line(reach * sizeof(uint64_t)) +
           msw_align_line(neummu_warm_slots(reach) * sizeof(uint64_t)) +
           neummu_machine_bytes(task->config);
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

int neummu_begin(const msw_task *task, void *memory, msw_err *err)
{
    const neummu_config *config = task->config;
    uint64_t reach = neummu_warm_pages(config);
    state *s = memory;
    *s = (state){0};
    s->room.recent = (uint64_t *)((char *)memory + msw_align_line(sizeof *s));
    s->room.seen =
        (uint64_t *)((char *)s->room.recent + msw_align_line(reach * sizeof *s->room.recent));
    s->room.line = &s->line;
    void *machine =
        (char *)s->room.seen + msw_align_line(neummu_warm_slots(reach) * sizeof *s->room.seen);
    if (neummu_price(config, &s->prices, err))
        return -1;
    return neummu_machine_init(&s->machine, config, machine, err);
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
        .behind = tile->overlapped && step > 1 ? (uint32_t)(step - 2) : NEUMMU_NO_STEP,
    };
}

/* The first of the steps that run, unmeasured, before a step: none before loads that begin when
 * all is still. */
static uint64_t warm_from(const neummu_stream *stream, uint64_t step)
{
    uint64_t from = step, runs = 0;
    if (!stream->tiles[stream->steps[step].tile].overlapped)
        return step;
    while (from > 0 && step - from < WARM_STEPS_MOST && runs < WARM_RUNS) {
        const neummu_tile *tile = &stream->tiles[stream->steps[--from].tile];
        runs += tile->early.count + tile->late.count + tile->store.count;
    }
    return from;
}

/* Cuts a flow after its first runs, `rest` before its end. Returns the first part. */
static neummu_flow cut_head(neummu_flow *flow, uint64_t rest)
{
    neummu_flow head = {.runs = flow->runs};
    while (head.count + rest < flow->count) {
        const neummu_run *run = &flow->runs[head.count++];
        head.requests += run->requests;
        head.bytes += run->bytes;
    }
    flow->runs += head.count;
    flow->count -= head.count;
    flow->requests -= head.requests;
    flow->bytes -= head.bytes;
    return head;
}

/* What is left of a tile when all but its last loads have been done. */
static neummu_tile tail_of(const neummu_tile *tile, neummu_flow *head)
{
    neummu_tile tail = *tile;
    if (tile->overlapped) {
        *head = cut_head(&tail.early, WARM_RUNS);
    } else {
        *head = cut_head(&tail.late, WARM_RUNS);
        tail.early = (neummu_flow){0};
    }
    return tail;
}

/* Moves a line whose tile was loaded in part to where it stands when all of it was: loads took
 * `times` as long, while the step before computed for `compute`. */
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

/* Runs the last loads of a step; the step before computes meanwhile if the tile allows it. */
static void run_tail(state *s, const neummu_stream *stream, uint64_t step, const neummu_tile *tail)
{
    const neummu_tile *tile = &stream->tiles[stream->steps[step].tile];
    uint64_t compute = s->line.end;
    s->line.end = 0;
    neummu_run_tile(&s->machine, stream, &s->line, (uint32_t)step, tail);
    if (tile->overlapped)
        stretch(&s->line, (double)tile->early.count / (double)tail->early.count, compute);
}

/* What the loads already done have waited for has been stored. */
static void skip_stores(state *s, const neummu_stream *stream, uint64_t from)
{
    bool overlapped = stream->tiles[stream->steps[from].tile].overlapped;
    uint32_t *waited = overlapped ? &s->line.behind : &s->line.last;
    if (*waited != NEUMMU_NO_STEP)
        s->room.store = stream->tiles[stream->steps[*waited].tile].store;
    s->line.behind = *waited = NEUMMU_NO_STEP;
}

static int warm(state *s, const neummu_stream *stream, uint64_t step, msw_err *err)
{
    const neummu_config *config = s->machine.config;
    uint64_t from = warm_from(stream, step), next = from;
    neummu_tile tail = tail_of(&stream->tiles[stream->steps[from].tile], &s->room.head);
    bool cut = from < step && s->room.head.count;
    if (neummu_machine_reset(&s->machine, err))
        return -1;
    s->line = line_before(stream, from, (uint64_t)config->issue_width);
    s->room.store = (neummu_flow){0};
    if (cut)
        skip_stores(s, stream, from);
    else
        s->room.head = (neummu_flow){0};
    if (!config->oracle)
        neummu_restore_warm_state(&s->room, &s->machine, stream, from, step);
    if (cut)
        run_tail(s, stream, next++, &tail);
    for (; next < step; next++)
        neummu_run_step(&s->machine, stream, &s->line, (uint32_t)next);
    return 0;
}

int neummu_warm(const msw_task *task, void *memory, size_t stratum, uint64_t unit, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    state *s = memory;
    uint64_t step = stream->strata[stratum].steps[unit];
    return warm(s, stream, step, err);
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
}

/* What happens between two counts, and where the time went. */
static void add_part(const state *s, const neummu_counts *before, const neummu_period *period,
                     bool first, double *t)
{
    double width = (double)s->machine.config->issue_width;
    neummu_counts after = neummu_count(&s->machine);
    add_period(period, first, width, t);
    add_counts(before, &after, width, t);
}

/* All executions of a step: the same as one, so many times. */
static void run_executions(state *s, const neummu_stream *stream, uint64_t number, double *t)
{
    const neummu_step *step = &stream->steps[number];
    const neummu_tile *tile = &stream->tiles[step->tile];
    neummu_counts before = neummu_count(&s->machine);
    neummu_period period = neummu_run_step(&s->machine, stream, &s->line, (uint32_t)number);
    add_part(s, &before, &period, step->first, t);
    t[NEUMMU_TILES] = 1;
    t[NEUMMU_PAGES] = (double)tile->pages;
    for (int i = 0; i < METRICS; i++)
        t[i] *= (double)step->executions;
    t[NEUMMU_PAGES_MAX] = (double)tile->pages;
}

/* What is left to compute and to store after the last step. */
static void run_rest(state *s, const neummu_stream *stream, double *t)
{
    neummu_counts before = neummu_count(&s->machine);
    neummu_period period = neummu_finish(&s->machine, stream, &s->line);
    add_part(s, &before, &period, false, t);
}

static int measure(const msw_task *task, state *s, uint64_t step, double *t, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    const neummu_config *config = task->config;
    neummu_bursts bursts;
    if (config->profile_window && task->details) {
        neummu_bursts_start(&bursts, task, s->line.start, (uint32_t)step);
        s->machine.bursts = &bursts;
    }
    run_executions(s, stream, step, t);
    if (step + 1 == stream->step_count)
        run_rest(s, stream, t);
    if (!s->machine.bursts)
        return 0;
    s->machine.bursts = NULL;
    return bursts.failed ? msw_fail(err, "%s", bursts.err.text) : neummu_bursts_flush(&bursts, err);
}

int neummu_measure(const msw_task *task, void *memory, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err)
{
    const neummu_stream *stream = task->artifacts[0];
    state *s = memory;
    if (measure(task, s, stream->strata[stratum].steps[unit], out->totals, err))
        return -1;
    for (int cause = NEUMMU_LAYER_START; cause <= NEUMMU_WRITE_BACK; cause++)
        out->totals[NEUMMU_CYCLES] += out->totals[cause];
    out->totals[NEUMMU_ENERGY] = neummu_energy(task->config, &s->prices, out->totals);
    out->events = s->machine.runs; /* the machine was reset: warm-up is included */
    return 0;
}
