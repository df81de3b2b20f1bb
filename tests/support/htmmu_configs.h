/* SPDX-License-Identifier: MIT */
/* Random htmmu configs: the design space, on a log scale where parameters are. */
#ifndef MEMSWEEP_TESTS_HTMMU_CONFIGS_H
#define MEMSWEEP_TESTS_HTMMU_CONFIGS_H

#include "htmmu_streams.h"

/* Sets all factors from a seed. */
void htmmu_random(direct *d, uint64_t seed);

/* Prints the values of all factors in one line. */
void htmmu_show(const direct *d);

#endif
