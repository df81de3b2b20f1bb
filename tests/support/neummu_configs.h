/* SPDX-License-Identifier: MIT */
/* Random neummu configs: the whole design space, on a log scale where parameters are. */
#ifndef MEMSWEEP_TESTS_NEUMMU_CONFIGS_H
#define MEMSWEEP_TESTS_NEUMMU_CONFIGS_H

#include "direct.h"

/* Sets all factors from a seed. */
void neummu_random(direct *d, uint64_t seed);

#endif
