/* SPDX-License-Identifier: MIT */
/* Spaces for exploring whose truth is known: a grid with one exact objective and one open one,
 * whose closed form errs by a law of two factors and is wrong altogether at planted spikes. */
#ifndef MEMSWEEP_EXPLORE_SPACE_H
#define MEMSWEEP_EXPLORE_SPACE_H

#include "memsweep/explore/explore.h"

typedef struct explore_space {
    msw_explore_space space;
    double *exact, *closed, *full; /* the open ones in logarithms */
    uint32_t *group, *stratum;
    uint8_t *levels;
    msw_explore_factor *factors;
} explore_space;

/* Makes one of `groups` grids with 4 factors of `levels` levels. A share `spikes` of the designs is
 * better in full by `depth` (in logarithms) than the closed form has it. */
explore_space *explore_space_new(uint32_t groups, unsigned levels, double spikes, double depth,
                                 uint64_t seed);
void explore_space_free(explore_space *s);

/* Explores to the end. Returns the explorer, or NULL after a message. */
msw_explorer *explore_space_run(const explore_space *s, const msw_explore_rules *rules);

/* Units that were not run and that nothing announced covers. Returns how many. */
uint64_t explore_space_wrong(const explore_space *s, const msw_explorer *e, double tolerance);

#endif
