/* SPDX-License-Identifier: MIT */
/* The parts of the front end `pages`. */
#ifndef MSW_WORKLOAD_PAGES_PARTS_H
#define MSW_WORKLOAD_PAGES_PARTS_H

#include "workload/text/lines.h"

#include "memsweep/workload/pages.h"

/* What a file holds. */
typedef struct msw_pages_content {
    const char *file;
    msw_page_access *accesses;
    msw_page_origin *origins; /* NULL: the file has none */
    uint64_t count, room;
    uint64_t pcs[MSW_PAGES_PCS]; /* as recorded */
    uint32_t pc_count, sms, warps, launches;
    uint64_t (*times)[MSW_PAGES_WARPS]; /* [sm][warp] of its last access; while reading */
} msw_pages_content;

/* See msw_frontend. */
int msw_pages_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                    const void **content, msw_err *err);

#endif
