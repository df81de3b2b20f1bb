/* SPDX-License-Identifier: MIT */
/* Intervals of derived metrics: the delta method with numeric gradients. */
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

int msw_estimate_derived(const msw_task *task, const msw_unit_set *set,
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
            answer->half_widths[m] = derived_half_width(task, set, references, c, &in, slopes, m);
    return 0;
}
