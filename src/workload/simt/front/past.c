/* SPDX-License-Identifier: MIT */
/* Launches that build are run on a device of their own; a second one over it is lent out. */
#include "memsweep/workload/simt/past.h"

struct msw_simt_past {
    const msw_simt_product *product;
    msw_simt_device *base, *over;
    size_t stage; /* the next one to be run */
    uint64_t issued;
};

/* CTAs that take turns: as many as an SM of today has. */
static const msw_simt_sms SMS = {.sms = 1, .ctas = 16};

msw_simt_past *msw_simt_past_in(msw_arena *arena, const msw_simt_product *product,
                                uint64_t most_bytes, msw_err *err)
{
    msw_simt_past *past = msw_arena_zero(arena, 1, sizeof *past);
    if (!past) {
        msw_fail_memory(err);
        return NULL;
    }
    past->product = product;
    past->base = msw_simt_device_in(arena, product->arrays, product->array_count, most_bytes, err);
    if (!past->base)
        return NULL;
    msw_simt_device_slices(past->base);
    past->over = msw_simt_device_over(arena, past->base, most_bytes, err);
    return past->over ? past : NULL;
}

static int run(msw_simt_past *past, const msw_simt_stage *stage, msw_err *err)
{
    msw_arena scratch = {0};
    uint64_t issued = 0;
    msw_simt_launch launch = msw_simt_stage_launch(
        past->product, stage, msw_simt_device_memory(past->base), MSW_SIMT_SLICE);
    const msw_simt_code *code = msw_simt_decode(&launch, &scratch, err);
    int rc = code ? msw_simt_execute(code, &SMS, 0, 0, NULL, &scratch, &issued, err) : -1;
    past->issued += issued;
    msw_arena_free(&scratch);
    return rc;
}

const msw_simt_memory *msw_simt_past_at(msw_simt_past *past, size_t stage, msw_err *err)
{
    msw_simt_device_reset(past->over);
    for (; past->stage < stage; past->stage++) {
        const msw_simt_stage *now = &past->product->stages[past->stage];
        bool builds = now->kind == MSW_SIMT_STAGE_LAUNCH && now->builds;
        if (builds ? run(past, now, err)
                   : msw_simt_stage_write(now, msw_simt_device_memory(past->base), err))
            return NULL;
    }
    return msw_simt_device_memory(past->over);
}

msw_simt_device *msw_simt_past_device(msw_simt_past *past)
{
    return past->over;
}

uint64_t msw_simt_past_issued(const msw_simt_past *past)
{
    return past->issued;
}
