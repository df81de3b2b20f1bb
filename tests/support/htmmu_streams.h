/* SPDX-License-Identifier: MIT */
/* Streams of addresses whose properties are known, as a front end of the tests' own, and points of
 * htmmu on them. */
#ifndef MEMSWEEP_TESTS_HTMMU_STREAMS_H
#define MEMSWEEP_TESTS_HTMMU_STREAMS_H

#include "direct.h"

#include "mech/htmmu/model.h"
#include "mech/htmmu/stream.h"

extern const msw_mech msw_mech_htmmu;

typedef enum stream_kind {
    STREAM_SEQUENTIAL, /* 64 bytes apart */
    STREAM_UNIFORM,    /* any 64 bytes of the footprint */
    STREAM_SKEWED,     /* blocks of `run` requests; the place of a block is footprint x u^4 */
    STREAM_CYCLE,      /* `pages` pages of 2 MiB in turn, `run` requests each */
    STREAM_GIVEN,      /* `given` */
} stream_kind;

typedef struct stream_config {
    stream_kind kind;
    uint64_t requests, footprint, pages, run, seed;
    const uint64_t *given, *times;
    const uint16_t *requesters;
} stream_config;

void stream_preset(direct *d, const char *name);

/* Defaults of htmmu on a stream. */
void stream_open(direct *d, stream_config stream);

double stream_metric(const direct *d, const char *name);

#endif
