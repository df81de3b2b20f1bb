/* SPDX-License-Identifier: MIT */
/* An MMU and the accesses of its walks, in the order of time. */
#include "memsweep/sim/translate.h"

#include "sim/block.h"

#include "memsweep/base/bits.h"

static bool has_unknown_ends(const msw_translate_config *config)
{
    return config->mmu.walker.timed_by_owner || config->mmu.walker.queue_waits;
}

size_t msw_translate_bytes(const msw_translate_config *config)
{
    size_t bytes = msw_align_line(msw_mmu_bytes(&config->mmu));
    return has_unknown_ends(config) ? bytes + msw_walkread_bytes(&config->reads) : bytes;
}

int msw_translate_init(msw_translate *stage, const msw_translate_config *config, void *memory,
                       msw_err *err)
{
    char *reads = (char *)memory + msw_align_line(msw_mmu_bytes(&config->mmu));
    stage->reads = (msw_walkread){0};
    if (has_unknown_ends(config) && msw_walkread_init(&stage->reads, &config->reads, reads, err))
        return -1;
    return msw_mmu_init(&stage->mmu, &config->mmu, memory, err);
}

msw_mmu_answer msw_translate_issue(msw_translate *stage, const msw_mmu_request *request,
                                   const msw_mmu_answer *before)
{
    msw_mmu_answer answer = before->kind == MSW_MMU_BLOCKED
                                ? msw_mmu_retry(&stage->mmu, request, before->cause)
                                : msw_mmu_issue(&stage->mmu, request);
    if (answer.kind == MSW_MMU_WALK && stage->mmu.walk.kind == MSW_WALK_STARTED)
        msw_translate_begin(stage);
    return answer;
}

msw_translated msw_translate_times(const msw_translate *stage, const msw_mmu_request *request,
                                   const msw_mmu_answer *answer)
{
    const msw_mmu_config *config = &stage->mmu.config;
    msw_translated t = {.first = answer->done, .count = answer->taken};
    if (answer->kind == MSW_MMU_MERGED)
        t.gap = config->walker.return_gap;
    else if (answer->kind == MSW_MMU_L1_HIT &&
             answer->done == request->time + config->l1_cycles + answer->taken - 1)
        t.gap = 1;
    t.first -= (t.count - 1) * t.gap;
    return t;
}

uint64_t msw_translate_next(const msw_translate *stage)
{
    uint64_t ends = msw_mmu_next(&stage->mmu), reads = msw_walkread_next(&stage->reads);
    if (msw_walker_can_start(&stage->mmu.walker))
        return 0;
    return msw_min_u64(ends, reads);
}

/* Ends and starts of walks go before accesses of their time. */
msw_translate_event msw_translate_happen(msw_translate *stage, uint64_t now)
{
    msw_translate_event event = {.kind = MSW_TRANSLATE_NOTHING};
    msw_mmu_event walk;
    if (!msw_walker_can_start(&stage->mmu.walker) &&
        msw_mmu_next(&stage->mmu) > msw_walkread_next(&stage->reads)) {
        if (msw_walkread_take(&stage->reads, &stage->mmu.walker, now, &event.read))
            event.kind = MSW_TRANSLATE_READ;
        return event;
    }
    if (!msw_mmu_step(&stage->mmu, now, &walk))
        return event;
    if (walk.kind == MSW_MMU_STARTED) {
        msw_translate_begin(stage);
        return event;
    }
    event.kind = MSW_TRANSLATE_ENDED;
    event.end = walk.end;
    return event;
}
