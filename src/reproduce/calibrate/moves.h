/* SPDX-License-Identifier: MIT */
/* Private to calibrate: particles that are moved to where the weight is. */
#ifndef MSW_REPRODUCE_CALIBRATE_MOVES_H
#define MSW_REPRODUCE_CALIBRATE_MOVES_H

#include "reproduce/calibrate/calibration.h"

/* What particles are moved by. */
typedef struct msw_move_ask {
    double (*log)(const void *context, size_t setting); /* logarithm of the likelihood */
    const void *context;
    const bool *out; /* settings that nothing starts from, whole blocks of them; NULL: none */
    uint64_t seed;
    uint64_t most; /* settings computed */
} msw_move_ask;

/* Moves particles, with the table as it stands judged; fills `moved`, whose `setting` the caller
 * frees. Stops where c->interrupted. Returns 0, or -1. */
int msw_calibration_move(msw_calibration *c, const msw_move_ask *ask, msw_moved *moved);

/* How many settings moves may compute. */
uint64_t msw_calibration_moves_most(const msw_calibration *c);

#endif
