/* SPDX-License-Identifier: MIT */
/* Private to neummu_sparse: where the requests go, one artifact per page size and distribution of
 * rows over devices. */
#ifndef MSW_MECH_NEUMMU_SPARSE_STREAM_H
#define MSW_MECH_NEUMMU_SPARSE_STREAM_H

#include "mech/neummu_sparse/config.h"

#include "memsweep/mech/mechanism.h"
#include "memsweep/workload/accesses.h"

/* Reuse of pages by LRU stack distance d: bin 0 holds d = 0, bin b the distances 2^(b-1) ..
 * 2^b - 1. A visit is consecutive requests on one page; a segment is so many visits. */
enum {
    NEUMMU_SPARSE_DEPTHS = 32,
    NEUMMU_SPARSE_VISITS = 64,
    NEUMMU_SPARSE_AREAS = 3,
    NEUMMU_SPARSE_LAGS = 6 /* 1, 4, 16, ... 1024 */
};

typedef struct neummu_sparse_segment {
    uint64_t bytes, remote_bytes;
    uint32_t requests, remote;
    uint16_t visits, cold, faults; /* cold: on pages never used before; faults: remote ones */
    uint16_t far;                  /* visits that a TLB may well miss */
    /* Of those, in the 2 MiB, 1 GiB, 512 GiB of the one so many before. */
    uint16_t shared[NEUMMU_SPARSE_LAGS][NEUMMU_SPARSE_AREAS];
    uint8_t reused[NEUMMU_SPARSE_DEPTHS];
} neummu_sparse_segment;

typedef struct neummu_sparse_batch {
    uint64_t first, count; /* requests */
    uint64_t segment_first, segment_count;
    uint64_t bytes, remote_bytes, remote, faults;
    uint64_t busiest_bytes; /* of the other device that has most */
    uint32_t sources;       /* other devices that have some */
} neummu_sparse_batch;

typedef struct neummu_sparse_stream {
    const msw_accesses *accesses;
    const uint32_t *pages;   /* by request: which of the pages below */
    const uint64_t *numbers; /* by page: page number */
    const uint32_t *first_batch;
    const uint8_t *homes; /* the device that has it; 0 gathers */
    const neummu_sparse_batch *batches;
    const neummu_sparse_segment *segments;
    uint64_t page_count, batch_count, segment_count, largest_batch;
    unsigned page_shift;
} neummu_sparse_stream;

int neummu_sparse_build(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err);

/* Size of a request. */
static inline uint64_t neummu_sparse_bytes(const msw_accesses *accesses, uint64_t request)
{
    return accesses->bytes ? accesses->bytes[request] : accesses->request_bytes;
}

#endif
