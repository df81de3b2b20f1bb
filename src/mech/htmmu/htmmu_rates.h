/* Private to htmmu's closed form: what becomes of the requests, and how fast they go. */
#ifndef MEMSWEEP_HTMMU_RATES_H
#define MEMSWEEP_HTMMU_RATES_H

#include "htmmu_profile.h"
#include "memsweep/dram_analytic.h"

/* Requests that take each way. */
typedef struct htmmu_ways {
    double requests, l1_hits, l2_hits;
    double fresh;     /* page in no TLB and not being walked */
    double repeats;   /* page being walked */
    double redundant; /* repeats that walk again, beside the first walk */
    double late;      /* walks of requests that waited for a walker until their page had come */
    double excess;    /* repeats that find no merge item */
    double early;     /* mean part of a walk that is over when a repeat comes */
    double accesses;  /* of a walk */
} htmmu_ways;

/* What of a config and stream does not depend on speed. */
typedef struct htmmu_static {
    const htmmu_config *config;
    const htmmu_profile *profile;
    const htmmu_part *part;
    const htmmu_banks *banks;
    double requests, streams, registers; /* registers: of all banks that requests can reach */
    double ports;                        /* requests per cycle */
    double l1_misses;                    /* were no page being walked */
    double fresh, size;                  /* size: capacity that misses as often, on a log scale */
    double repeats[HTMMU_SPANS];         /* requests less than 2^span behind a fresh one */
    double merged[HTMMU_SPANS];          /* of those, with an item */
    double first[HTMMU_SPANS];           /* of those, the first of theirs */
    double queued[HTMMU_SPANS];          /* as repeats, with those that wait for a walker */
    double room;                         /* misses under way at most */
    double accesses, steps, walk;        /* of a walk; walk: cycles */
} htmmu_static;

/* Of one part of the stream. */
htmmu_static htmmu_static_of(const htmmu_config *config, const htmmu_profile *profile,
                             const htmmu_banks *banks, int part);

/* Sets the cycles of a page-table access. */
void htmmu_set_access(htmmu_static *fixed, double cycles);

/* Returns the cycles of a walk's page-table accesses. */
double htmmu_reading(const htmmu_static *fixed);

/* What becomes of the requests. */
htmmu_ways htmmu_ways_of(const htmmu_static *fixed);

/* How a closed network of requests goes. */
typedef struct htmmu_flow {
    double time; /* cycles for all requests */
    double walk; /* cycles of a walk */
    double hold; /* cycles that a miss holds its register, mean */
    double miss; /* cycles from acceptance of a miss to its answer, mean */
    double ports, registers, walkers, window, second; /* bounds on the time */
} htmmu_flow;

htmmu_flow htmmu_flow_of(const htmmu_static *fixed, const htmmu_ways *ways);

#endif
