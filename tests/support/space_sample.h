/* SPDX-License-Identifier: MIT */
/* Random configs over all parameters of a mechanism: the space that statements of agreement are
 * about (msw_param_draw). */
#ifndef MEMSWEEP_TESTS_SPACE_SAMPLE_H
#define MEMSWEEP_TESTS_SPACE_SAMPLE_H

#include "direct.h"

#include "memsweep/base/rng.h"

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
        double value = msw_param_draw(p, msw_rng_uniform(&rng));
        if (!space_leaves(d->mech, p->name))
            msw_param_set(p, d->config, value);
    }
}

#endif
