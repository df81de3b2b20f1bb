/* SPDX-License-Identifier: MIT */
/* What a step adds to the metrics: the difference of two counts, times its executions. */
#include "mech/neummu/machine/totals.h"

#include "memsweep/base/bits.h"

#include <string.h>

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
