/* SPDX-License-Identifier: MIT */
/* `sampled`: a pilot, the number of units chosen once from it, the rest. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"

#include <math.h>

/* A second pass that goes through all units in detail may as well measure them. */
static void set_level(const msw_task *task, const msw_unit_set *set, unsigned *level,
                      uint64_t *wanted)
{
    for (size_t h = 0; h < set->stratum_count; h++)
        wanted[h] = msw_units_at_level(task, set, h, *level);
    if (*level == 0 || !task->mech->lead || msw_units_cost(task, set, wanted) < (double)set->units)
        return;
    *level = MSW_LEVEL_ALL;
    for (size_t h = 0; h < set->stratum_count; h++)
        wanted[h] = set->strata[h].units;
}

static bool is_all(const msw_unit_set *set, const uint64_t *wanted)
{
    for (size_t h = 0; h < set->stratum_count; h++)
        if (wanted[h] < set->strata[h].units)
            return false;
    return true;
}

static bool is_complete(const msw_unit_set *set)
{
    for (size_t h = 0; h < set->stratum_count; h++)
        if (set->strata[h].measured < set->strata[h].units)
            return false;
    return true;
}

/* The pilot's verdict: how many units of each stratum, and the smallest level that holds them. */
static int choose_units(const msw_task *task, const msw_unit_set *set,
                        const msw_references *references, uint64_t *wanted, unsigned *level,
                        msw_err *err)
{
    size_t count = set->stratum_count;
    double *costs = msw_arena_take(task->arena, (count + 1) * sizeof *costs);
    uint64_t *each = msw_arena_take(task->arena, (count + 1) * sizeof *each);
    msw_primary primary;
    if (!costs || !each)
        return msw_fail_memory(err);
    for (size_t h = 0; h < count; h++)
        costs[h] = set->strata[h].cost;
    for (size_t m = 0; m < task->map->metric_count; m++) {
        if (!msw_metric_wanted(task, m) || task->mech->metrics[m].kind > MSW_PAIRED)
            continue;
        if (msw_estimate_primary(task, set, references, (int)m, &primary, err))
            return -1;
        msw_sample_allocate(primary.residual, costs, count, primary.half_width,
                            task->sampling.confidence, each);
        msw_sample_tame(primary.residual, count, each);
        msw_sample_tame(primary.total, count, each);
        for (size_t h = 0; h < count; h++)
            wanted[h] = msw_max_u64(wanted[h], each[h]);
    }
    if (msw_units_serve(task, set, references, wanted, err))
        return -1;
    *level = 0;
    for (size_t h = 0; h < count; h++)
        while (msw_units_at_level(task, set, h, *level) < wanted[h])
            ++*level;
    /* A forward pass and its reference must measure the same units, all along the way. */
    if (task->mech->order == MSW_UNITS_FORWARD)
        set_level(task, set, level, wanted);
    return 0;
}

/* Units of a stratum in the only pass, or in the pilot. */
static uint64_t first_units(const msw_task *task, const msw_unit_set *set, size_t h)
{
    if (!task->mech->once)
        return msw_units_at_level(task, set, h, 0);
    return msw_min_u64(task->mech->once(task, h), set->strata[h].units);
}

/* A pilot in every stratum comes first. Its variances decide how many units each stratum gets and
 * at which level references are measured; then only what is missing is measured. */
static int sample_units(const msw_task *task, msw_unit_set *set, msw_references *references,
                        bool *whole, msw_err *err)
{
    uint64_t *wanted = msw_arena_take(task->arena, (set->stratum_count + 1) * sizeof *wanted);
    unsigned level = 0;
    if (!wanted)
        return msw_fail_memory(err);
    for (size_t h = 0; h < set->stratum_count; h++)
        wanted[h] = first_units(task, set, h);
    if (task->mech->once)
        return msw_units_measure(task, set, wanted, err);
    set->choosing = true;
    int rc = msw_units_measure(task, set, wanted, err);
    set->choosing = false;
    if (rc)
        return rc;
    bool complete = is_complete(set);
    if (complete && task->mech->lead)
        level = MSW_LEVEL_ALL;
    else if (choose_units(task, set, references, wanted, &level, err))
        return -1;
    *whole = msw_units_interleave(set) && (complete || is_all(set, wanted));
    if (*whole)
        return 0;
    if (level > 0) {
        msw_references_put(task, references);
        if (msw_references_get(task, level, references, err))
            return -1;
    }
    return level > 0 && !complete ? msw_units_measure(task, set, wanted, err) : 0;
}

/* Where the rows of details end. */
typedef struct detail_mark {
    msw_detail_row **last;
    size_t count;
} detail_mark;

static detail_mark mark_details(const msw_task *task)
{
    return task->details ? (detail_mark){task->details->last, task->details->count}
                         : (detail_mark){0};
}

/* As at full, references and all; rows that a sample has written since the mark are dropped. */
static int evaluate_as_full(const msw_task *task, const detail_mark *mark, msw_answer *answer,
                            msw_err *err)
{
    msw_task whole = *task;
    msw_references references;
    if (task->details) {
        task->details->last = mark->last;
        task->details->count = mark->count;
        *mark->last = NULL;
    }
    if (task->doubt)
        *task->doubt = '\0'; /* of the sample that is not taken */
    whole.fidelity = MSW_FULL;
    if (msw_references_get(&whole, 0, &references, err))
        return -1;
    int rc = msw_evaluate_full(&whole, &references, answer, err);
    msw_references_put(&whole, &references);
    return rc;
}

static int evaluate_plain(const msw_task *task, msw_references *references, bool *whole,
                          msw_answer *answer, msw_err *err)
{
    msw_unit_set set;
    MSW_TRY(msw_units_init(task, &set, err));
    MSW_TRY(sample_units(task, &set, references, whole, err));
    answer->units = set.units;
    answer->events = set.events;
    if (*whole)
        return 0;
    if (msw_finish_details(task, &set, err))
        return -1;
    if (msw_estimate(task, &set, references, answer, err))
        return -1;
    if (task->mech->once)
        msw_add_jumps(task, answer);
    /* As at full: what has no value has no interval of unknown width either. */
    for (size_t i = 0; task->mech->lead && is_complete(&set) && i < task->map->metric_count; i++)
        answer->half_widths[i] = 0;
    return 0;
}

/* Units that are not predicted: their own values make the estimate. */
static int sample_plain(const msw_task *task, bool *whole, msw_answer *answer, msw_err *err)
{
    msw_references references;
    if (msw_references_get(task, 0, &references, err))
        return -1;
    int rc = evaluate_plain(task, &references, whole, answer, err);
    if (rc == 0)
        msw_references_tell_unfit(&references, answer);
    msw_references_put(task, &references);
    return rc;
}

int msw_evaluate_sampled(const msw_task *task, msw_answer *answer, msw_err *err)
{
    bool done, whole = false;
    detail_mark mark = mark_details(task);
    if (task->mech->carried && task->mech->carried(task))
        return evaluate_as_full(task, &mark, answer, err);
    MSW_TRY(msw_evaluate_predicted(task, answer, &done, &whole, err));
    if (!done)
        MSW_TRY(sample_plain(task, &whole, answer, err));
    if (!whole)
        return 0;
    /* What was spent before it was known that a part does not save counts, too. */
    uint64_t spent = answer->events;
    MSW_TRY(evaluate_as_full(task, &mark, answer, err));
    answer->events += spent;
    return 0;
}
