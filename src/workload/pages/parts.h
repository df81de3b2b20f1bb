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
    uint64_t count, room;
    uint64_t pcs[MSW_PAGES_PCS]; /* as recorded */
    uint32_t pc_count, sms, warps;
    uint64_t (*times)[MSW_PAGES_WARPS]; /* [sm][warp] of its last access; while reading */
} msw_pages_content;

/* An access as it is written in a file. */
typedef struct msw_pages_row {
    uint64_t time, sm, warp, pc, page, write;
} msw_pages_row;

/* Adds one. Returns NULL, or what is allowed, with the number of the column at fault. */
const char *msw_pages_add(msw_pages_content *c, const msw_pages_row *row, int *column);

/* Reads the binary format. Returns 0, or -1. */
int msw_pages_binary(msw_pages_content *c, const char *bytes, size_t size, msw_arena *arena,
                     msw_err *err);

extern const char msw_uvmsmart_line[]; /* what a line of its log is */

/* Reads the access log of UVMSmart. Returns 0, or -1. */
int msw_pages_uvmsmart(msw_pages_content *c, const char *bytes, size_t size, msw_arena *arena,
                       msw_err *err);

/* Refuses a field of a line: where, what was found, what is allowed. Returns -1. */
int msw_pages_refuse(const msw_pages_content *c, const msw_lines *lines, msw_line line,
                     msw_field field, const char *allowed, msw_err *err);

/* See msw_frontend. */
int msw_pages_parse(const char *file, const char *bytes, size_t size, msw_arena *arena,
                    const void **content, msw_err *err);

#endif
