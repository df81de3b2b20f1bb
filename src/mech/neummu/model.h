/* SPDX-License-Identifier: MIT */
/* Private to neummu: the functions of its record. */
#ifndef MSW_MECH_NEUMMU_MODEL_H
#define MSW_MECH_NEUMMU_MODEL_H

#include "mech/neummu/config.h"

#include "memsweep/mech/mechanism.h"

/* The closed form: closed/analytic.c. */
int neummu_analytic(const msw_task *task, double *metrics, msw_err *err);

/* What its units are expected to give: closed/predict.c. */
bool neummu_predictable(const void *config);
int neummu_predict_begin(const msw_task *task, const void **prediction, msw_err *err);
int neummu_predict(const msw_task *task, size_t stratum, uint64_t unit, msw_unit_prediction *out,
                   msw_err *err);

/* The cycle model: machine/units.c. */

/* Returns whether `full` is one pass, as units cannot be rebuilt exactly: policies but LRU,
 * translations asked for ahead. */
bool neummu_carried(const msw_task *task);
bool neummu_carries(const neummu_config *config);
size_t neummu_state_bytes(const msw_task *task);
int neummu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int neummu_begin(const msw_task *task, void *state, msw_err *err);
int neummu_warm(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int neummu_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                   msw_unit_out *out, msw_err *err);
int neummu_finish_details(const msw_task *task, void *state, msw_err *err);

extern const msw_law neummu_laws[];
void neummu_bounds(const msw_task *task, double *metrics);

#endif
