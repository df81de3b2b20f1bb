/* SPDX-License-Identifier: MIT */
/* Runs CTAs at equal distances for the number of their instructions alone. */
#include "mech/mpu/closed/lengths.h"

#include "memsweep/base/bits.h"

#include <math.h>
#include <string.h>

enum { RUN = 64, RUN_LEAST = 8, TOGETHER = 8 };
#define RUN_INSNS 4e6

static int count_step(void *self, const mpu_walk_at *at, const msw_simt_step *step, msw_err *err)
{
    mpu_lengths *l = self;
    (void)err;
    l->insns[at->cta / l->apart] += step->count;
    return 0;
}

static void find_mean(mpu_lengths *l)
{
    double n = (double)l->count, squares = 0;
    for (uint64_t i = 0; i < l->count; i++)
        l->mean += l->insns[i] / n;
    for (uint64_t i = 0; i < l->count; i++)
        squares += (l->insns[i] - l->mean) * (l->insns[i] - l->mean);
    l->error = sqrt(squares / n / n);
}

/* An odd distance falls on all cores in turn. */
int mpu_lengths_run(const msw_simt_code *code, double each, msw_arena *arena, mpu_lengths *out,
                    msw_err *err)
{
    uint64_t ctas = msw_simt_cta_count(code);
    double most = fmax(fmin(RUN_INSNS / fmax(each, 1), RUN), RUN_LEAST);
    mpu_walk_listener mine = {.self = out, .step = count_step};
    *out = (mpu_lengths){.apart = msw_div_up(ctas, (uint64_t)most) | 1};
    uint64_t first = msw_min_u64(out->apart / 2, ctas - 1);
    out->count = msw_div_up(ctas - first, out->apart);
    out->insns = msw_arena_zero(arena, out->count, sizeof *out->insns);
    if (!out->insns)
        return msw_fail_memory(err);
    mpu_walk_ctas run = {
        .first = first, .stride = out->apart, .count = out->count, .slots = TOGETHER};
    run.slots = (uint32_t)msw_min_u64(run.slots, run.count);
    if (mpu_walk(code, &run, &mine, arena, err))
        return -1;
    find_mean(out);
    return 0;
}

double mpu_length_of(const mpu_lengths *l, uint64_t cta)
{
    return l->insns[msw_min_u64(cta / l->apart, l->count - 1)];
}

void mpu_work_add(mpu_core_work *w, const mpu_config *config, uint32_t slots, double insns)
{
    uint32_t best = 0;
    for (uint32_t p = 1; p < slots; p++)
        best = w->passed[p] < w->passed[best] ? p : best;
    bool batch = config->cta_refill == MPU_REFILL_BATCH && (uint64_t)w->ctas % slots == 0;
    for (uint32_t p = 0; p < slots && batch; p++)
        w->passed[p] = w->longest;
    w->passed[best] += insns;
    w->longest = fmax(w->longest, w->passed[best]);
    w->most = fmax(w->most, insns);
    w->sum += insns;
    w->ctas++;
}

void mpu_work_tell(const mpu_core_work *w, mpu_profile_class *out)
{
    out->way = w->longest / fmax(ceil(w->ctas / out->slots), 1);
    out->longest = w->sum > 0 ? w->most * w->ctas / w->sum : 1;
}
