/* Private to mech: how far off the residual of the primary metric may be in a unit, as stated of the
 * predictions it is made of. */
#ifndef MSW_MECH_ENGINE_DOUBTS_H
#define MSW_MECH_ENGINE_DOUBTS_H

#include "mech/engine/evaluate.h"

/* One of the totals in the metric: its stated error counts `weight` times. */
typedef struct msw_doubt {
    const msw_predictions *of;
    double weight;
    size_t mark, marks;
} msw_doubt;

/* Numerator, or total, and denominator. */
typedef struct msw_doubts {
    msw_doubt num, den;
} msw_doubts;

/* Those of the candidate and of what it is compared with. */
msw_doubts msw_doubts_of_primary(const msw_task *task, size_t strata, const msw_predictions *own,
                                 const msw_shared_predictions *shared);

/* Whether anything is stated. */
bool msw_doubts_any(const msw_doubts *doubts);

/* The largest residual that unit may have; of its stratum with `whole`. */
double msw_doubts_of(const msw_doubts *doubts, size_t stratum, uint64_t unit, bool whole);

#endif
