/* SPDX-License-Identifier: MIT */
/* Private to htmmu's closed form: hit rates, were nothing to wait for anything, and a replay of a
 * sample of misses: one after the other, through registers, second TLB, queue and walkers. No TLB
 * is kept: which pages are missing is known from reuse, and requests that hit pass as a flow. */
#ifndef MSW_MECH_HTMMU_CLOSED_REPLAY_H
#define MSW_MECH_HTMMU_CLOSED_REPLAY_H

#include "mech/htmmu/closed/profile.h"
#include "mech/htmmu/model.h"

#include "memsweep/sim/dram_analytic.h"

typedef struct htmmu_rates {
    double spread;    /* 1: requests go to the banks in turn, 0: to the bank that they name */
    double l1_misses; /* of requests */
    double fresh;     /* visits on a page that neither TLB holds */
    double few, many; /* requests of a visit that finds its page in the second TLB only: HTMMU_FEW,
                         HTMMU_MANY of each at most */
    double touches;   /* requests of a fresh visit that are the first at their bank */
    int size;         /* capacity whose sample represents them, */
    double capacity;  /* the same, not rounded */
    double ports;     /* requests per cycle that hit */
    double steps;     /* of a walk, */
    double accesses;  /* those that the path cache does not save; of these */
    double reads;     /* go to memory, */
    double waits;     /* wait for what another walk reads, in reads' time */
    double again_accesses, again_reads; /* of a walk of a page that was walked shortly before */
} htmmu_rates;

/* Returns the banks that the requests of a page can go to. */
static inline double htmmu_reach(const htmmu_config *config)
{
    return config->router == HTMMU_ROUTER_ADAPTIVE ? (double)config->streams : 1;
}

/* Sets what a walk that finds so many others under way does, mean. */
void htmmu_walk_rates(const htmmu_config *config, const htmmu_profile *profile,
                      const htmmu_table *table, double walks, htmmu_rates *rates);

/* Sets all but what a walk does, from `spread`. */
void htmmu_hit_rates(const htmmu_config *config, const htmmu_profile *profile,
                     const htmmu_banks *banks, const htmmu_joint *joint, htmmu_rates *rates);

/* Returns how many walks there are under way at most. */
double htmmu_most_walks(const htmmu_config *config, const htmmu_profile *profile,
                        const htmmu_rates *rates);

/* What a walk takes. */
typedef struct htmmu_walk_pace {
    double search;               /* cycles in the path cache and in lines of the table */
    double reading[HTMMU_LOADS]; /* at memory, by load */
    double accesses, reads;      /* accesses: with those that lines answer */
} htmmu_walk_pace;

/* What the replay goes by. */
typedef struct htmmu_pace {
    const htmmu_config *config;
    const htmmu_sample *sample;
    const uint16_t *requesters; /* by access, or NULL */
    const double *named;        /* share of requests by named bank */
    double ports;               /* requests per cycle that hit */
    double rate;                /* the same, with what else each request waits for */
    double registered;          /* requests per cycle that one register lets pass */
    double second;              /* share of the other requests that find their page in the second
                                   TLB only */
    double channels; /* that reads are counted by; 0: all take what they take at load 0 */
    htmmu_walk_pace first, again; /* again: of a page that was walked since it was dropped */
    double lines; /* of the table are kept: who wants one that is read waits; 0: none */
} htmmu_pace;

/* What came of the sample: of requests on pages that are fetched, unless said. */
typedef struct htmmu_replay {
    double passes;                      /* times through the sample */
    double cycles, stall[HTMMU_CAUSES]; /* stall: time in which nothing was dispatched */
    double misses, touched, l2_hits, merged, walks, redundant, replayed, held;
    double dispatched, diverted; /* diverted: to another bank than the one they name */
    double inside;               /* misses under way at its end */
    double reading;              /* cycles of walks at memory with banks, summed */
    double accesses, reads;      /* accesses: with those that lines answer */
    double taken;                /* cycles from the look-up of a miss to its answer, summed */
    double first;                /* cycles to the first answer to a miss */
    double longest, drain;       /* drain: from the last dispatch to the last answer */
} htmmu_replay;

void htmmu_replay_sample(const htmmu_pace *pace, htmmu_replay *result);

#endif
