/* SPDX-License-Identifier: MIT */
/* Private to neummu: what a unit finds when it begins, and which visits the first TLB does not
 * hold, found by a pass without time. */
#ifndef MSW_MECH_NEUMMU_MACHINE_WARM_STATE_H
#define MSW_MECH_NEUMMU_MACHINE_WARM_STATE_H

#include "mech/neummu/machine/order.h"
#include "mech/neummu/machine/timeline.h"

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

/* Room to reconstruct what the steps before a unit have left. */
typedef struct neummu_warm_room {
    uint64_t *recent;            /* neummu_warm_pages: pages, newest first */
    uint64_t *seen;              /* neummu_warm_slots of them, for an msw_set */
    uint32_t *in_set;            /* neummu_warm_sets: pages by set */
    const neummu_misses *misses; /* what the second TLB sees; NULL: there is none */
    /* What has been issued of a step of which only the last loads are executed: its parts up to
     * `begun_part`, and of that one the visits of `head`. */
    uint64_t begun; /* UINT64_MAX: no step is cut */
    int begun_part;
    neummu_flow head;
} neummu_warm_room;

/* Pages that are worth remembering. */
uint64_t neummu_warm_pages(const neummu_config *config);

/* Sets of the TLB that has most of them. */
uint64_t neummu_warm_sets(const neummu_config *config);

/* Slots of a hash set of this many pages. */
uint64_t neummu_warm_slots(uint64_t pages);

/* Fills TLBs and path caches with what the steps before `from` have left, as far as it matters for
 * the steps up to `to`. */
void neummu_restore_warm_state(const neummu_warm_room *room, neummu_machine *machine,
                               const neummu_stream *stream, uint64_t from, uint64_t to);

#endif
