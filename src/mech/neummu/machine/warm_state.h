/* Private to neummu: what a unit finds when it begins. */
#ifndef MSW_MECH_NEUMMU_MACHINE_WARM_STATE_H
#define MSW_MECH_NEUMMU_MACHINE_WARM_STATE_H

#include "mech/neummu/machine/timeline.h"

/* Room to reconstruct what the steps before a unit have left. */
typedef struct neummu_warm_room {
    uint64_t *recent;            /* neummu_warm_pages: pages, newest first */
    uint64_t *seen;              /* neummu_warm_slots of them: a hash set, page + 1, 0 where free */
    const neummu_timeline *line; /* whose stores are still to come */
    neummu_flow store, head;     /* what the step `from` has done already: a store, first loads */
} neummu_warm_room;

/* Pages that are worth remembering. */
uint64_t neummu_warm_pages(const neummu_config *config);

/* Slots of a hash set of so many pages. */
uint64_t neummu_warm_slots(uint64_t pages);

/* Fills TLBs and path caches with what the steps before `from` have left, as far as it matters for
 * the steps up to `to`. */
void neummu_restore_warm_state(const neummu_warm_room *room, neummu_machine *machine,
                               const neummu_stream *stream, uint64_t from, uint64_t to);

#endif
