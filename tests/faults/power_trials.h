/* SPDX-License-Identifier: MIT */
/* power_trials: every scenario with the power failing at any moment. */
#ifndef MEMSWEEP_FAULTS_POWER_TRIALS_H
#define MEMSWEEP_FAULTS_POWER_TRIALS_H

#include "tally.h"

/* Tries all moments: nothing of what is not sure is there, all of it, and `draws` random parts. */
void try_power(expected *e, uint64_t draws, tally *t);

#endif
