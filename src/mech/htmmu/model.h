/* SPDX-License-Identifier: MIT */
/* Private to htmmu: the functions of its record. */
#ifndef MSW_MECH_HTMMU_MODEL_H
#define MSW_MECH_HTMMU_MODEL_H

#include "memsweep/mech/mechanism.h"

/* The closed form: closed/analytic.c, and the artifacts that only it needs. */
int htmmu_analytic(const msw_task *task, double *metrics, msw_err *err);

int htmmu_build_rows(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);
int htmmu_build_table(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int htmmu_build_profile(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err);
int htmmu_build_banks(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int htmmu_build_joint(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);

/* The cycle model: machine/units.c. */
size_t htmmu_state_bytes(const msw_task *task);
int htmmu_strata(const msw_task *task, msw_stratum *strata, size_t *count, msw_err *err);
int htmmu_begin(const msw_task *task, void *state, msw_err *err);
double htmmu_lead(const msw_task *task, const void *state);
int htmmu_advance(const msw_task *task, void *state, size_t stratum, uint64_t unit, msw_err *err);
int htmmu_measure(const msw_task *task, void *state, size_t stratum, uint64_t unit,
                  msw_unit_out *out, msw_err *err);

extern const msw_law htmmu_laws[];
void htmmu_bounds(const msw_task *task, double *metrics);

#endif
