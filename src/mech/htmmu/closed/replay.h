/* SPDX-License-Identifier: MIT */
/* Private to htmmu's closed form, a replay of a sample of misses: one after the other, through
 * registers, second TLB, queue and walkers. No TLB is kept: which pages are missing is known from
 * reuse, and requests that hit pass as a flow. */
#ifndef MSW_MECH_HTMMU_CLOSED_REPLAY_H
#define MSW_MECH_HTMMU_CLOSED_REPLAY_H

#include "mech/htmmu/closed/rates.h"
#include "mech/htmmu/metrics.h"

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

/* What is known of the whole stream. */
typedef struct htmmu_solution {
    const htmmu_config *config;
    htmmu_rates rates;
    htmmu_pace pace;
    htmmu_replay replay;
    double walks;           /* of different pages under way, mean */
    double requests, scale; /* scale: of the sample's misses to those of the stream */
    double others;          /* requests that neither miss both TLBs nor wait for who does */
    double cycles, wait, idle;
} htmmu_solution;

/* Cycles from the look-up of a miss to its answer, mean. */
static inline double htmmu_mean_taken(const htmmu_solution *solution)
{
    return solution->replay.misses > 0 ? solution->replay.taken / solution->replay.misses : 0;
}

/* Sets cycles, idle cycles and waits as the requester asks. Returns 0, or -1 when it has times to
 * keep and the workload has none. */
int htmmu_wait(const msw_task *task, htmmu_solution *solution, msw_err *err);

#endif
