/* Private to htmmu's closed form: the misses of a sample, one after the other, through registers,
 * second TLB, queue and walkers. No TLB is kept: which pages are missing is known from reuse, and
 * requests that hit pass as a flow. */
#ifndef MEMSWEEP_HTMMU_REPLAY_H
#define MEMSWEEP_HTMMU_REPLAY_H

#include "htmmu_machine.h"
#include "htmmu_rates.h"

enum { HTMMU_LOADS = 9 }; /* walks under way per channel: 1, 2, 4 .. 256 */

/* What the replay goes by. */
typedef struct htmmu_pace {
    const htmmu_config *config;
    const htmmu_sample *sample;
    const double *named;         /* share of requests by named bank */
    double ports;                /* requests per cycle that hit */
    double rate;                 /* the same, with what else each request waits for */
    double second;               /* share of the other requests that find their page in the second
                                    TLB only */
    double channels;             /* of memory; 0: every walk takes walk[0] */
    double walk[HTMMU_LOADS];    /* cycles, by load */
} htmmu_pace;

/* What came of the sample: of requests on pages that are fetched, unless said. */
typedef struct htmmu_replay {
    double cycles, stall[HTMMU_CAUSES]; /* stall: time in which nothing was dispatched */
    double misses, touched, l2_hits, merged, walks, redundant, replayed, held, diverted;
    double inside; /* misses under way at its end */
    double taken; /* cycles from the look-up of a miss to its answer, summed */
    double longest, drain; /* drain: from the last dispatch to the last answer */
} htmmu_replay;

void htmmu_replay_sample(const htmmu_pace *pace, htmmu_replay *result);

#endif
