/* SPDX-License-Identifier: MIT */
/* Laws that mechanisms declare (msw_law), tried: changes configs, compares their answers. */
#ifndef MSW_SUPPORT_LAWS_H
#define MSW_SUPPORT_LAWS_H

#include "memsweep/mech/laws.h"

/* A config of a mechanism with the one of its workload. */
typedef struct msw_law_side {
    const msw_mech *mech;
    const msw_workload *workload;
    void *config, *workload_config;
} msw_law_side;

/* Makes the changes of a list, ended by param NULL; NULL: none. Returns 1, 0 where nothing differs
 * afterwards, or -1 where a value would leave its range or a count would not be whole. */
int msw_law_set(const msw_law_change *changes, const msw_law_side *side);

/* One law, its expressions compiled. */
typedef struct msw_law_trial msw_law_trial;
int msw_law_open(const msw_mech *mech, const msw_law *law, msw_law_trial **trial, msw_err *err);
void msw_law_close(msw_law_trial *trial);

/* Whether the law is about a config. Returns 1, 0, or -1 with `err`. */
int msw_law_applies(msw_law_trial *trial, const msw_law_side *side, msw_err *err);

/* What the metric of the changed config is held against, from the other one with its metrics.
 * Returns 0 (NaN where that is not defined), or -1. */
int msw_law_than(msw_law_trial *trial, const msw_law_side *side, const double *metrics,
                 double *than, msw_err *err);

/* Whether the metric of the changed config and what it is held against obey the law. */
bool msw_law_holds(const msw_law *law, double value, double than);

/* Whether `violated` of `tried` pairs contradict the share that a law allows: more than it leaves
 * with a chance of 1 %. Returns the verdict. */
bool msw_law_broken(const msw_law *law, size_t violated, size_t tried);

#endif
