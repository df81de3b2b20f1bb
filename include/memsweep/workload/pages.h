/* SPDX-License-Identifier: MIT */
/* pages: page traces: which page which warp touched, in its order. The front end `pages` reads them
 * (formats: docs/models/pages.md), others make them. */
#ifndef MEMSWEEP_WORKLOAD_PAGES_H
#define MEMSWEEP_WORKLOAD_PAGES_H

#include "memsweep/workload/workload.h"

enum { MSW_PAGES_SMS = 256, MSW_PAGES_WARPS = 64, MSW_PAGES_PCS = 1024, MSW_PAGES_CTAS = 1 << 20 };

typedef struct msw_pages_config {
    int64_t size, open, instructions;
} msw_pages_config;

/* One access. */
typedef struct msw_page_access {
    uint64_t page;         /* as recorded */
    uint16_t sm, warp, pc; /* pc: its number, in order of first use */
    uint16_t write;
} msw_page_access;

/* Where an access comes from, if the trace says so. */
typedef struct msw_page_origin {
    uint32_t cta, launch; /* cta: its number in the launch */
    uint32_t access;      /* of its warp: lines of one access have one number */
} msw_page_origin;

/* Pages that lie together: an allocation, as far as a trace shows. */
typedef struct msw_page_run {
    uint64_t first, pages; /* as recorded */
    uint64_t offset;       /* bytes from the first run's begin, where it lies in the simulation */
} msw_page_run;

/* A part of a trace whose warps begin together, when those of the part before are over. */
typedef struct msw_page_launch {
    uint64_t end;     /* of its accesses: the next one's begin there */
    uint32_t further; /* instructions of each warp behind its accesses */
} msw_page_launch;

/* Product (MSW_PRODUCT_PAGES). */
typedef struct msw_page_trace {
    const msw_page_access *accesses; /* those of a warp in its order */
    const msw_page_origin *origins;  /* [access], or NULL: in each launch SM s is CTA s */
    uint64_t count;
    uint32_t sms, warps, pcs; /* warps: of an SM, the largest number + 1 */
    const msw_page_run *runs; /* by page */
    uint64_t run_count;
    uint64_t page_bytes;
    uint32_t open, instructions; /* accesses of a warp under way at once; instructions of each */
    const uint32_t *instructions_of; /* [pc] instead, or NULL */
    const msw_page_launch *launches; /* or NULL: all is one */
    uint64_t launch_count;
} msw_page_trace;

/* Where a recorded page lies. Returns its offset in bytes. */
uint64_t msw_page_offset(const msw_page_trace *trace, uint64_t page);

extern const msw_frontend msw_frontend_pages;

#endif
