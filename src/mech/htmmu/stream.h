/* SPDX-License-Identifier: MIT */
/* Private to htmmu: the page visits of a workload, one artifact per choice of page sizes. */
#ifndef MSW_MECH_HTMMU_STREAM_H
#define MSW_MECH_HTMMU_STREAM_H

#include "mech/htmmu/model.h"

#include "memsweep/mech/mechanism.h"
#include "memsweep/sim/tlb.h"
#include "memsweep/workload/accesses.h"

/* Artifacts, in the order of the record's list. */
enum { HTMMU_ARTIFACT_STREAM };

/* Consecutive requests on one page, with router_by: requester of one requester. */
typedef struct htmmu_visit {
    uint64_t page; /* msw_page_key: page number and log2 of its size */
    uint32_t requests;
    uint32_t first; /* number of its first access in the stream */
} htmmu_visit;

#define HTMMU_NO_VISIT UINT32_MAX

enum { HTMMU_UNIT_LEAST = 256, HTMMU_UNITS_MOST = 4000, HTMMU_STRATA = 67 };

/* No visit lies in two units. */
typedef struct htmmu_stream {
    const htmmu_visit *visits;
    const uint64_t *units;          /* first visit of each unit; visit_count after the last */
    const uint32_t *before, *after; /* visits of the same page */
    uint64_t visit_count, unit_count, requests;
    uint64_t unit_requests;            /* of every unit but the last */
    uint64_t strata[HTMMU_STRATA + 1]; /* their first units; unit_count after the last */
    size_t stratum_count;
} htmmu_stream;

int htmmu_build_stream(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                       msw_err *err);

static inline msw_page htmmu_page_of(uint64_t key)
{
    unsigned shift = (unsigned)(key & 63);
    return (msw_page){key >> 6 << shift, shift};
}

/* The pages that a walk of `page` brings into an entry of `coalesce` pages, as bits; 0: itself
 * only. They have its size: an entry of large pages holds nothing of regions in small ones. */
uint64_t htmmu_neighbours_in_block(const htmmu_config *config, msw_page page, int64_t coalesce);

static inline uint64_t htmmu_neighbours(const htmmu_config *config, msw_page page, int64_t coalesce)
{
    bool alone = coalesce == 1 || config->coalesce_fill != HTMMU_FILL_BLOCK;
    return alone ? 0 : htmmu_neighbours_in_block(config, page, coalesce);
}

/* Requesters by access, where they name the bank. Returns them, or NULL: there is one, number 0. */
static inline const uint16_t *htmmu_requesters(const msw_task *task)
{
    const msw_accesses *accesses = task->product->data;
    bool named = ((const htmmu_config *)task->config)->router_by == HTMMU_BY_REQUESTER;
    return named ? accesses->streams : NULL;
}

/* Returns the bank that the requests of a visit name. */
static inline uint32_t htmmu_named_bank(const htmmu_config *config, const htmmu_visit *visit,
                                        const uint16_t *requesters)
{
    uint32_t streams = (uint32_t)config->streams;
    uint64_t number = htmmu_page_of(visit->page).address >> config->router_bit;
    if (config->router == HTMMU_ROUTER_NONE)
        return 0;
    if (config->router_by == HTMMU_BY_REQUESTER)
        number = requesters ? requesters[visit->first] : 0;
    return (uint32_t)((streams & (streams - 1)) == 0 ? number & (streams - 1) : number % streams);
}

#endif
