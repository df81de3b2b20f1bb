/* SPDX-License-Identifier: MIT */
/* Private to mech: how far off the residual of the primary metric may be in a unit, as stated of
 * the predictions it is made of. */
#ifndef MSW_MECH_ENGINE_MARGINS_H
#define MSW_MECH_ENGINE_MARGINS_H

#include "mech/engine/evaluate.h"

/* One of the totals in the metric: its stated error counts `weight` times. */
typedef struct msw_margin {
    const msw_predictions *of;
    double weight;
    size_t mark, marks;
} msw_margin;

/* Numerator, or total, and denominator. */
typedef struct msw_margins {
    msw_margin num, den;
} msw_margins;

/* Those of the candidate and of what it is compared with. */
msw_margins msw_margins_of_primary(const msw_task *task, size_t strata, const msw_predictions *own,
                                   const msw_shared_predictions *shared);

/* Whether anything is stated. */
bool msw_margins_any(const msw_margins *margins);

/* The largest residual that unit may have; of its stratum with `whole`. */
double msw_margins_of(const msw_margins *margins, size_t stratum, uint64_t unit, bool whole);

#endif
