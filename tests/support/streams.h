/* SPDX-License-Identifier: MIT */
/* Workloads of the front ends sparse and trace as tests want them: by name with settings, or from
 * bytes as if they were in a file. */
#ifndef MEMSWEEP_TESTS_STREAMS_H
#define MEMSWEEP_TESTS_STREAMS_H

#include "accesses.h"

#include "memsweep/base/text.h"
#include "memsweep/workload/sparse.h"
#include "memsweep/workload/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stream {
    msw_workload workload;
    union {
        msw_sparse_config sparse;
        msw_trace_config trace;
        unsigned char bytes[MSW_FRONTEND_CONFIG_MAX];
    } config;
    msw_arena arena;
    msw_product product;
    const msw_accesses *a;
    msw_err err;
} stream;

/* A workload from bytes, as if they were in `file`. Returns 0, or -1 with s->err. */
int stream_bytes(stream *s, const char *file, const char *bytes, size_t size);

int stream_text(stream *s, const char *file, const char *text);

/* A shipped workload. Returns 0, or -1 with s->err. */
int stream_named(stream *s, const char *name);

/* Builds with the present settings. Returns 0, or -1 with s->err. */
int stream_build(stream *s, uint64_t seed);

void stream_close(stream *s);

#endif
