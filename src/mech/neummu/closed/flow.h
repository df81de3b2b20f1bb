/* SPDX-License-Identifier: MIT */
/* Private to neummu's closed form: how a flow of transactions passes the MMU, and the order of
 * loads, computing and stores, step after step. Cycles, as doubles. */
#ifndef MSW_MECH_NEUMMU_CLOSED_FLOW_H
#define MSW_MECH_NEUMMU_CLOSED_FLOW_H

#include "mech/neummu/ledger.h"
#include "mech/neummu/memory.h"
#include "mech/neummu/stream.h"

#include "memsweep/base/bits.h"

/* Where a distance lies among the bins of `reused`: its bin, and the share of it that is nearer. */
typedef struct neummu_reach {
    unsigned bin;
    double share;
} neummu_reach;

/* What a config means for every flow. */
typedef struct neummu_rates {
    const neummu_config *config;
    double width;             /* requests per cycle */
    double per_byte, latency; /* of the memory */
    neummu_memory memory;
    double lookup, hit;      /* cycles to the walkers, and of a TLB hit */
    double walkers, group;   /* requests that one walk answers at most */
    double steps[2];         /* levels a walk has, by page size */
    double depth;            /* visits that translations are asked for ahead; 0: none */
    double access, paths[2]; /* cycles of an access that goes to memory, of a walk's look-ups */
    double room;             /* requests of a page that can be under way at once */
    uint32_t kept;           /* bit l: a walk can skip level l */
    neummu_reach tlb, tlb2;  /* what the TLBs hold */
} neummu_rates;

/* Part of a flow, timed from its first issue. All are doubles, and counts stand as the metrics do:
 * from second_hits to saved as from NEUMMU_TLB2_HITS on, from lookups as from
 * NEUMMU_PREFETCH_LOOKUPS on. */
typedef struct neummu_flow_model {
    double requests, misses;
    double second_hits, merged, walks, replayed, redundant, blocked[MSW_BLOCK_COUNT];
    double levels, accesses, saved[3]; /* levels: accesses needed; saved: of levels 4, 3, 2 */
    double lookups, prefetches, useful, late;
    double bytes;
    double engine;             /* cycles it keeps the DMA engine */
    double first;              /* first translation */
    double last;               /* last translation */
    double burst, burst_bytes; /* when the last burst of translations begins, and its data */
    double before;             /* cycles that the walks of pages known at the start take */
    double last_bytes;         /* of the last request */
    double time, burst_time, last_time; /* what the memory takes for all, the burst, the last */
} neummu_flow_model;

/* Returns 0, or -1. */
int neummu_rates_of(const neummu_config *config, neummu_rates *rates, msw_err *err);

/* What walks and TLBs are for all flows; `rates` has the rest. */
void neummu_rates_of_walks(neummu_rates *rates);

/* Visits by where their page is found; flying: it is being walked. */
typedef struct neummu_found {
    double first, second, flying, missed;
} neummu_found;

/* Finds them as if walks took no time. Structs that are read at once are filled in place, here and
 * below: a copy waits for the words to be stored. */
void neummu_find(const neummu_rates *rates, const neummu_traffic *traffic, neummu_found *found);

/* Finds those that fly where walks take that long; visits are `spacing` apart. */
void neummu_find_flying(const neummu_rates *rates, const neummu_traffic *traffic, double spacing,
                        double walk, neummu_found *found);

/* Returns whether the first visit's page is among this many used last. */
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

/* Fills in accesses and saved levels of a flow's walks, and how long those but `again` take. */
void neummu_time_walks(const neummu_rates *rates, const neummu_traffic *traffic,
                       const neummu_flight *flight, neummu_flow_model *model,
                       neummu_lengths *lengths);

/* The same where only the mean and the first are asked for, and nothing is filled in. */
neummu_lengths neummu_time_mean_walk(const neummu_rates *rates, const neummu_traffic *traffic,
                                     const neummu_flight *flight, double walks);

/* Says how visits pass if every translation is known, `hit` cycles after it was asked for. */
void neummu_model_known(const neummu_rates *rates, const neummu_traffic *traffic, double hit,
                        neummu_flow_model *model);

/* Fills in what a flow's data takes of the memory's time. */
void neummu_time_data(const neummu_rates *rates, neummu_flow_model *model);

/* Says how visits pass of which the first `known` were asked for before the flow began. */
void neummu_model_flow(const neummu_rates *rates, const neummu_traffic *traffic, double known,
                       neummu_flow_model *model);

/* The pages that miss and how they are served: flow.c. */
typedef struct neummu_page_plan {
    double requests;       /* of a visit */
    double asked;          /* of them, those issued while the first walk is under way */
    double walks, answers; /* walks of a page; requests that each answers */
    double rest;           /* requests that wait for the page to arrive */
    bool serial;           /* the next page waits for this one */
    double again;          /* blocked requests that walk once more */
} neummu_page_plan;

/* The visits that miss: pages, their walks, and what the engine issues between them. */
typedef struct neummu_stretch {
    double pages, between, bytes;
    neummu_lengths walk;
} neummu_stretch;

/* Returns the requests of a page issued while a walk of it is under way. */
static inline double neummu_asked_during(const neummu_rates *rates, double requests, double walk)
{
    return msw_min_f64(walk * rates->width + 1, requests);
}

/* Corrects a flow of which `missed` visits miss for what is asked for ahead, the first `known`
 * visits before it began: its counts, its first translation, how its pages are served, by how many
 * walkers, and in `stretch` what is left to wait for: no pages where nothing is. */
void neummu_look_ahead(neummu_rates *rates, const neummu_traffic *traffic, double missed,
                       double known, neummu_page_plan *plan, neummu_stretch *stretch,
                       neummu_flow_model *model);

/* When the engine and the memory are free; a flow moves both. */
typedef struct neummu_path {
    const neummu_rates *rates;
    double issue, memory;
    double ahead;   /* how much before the end of issue a look-ahead past the flow may begin */
    uint32_t layer; /* of the flow moved last */
} neummu_path;

/* How far the timeline has come: machine/timeline.h. */
typedef struct neummu_line {
    double start, end, ready;
    uint32_t last, behind;
} neummu_line;

/* The closed form on its way through the steps. */
typedef struct neummu_closed {
    const neummu_stream *stream;
    const neummu_flow_model *models, *known; /* by traffic; known: with all translations known */
    const neummu_flow_model *ahead;          /* asked for before the flow begins; NULL: never are */
    neummu_rates rates;
    neummu_path at;
    neummu_line line;
    double times, *metrics; /* executions of the step, what its counts are added to */
} neummu_closed;

/* Starts before the first step; memory comes from `arena`. Returns 0, or -1. */
int neummu_closed_open(neummu_closed *closed, const neummu_config *config,
                       const neummu_stream *stream, msw_arena *arena, msw_err *err);

/* Adds the next step, number `i`, to the metrics. */
void neummu_closed_step(neummu_closed *closed, uint64_t i, double *metrics);

/* Adds what is left to store behind the last step, and moves nothing. */
void neummu_closed_rest(const neummu_closed *closed, double *metrics);

/* Fills in the totals that others add up to. */
void neummu_closed_totals(double *metrics);

/* Adds what a step gives to the totals. */
void neummu_closed_add(const double *own, double *metrics);

/* Writes what step `i`, whose cycles are `cycles`, adds to the detail tables, its walks counted
 * `times`. Returns 0, or -1. */
int neummu_closed_detail(const neummu_closed *closed, const msw_task *task, neummu_ledger *ledger,
                         uint64_t i, double cycles, double times, msw_err *err);

#endif
