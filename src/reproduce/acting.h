/* SPDX-License-Identifier: MIT */
/* Private to reproduce: where the parameters of a plan act. One of the mechanism acts at a point of
 * the design or does not, whatever the workload. One of a front end may act for some of its
 * workloads only, as a workload's name says some of the front end's parameters. */
#ifndef MSW_REPRODUCE_ACTING_H
#define MSW_REPRODUCE_ACTING_H

#include "memsweep/sweep/sweep.h"

typedef struct msw_acting msw_acting;

/* Compiles the conditions of all tables of a plan; they belong to one thread. Returns 0, or -1. */
int msw_acting_new(const msw_plan *plan, msw_acting **acting, msw_err *err);
void msw_acting_free(msw_acting *acting);

/* Whether points of a workload have to be asked about parameter `index` of the schema: for one of
 * the mechanism those of the first workload, for one of a front end those of all its workloads. */
bool msw_acting_concerns(const msw_acting *acting, size_t index, size_t workload);

/* Asks whether the parameter acts with the block of such a point; where `open` is not NULL, whether
 * it may, with any value of the parameters of the schema that are open. Returns 1, 0, or -1. */
int msw_acting_at(const msw_acting *acting, size_t index, const void *block, const bool *open,
                  msw_err *err);

#endif
