/* SPDX-License-Identifier: MIT */
/* Private to neummu: the numbers of its metrics, presets that are machines by their public
 * figures, the functions of its record. */
#ifndef MSW_MECH_NEUMMU_MODEL_H
#define MSW_MECH_NEUMMU_MODEL_H

#include "mech/neummu/config.h"

#include "memsweep/mech/mechanism.h"
#include "memsweep/param/metric.h"

/* In the order of the columns. */
enum {
    NEUMMU_CYCLES,
    NEUMMU_SLOWDOWN,
    NEUMMU_LAYER_START,
    NEUMMU_FILL,
    NEUMMU_TRANSLATION,
    NEUMMU_MEMORY,
    NEUMMU_COMPUTE,
    NEUMMU_WRITE_BACK,
    NEUMMU_STORE_TRANSLATION,
    NEUMMU_TILES,
    NEUMMU_TRANSLATIONS,
    NEUMMU_PAGES,
    NEUMMU_PAGES_PER_TILE,
    NEUMMU_PAGES_MAX,
    NEUMMU_TLB_HITS,
    NEUMMU_TLB_MISSES,
    NEUMMU_TLB_HIT_RATE,
    NEUMMU_TLB2_HITS,
    NEUMMU_MERGED,
    NEUMMU_WALKS,
    NEUMMU_REPLAYED,
    NEUMMU_REDUNDANT,
    NEUMMU_BLOCKED_WALKERS,
    NEUMMU_BLOCKED_SLOTS,
    NEUMMU_BLOCKED_OUTSTANDING,
    NEUMMU_WALK_STEPS,
    NEUMMU_WALK_ACCESSES,
    NEUMMU_PATH_HITS_L4,
    NEUMMU_PATH_HITS_L3,
    NEUMMU_PATH_HITS_L2,
    NEUMMU_PATH_RATE_L4,
    NEUMMU_PATH_RATE_L3,
    NEUMMU_PATH_RATE_L2,
    NEUMMU_ACCESSES_PER_WALK,
    NEUMMU_PREFETCH_LOOKUPS,
    NEUMMU_PREFETCHES,
    NEUMMU_PREFETCHES_USEFUL,
    NEUMMU_PREFETCHES_LATE,
    NEUMMU_ENERGY,
    NEUMMU_SRAM,
    NEUMMU_AREA,
    NEUMMU_LEAKAGE,
    NEUMMU_PREFETCHES_USELESS,
    NEUMMU_ENERGY_ARRAY,
    NEUMMU_ENERGY_PADS,
    NEUMMU_ENERGY_MEMORY,
    NEUMMU_ENERGY_STATIC,
    NEUMMU_ENERGY_ALL,
    NEUMMU_EDP,
    NEUMMU_AREA_ALL,
    NEUMMU_PEAK,
    NEUMMU_LEAST_ARRAY,
    NEUMMU_LEAST_ISSUE,
    NEUMMU_LEAST_MEMORY,
    NEUMMU_LEAST_WALKERS,
    NEUMMU_LEAST_OUTSTANDING,
    NEUMMU_BOUND_SHARE,
    NEUMMU_METRICS,
};

extern const msw_metric neummu_metrics[];
extern const msw_self_check neummu_checks[];

extern const msw_preset_value neummu_preset_tpu_v1[], neummu_preset_tpu_v3[],
    neummu_preset_tpu_v4[], neummu_preset_tpu_v5e[], neummu_preset_tpu_v5p[],
    neummu_preset_gaudi2[], neummu_preset_gaudi3[], neummu_preset_h100_copy[];

/* The closed form: closed/answer.c. */
int neummu_analytic(const msw_task *task, double *metrics, msw_err *err);

/* What its units are expected to give: closed/predict.c. */
bool neummu_predictable(const void *config);
int neummu_predict_begin(const msw_task *task, const void **prediction, msw_err *err);
int neummu_predict(const msw_task *task, size_t stratum, uint64_t unit, msw_unit_prediction *out,
                   msw_err *err);

/* The cycle model: machine/units.c. At `analytic`, which simulates a few units, fewer visits run
 * before each. */
enum { NEUMMU_WARM_SHORT = 32 };

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
