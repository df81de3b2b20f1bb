/* SPDX-License-Identifier: MIT */
/* accesses: a stream of memory requests, the product of the front ends `sparse` and `trace`.
 *
 * One array per property, so that a model touches only the bytes it needs; a property that is the
 * same for all requests has no array. */
#ifndef MEMSWEEP_WORKLOAD_ACCESSES_H
#define MEMSWEEP_WORKLOAD_ACCESSES_H

#include "memsweep/workload/workload.h"

/* A region that requests fall into: an embedding table, a feature matrix, an array. Regions are in
 * order of address and do not overlap. */
typedef struct msw_region {
    const char *name;
    uint64_t address, bytes;
    uint64_t rows, row_bytes; /* rows of equal size; rows 0: not made of rows */
} msw_region;

/* Product (MSW_PRODUCT_ACCESSES). */
typedef struct msw_accesses {
    uint64_t count;
    const uint64_t *addresses; /* virtual, of the first byte, in order of issue */
    const uint32_t *bytes;     /* per request; NULL: all have `request_bytes` */
    uint32_t request_bytes;
    const uint8_t *writes;   /* 1 where a request writes; NULL: all read */
    const uint64_t *cycles;  /* earliest issue, never decreasing; NULL: as fast as taken */
    const uint16_t *streams; /* requester of each; NULL: one requester */
    uint32_t stream_count;
    const uint64_t *batches; /* number of the first request of each batch; NULL: one batch */
    uint64_t batch_count;
    const msw_region *regions; /* NULL for traces */
    uint64_t region_count;
    uint64_t base_address, footprint_bytes; /* all requests lie in this range */
} msw_accesses;

#endif
