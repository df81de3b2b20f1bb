/* SPDX-License-Identifier: MIT */
/* Private to neummu_sparse: the functions of its record. */
#ifndef MSW_MECH_NEUMMU_SPARSE_MODEL_H
#define MSW_MECH_NEUMMU_SPARSE_MODEL_H

#include "memsweep/mech/mechanism.h"

enum { NEUMMU_SPARSE_STRATA = 24 };

/* The closed form: closed/analytic.c. */
int neummu_sparse_analytic(const msw_task *task, double *metrics, msw_err *err);

/* The cycle model: machine/units.c. */
size_t neummu_sparse_state_bytes(const msw_task *task);
int neummu_sparse_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int neummu_sparse_begin(const msw_task *task, void *state, msw_err *err);
int neummu_sparse_warm(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                       msw_err *err);
int neummu_sparse_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                          msw_unit_out *out, msw_err *err);

extern const msw_law neummu_sparse_laws[];
void neummu_sparse_bounds(const msw_task *task, double *metrics);

#endif
