/* SPDX-License-Identifier: MIT */
/* Private to neummu_sparse: the numbers of its metrics and the functions of its record. */
#ifndef MSW_MECH_NEUMMU_SPARSE_MODEL_H
#define MSW_MECH_NEUMMU_SPARSE_MODEL_H

#include "memsweep/mech/mechanism.h"
#include "memsweep/param/metric.h"

/* In the order of the columns. */
enum {
    NEUMMU_SPARSE_CYCLES,
    NEUMMU_SPARSE_SLOWDOWN,
    NEUMMU_SPARSE_RELATIVE,
    NEUMMU_SPARSE_LATENCY,
    NEUMMU_SPARSE_TRANSLATION,
    NEUMMU_SPARSE_TRANSFER,
    NEUMMU_SPARSE_CPU,
    NEUMMU_SPARSE_FAULT,
    NEUMMU_SPARSE_GATHER,
    NEUMMU_SPARSE_MLP,
    NEUMMU_SPARSE_BATCHES,
    NEUMMU_SPARSE_REQUESTS,
    NEUMMU_SPARSE_REMOTE,
    NEUMMU_SPARSE_BYTES,
    NEUMMU_SPARSE_REMOTE_BYTES,
    NEUMMU_SPARSE_MOVED_BYTES,
    NEUMMU_SPARSE_BLOAT,
    NEUMMU_SPARSE_FAULTS,
    NEUMMU_SPARSE_HITS,
    NEUMMU_SPARSE_MISSES,
    NEUMMU_SPARSE_HIT_RATE,
    NEUMMU_SPARSE_MERGED,
    NEUMMU_SPARSE_WALKS,
    NEUMMU_SPARSE_REDUNDANT,
    NEUMMU_SPARSE_WALK_ACCESSES,
    NEUMMU_SPARSE_PER_WALK,
    NEUMMU_SPARSE_SRAM,
    NEUMMU_SPARSE_ENERGY_ARRAY,
    NEUMMU_SPARSE_ENERGY_MEMORY,
    NEUMMU_SPARSE_ENERGY_LINKS,
    NEUMMU_SPARSE_ENERGY_TRANSLATION,
    NEUMMU_SPARSE_ENERGY_ALL,
    NEUMMU_SPARSE_EDP,
    NEUMMU_SPARSE_LEAST_ISSUE,
    NEUMMU_SPARSE_LEAST_MEMORY,
    NEUMMU_SPARSE_LEAST_LINK,
    NEUMMU_SPARSE_LEAST_WALKERS,
    NEUMMU_SPARSE_LEAST_HANDLERS,
    NEUMMU_SPARSE_LEAST_CPU,
    NEUMMU_SPARSE_LEAST_ARRAY,
    NEUMMU_SPARSE_BOUND_SHARE,
    NEUMMU_SPARSE_METRICS,
};

extern const msw_metric neummu_sparse_metrics[];
extern const msw_self_check neummu_sparse_checks[];

/* Energy: energy.c. */
void neummu_sparse_derive(const msw_task *task, double *metrics);

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
