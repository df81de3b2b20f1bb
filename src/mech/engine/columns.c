/* SPDX-License-Identifier: MIT */
/* Values of one metric in measured units, and the samples made from them. Where units are predicted
 * the values are differences from predictions: docs/models/sampling.md. */
#include "mech/engine/evaluate.h"

#include "memsweep/base/bits.h"
#include "memsweep/base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int msw_columns_init(const msw_task *task, const msw_unit_set *set, msw_columns *c, msw_err *err)
{
    uint64_t most = 1;
    for (size_t h = 0; h < set->stratum_count; h++)
        most = msw_max_u64(most, set->strata[h].measured);
    c->x = msw_arena_take(task->arena, most * sizeof *c->x);
    c->y = msw_arena_take(task->arena, most * sizeof *c->y);
    c->sorted = msw_arena_take(task->arena, most * sizeof *c->sorted);
    c->samples = msw_arena_take(task->arena, (set->stratum_count + 1) * sizeof *c->samples);
    return c->x && c->y && c->sorted && c->samples ? 0 : msw_fail_memory(err);
}

/* Whether class h is estimated from differences. */
static bool differs(const msw_unit_set *set, size_t h)
{
    return set->strata[h].members && set->strata[h].measured < set->strata[h].units;
}

double msw_columns_gather(const msw_unit_set *set, const msw_reference_units *reference, size_t h,
                          int metric, double *out)
{
    const msw_stratum_set *s = &set->strata[h];
    size_t width = set->map->metric_count, marks = set->map->mark_count;
    double size = 0;
    if (reference && reference->unfit) {
        for (uint64_t i = 0; i < s->measured; i++)
            out[i] = NAN;
        return 0;
    }
    const double *values = reference ? reference->values[h] : s->values;
    for (uint64_t i = 0; i < s->measured; i++) {
        out[i] = values[s->order[i] * width + (size_t)metric];
        size += fabs(out[i]);
    }
    int mark = set->map->mark_of[metric];
    if (mark >= 0 && differs(set, h)) {
        const double *z = reference ? reference->predicted[h] : s->predicted;
        for (uint64_t i = 0; i < s->measured; i++)
            out[i] -= z[s->order[i] * marks + (size_t)mark];
    }
    return s->measured ? size / (double)s->measured : 0;
}

static double msw_columns_base(const msw_unit_set *set, const msw_reference_units *reference,
                               size_t h, int metric)
{
    int mark = set->map->mark_of[metric];
    if (mark < 0 || !differs(set, h))
        return 0;
    return (reference ? reference->sums[h] : set->strata[h].sums)[mark];
}

double msw_columns_bound(const msw_task *task, const msw_unit_set *set,
                         const msw_reference_units *reference, size_t h, int metric)
{
    int mark = set->map->mark_of[metric];
    if (mark < 0 || !differs(set, h))
        return 0;
    return task->mech->metrics[metric].predicted.largest *
           (reference ? reference->scale[h] : set->strata[h].scale)[mark];
}

void msw_columns_begin(msw_columns *c)
{
    memset(c->relative, 0, sizeof c->relative);
    c->widest = 0;
    c->apart = 0;
    c->least = INFINITY;
    c->degrees = 0;
}

/* Differences farther than a hundredth of the bound from the middle one. */
static uint64_t count_apart(const msw_columns *c, uint64_t count, double bound)
{
    uint64_t apart = 0;
    if (count == 0)
        return 0;
    memcpy(c->sorted, c->x, count * sizeof *c->sorted);
    msw_sort_f64(c->sorted, count);
    for (uint64_t i = 0; i < count; i++)
        apart += fabs(c->x[i] - c->sorted[count / 2]) > bound / MSW_EQUAL_SHARE;
    return apart;
}

/* The smallest magnitude that is not 0. */
static void find_least(msw_columns *c, const double *other, double ratio, const msw_stratum_set *s)
{
    for (uint64_t i = 0; i < s->measured && !s->rest; i++) {
        double value = fabs(c->x[i] - (other ? ratio * other[i] : 0));
        if (value > 0)
            c->least = fmin(c->least, value);
    }
}

/* What was 0 in all units measured of a stratum, and not in others, is rare and not absent: a unit
 * not seen may have as much as the least that any has. */
static void suspect_zeros(const msw_unit_set *set, msw_columns *c)
{
    for (size_t h = 0; h < set->stratum_count && isfinite(c->least); h++) {
        msw_stratum_sample *s = &c->samples[h];
        if (!set->strata[h].members && s->measured && s->size == 0)
            s->bound = c->least;
    }
}

