/* SPDX-License-Identifier: MIT */
/* Private to calibrate: fronts and factors of the paper's sweeps over settings of the unknowns. */
#ifndef MSW_REPRODUCE_CALIBRATE_CONCLUSIONS_H
#define MSW_REPRODUCE_CALIBRATE_CONCLUSIONS_H

#include "memsweep/analysis/pareto.h"
#include "reproduce/calibrate/calibration.h"

enum { MSW_GIVEN, MSW_PRIOR, MSW_SIDES }; /* settings drawn from the weights; from the prior */

/* One sweep. Cells of a workload are side by side: load * points + point. */
typedef struct msw_concluded {
    const msw_paper_sweep *sweep;
    const char *why; /* it was not looked at; NULL: it was */
    uint64_t cost;   /* points it takes */
    size_t points, loads, replicates;
    unsigned objectives;
    const char *names[MSW_PARETO_OBJECTIVES];
    msw_goal goals[MSW_PARETO_OBJECTIVES];
    size_t factors;
    size_t *factor;           /* which of the plan's vary */
    size_t *level;            /* factors x points */
    double *front[MSW_SIDES]; /* by cell: share of the settings in which it is on the front */
    bool *shipped;            /* by cell: on the front at the defaults */
    /* Of the first objective, by workload. */
    bool *logs;                 /* on a log scale: all answers are above 0 */
    double *shares[MSW_SIDES];  /* x (factors + 1): of the variance; last: of the unknowns */
    double *largest[MSW_SIDES]; /* x factors */
} msw_concluded;

struct msw_conclusions {
    size_t count; /* different settings */
    size_t *settings;
    double *weights[MSW_SIDES]; /* by those, and a last one, 0: the defaults */
    bool nearest;               /* there is no weight: of the nearest settings */
    size_t sweep_count;
    msw_concluded *sweeps;
};

/* Whether a sweep was looked at and has a front. */
bool msw_concluded_looks(const msw_concluded *sweep);

/* front.c: what the settings say of a sweep. `values`: objectives x loads x (count + 1) x points.
 * Returns 0, or -1. */
int msw_concluded_judge(const msw_calibration *c, msw_concluded *sweep, double *values);

#endif
