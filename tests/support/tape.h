/* SPDX-License-Identifier: MIT */
/* A tape: what every unit of a config gave, measured once, and what was predicted of it. Samples
 * are then drawn from it, so that hundreds of them take no longer than their choice. Exact where
 * units do not influence each other. */
#ifndef MEMSWEEP_TESTS_TAPE_H
#define MEMSWEEP_TESTS_TAPE_H

#include "direct.h"

/* Records that measure every unit by the mechanism and write it down, and that read it back; the
 * earlier tapes are dropped. `mech` outlives them. */
void tape_open(const msw_mech *mech, msw_mech *recorder, msw_mech *player);
void tape_close(void);

/* Whether samples read from a tape know what is predicted. */
void tape_predict(msw_mech *player, bool predict);

/* How far the units of a config are from what is predicted of `metric`. */
typedef struct tape_errors {
    uint64_t units, apart; /* not equal to the prediction (1e-9) */
    uint64_t beyond;       /* farther than stated, and not uncertain */
    uint64_t uncertain;
    double sum, stated; /* of |y - z|, and of the stated errors, over the sum of y */
} tape_errors;

tape_errors tape_errors_of(const void *config, int metric);

/* Events over those of full that a sample of this paired metric needs at least, predictions
 * included, so that differences that are all equal rule out at the confidence what would change it
 * by `target`: rates in proportion to the stated errors, by the cost of each unit. */
double tape_least(const void *config, int paired, double target, double confidence);

#endif
