/* SPDX-License-Identifier: MIT */
/* Private to explore: the closed form's answers as the explorer takes them. */
#ifndef MSW_EXPLORE_DATA_H
#define MSW_EXPLORE_DATA_H

#include "memsweep/explore/explore.h"
#include "memsweep/store/store.h"

/* A unit is a point, or a design over its workloads: points unit, unit + units, ... */
typedef struct msw_explore_data {
    const msw_plan *plan;
    msw_explore_space space;
    uint32_t *group, *stratum;
    bool *doubtful;
    double *values[MSW_EXPLORE_OBJECTIVES];   /* of the objectives, as costs */
    msw_guess *known[MSW_EXPLORE_OBJECTIVES]; /* of the open ones, where a table knows them */
    msw_explore_factor *factors;
    char **strata; /* what each is called: "alexnet/b1, bound by walks" */
    size_t points_per_unit;
} msw_explore_data;

/* Reads the rows of a complete sweep. Returns 0, or -1. */
int msw_explore_load(msw_store *store, const msw_plan *analytic, msw_explore_data *data,
                     msw_err *err);
void msw_explore_unload(msw_explore_data *data);

/* Appends the points of a unit. */
void msw_explore_points(const msw_explore_data *data, uint32_t unit, uint64_t *points);

/* The name of the rows of a part, over workloads where the plan says so. Returns it on the heap, or
 * NULL. */
char *msw_explore_name(msw_store *store, const msw_plan *part, msw_err *err);

/* Appends "point, status, objectives, within_limits, doubt" as both readers want them. */
void msw_explore_columns(const msw_plan *plan, msw_text *columns);

/* A value of an objective as a cost: lower is better, in logarithms where it is open. */
int msw_explore_cost(const msw_plan *plan, size_t objective, double value, double *cost,
                     msw_err *err);

bool msw_explore_has_limits(const msw_plan *plan);

/* Whether a row with those columns says that it is not to be trusted. */
bool msw_explore_is_doubtful(const msw_plan *plan, const msw_table *t, size_t row);

#endif
