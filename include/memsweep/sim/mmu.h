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
 * again and may find its page there (replayed); without, it stands where it was blocked (at the
 * walkers, or before the miss registers) and goes on from there.
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
    bool reprobe;
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
    uint64_t count; /* requests for this page, one per cycle from `time` */
} msw_mmu_request;

typedef struct msw_mmu_answer {
    msw_mmu_kind kind;
    msw_block cause; /* blocked */
    uint64_t taken;  /* requests answered, from the first; 0 when blocked */
    uint64_t until;  /* blocked: issue time at which to retry */
    uint64_t done;   /* when the last of those taken is answered */
} msw_mmu_answer;

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
    uint64_t lookup_cycles; /* from issue to the walkers */
    msw_mmu_stats stats;
} msw_mmu;

/* Returns the bytes of memory that this configuration needs. */
size_t msw_mmu_bytes(const msw_mmu_config *config);

/* Starts empty. Returns 0, or -1 with what is wrong with the configuration. */
int msw_mmu_init(msw_mmu *mmu, const msw_mmu_config *config, void *memory, msw_err *err);

/* Issues requests for one page; takes as many as meet the same fate. Returns what became of them.
 */
msw_mmu_answer msw_mmu_issue(msw_mmu *mmu, const msw_mmu_request *request);

/* Offers again, at the time it was told, a request that was blocked for `cause`, and those behind
 * it. Returns as msw_mmu_issue. */
msw_mmu_answer msw_mmu_retry(msw_mmu *mmu, const msw_mmu_request *request, msw_block cause);

typedef struct msw_mmu_run_result {
    uint64_t next; /* earliest issue time of what follows */
    uint64_t done; /* when the last answer of the run is given */
} msw_mmu_run_result;

/* Issues a whole run in order, waiting out every block; cost does not grow with `count` but with
 * the walks that start or end meanwhile. Returns when it is over. */
msw_mmu_run_result msw_mmu_run(msw_mmu *mmu, const msw_mmu_request *request);

/* Lets every walk that ends by `now` fill the TLBs. */
void msw_mmu_settle(msw_mmu *mmu, uint64_t now);

#endif