void msw_columns_sample(const msw_unit_set *set, size_t h, double size, double base, double bound,
                        msw_columns *c)
{
    const msw_stratum_set *s = &set->strata[h];
    msw_stratum_sample *sample = &c->samples[h];
    sample->population = s->units;
    msw_sample_moments(c->x, NULL, 0, s->measured, 1, sample);
    if (!s->members) {
        find_least(c, NULL, 0, s);
        return;
    }
    /* A class measured whole has no part in what is expected of the others. */
    sample->size = differs(set, h) ? size : 0;
    sample->base = base;
    sample->bound = bound;
    if (sample->size > 0) {
        c->widest = fmax(c->widest, sample->range / size);
        c->apart += count_apart(c, s->measured, bound);
        c->degrees += (double)s->measured - 1;
    }
    for (uint64_t i = 0; i < s->measured && sample->size > 0; i++) {
        double d = c->x[i] / size;
        c->relative[0] += 1;
        c->relative[1] += d;
        c->relative[2] += d * d;
        c->relative[3] += d * d * d;
    }
}

/* Two units of a class show neither its skewness nor whether they are alike by chance: all
 * differences do, relative to the size of their values. Nor do so few differences that are apart
 * from the others. */
enum { FEW = 8, FEW_SHARE = 4 };

/* Skewness of all differences, relative to the size of their values. */
static double pooled_skewness(const msw_columns *c)
{
    double n = c->relative[0];
    if (n < 3)
        return 0;
    double m = c->relative[1] / n, squares = c->relative[2] / n, cubes = c->relative[3] / n;
    double variance = squares - m * m, third = cubes - 3 * m * squares + 2 * m * m * m;
    return variance > 0 ? third / (variance * sqrt(variance)) : 0;
}

void msw_columns_end(const msw_unit_set *set, msw_columns *c)
{
    double skewness = pooled_skewness(c);
    double spread = msw_sample_spread(c->samples, set->stratum_count);
    suspect_zeros(set, c);
    bool few = c->apart < FEW && FEW_SHARE * (double)c->apart < c->degrees;
    for (size_t h = 0; h < set->stratum_count; h++) {
        msw_stratum_sample *s = &c->samples[h];
        if (!differs(set, h))
            continue;
        double variance = msw_sample_moderated(s, spread);
        s->third = skewness * variance * sqrt(variance);
        s->few = s->bound > 0 && few;
        if (s->measured < FEW)
            s->range = fmax(s->range, c->widest * s->size);
    }
}

double msw_columns_total(const msw_task *task, const msw_unit_set *set,
                         const msw_reference_units *reference, int metric, msw_columns *c)
{
    msw_columns_begin(c);
    for (size_t h = 0; h < set->stratum_count; h++) {
        double size = msw_columns_gather(set, reference, h, metric, c->x);
        msw_columns_sample(set, h, size, msw_columns_base(set, reference, h, metric),
                           msw_columns_bound(task, set, reference, h, metric), c);
    }
    msw_columns_end(set, c);
    return msw_sample_total(c->samples, set->stratum_count);
}

void msw_columns_residual(const msw_task *task, const msw_unit_set *set,
                          const msw_reference_units *reference, int num, int den, double ratio,
                          msw_columns *c)
{
    msw_columns_begin(c);
    for (size_t h = 0; h < set->stratum_count; h++) {
        double size = msw_columns_gather(set, NULL, h, num, c->x);
        size += fabs(ratio) * msw_columns_gather(set, reference, h, den, c->y);
        if (!set->strata[h].members) {
            c->samples[h].population = set->strata[h].units;
            msw_sample_moments(c->x, c->y, ratio, set->strata[h].measured, 1, &c->samples[h]);
            find_least(c, c->y, ratio, &set->strata[h]);
            continue;
        }
        for (uint64_t i = 0; i < set->strata[h].measured; i++)
            c->x[i] -= ratio * c->y[i];
        double bound = msw_columns_bound(task, set, NULL, h, num) +
                       fabs(ratio) * msw_columns_bound(task, set, reference, h, den);
        msw_columns_sample(set, h, size, 0, bound, c);
    }
    msw_columns_end(set, c);
}

double msw_columns_half_width(const msw_task *task, const msw_unit_set *set, const msw_columns *c)
{
    return msw_sample_half_width(c->samples, set->stratum_count, task->sampling.confidence);
}
