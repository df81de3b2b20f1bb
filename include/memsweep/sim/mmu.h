/* SPDX-License-Identifier: MIT */
/* mmu: one or two TLB levels in front of a pool of page walkers, driven by the times of requests.
 *
 * A request issued at t looks up the first TLB (answer at t + l1_cycles on a hit), then the second
 * (t + l1_cycles + l2_cycles), then reaches the walkers at that time. A walk fills both levels when
 * it ends, in the first level every bank that asked for it; a fill that lands while a request is
 * still in the look-up pipeline is forwarded to it. The next request issues one cycle after this
 * one was accepted: a blocked request holds up those behind it (per caller: banks with requests of
 * their own are interleaved by the caller). Times given to one mmu never go back.
 *
 * A blocked request is offered again with msw_mmu_retry. With `reprobe` it looks into the TLBs
 * again and may find its page there (replayed); without, it waits where it was blocked (at the
 * walkers, or before the miss registers) and goes on from there.
 *
 * Walks of unknown end. Where the owner times page-table accesses, or the walkers' queue waits, an
 * answer that a walk gives is not known when it is accepted: `done` is UINT64_MAX, and requests
 * number `before` + 1 to `before` + `taken` of walk `entry` (0: the first) are answered return_gap
 * apart from its end on. Such an owner calls msw_mmu_step for all that happens by t + look-up
 * cycles before it issues at t, begins the accesses of every walk it hears of (also of mmu.walk
 * when an answer is of kind WALK and it has `accesses`), and says in `horizon` before which time no
 * end can come that is not yet known. Blocked until UINT64_MAX: until the next step ends a walk.
 *
 * Laws: requests = l1_hits + l1_misses; l1_misses = l2_hits + held + merged + walked + replayed +
 * waiting, where waiting is the blocked request not yet answered (0 or 1 per caller). */
#ifndef MEMSWEEP_SIM_MMU_H
#define MEMSWEEP_SIM_MMU_H

#include "memsweep/sim/walker.h"

typedef struct msw_mmu_config {
    msw_tlb_config l1;
    uint32_t l1_cycles;
    bool has_l2;
    msw_tlb_config l2; /* one bank */
    uint32_t l2_cycles;
    uint32_t mshrs;  /* misses in flight per first-level bank; 0: no limit and no merging there */
    bool mshr_merge; /* a miss on a page that its bank already misses waits there */
    bool claims;     /* a walk takes its entry of the first TLB when it is asked for; hits wait */
    bool reprobe;    /* a blocked miss looks into the TLBs again */
    bool queue_reprobe; /* one that waits in line too, when it would start */
    msw_walker_config walker;
} msw_mmu_config;

typedef enum msw_mmu_kind {
    MSW_MMU_L1_HIT,
    MSW_MMU_L2_HIT,
    MSW_MMU_HELD, /* merged in a miss register of the first TLB */
    MSW_MMU_MERGED,
    MSW_MMU_WALK,
    MSW_MMU_REPLAYED,
    MSW_MMU_BLOCKED,
} msw_mmu_kind;

typedef struct msw_mmu_request {
    uint64_t time;
    msw_page page;
    uint32_t bank;
    uint32_t requester; /* that owns walkers */
    uint64_t count;     /* requests for this page, one per cycle from `time` */
} msw_mmu_request;

typedef struct msw_mmu_answer {
    msw_mmu_kind kind;
    msw_block cause; /* blocked */
    uint64_t taken;  /* requests answered, from the first; 0 when blocked */
    uint64_t until;  /* blocked: issue time at which to retry */
    uint64_t done;   /* when the last of those taken is answered */
    uint64_t before; /* walk, merged: requests of the walk before them */
    uint32_t entry;  /* walk, merged: its number */
} msw_mmu_answer;

typedef enum msw_mmu_event_kind {
    MSW_MMU_STARTED, /* mmu.walk: a walk that waited in line */
    MSW_MMU_ENDED,
} msw_mmu_event_kind;

typedef struct msw_mmu_event {
    msw_mmu_event_kind kind;
    msw_walk_end end; /* ended; the requests of the walk are answered from end.time on */
} msw_mmu_event;

/* Miss registers held by walks of unknown end. */
typedef struct msw_mmu_held {
    uint32_t *first; /* by walk: register, or UINT32_MAX */
    uint32_t *next;  /* by register */
    uint64_t *after; /* by register: cycles from the end of the walk */
} msw_mmu_held;

typedef struct msw_mmu_stats {
    uint64_t requests, l1_hits, l1_misses, l2_hits;
    uint64_t held, merged, walked, replayed;
    uint64_t blocked[MSW_BLOCK_COUNT]; /* refusals */
    uint64_t blocked_cycles;           /* spent waiting to be accepted */
    uint64_t latency_cycles;           /* sum over requests of answer - first issue */
} msw_mmu_stats;

typedef struct msw_mmu {
    msw_mmu_config config;
    msw_tlb l1, l2;
    msw_walker walker;
    msw_mshr *mshrs;        /* by bank, or NULL */
    msw_mmu_held held;      /* first bank; unknown ends with miss registers */
    uint64_t lookup_cycles; /* from issue to the walkers */
    bool ends_unknown;
    uint64_t horizon;     /* set by the owner where ends are unknown */
    uint64_t ends, ended; /* of walks so far; when the last was */
    msw_walk walk;        /* the last that was asked for or started */
    msw_mmu_stats stats;
} msw_mmu;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_mmu_bytes(const msw_mmu_config *config);

/* Starts empty. Returns 0, or -1 with what is wrong with the configuration. */
int msw_mmu_init(msw_mmu *mmu, const msw_mmu_config *config, void *memory, msw_err *err);

/* Issues requests for one page; takes as many as meet the same fate. Returns what became of them.
 */
msw_mmu_answer msw_mmu_issue(msw_mmu *mmu, const msw_mmu_request *request);

/* Offers again, at the time it was given, a request that was blocked for `cause`, and those behind
 * it. Returns as msw_mmu_issue. */
msw_mmu_answer msw_mmu_retry(msw_mmu *mmu, const msw_mmu_request *request, msw_block cause);

typedef struct msw_mmu_series_result {
    uint64_t next; /* earliest issue time of what follows */
    uint64_t done; /* when the last answer of the series is given */
} msw_mmu_series_result;

/* Issues a whole series in order, waiting out every block; cost does not grow with `count` but with
 * the walks that start or end meanwhile. Returns when it is over. */
msw_mmu_series_result msw_mmu_series(msw_mmu *mmu, const msw_mmu_request *request);

/* Time of the next end of a walk. Returns UINT64_MAX when none is known. */
static inline uint64_t msw_mmu_next(const msw_mmu *mmu)
{
    return msw_walker_next(&mmu->walker);
}

/* Lets the next thing happen at the walkers by `now`: a walk ends and fills the TLBs, or the first
 * in line starts. For owners of walks of unknown end. Returns whether one did. */
bool msw_mmu_step(msw_mmu *mmu, uint64_t now, msw_mmu_event *event);

/* Lets every walk that ends by `now` fill the TLBs; nothing where ends are unknown. */
void msw_mmu_settle(msw_mmu *mmu, uint64_t now);

#endif
