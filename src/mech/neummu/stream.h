/* SPDX-License-Identifier: MIT */
/* Private to neummu: the page streams of a workload's tiles, one artifact per page size and DMA
 * length, and the steps in which they are made. */
#ifndef MSW_MECH_NEUMMU_STREAM_H
#define MSW_MECH_NEUMMU_STREAM_H

#include "mech/neummu/config.h"

#include "memsweep/mech/mechanism.h"
#include "memsweep/workload/npu.h"

/* Consecutive DMA transactions on one page. */
typedef struct neummu_visit {
    uint64_t page; /* number, counted in small pages, of where it begins; NEUMMU_LARGE */
    uint32_t requests, bytes;
} neummu_visit;

#define NEUMMU_LARGE ((uint64_t)1 << 63)

/* Returns the page that a number stands for. */
static inline msw_page neummu_page_of(neummu_shifts shifts, uint64_t page)
{
    return (msw_page){(page & ~NEUMMU_LARGE) << shifts.small,
                      page & NEUMMU_LARGE ? shifts.large : shifts.small};
}

/* Visits that are issued one after the other. */
typedef struct neummu_flow {
    const neummu_visit *visits;
    uint64_t count, requests, bytes;
} neummu_flow;

typedef struct neummu_tile {
    neummu_flow early; /* loads that may be issued while the tile before computes */
    neummu_flow late;  /* loads that wait for it */
    neummu_flow store;
    uint64_t compute_cycles, pages; /* pages: distinct ones loaded */
    bool overlapped;                /* all loads may be issued while the tile before computes */
    int boundary;                   /* else: what the late ones wait for */
} neummu_tile;

/* Returns whether the store of the tile before is issued before the late loads of this one, and not
 * behind them. */
static inline bool neummu_stores_first(const neummu_tile *tile)
{
    return !tile->overlapped && tile->boundary != NEUMMU_BOUNDARY_FORWARDED;
}

/* Page reuse by LRU stack distance d: bin 0 holds d = 0, bin b the distances 2^(b-1) .. 2^b - 1. */
enum { NEUMMU_DEPTHS = 32, NEUMMU_AREAS = 3, NEUMMU_RECENT = 8, NEUMMU_LAGS = 13 };

/* Visits of a flow, as far as the closed form goes. Plain words: compared as such. Areas are of 2
 * MiB, 1 GiB, 512 GiB, what a table of one, two, three levels spans; lag k is 2^k visits back. */
typedef struct neummu_traffic {
    uint64_t large; /* page size: 0 small, 1 large */
    uint64_t requests, bytes, visits;
    uint64_t cold;                             /* visits on pages never used before */
    uint64_t fresh[NEUMMU_AREAS];              /* in none of the last NEUMMU_RECENT areas */
    uint32_t moved[NEUMMU_AREAS][NEUMMU_LAGS]; /* in another area than the visit so far back */
    uint32_t reused[NEUMMU_DEPTHS];            /* on pages used before, by distance */
    uint64_t head_depth; /* of the first visit: its bin; cold: NEUMMU_DEPTHS */
    uint32_t
        within[NEUMMU_DEPTHS + 1]; /* sums of `reused`: of the bins before; filled at the end */
    uint32_t head_fresh, head_moved[NEUMMU_AREAS]; /* its bits: by area; by lag */
} neummu_traffic;

enum { NEUMMU_EARLY, NEUMMU_LATE, NEUMMU_STORE, NEUMMU_FLOWS, NEUMMU_SEGMENTS = 4 };

/* A flow, cut where its visits change their kind; what is finely mixed is not cut. */
typedef struct neummu_segments {
    uint32_t count, traffic[NEUMMU_SEGMENTS]; /* numbers of different traffics */
} neummu_segments;

/* A step of the execution. A layer that is repeated appears twice in the order of steps: its first
 * repetition, and another one for all that follow, which find the same history. */
typedef struct neummu_step {
    uint32_t tile;   /* of the stream */
    uint32_t source; /* of the product */
    uint32_t layer;
    bool first; /* of its layer */
    uint32_t
        oldest; /* the step that used its pages longest ago for the last time; its own number */
    uint64_t executions;
    neummu_segments flows[NEUMMU_FLOWS];
} neummu_step;

/* A stratum: steps that are alike. */
typedef struct neummu_stratum {
    uint32_t *steps;
    uint64_t count;
} neummu_stratum;

enum { NEUMMU_NO_STEP = 0xffffffff };

typedef struct neummu_stream {
    const neummu_tile *tiles;
    const neummu_step *steps;
    const neummu_stratum *strata;
    const neummu_traffic *traffic;
    uint64_t tile_count, step_count, stratum_count, traffic_count;
    uint64_t first_page, page_count; /* numbers of small pages that visits may have */
    neummu_shifts shifts;
} neummu_stream;

int neummu_build_stream(const msw_task *task, const void *extra, msw_arena *arena,
                        const void **root, msw_err *err);

/* Returns how many tiles a stream has: those of the product, and where outputs are forwarded the
 * first tiles of layers that are repeated a second time: there another tile comes before them. */
uint64_t neummu_tile_count(const msw_npu_product *product, const neummu_config *config);

/* Cuts the segments of all tiles of a product into visits. Returns 0, or -1. */
int neummu_cut(const msw_npu_product *product, const neummu_config *config, msw_arena *arena,
               neummu_tile *tiles, msw_err *err);

/* Fills in the traffic of all steps and the distinct pages of tiles. Returns 0, or -1. */
int neummu_profile(const msw_npu_product *product, neummu_stream *stream, neummu_tile *tiles,
                   neummu_step *steps, msw_arena *arena, msw_err *err);

#endif
