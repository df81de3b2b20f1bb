/* SPDX-License-Identifier: MIT */
/* Estimates metrics and their intervals from measured units. Every interval is that of a linear
 * combination of unit values: a total itself, a linearised ratio, or a derived metric's gradient
 * (the delta method with numeric gradients). Finds the metrics beside the primary one that the
 * number of units must serve. */
#include "mech/engine/evaluate.h"

#include <math.h>
#include <string.h>

/* Everything derived metrics depend on: own totals, then each reference's totals. */
typedef struct inputs {
    size_t width, count; /* metrics; vectors (1 + references) */
    double *totals;      /* count x width */
    const double **reference_totals;
    double *work; /* one metric vector */
} inputs;

static int inputs_init(const msw_task *task, const msw_unit_set *set,
                       const msw_references *references, msw_columns *c, const double *maxima,
                       inputs *in, msw_err *err)
{
    in->width = set->map->metric_count;
    in->count = 1 + references->count;
    in->totals = msw_arena_zero(task->arena, in->count * in->width, sizeof *in->totals);
    in->reference_totals = msw_arena_zero(task->arena, in->count, sizeof *in->reference_totals);
    in->work = msw_arena_take(task->arena, in->width * sizeof *in->work);
    if (!in->totals || !in->reference_totals || !in->work)
        return msw_fail_memory(err);
    memcpy(in->totals, maxima, in->width * sizeof *maxima);
    for (size_t r = 0; r < references->count; r++) {
        in->reference_totals[r] = in->totals + (r + 1) * in->width;
        for (size_t t = 0; t < set->map->total_count; t++) {
            int m = set->map->totals[t];
            in->totals[(r + 1) * in->width + (size_t)m] =
                msw_columns_total(task, set, references->units[r], m, c);
        }
    }
    return 0;
}

static const double *derive(const msw_task *task, inputs *in)
{
    memcpy(in->work, in->totals, in->width * sizeof *in->work);
    msw_finish_metrics(task, in->reference_totals, in->work);
    return in->work;
}

/* Central differences of all metrics in input `j`: `width` of them, 0 where there is none. */
static void gradient(const msw_task *task, inputs *in, size_t j, double *slopes)
{
    double old = in->totals[j], step = fabs(old) * 1e-5;
    memset(slopes, 0, in->width * sizeof *slopes);
    if (step == 0)
        return;
    in->totals[j] = old + step;
    memcpy(slopes, derive(task, in), in->width * sizeof *slopes);
    in->totals[j] = old - step;
    const double *down = derive(task, in);
    in->totals[j] = old;
    for (size_t m = 0; m < in->width; m++) {
        double slope = (slopes[m] - down[m]) / (2 * step);
        slopes[m] = isfinite(slope) ? slope : 0;
    }
}

/* All of them: input after input, the totals of one vector after those of the other. */
static double *gradients(const msw_task *task, const msw_unit_set *set, inputs *in)
{
    size_t totals = set->map->total_count;
    double *slopes =
        msw_arena_take(task->arena, (in->count * totals + 1) * in->width * sizeof *slopes);
    for (size_t v = 0; slopes && v < in->count; v++)
        for (size_t t = 0; t < totals; t++)
            gradient(task, in, v * in->width + (size_t)set->map->totals[t],
                     slopes + (v * totals + t) * in->width);
    return slopes;
}

/* Returns the magnitude of what was added, on average. */
static double add_scaled(const msw_unit_set *set, const msw_reference_units *reference, size_t h,
                         int metric, double factor, msw_columns *c)
{
    double size = 0, measured = (double)set->strata[h].measured;
    double whole = msw_columns_gather(set, reference, h, metric, c->y);
    for (uint64_t i = 0; i < set->strata[h].measured; i++) {
        c->x[i] += factor * c->y[i];
        size += fabs(factor * c->y[i]);
    }
    if (set->strata[h].members)
        return fabs(factor) * whole;
    return measured > 0 ? size / measured : 0;
}

