/* SPDX-License-Identifier: MIT */
/* Private to neummu: the order in which the flows of all steps are issued. */
#ifndef MSW_MECH_NEUMMU_MACHINE_ORDER_H
#define MSW_MECH_NEUMMU_MACHINE_ORDER_H

#include "mech/neummu/stream.h"

/* What is issued while a step is begun: the store that waits behind, its early loads, the store of
 * the step before, its late loads. */
enum { NEUMMU_PART_BEHIND, NEUMMU_PART_EARLY, NEUMMU_PART_STORE, NEUMMU_PART_LATE, NEUMMU_PARTS };

/* A flow and whose it is. */
typedef struct neummu_issued {
    const neummu_flow *flow;
    uint64_t step;
    int kind; /* NEUMMU_EARLY, NEUMMU_LATE, NEUMMU_STORE */
} neummu_issued;

/* Finds what part `part` of step `during` is. Returns whether there is one. */
bool neummu_issued_at(const neummu_stream *stream, uint64_t during, int part, neummu_issued *out);

#endif
