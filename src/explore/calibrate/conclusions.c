/* SPDX-License-Identifier: MIT */
/* Measures how far a conclusion depends on the settings: docs/models/calibrate.md, section 9. */
#include "memsweep/explore/calibrate.h"

#include <math.h>
#include <stdlib.h>

/* ---- variance ---- */

/* Weight and mean of values that come one by one. */
typedef struct mean {
    double weight, sum;
} mean;

static void add(mean *m, double weight, double value)
{
    m->weight += weight;
    m->sum += weight * value;
}

static double mean_of(const mean *m)
{
    return m->weight > 0 ? m->sum / m->weight : 0;
}

typedef struct part {
    const msw_answers *a;
    size_t first, end; /* settings */
    const double *weights;
    double middle, total; /* of all: mean, and variance times weight */
} part;

static double weight_of(const part *p, size_t setting, size_t point)
{
    return isnan(p->a->values[setting * p->a->points + point]) ? 0 : p->weights[setting];
}

/* Below so small a part of the squared mean a variance is rounding. */
#define ROUNDING 1e-24

static void find_total(part *p)
{
    mean all = {0, 0};
    p->total = 0;
    for (size_t s = p->first; s < p->end; s++)
        for (size_t i = 0; i < p->a->points; i++)
            if (weight_of(p, s, i) > 0)
                add(&all, weight_of(p, s, i), p->a->values[s * p->a->points + i]);
    p->middle = mean_of(&all);
    for (size_t s = p->first; s < p->end; s++)
        for (size_t i = 0; i < p->a->points; i++) {
            double w = weight_of(p, s, i), d = p->a->values[s * p->a->points + i] - p->middle;
            p->total += w > 0 ? w * d * d : 0;
        }
    if (p->total <= ROUNDING * p->middle * p->middle * all.weight)
        p->total = 0;
}

static double between(const part *p, const mean *levels, size_t count)
{
    double sum = 0;
    for (size_t l = 0; l < count; l++) {
        double d = mean_of(&levels[l]) - p->middle;
        sum += levels[l].weight * d * d;
    }
    return p->total > 0 ? sum / p->total : NAN;
}

/* Share of a factor; `levels` has room for one per point. */
static double share_of(const part *p, size_t factor, mean *levels)
{
    const size_t *level = &p->a->level[factor * p->a->points];
    for (size_t i = 0; i < p->a->points; i++)
        levels[i] = (mean){0, 0};
    for (size_t s = p->first; s < p->end; s++)
        for (size_t i = 0; i < p->a->points; i++)
            if (weight_of(p, s, i) > 0)
                add(&levels[level[i]], weight_of(p, s, i), p->a->values[s * p->a->points + i]);
    return between(p, levels, p->a->points);
}

static double share_of_settings(const part *p, mean *levels)
{
    for (size_t s = 0; s < p->a->settings; s++) {
        levels[s] = (mean){0, 0};
        for (size_t i = 0; i < p->a->points; i++)
            if (weight_of(p, s, i) > 0)
                add(&levels[s], weight_of(p, s, i), p->a->values[s * p->a->points + i]);
    }
    return between(p, levels, p->a->settings);
}

/* The factor with the largest share in one setting, or `factors` where nothing differs. */
static size_t largest_in(const msw_answers *a, const double *weights, size_t setting, mean *levels)
{
    part p = {.a = a, .first = setting, .end = setting + 1, .weights = weights};
    size_t best = a->factors;
    double most = 0;
    find_total(&p);
    for (size_t f = 0; p.total > 0 && f < a->factors; f++) {
        double share = share_of(&p, f, levels);
        if (share > most + 1e-9) { /* of equal ones the first */
            most = share;
            best = f;
        }
    }
    return best;
}

int msw_answers_shares(const msw_answers *a, const double *weights, double *shares, double *largest,
                       msw_err *err)
{
    size_t room = a->points > a->settings ? a->points : a->settings;
    mean *levels = malloc((room + 1) * sizeof *levels);
    part all = {.a = a, .end = a->settings, .weights = weights};
    double sum = 0;
    if (!levels)
        return msw_fail_memory(err);
    find_total(&all);
    for (size_t f = 0; f < a->factors; f++) {
        shares[f] = share_of(&all, f, levels);
        largest[f] = 0;
    }
    shares[a->factors] = share_of_settings(&all, levels);
    for (size_t s = 0; s < a->settings; s++) {
        size_t f = weights[s] > 0 ? largest_in(a, weights, s, levels) : a->factors;
        if (f < a->factors) {
            largest[f] += weights[s];
            sum += weights[s];
        }
    }
    for (size_t f = 0; f < a->factors; f++)
        largest[f] = sum > 0 ? largest[f] / sum : NAN;
    free(levels);
    return 0;
}
