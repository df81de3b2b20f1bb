/* SPDX-License-Identifier: MIT */
/* How fast do the shipped kernels run on device memory, in values and as a slice, and what does
 * their summary cost? Preset `paper` at a 16th of its size. */
#include "section.h"

#include "programs.h"

/* One CTA at a time: registers of many would not fit into the caches. */
static const msw_simt_sms SMS = {.sms = 1, .ctas = 1};

/* Runs all launches. Returns the instructions of warps. */
static uint64_t run(bench *b, program *p, msw_simt_mode mode)
{
    uint64_t all = 0;
    msw_arena arena = {0};
    msw_simt_listener listener = {0};
    msw_simt_device *device =
        msw_simt_device_new(p->p->arrays, p->p->array_count, UINT64_C(1) << 32, &p->err);
    for (size_t s = 0; device && s < p->p->stage_count; s++) {
        uint64_t issued = 0;
        if (p->p->stages[s].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        msw_simt_launch launch =
            msw_simt_stage_launch(p->p, &p->p->stages[s], msw_simt_device_memory(device), mode);
        const msw_simt_code *code = msw_simt_decode(&launch, &arena, &p->err);
        if (!code || msw_simt_execute(code, &SMS, 0, 0, &listener, &arena, &issued, &p->err))
            bench_fail(b, "%s", p->err.text);
        all += issued;
    }
    msw_simt_device_free(device);
    msw_arena_free(&arena);
    return all;
}

static void rate(bench *b, program *p, const char *name, msw_simt_mode mode)
{
    uint64_t count = 0;
    double start = bench_seconds();
    do
        count += run(b, p, mode);
    while (bench_seconds() - start < bench_least(b));
    bench_rate(b, (double)count, bench_seconds() - start, "%s, %s", name,
               mode == MSW_SIMT_SLICE ? "slice" : "values");
}

void section_kernels(bench *b)
{
    static const char *const NAMES[] = {"axpy/n=1Mi",
                                        "blur/h=1024,w=1024",
                                        "conv/h=1024,w=1024",
                                        "gemv/rows=1024,cols=1024",
                                        "hist/n=1Mi",
                                        "kmeans/n=64Ki",
                                        "knn/n=1Mi",
                                        "maxp/h=256,w=256",
                                        "nw/pairs=256",
                                        "pr/n=1Mi",
                                        "ttrans/h=1024,w=1024",
                                        "upsamp/h=256,w=256"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i += bench_quick(b) ? 3 : 1) {
        program p;
        double start = bench_seconds();
        bench_check(b, program_named(&p, NAMES[i]) || program_build(&p), &p.err);
        bench_time(b, bench_seconds() - start, "%s, read and summary", NAMES[i]);
        rate(b, &p, NAMES[i], MSW_SIMT_VALUES);
        rate(b, &p, NAMES[i], MSW_SIMT_SLICE);
        program_close(&p);
    }
}
