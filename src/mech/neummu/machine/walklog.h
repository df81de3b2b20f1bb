/* SPDX-License-Identifier: MIT */
/* Private to neummu: the walks of a step, for the detail tables. */
#ifndef MSW_MECH_NEUMMU_MACHINE_WALKLOG_H
#define MSW_MECH_NEUMMU_MACHINE_WALKLOG_H

#include "mech/neummu/ledger.h"

/* Start from a zeroed struct. */
typedef struct neummu_walk_log {
    const msw_task *task;
    uint64_t origin; /* tick; when the step's loads, or the store before them, may begin */
    uint32_t step;
    uint64_t *begin, *end; /* ticks after the origin */
    size_t count, room;
    bool failed;
    msw_err err;
} neummu_walk_log;

/* Begins the walks of a step. */
void neummu_walk_log_start(neummu_walk_log *log, const msw_task *task, uint64_t origin,
                           uint32_t step);

/* Enters a walk whose request was issued at `asked` and reaches the walkers `lookup` later. */
void neummu_walk_log_add(neummu_walk_log *log, uint64_t asked, uint64_t lookup, uint64_t done);

/* Counts the latencies and writes the table of walkers. Returns 0, or -1. */
int neummu_walk_log_flush(neummu_walk_log *log, neummu_ledger *ledger, uint64_t stratum,
                          msw_err *err);

#endif
