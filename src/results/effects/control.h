/* SPDX-License-Identifier: MIT */
/* Private to effects: what indices with a control share, whatever the design. */
#ifndef MSW_RESULTS_EFFECTS_CONTROL_H
#define MSW_RESULTS_EFFECTS_CONTROL_H

#include "results/effects/design.h"

#endif
