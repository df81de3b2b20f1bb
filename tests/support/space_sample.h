/* SPDX-License-Identifier: MIT */
/* Random configs over all parameters of a mechanism: the space that statements of agreement are
 * about. Choices and flags: all, alike. Numbers: the plausible range where the table gives one,
 * else the whole range, on the scale of the parameter. */
#ifndef MEMSWEEP_TESTS_SPACE_SAMPLE_H
#define MEMSWEEP_TESTS_SPACE_SAMPLE_H

#include "direct.h"

#include "memsweep/base/rng.h"

/* 0 where the range starts there, then the powers of two. */
static inline double space_pow2(double min, double max, double u)
{
    int low = (int)ceil(log2(fmax(min, 1))), high = (int)floor(log2(fmax(max, 1)));
    int steps = high - low + 1, zero = min == 0;
    int at = (int)(u * (steps + zero));
    return zero && at == 0 ? 0 : ldexp(1, low + at - zero);
}

static inline double space_value(const msw_param *p, double u)
{
    size_t choices = msw_param_choices(p);
    bool given = p->plausible_min != 0 || p->plausible_max != 0;
    double min = given ? p->plausible_min : p->min, max = given ? p->plausible_max : p->max;
    if (choices)
        return floor(u * (double)choices);
    if (p->scale == MSW_POW2)
        return space_pow2(min, max, u);
    if (p->scale == MSW_LOG)
        return min * pow(max / min, u);
    if (p->kind != MSW_REAL)
        return min + floor(u * (max - min + 1));
    return min + u * (max - min);
}

/* What the instrument is asked to do to the engine: to take time, to fail. */
static inline bool space_leaves(const msw_mech *mech, const char *param)
{
    return strncmp(mech->name, "null", 4) == 0 &&
           (strncmp(param, "cost", 4) == 0 || strstr(param, "_share"));
}

/* Draws config number `draw` of the stream `seed`. */
static inline void space_draw(direct *d, uint64_t seed, uint64_t draw)
{
    msw_rng rng;
    msw_rng_init(&rng, seed, draw);
    for (const msw_param *p = d->mech->params; p->name; p++) {
        double value = space_value(p, msw_rng_uniform(&rng));
        if (!space_leaves(d->mech, p->name))
            msw_param_set(p, d->config, value);
    }
}

#endif
