/* SPDX-License-Identifier: MIT */
/* The parts of the front end `trace`. */
#ifndef MSW_WORKLOAD_TRACE_PARTS_H
#define MSW_WORKLOAD_TRACE_PARTS_H

#include "memsweep/workload/trace.h"
#include "workload/text/lines.h"

enum { MSW_TRACE_BAD_SHOWN = 5 };

/* A line that is no request. */
typedef struct msw_trace_bad {
    uint64_t line, column;
    char found[24];
    const char *allowed;
} msw_trace_bad;

/* What a file holds. An array exists from the first request on that needs it. */
typedef struct msw_trace_content {
    uint64_t count, room;
    uint64_t *addresses;
    uint32_t *bytes; /* 0: the line gives none */
    uint32_t first_bytes;
    uint8_t *writes;
    uint64_t *cycles;
    uint16_t *streams;
    uint32_t stream_count;
    uint64_t bad_count;
    msw_trace_bad bad[MSW_TRACE_BAD_SHOWN];
    const char *file;
} msw_trace_content;

/* One request of a line. */
typedef struct msw_trace_request {
    uint64_t address, bytes, cycle, stream;
    bool write, has_cycle;
} msw_trace_request;

/* Reads the requests of a line. Returns how many, or -1 with the field at fault in `bad` and what
 * it should be in `allowed`. */
typedef int msw_trace_reader(const msw_field *fields, int count, uint64_t *time,
                             msw_trace_request *requests, msw_field *bad, const char **allowed);

/* See msw_frontend. */
int msw_trace_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                    const void **content, msw_err *err);

#endif
