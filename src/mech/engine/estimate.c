/* SPDX-License-Identifier: MIT */
/* From measured units to metrics with intervals. Every interval is that of a linear combination of
 * unit values: a total itself, a linearised ratio, or a derived metric's gradient. */
#include "mech/engine/evaluate.h"

#include <math.h>
#include <string.h>

static const msw_reference_units *reference_of(const msw_unit_set *set,
                                               const msw_references *references, int metric)
{
    int r = set->map->entries[metric].reference;
    return r < 0 ? NULL : references->units[r];
}

static msw_stratum_sample *copy_samples(const msw_task *task, const msw_unit_set *set,
                                        const msw_columns *c)
{
    size_t bytes = set->stratum_count * sizeof *c->samples;
    msw_stratum_sample *copy = msw_arena_take(task->arena, bytes + 1);
    return copy ? memcpy(copy, c->samples, bytes) : NULL;
}

/* A ratio x/y is linearised: the residual of a unit is its x less (x/y) times its y, whose total
 * has mean 0 and whose spread is that of the ratio times y. */
int msw_estimate_primary(const msw_task *task, const msw_unit_set *set,
                         const msw_references *references, int metric, msw_primary *primary,
                         msw_err *err)
{
    msw_columns c;
    if (msw_columns_init(task, set, &c, err))
        return -1;
    bool ratio = task->mech->metrics[metric].kind != MSW_TOTAL;
    int num = ratio ? set->map->entries[metric].num : metric;
    double x = msw_columns_total(task, set, NULL, num, &c);
    primary->half_width = task->sampling.target * fabs(x);
    primary->total = primary->residual = copy_samples(task, set, &c);
    if (ratio) {
        const msw_reference_units *reference = reference_of(set, references, metric);
        int den = set->map->entries[metric].den;
        double y = msw_columns_total(task, set, reference, den, &c);
        msw_columns_residual(task, set, reference, num, den, y != 0 ? x / y : 0, &c);
        primary->residual = copy_samples(task, set, &c);
    }
    return primary->total && primary->residual ? 0 : msw_fail_memory(err);
}

static void estimate_totals(const msw_task *task, const msw_unit_set *set, msw_columns *c,
                            msw_answer *answer)
{
    for (size_t i = 0; i < set->map->metric_count; i++) {
        if (task->mech->metrics[i].kind == MSW_TOTAL) {
            answer->metrics[i] = msw_columns_total(task, set, NULL, (int)i, c);
            answer->half_widths[i] = msw_columns_half_width(task, set, c);
        }
    }
}

/* The largest of a sample says nothing about the largest of all: without all units there is no
 * half-width. */
static void estimate_maxima(const msw_task *task, const msw_unit_set *set, bool exact,
                            msw_answer *answer)
{
    size_t width = set->map->metric_count;
    for (size_t i = 0; i < width; i++) {
        if (task->mech->metrics[i].kind != MSW_MAXIMUM)
            continue;
        double largest = 0;
        for (size_t h = 0; h < set->stratum_count; h++)
            for (uint64_t k = 0; k < set->strata[h].measured; k++)
                largest = fmax(largest, set->strata[h].values[k * width + i]);
        answer->metrics[i] = largest;
        answer->half_widths[i] = exact ? 0 : NAN;
    }
}

static void estimate_ratios(const msw_task *task, const msw_unit_set *set,
                            const msw_references *references, msw_columns *c, msw_answer *answer)
{
    for (size_t i = 0; i < set->map->metric_count; i++) {
        msw_metric_kind kind = task->mech->metrics[i].kind;
        if (kind != MSW_RATIO && kind != MSW_PAIRED)
            continue;
        int num = set->map->entries[i].num, den = set->map->entries[i].den;
        const msw_reference_units *reference = reference_of(set, references, (int)i);
        double below = msw_columns_total(task, set, reference, den, c);
        if (below == 0)
            continue;
        answer->metrics[i] = answer->metrics[num] / below;
        msw_columns_residual(task, set, reference, num, den, answer->metrics[i], c);
        answer->half_widths[i] = msw_columns_half_width(task, set, c) / fabs(below);
    }
}

int msw_estimate(const msw_task *task, const msw_unit_set *set, const msw_references *references,
                 msw_answer *answer, msw_err *err)
{
    msw_columns c;
    if (msw_columns_init(task, set, &c, err))
        return -1;
    answer->measured = 0;
    for (size_t h = 0; h < set->stratum_count; h++)
        answer->measured += set->strata[h].measured;
    bool exact = answer->measured == set->units;
    estimate_totals(task, set, &c, answer);
    estimate_maxima(task, set, exact, answer);
    estimate_ratios(task, set, references, &c, answer);
    if (msw_estimate_quantiles(task, set, exact, &c, answer, err))
        return -1;
    return msw_estimate_derived(task, set, references, &c, exact, answer, err);
}

/* As the metric table states it, for the part that was passed over. */
void msw_add_jumps(const msw_task *task, msw_answer *answer)
{
    const msw_metric *metrics = task->mech->metrics;
    double passed = 1 - (double)answer->measured / (double)answer->units;
    for (size_t m = 0; m < task->map->metric_count; m++) {
        double jump = metrics[m].predicted.jump;
        if (metrics[m].kind == MSW_RATIO || metrics[m].kind == MSW_PAIRED)
            jump = metrics[task->map->entries[m].num].predicted.jump +
                   metrics[task->map->entries[m].den].predicted.jump;
        answer->half_widths[m] += passed * jump * fabs(answer->metrics[m]);
    }
}
