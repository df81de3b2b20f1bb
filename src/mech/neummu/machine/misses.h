/* SPDX-License-Identifier: MIT */
/* Private to neummu: which visits the first TLB does not hold, found by a pass without time. */
#ifndef MSW_MECH_NEUMMU_MACHINE_MISSES_H
#define MSW_MECH_NEUMMU_MACHINE_MISSES_H

#include "mech/neummu/machine/order.h"

/* The second TLB sees these visits alone. */
typedef struct neummu_misses {
    uint64_t *bits;        /* by visit: those of a step's early loads, late loads, store */
    uint64_t *first_visit; /* by step */
    uint32_t *oldest;      /* by step: the step that missed the pages it misses longest ago for the
                              last time; its own number */
} neummu_misses;

/* Finds them, all in `arena`. Returns 0, or -1. */
int neummu_find_misses(neummu_misses *misses, const neummu_stream *stream,
                       const msw_tlb_config *tlb, msw_arena *arena, msw_err *err);

/* Returns the number of a flow's first visit. */
uint64_t neummu_misses_first(const neummu_misses *misses, const neummu_stream *stream,
                             const neummu_issued *issued);

/* Returns whether a visit was missed. */
static inline bool neummu_missed(const neummu_misses *misses, uint64_t visit)
{
    return misses->bits[visit >> 6] >> (visit & 63) & 1;
}

#endif
