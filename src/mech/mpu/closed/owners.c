/* SPDX-License-Identifier: MIT */
/* Who gets how many CTAs. */
#include "mech/mpu/closed/replay.h"
#include "memsweep/base/bits.h"

#include <math.h>

enum { OWNERS_ASKED = 4096, BEFORE_ACCESS = 4096 };

/* The core of the first line that the CTA's first warp accesses; core 0 if it accesses none. */
static int owner_of(const mpu_map *map, const msw_simt_code *code, uint64_t cta, void *block,
                    uint32_t *owner, msw_err *err)
{
    msw_simt_cta *now = msw_simt_cta_start(code, cta, block);
    msw_simt_step step;
    *owner = 0;
    for (uint64_t done = 0; msw_simt_warp_now(now, 0) == MSW_SIMT_READY && done < BEFORE_ACCESS;
         done += step.count) {
        if (msw_simt_run(now, 0, UINT32_MAX, &step, err))
            return -1;
        if (step.event == MSW_SIMT_EVENT_ACCESS && step.space == MSW_SIMT_GLOBAL &&
            step.line_count) {
            *owner = mpu_locate(map, step.lines[0].address).core;
            return 0;
        }
    }
    return 0;
}

int mpu_most_ctas(const mpu_config *config, const mpu_map *map, const msw_simt_code *code,
                  msw_arena *arena, double *most, msw_err *err)
{
    uint64_t ctas = msw_simt_cta_count(code);
    uint64_t cores = (uint64_t)mpu_core_count(config), every = msw_div_up(ctas, OWNERS_ASKED);
    *most = (double)msw_div_up(ctas, cores);
    if (config->dispatch != MPU_DISPATCH_OWNER)
        return 0;
    void *block = msw_arena_take(arena, msw_simt_cta_bytes(code));
    uint32_t *counts = msw_arena_zero(arena, cores, sizeof *counts), owner, fullest = 0;
    if (!block || !counts)
        return msw_fail_memory(err);
    for (uint64_t i = 0; i < ctas; i += every) {
        if (owner_of(map, code, i, block, &owner, err))
            return -1;
        counts[owner]++;
        fullest = msw_max_u32(fullest, counts[owner]);
    }
    *most = fmax(*most, (double)fullest * (double)every);
    return 0;
}
