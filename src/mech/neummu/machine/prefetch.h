/* SPDX-License-Identifier: MIT */
/* Private to neummu: translations asked for ahead of the DMA engine. */
#ifndef MSW_MECH_NEUMMU_MACHINE_PREFETCH_H
#define MSW_MECH_NEUMMU_MACHINE_PREFETCH_H

#include "mech/neummu/machine/order.h"

#include "memsweep/sim/mmu.h"

/* A visit in the order of issue. */
typedef struct neummu_position {
    uint64_t during; /* step */
    int part;
    uint64_t visit;
} neummu_position;

typedef struct neummu_prefetch {
    const neummu_config *config;
    const neummu_stream *stream;  /* NULL: nothing is asked for ahead */
    uint64_t *asked;              /* by page not met yet: generation and, below, step */
    uint32_t generation;          /* of the machine: it changes when it is reset */
    uint64_t step;                /* that is being executed */
    neummu_position engine, next; /* what the engine is at; what is looked at next */
    uint64_t ahead;               /* visits looked at that the engine has not come to */
    uint64_t page;                /* next_page: what is looked at next; 0: nothing */
    uint64_t free;                /* tick of the next look-up */
    uint64_t lookups, walks;
    double useful,
        late; /* each as often as the step is executed that asked, less this one's share */
} neummu_prefetch;

/* Makes room in `arena` for what a stream's pages are known of, where the config asks for it; the
 * machine is reset after it. Returns 0, or -1. */
int neummu_prefetch_open(neummu_prefetch *prefetch, const neummu_config *config,
                         const neummu_stream *stream, msw_arena *arena, msw_err *err);

/* Goes back to time 0 with nothing asked for. */
void neummu_prefetch_reset(neummu_prefetch *prefetch);

/* Returns the number of the first visit of `flow`, which may be the last ones of the engine's part.
 */
uint64_t neummu_prefetch_first(const neummu_prefetch *prefetch, const neummu_flow *flow);

/* The engine comes to a visit of its part, at `now`. */
void neummu_prefetch_visit(neummu_prefetch *prefetch, const neummu_visit *visit, uint64_t number,
                           uint64_t now);

#endif
