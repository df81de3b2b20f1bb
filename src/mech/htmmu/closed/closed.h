/* SPDX-License-Identifier: MIT */
/* Private to htmmu's closed form: the machine on stretches of a stream, what they say of all of it,
 * and what the requester makes of that. README.md, "Closed form". */
#ifndef MSW_MECH_HTMMU_CLOSED_CLOSED_H
#define MSW_MECH_HTMMU_CLOSED_CLOSED_H

#include "mech/htmmu/machine/machine.h"
#include "mech/htmmu/model.h"

enum { HTMMU_STRETCHES = 24 };

/* Counts of a part of the stream. */
typedef struct htmmu_part {
    double totals[HTMMU_METRICS];
    double accesses; /* of walks, those that lines answer with them */
} htmmu_part;

typedef struct htmmu_stretch {
    uint64_t unit, end;
    double stalls; /* cycles in which no request went though the ports were free */
    double fresh;  /* visits that the TLBs do not hold */
} htmmu_stretch;

/* The beginning of a stream and stretches of the rest, or all of it. */
typedef struct htmmu_sample {
    htmmu_machine *machine;
    const htmmu_stream *stream;
    const htmmu_slot *waits;    /* of all requests that went */
    htmmu_part head, rest, end; /* end: from the last dispatch on */
    htmmu_stretch stretches[HTMMU_STRETCHES];
    size_t count;        /* of stretches; 0: all of the stream went */
    uint64_t head_units; /* before them */
    double span, spans;  /* visits that use as many pages as the last TLB holds: sum, how often */
    double inside;       /* requests under way at the end of the last stretch */
} htmmu_sample;

/* Estimates of the stream from a sample. */
typedef struct htmmu_estimate {
    double requests; /* scales what comes with each request, */
    double stalls;   /* the stalls, and */
    double fresh;    /* what comes with fresh visits */
    double error;    /* of the cycles, one standard deviation over them; 0: all went */
} htmmu_estimate;

/* Passes about `requests` requests of the stream through a machine that is empty. */
void htmmu_pass_sample(htmmu_sample *sample, htmmu_machine *machine, uint64_t requests);

htmmu_estimate htmmu_estimate_of(const htmmu_sample *sample);

/* A stream that requests are made for as fast as they are taken: cycles. What the requester makes
 * of it: the others but `requests`, `first`, `alone`. */
typedef struct htmmu_service {
    double requests, cycles, wait, idle;
    double first, alone; /* cycles of the first answer; of a request that meets none, mean */
} htmmu_service;

/* Returns 0, or -1 when the requester has times to keep and the workload has none. */
int htmmu_serve(const msw_task *task, htmmu_service *service, msw_err *err);

#endif