static double derived_half_width(const msw_task *task, const msw_unit_set *set,
                                 const msw_references *references, msw_columns *c, const inputs *in,
                                 const double *slopes, size_t m)
{
    size_t totals = set->map->total_count;
    msw_columns_begin(c);
    for (size_t h = 0; h < set->stratum_count; h++) {
        double size = 0, bound = 0;
        memset(c->x, 0, set->strata[h].measured * sizeof *c->x);
        for (size_t v = 0; v < in->count; v++)
            for (size_t t = 0; t < totals; t++) {
                const msw_reference_units *from = v ? references->units[v - 1] : NULL;
                double slope = slopes[(v * totals + t) * in->width + m];
                int metric = set->map->totals[t];
                if (slope == 0)
                    continue;
                size += add_scaled(set, from, h, metric, slope, c);
                bound += fabs(slope) * msw_columns_bound(task, set, from, h, metric);
            }
        msw_columns_sample(set, h, size, 0, bound, c);
        c->samples[h].size = set->strata[h].members ? c->samples[h].size : size;
    }
    msw_columns_end(set, c);
    return msw_columns_half_width(task, set, c);
}

static bool any_unfit(const msw_references *references)
{
    for (size_t r = 0; r < references->count; r++)
        if (references->units[r]->unfit)
            return true;
    return false;
}

static int msw_estimate_derived(const msw_task *task, const msw_unit_set *set,
                                const msw_references *references, msw_columns *c, bool exact,
                                msw_answer *answer, msw_err *err)
{
    inputs in;
    if (!set->map->derived)
        return 0;
    if (inputs_init(task, set, references, c, answer->metrics, &in, err))
        return -1;
    const double *metrics = derive(task, &in);
    for (size_t m = 0; m < in.width; m++)
        if (task->mech->metrics[m].kind == MSW_DERIVED) {
            answer->metrics[m] = metrics[m];
            answer->half_widths[m] = exact ? 0 : NAN;
        }
    if (exact)
        return 0;
    const double *slopes = gradients(task, set, &in);
    if (!slopes)
        return msw_fail_memory(err);
    for (size_t m = 0; m < in.width; m++)
        if (task->mech->metrics[m].kind == MSW_DERIVED)
            answer->half_widths[m] =
                isnan(answer->metrics[m]) && any_unfit(references)
                    ? NAN
                    : derived_half_width(task, set, references, c, &in, slopes, m);
    return 0;
}

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
    const msw_reference_units *reference = reference_of(set, references, metric);
    bool total = task->mech->metrics[metric].kind == MSW_TOTAL;
    bool ratio = !total && !(reference && reference->unfit);
    int num = total ? metric : set->map->entries[metric].num;
    double x = msw_columns_total(task, set, NULL, num, &c);
    primary->half_width = task->sampling.target * fabs(x);
    primary->total = primary->residual = copy_samples(task, set, &c);
    if (ratio) {
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
        if (below == 0 || isnan(below))
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

bool msw_metric_wanted(const msw_task *task, size_t metric)
{
    return (int)metric == task->map->primary ||
           (task->sampling.metrics[metric / 64] >> metric % 64 & 1) != 0;
}

static bool is_served_here(const msw_task *task, size_t metric)
{
    msw_metric_kind kind = task->mech->metrics[metric].kind;
    return msw_metric_wanted(task, metric) && (kind == MSW_QUANTILE || kind == MSW_DERIVED);
}

static double square(double x)
{
    return x * x;
}

/* How many times as many units bring the widest of these intervals to the target. */
static double find_factor(const msw_task *task, const msw_answer *pilot)
{
    double factor = 1;
    for (size_t m = 0; m < task->map->metric_count; m++) {
        double goal = task->sampling.target * fabs(pilot->metrics[m]);
        if (is_served_here(task, m) && pilot->half_widths[m] > goal)
            factor = fmax(factor, square(pilot->half_widths[m] / goal));
    }
    return factor;
}

int msw_units_serve(const msw_task *task, const msw_unit_set *set, const msw_references *references,
                    uint64_t *wanted, msw_err *err)
{
    msw_answer pilot = {0};
    bool any = false;
    for (size_t m = 0; m < task->map->metric_count; m++)
        any |= is_served_here(task, m);
    if (!any)
        return 0;
    pilot.metrics = msw_arena_zero(task->arena, task->map->metric_count, sizeof(double));
    pilot.half_widths = msw_arena_zero(task->arena, task->map->metric_count, sizeof(double));
    if (!pilot.metrics || !pilot.half_widths)
        return msw_fail_memory(err);
    if (msw_estimate(task, set, references, &pilot, err))
        return -1;
    double factor = find_factor(task, &pilot);
    for (size_t h = 0; h < set->stratum_count; h++) {
        double units = (double)set->strata[h].units;
        double more = ceil(factor * (double)set->strata[h].measured);
        uint64_t n = more < units ? (uint64_t)more : set->strata[h].units;
        wanted[h] = wanted[h] > n ? wanted[h] : n;
    }
    return 0;
}
