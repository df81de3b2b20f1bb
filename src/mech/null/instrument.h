/* SPDX-License-Identifier: MIT */
/* Private to the null mechanism. A mechanism's private header holds its typed config, its metric
 * numbers and whatever its two model files share. */
#ifndef MSW_MECH_NULL_INSTRUMENT_H
#define MSW_MECH_NULL_INSTRUMENT_H

#include "memsweep/mech/mechanism.h"

enum { NULL_INPUTS = 10 };

/* One field per parameter: int64_t, or double for reals. Models read these and nothing else. */
typedef struct null_config {
    int64_t function;
    double x[NULL_INPUTS];
    double gain, carry;
    double cost, cost_tail;
    int64_t cost_kind;
    double fail_share, nan_share, feasible_sum;
    int64_t predict_law, predict_flags, predict_sum, unit_events;
    double predict_error;
    int64_t terms, train_batches;
    double cost_batch;
    double planted_error, planted_spikes, planted_depth;
} null_config;

/* Metric numbers, in the order of the table in record.c. */
enum {
    NULL_CYCLES,
    NULL_BUSY,
    NULL_STALL,
    NULL_WORK,
    NULL_RATE,
    NULL_SLOWDOWN,
    NULL_PEAK,
    NULL_P90,
    NULL_Y,
    NULL_F1,
    NULL_F2,
    NULL_F3,
    NULL_METRICS,
};

enum {
    NULL_LINEAR,
    NULL_ISHIGAMI,
    NULL_SOBOL_G,
    NULL_FACTORIAL_TABLE,
    NULL_ZDT1,
    NULL_ZDT2,
    NULL_DTLZ2
};
enum { NULL_SPIN, NULL_SLEEP };
enum { NULL_NO_LAW, NULL_SMALL, NULL_RARE, NULL_BIASED, NULL_COST };

/* The artifact: how each stratum's work is weighted, the same for all points of a workload. */
typedef struct null_tilt {
    const double *tilt; /* per stratum */
    const double *mean; /* of the weights */
} null_tilt;

/* What is shared by all workloads, in the order of the record's list. */
enum { NULL_TILT, NULL_SERIES, NULL_TRAINED };

bool null_needs_series(const void *config);
int null_build_series(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);

bool null_needs_trained(const void *config);
int null_build_trained(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err);
double null_cost_trained(const msw_task *task);
int null_flatten_trained(const void *root, msw_text *bytes, msw_err *err);
int null_unflatten_trained(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                           const void **root, msw_err *err);

/* What the artifacts that are no model's add to y. */
double null_shared(const msw_task *task);

int null_build_tilt(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err);
int null_analytic(const msw_task *task, double *metrics, msw_err *err);
size_t null_state_bytes(const msw_task *task);
int null_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int null_begin(const msw_task *task, void *state, msw_err *err);
int null_move(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int null_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                 msw_unit_out *out, msw_err *err);
bool null_predictable(const void *config);
int null_predict(const msw_task *task, size_t stratum, uint64_t unit, msw_unit_prediction *out,
                 msw_err *err);
int null_predict_sum(const msw_task *task, size_t stratum, msw_unit_prediction *out, msw_err *err);
void null_derive(const msw_task *task, double *metrics);

/* Spends the time a point is asked to cost and fails the points that are asked to fail: the part
 * of the instrument that is not a model. Returns 0, or -1. */
int null_cost(const msw_task *task, msw_err *err);

#endif
