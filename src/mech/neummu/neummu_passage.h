/* Private to neummu's closed form: how a flow of transactions passes the MMU. Cycles, as doubles.
 */
#ifndef MEMSWEEP_NEUMMU_PASSAGE_H
#define MEMSWEEP_NEUMMU_PASSAGE_H

#include "neummu.h"

/* What a config means for every flow. */
typedef struct neummu_rates {
    const neummu_config *config;
    double width;             /* requests per cycle */
    double per_byte, latency; /* of the memory */
    neummu_memory memory;
    double lookup, hit;    /* cycles to the walkers, and of a TLB hit */
    double walkers, group; /* requests that one walk answers at most */
    double steps[2];       /* levels a walk has, by page size */
} neummu_rates;

/* A flow, timed from its first issue. */
typedef struct neummu_passage {
    double requests, bytes;
    double engine;             /* cycles it keeps the DMA engine */
    double first;              /* first translation */
    double last;               /* last translation */
    double burst, burst_bytes; /* when the last burst of translations begins, and its data */
    double blocked[MSW_BLOCK_COUNT];
    double misses, second_hits, merged, walks, replayed, redundant;
    double levels, accesses, saved[3]; /* levels: accesses needed; saved: of levels 4, 3, 2 */
} neummu_passage;

/* Returns 0, or -1. */
int neummu_rates_of(const neummu_config *config, neummu_rates *rates, msw_err *err);

/* Returns how one flow passes after another. */
neummu_passage neummu_pass_both(const neummu_passage *a, const neummu_passage *b);

/* Returns how a flow passes. */
neummu_passage neummu_pass(const neummu_rates *rates, const neummu_traffic *traffic);

#endif
