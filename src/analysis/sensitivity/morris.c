/* SPDX-License-Identifier: MIT */
/* Finds elementary effects, and the effect of one factor at a time. */
#include "analysis/sensitivity/sobol.h"
#include "memsweep/analysis/sensitivity.h"
#include "memsweep/base/math.h"

#include <math.h>

typedef struct morris {
    const msw_morris_design *design;
    const msw_resampling *how;
    double *effect; /* kept trajectories x factors */
    size_t kept;
    bool *sizes_only; /* per factor: its steps have no sign */
    msw_arena *arena;
} morris;

static unsigned factor_of(const msw_morris_design *design, unsigned column)
{
    return design->group_of ? design->group_of[column] : column;
}

static double step_of(const msw_morris_design *design, unsigned column, size_t row)
{
    double change = design->x[column][row + 1] - design->x[column][row];
    if (change != 0 && design->unordered && design->unordered[column])
        return 1;
    return design->width ? change / design->width[column] : change;
}

/* The factor that moves from `row` to the next and how far: a group as far as its columns on
 * average. Returns the factor, or -1 when none or more than one moves. */
static int moved(const msw_morris_design *design, size_t row, double *distance)
{
    int factor = -1;
    unsigned columns = 0;
    double way = 0;
    for (unsigned column = 0; column < design->columns; column++) {
        double change = step_of(design, column, row);
        if (change == 0)
            continue;
        int own = (int)factor_of(design, column);
        if (factor >= 0 && own != factor)
            return -1;
        *distance = change;
        way += fabs(change);
        columns++;
        factor = own;
    }
    if (columns > 1)
        *distance = way / columns;
    return factor;
}

/* Elementary effects of one trajectory. Returns 1 if it is complete, 0 if an output is NaN, or -1
 * with `err`. */
static int effects(const morris *job, size_t trajectory, double *effect, msw_err *err)
{
    const msw_morris_design *design = job->design;
    size_t first = trajectory * (design->factors + 1);
    bool complete = !isnan(design->y[first]);
    for (unsigned i = 0; i < design->factors; i++)
        effect[i] = NAN;
    for (size_t row = first; row < first + design->factors; row++) {
        double distance = 0;
        int factor = moved(design, row, &distance);
        if (factor < 0 || (unsigned)factor >= design->factors)
            return msw_fail(err, "trajectory %zu: rows %zu and %zu do not differ in one factor",
                            trajectory, row, row + 1);
        effect[factor] = (design->y[row + 1] - design->y[row]) / distance;
        complete &= !isnan(design->y[row + 1]);
    }
    for (unsigned i = 0; i < design->factors && complete; i++)
        if (isnan(effect[i]))
            return msw_fail(err, "trajectory %zu never moves factor %u", trajectory, i);
    return complete;
}

static int collect_effects(morris *job, msw_used *used, msw_err *err)
{
    const msw_morris_design *design = job->design;
    job->effect = msw_arena_take(job->arena, (design->trajectories + 1) * design->factors *
                                                 sizeof *job->effect);
    if (!job->effect)
        return msw_fail_memory(err);
    for (size_t t = 0; t < design->trajectories; t++) {
        int complete = effects(job, t, job->effect + job->kept * design->factors, err);
        if (complete < 0)
            return -1;
        job->kept += (size_t)complete;
    }
    *used = (msw_used){job->kept, design->trajectories - job->kept};
    if (job->kept < 2)
        return msw_fail(err, "%zu of %zu trajectories are complete; at least 2 are needed",
                        job->kept, design->trajectories);
    return 0;
}

static int mark_signless(morris *job)
{
    const msw_morris_design *design = job->design;
    unsigned *columns = msw_arena_zero(job->arena, design->factors, sizeof *columns);
    job->sizes_only = msw_arena_zero(job->arena, design->factors, sizeof *job->sizes_only);
    if (!columns || !job->sizes_only)
        return -1;
    for (unsigned column = 0; column < design->columns; column++) {
        unsigned factor = factor_of(design, column);
        columns[factor]++;
        job->sizes_only[factor] |=
            columns[factor] > 1 || (design->unordered && design->unordered[column]);
    }
    return 0;
}

