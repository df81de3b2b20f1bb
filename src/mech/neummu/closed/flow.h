/* Private to neummu's closed form: how a flow of transactions passes the MMU. Cycles, as doubles.
 */
#ifndef MSW_MECH_NEUMMU_CLOSED_FLOW_H
#define MSW_MECH_NEUMMU_CLOSED_FLOW_H

#include "mech/neummu/memory.h"
#include "mech/neummu/stream.h"

#include "memsweep/base/bits.h"

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

/* Part of a flow, timed from its first issue. */
typedef struct neummu_flow_model {
    double requests, bytes;
    double engine;             /* cycles it keeps the DMA engine */
    double first;              /* first translation */
    double last;               /* last translation */
    double burst, burst_bytes; /* when the last burst of translations begins, and its data */
    double blocked[MSW_BLOCK_COUNT];
    double misses, second_hits, merged, walks, replayed, redundant;
    double levels, accesses, saved[3]; /* levels: accesses needed; saved: of levels 4, 3, 2 */
} neummu_flow_model;

/* Returns 0, or -1. */
int neummu_rates_of(const neummu_config *config, neummu_rates *rates, msw_err *err);

/* Visits by where their page is found; flying: it is being walked. */
typedef struct neummu_found {
    double first, second, flying, missed;
} neummu_found;

/* Finds them; visits are `spacing` apart. Returns them. */
neummu_found neummu_find(const neummu_rates *rates, const neummu_traffic *traffic, double spacing,
                         double walk);

/* Returns whether the first visit's page is among so many used last. */
bool neummu_head_within(const neummu_traffic *traffic, int64_t entries);

/* How long walks take. */
typedef struct neummu_lengths {
    double mean, head;       /* all; the first visit's */
    double slow, slow_walks; /* those that do not know their path, and how many they are */
    double fast;             /* the others */
} neummu_lengths;

/* Returns what walks take that read every level. */
neummu_lengths neummu_cold_walks(const neummu_rates *rates, bool large);

/* Visits that miss, walks that begin before one that has just begun is over, and walks that find
 * their page's entry in the unified cache. */
typedef struct neummu_flight {
    double missed, walks, again;
} neummu_flight;

/* Fills in accesses and saved levels of a flow's walks. Returns how long those but `again` take.
 */
neummu_lengths neummu_time_walks(const neummu_rates *rates, const neummu_traffic *traffic,
                                 const neummu_flight *flight, neummu_flow_model *model);

/* Returns how visits pass. */
neummu_flow_model neummu_model_flow(const neummu_rates *rates, const neummu_traffic *traffic);

#endif
