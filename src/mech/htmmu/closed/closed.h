/* SPDX-License-Identifier: MIT */
/* Private to htmmu's closed form: the machine on stretches of a stream, what they say of all of it,
 * and what the requester makes of that. README.md, "Closed form". */
#ifndef MSW_MECH_HTMMU_CLOSED_CLOSED_H
#define MSW_MECH_HTMMU_CLOSED_CLOSED_H

#include "mech/htmmu/machine/machine.h"
#include "mech/htmmu/model.h"

enum {
    HTMMU_STRETCHES = 128,      /* at most */
    HTMMU_WHOLE_MOST = 1 << 19, /* requests of a stream that may go whole */
};
#define HTMMU_NEAR 0.1 /* errors up to here are small enough */

/* Counts of a part of the stream. */
typedef struct htmmu_part {
    double totals[HTMMU_METRICS];
    double accesses; /* of walks, those that lines answer with them */
} htmmu_part;

typedef struct htmmu_stretch {
    double stalls; /* cycles in which no request went though the ports were free */
    double fresh;  /* visits that the TLBs do not hold */
} htmmu_stretch;

/* Blocks of the stream, and those of them that went. */
typedef struct htmmu_blocks {
    double count, requests, fresh; /* of all */
    htmmu_part part;               /* of those that went, */
    htmmu_stretch stretches[HTMMU_STRETCHES];
    size_t went; /* so many */
    struct {
        double requests; /* scales what comes with each request, */
        double stalls;   /* the stalls, and */
        double fresh;    /* what comes with fresh visits */
    } scale;
} htmmu_blocks;

/* Kinds of blocks: without and with fresh visits. */
enum { HTMMU_HELD_BLOCKS, HTMMU_FRESH_BLOCKS, HTMMU_BLOCKS };

/* The beginning of a stream and stretches of the rest, or all of it. */
typedef struct htmmu_sample {
    htmmu_machine *machine;
    const htmmu_stream *stream;
    const htmmu_slot *waits; /* of all requests that went */
    htmmu_part head, end;    /* end: from the last dispatch on */
    htmmu_blocks blocks[HTMMU_BLOCKS];
    bool whole;    /* all of the stream went, in the head */
    double inside; /* requests under way at the end of the last stretch */
    double error;  /* of the cycles, one standard deviation over them; 0: all went */
    double lasts;  /* requests that go while a miss lasts */
} htmmu_sample;

/* Passes `stretches` of so many requests, or longer ones, through a machine that is empty; where
 * that is more than half of the stream, or `stretches` is 0, all of it. Finds the scales. Returns
 * 0, or -1. */
int htmmu_pass_sample(htmmu_sample *sample, htmmu_machine *machine, size_t stretches,
                      uint64_t requests, msw_arena *arena, msw_err *err);

/* Whether that is the whole stream. */
bool htmmu_is_whole(const htmmu_stream *stream, size_t stretches, uint64_t requests);

/* The requests that went. */
double htmmu_went(const htmmu_sample *sample);

/* A stream that requests are made for as fast as they are taken: cycles. What the requester makes
 * of it: the others but `requests`, `first`, `alone`. */
typedef struct htmmu_service {
    double requests, cycles, wait, idle;
    double first, alone; /* cycles of the first answer; of a request that meets none, mean */
} htmmu_service;

/* Returns 0, or -1 when the requester has times to keep and the workload has none. */
int htmmu_serve(const msw_task *task, htmmu_service *service, msw_err *err);

#endif