/* Mean and spread of the effects; spread with n - 1. */
static void describe_factor(const morris *job, unsigned factor, msw_morris_index *index)
{
    double sum = 0, sizes = 0, squares = 0;
    size_t n = job->kept;
    for (size_t t = 0; t < n; t++) {
        double effect = job->effect[t * job->design->factors + factor];
        sum += effect;
        sizes += fabs(effect);
    }
    double center = (job->sizes_only[factor] ? sizes : sum) / (double)n;
    for (size_t t = 0; t < n; t++) {
        double effect = job->effect[t * job->design->factors + factor];
        double gap = (job->sizes_only[factor] ? fabs(effect) : effect) - center;
        squares += gap * gap;
    }
    index->mu_star.value = sizes / (double)n;
    index->mu = job->sizes_only[factor] ? NAN : center;
    index->sigma = sqrt(squares / (double)(n - 1));
}

/* Whole trajectories are resampled. */
static int intervals(const morris *job, msw_morris_index *index)
{
    unsigned d = job->design->factors;
    size_t resamples = job->how->resamples;
    tiles table;
    double *mean = msw_arena_take(job->arena, (resamples + 1) * d * sizeof *mean);
    double *values = msw_arena_take(job->arena, (resamples + 1) * sizeof *values);
    if (!mean || !values || tiles_init(&table, job->kept, d, job->arena))
        return -1;
    for (size_t t = 0; t < job->kept; t++)
        for (unsigned i = 0; i < d; i++)
            *tiles_at(&table, t, i) = fabs(job->effect[t * d + i]);
    if (bootstrap_means(&table, job->how, mean, job->arena))
        return -1;
    for (unsigned i = 0; i < d; i++) {
        for (size_t r = 0; r < resamples; r++)
            values[r] = mean[r * d + i];
        bootstrap_interval(values, job->how, &index[i].mu_star);
    }
    return 0;
}

int msw_morris(const msw_morris_design *design, const msw_resampling *resampling,
               msw_morris_index *index, msw_used *used, msw_err *err)
{
    msw_arena arena = {0};
    morris job = {.design = design, .how = resampling, .arena = &arena};
    int rc = -1;
    if (bootstrap_check(resampling, err) || collect_effects(&job, used, err))
        goto done;
    if (mark_signless(&job)) {
        msw_fail_memory(err);
        goto done;
    }
    for (unsigned i = 0; i < design->factors; i++)
        describe_factor(&job, i, &index[i]);
    rc = intervals(&job, index) ? msw_fail_memory(err) : 0;
done:
    msw_arena_free(&arena);
    return rc;
}

/* ---- one factor at a time ---- */

typedef struct position {
    double x, y;
} position;

/* The places with the least and greatest x that have an output, the baseline among them. */
static void extremes(const msw_oat_factor *factor, position *least, position *greatest)
{
    for (size_t i = 0; i < factor->levels; i++) {
        position here = {factor->x[i], factor->y[i]};
        if (isnan(here.y))
            continue;
        if (here.x < least->x)
            *least = here;
        if (here.x > greatest->x)
            *greatest = here;
    }
}

/* Logarithmic where everything is positive, so that it does not depend on which level is called the
 * baseline; relative to the baseline otherwise. */
static double elasticity(const msw_oat_factor *factor, double baseline)
{
    position a = {factor->x_baseline, baseline}, b = a;
    if (factor->unordered)
        return NAN;
    extremes(factor, &a, &b);
    if (a.x == b.x)
        return NAN;
    if (a.x > 0 && a.y > 0 && b.y > 0)
        return msw_math_log(b.y / a.y) / msw_math_log(b.x / a.x);
    if (baseline == 0 || factor->x_baseline == 0)
        return NAN;
    return (b.y - a.y) / baseline / ((b.x - a.x) / factor->x_baseline);
}

int msw_oat(const msw_oat_factor *factor, double baseline, msw_oat_effect *effect, msw_err *err)
{
    if (isnan(baseline))
        return msw_fail(err, "the baseline has no answer: nothing to compare with");
    *effect = (msw_oat_effect){.low = baseline, .high = baseline};
    for (size_t i = 0; i < factor->levels; i++) {
        effect->dropped += isnan(factor->y[i]);
        effect->low = fmin(effect->low, factor->y[i]);
        effect->high = fmax(effect->high, factor->y[i]);
    }
    effect->swing = effect->high - effect->low;
    effect->elasticity = elasticity(factor, baseline);
    return 0;
}
