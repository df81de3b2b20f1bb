/* SPDX-License-Identifier: MIT */
#include "mech/engine/margins.h"

#include <math.h>

static msw_margin margin_of(const msw_task *task, const msw_predictions *of, int metric)
{
    int mark = metric < 0 ? -1 : task->map->mark_of[metric];
    msw_margin d = {.of = of, .marks = task->map->mark_count};
    if (mark < 0)
        return d;
    d.mark = (size_t)mark;
    d.weight = task->mech->metrics[metric].predicted.largest;
    return d;
}

static double sum_of(const msw_margin *d, size_t strata)
{
    double sum = 0;
    for (size_t h = 0; h < strata; h++)
        sum += d->of->sums[h * d->marks + d->mark];
    return sum;
}

msw_margins msw_margins_of_primary(const msw_task *task, size_t strata, const msw_predictions *own,
                                   const msw_shared_predictions *shared)
{
    size_t primary = (size_t)task->map->primary;
    msw_metric_kind kind = task->mech->metrics[primary].kind;
    if (kind != MSW_RATIO && kind != MSW_PAIRED)
        return (msw_margins){.num = margin_of(task, own, (int)primary)};
    int r = task->map->entries[primary].reference;
    const msw_predictions *other = r < 0 ? own : shared->all[r];
    msw_margins d = {.num = margin_of(task, own, task->map->entries[primary].num),
                     .den = margin_of(task, other, task->map->entries[primary].den)};
    /* The residual is x - R y, with the R that the predictions give. */
    double y = d.den.weight > 0 ? sum_of(&d.den, strata) : 0;
    d.den.weight *= d.num.weight > 0 && y != 0 ? fabs(sum_of(&d.num, strata) / y) : 1;
    return d;
}

bool msw_margins_any(const msw_margins *margins)
{
    return margins->num.weight > 0 || margins->den.weight > 0;
}

static double margin_at(const msw_margin *d, size_t h, uint64_t unit, bool whole)
{
    if (!(d->weight > 0))
        return 0;
    if (whole || !d->of->units[h])
        return d->weight * d->of->scale[h * d->marks + d->mark];
    return d->weight * d->of->scales[h][unit * d->marks + d->mark];
}

double msw_margins_of(const msw_margins *margins, size_t stratum, uint64_t unit, bool whole)
{
    return margin_at(&margins->num, stratum, unit, whole) +
           margin_at(&margins->den, stratum, unit, whole);
}
