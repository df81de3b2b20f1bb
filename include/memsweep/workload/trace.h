/* SPDX-License-Identifier: MIT */
/* trace: the front end that reads files of memory requests, recorded by another program, as a
 * stream of addresses. Formats: docs/models/trace.md. */
#ifndef MEMSWEEP_WORKLOAD_TRACE_H
#define MEMSWEEP_WORKLOAD_TRACE_H

#include "memsweep/workload/accesses.h"

typedef struct msw_trace_config {
    int64_t bytes, skip, limit, malformed;
} msw_trace_config;

extern const msw_frontend msw_frontend_trace;

#endif
