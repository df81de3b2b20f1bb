/* SPDX-License-Identifier: MIT */
/* Private to htmmu: the numbers of its metrics and the functions of its record. */
#ifndef MSW_MECH_HTMMU_MODEL_H
#define MSW_MECH_HTMMU_MODEL_H

#include "memsweep/mech/mechanism.h"
#include "memsweep/param/metric.h"

/* In the order of the columns. */
enum {
    HTMMU_CYCLES,
    HTMMU_RELATIVE_TIME,
    HTMMU_SPEEDUP,
    HTMMU_ISSUE,
    HTMMU_IDLE,
    HTMMU_STALL_BANK,
    HTMMU_STALL_MSHR,
    HTMMU_STALL_MERGE,
    HTMMU_STALL_WALKERS,
    HTMMU_STALL_MEMORY,
    HTMMU_REQUESTS,
    HTMMU_THROUGHPUT,
    HTMMU_WAIT,
    HTMMU_WAIT_ACCEPTED,
    HTMMU_MEAN_WAIT,
    HTMMU_MEAN_WAIT_ACCEPTED,
    HTMMU_RELATIVE_WAIT,
    HTMMU_WAIT_P50,
    HTMMU_WAIT_P99,
    HTMMU_WAIT_MAX,
    HTMMU_DIVERTED,
    HTMMU_BUSIEST_BANK,
    HTMMU_IMBALANCE,
    HTMMU_L1_HITS,
    HTMMU_L1_MISSES,
    HTMMU_L1_HIT_RATE,
    HTMMU_HELD,
    HTMMU_L2_LOOKUPS,
    HTMMU_L2_HITS,
    HTMMU_L2_HIT_RATE,
    HTMMU_REPLAYED,
    HTMMU_PTU_REQUESTS,
    HTMMU_MERGED,
    HTMMU_WALKS,
    HTMMU_REDUNDANT,
    HTMMU_MERGED_SHARE,
    HTMMU_REPEATED,
    HTMMU_REPEATED_SHARE,
    HTMMU_WALK_STEPS,
    HTMMU_WALK_ACCESSES,
    HTMMU_PATH_RATE,
    HTMMU_ACCESSES_PER_WALK,
    HTMMU_READS,
    HTMMU_ROW_HITS,
    HTMMU_READ_CYCLES,
    HTMMU_ROW_HIT_RATE,
    HTMMU_READ_LATENCY,
    HTMMU_MEMORY_BUSY,
    HTMMU_ENERGY,
    HTMMU_SRAM,
    HTMMU_AREA,
    HTMMU_LEAKAGE,
    HTMMU_LEAST_REQUESTER,
    HTMMU_LEAST_PORTS,
    HTMMU_LEAST_WINDOW,
    HTMMU_LEAST_L2_PORTS,
    HTMMU_LEAST_REGISTERS,
    HTMMU_LEAST_WALKERS,
    HTMMU_LEAST_MEMORY,
    HTMMU_BOUND_SHARE,
    HTMMU_METRICS,
};

extern const msw_metric htmmu_metrics[];
extern const msw_self_check htmmu_checks[];

/* Why a request is not dispatched yet: in the order of the cycle stack. */
typedef enum htmmu_cause {
    HTMMU_CAUSE_ISSUE,
    HTMMU_CAUSE_IDLE,
    HTMMU_CAUSE_BANK,
    HTMMU_CAUSE_MSHR,
    HTMMU_CAUSE_MERGE,
    HTMMU_CAUSE_WALKERS,
    HTMMU_CAUSE_MEMORY,
} htmmu_cause;

enum { HTMMU_CAUSES = HTMMU_STALL_MEMORY - HTMMU_ISSUE + 1 };

/* The closed form: closed/analytic.c. */
int htmmu_analytic(const msw_task *task, double *metrics, msw_err *err);

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
