/* SPDX-License-Identifier: MIT */
/* translate: an MMU with the page-table accesses of its walks, as one stage that requests of one or
 * many requesters pass, in the order of time.
 *
 * Where the ends of walks are known when they are asked for, msw_translate_issue is all there is.
 * Where they are not (mmu.h), things happen in the stage: walks start and end, accesses reach the
 * memory. The owner calls msw_translate_happen for all that happens by t + look-up cycles before it
 * issues at t, brings each read that it hears of from its memory, and says with
 * msw_translate_answer when it is there. What requests of a walk ask for waits with the owner. */
#ifndef MEMSWEEP_SIM_TRANSLATE_H
#define MEMSWEEP_SIM_TRANSLATE_H

#include "memsweep/sim/mmu.h"
#include "memsweep/sim/walkread.h"

typedef struct msw_translate_config {
    msw_mmu_config mmu;
    msw_walkread_config reads; /* where ends are unknown */
} msw_translate_config;

typedef struct msw_translate {
    msw_mmu mmu;
    msw_walkread reads;
} msw_translate;

typedef enum msw_translate_kind {
    MSW_TRANSLATE_NOTHING, /* that the owner has to know */
    MSW_TRANSLATE_ENDED,   /* a walk: its requests are answered from end.time on */
    MSW_TRANSLATE_READ,    /* an access has reached the memory */
} msw_translate_kind;

typedef struct msw_translate_event {
    msw_translate_kind kind;
    msw_walk_end end;
    msw_walkread_read read;
} msw_translate_event;

/* Requests that are answered at first, first + gap, ... */
typedef struct msw_translated {
    uint64_t first, gap, count;
} msw_translated;

/* Returns the bytes of memory that a stage needs. */
size_t msw_translate_bytes(const msw_translate_config *config);

/* Starts empty. Returns 0, or -1 with what is wrong with the configuration. */
int msw_translate_init(msw_translate *stage, const msw_translate_config *config, void *memory,
                       msw_err *err);

/* Offers requests for one page; again, where they were blocked for `before`'s cause. A walk that
 * starts begins its accesses. Returns what became of them. */
msw_mmu_answer msw_translate_issue(msw_translate *stage, const msw_mmu_request *request,
                                   const msw_mmu_answer *before);

/* When the requests of an answer of known time, or those of a walk that ended then, are answered.
 * Returns them. */
msw_translated msw_translate_times(const msw_translate *stage, const msw_mmu_request *request,
                                   const msw_mmu_answer *answer);

/* When something happens next, where ends are unknown. Returns UINT64_MAX where nothing will. */
uint64_t msw_translate_next(const msw_translate *stage);

/* Lets one thing happen by `now`. Returns what it was. */
msw_translate_event msw_translate_happen(msw_translate *stage, uint64_t now);

/* A read of a walk is back at `time`. */
static inline void msw_translate_answer(msw_translate *stage, uint32_t walk, uint64_t time)
{
    msw_walkread_answer(&stage->reads, &stage->mmu.walker, walk, time);
}

/* The accesses of the walk that was asked for or started last begin. */
static inline void msw_translate_begin(msw_translate *stage)
{
    if (stage->mmu.config.walker.timed_by_owner)
        msw_walkread_begin(&stage->reads, &stage->mmu.walker, &stage->mmu.walk);
}

/* No end that is not known yet comes within `shortest` of the next thing that happens. */
static inline void msw_translate_look_ahead(msw_translate *stage, uint64_t shortest)
{
    uint64_t next = msw_walkread_next(&stage->reads);
    stage->mmu.horizon = next < UINT64_MAX - shortest ? next + shortest : UINT64_MAX;
}

#endif
