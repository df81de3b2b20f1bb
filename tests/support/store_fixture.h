/* SPDX-License-Identifier: MIT */
/* A toy mechanism with two front ends, plans over it made by hand, and rows whose values follow
 * from the point's number: what the store's tests and bench write and expect back. */
#ifndef MEMSWEEP_STORE_FIXTURE_H
#define MEMSWEEP_STORE_FIXTURE_H

#include "store/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct toy_config {
    int64_t ways, bytes, policy, wide;
    double share;
} toy_config;

enum { TOY_PARAM_COUNT = 5, TOY_METRIC_COUNT = 7 };

extern const msw_param TOY_PARAMS[TOY_PARAM_COUNT + 1];

typedef struct toy_front_config {
    int64_t value;
} toy_front_config;

extern const msw_param ALPHA_PARAMS[];
extern const msw_param BETA_PARAMS[];

/* A plan and what it points to. */
typedef struct toy_plan {
    msw_plan plan;
    const msw_frontend *frontends[2];
    msw_workload workloads[2];
    size_t workload_frontend[2];
    msw_derived derived[1];
    msw_objective objectives[2];
    msw_mech mech;
    char canonical[400];
    uint64_t salt;   /* other salt: no key is equal */
    uint64_t period; /* points are equal modulo this; 0: all differ */
} toy_plan;

/* `per_workload` points for each of `workloads` (1 or 2) workloads. */
void toy_plan_init(toy_plan *toy, const char *name, uint64_t per_workload, size_t workloads);

void toy_plan_free(toy_plan *toy);

int toy_key(void *context, uint64_t point, msw_digest *key, msw_err *err);

/* Adds the row of a point: an answer unless `status` says otherwise. */
void toy_row(const toy_plan *toy, msw_batch *batch, uint64_t point, msw_status status);

msw_batch *toy_batch(const toy_plan *toy);

extern const msw_run_info TOY_RUN;

#endif
