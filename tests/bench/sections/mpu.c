/* SPDX-License-Identifier: MIT */
/* How fast does mpu answer on the twelve kernels, preset `paper` at a 16th of its size?
 * Warp-instructions per second at `full`, on all cores and on four of them, over those of the
 * interpreter alone (slice, in the same run); what simulating some cores alone changes in the
 * cycles; and the closed form. */
#include "section.h"

#include "direct.h"
#include "programs.h"

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
enum { COUNT = sizeof NAMES / sizeof *NAMES };

static const msw_simt_sms SMS = {.sms = 1, .ctas = 1};

/* Warp-instructions per second of the interpreter, one CTA at a time. */
static double slice_rate(bench *b, const char *name)
{
    program p;
    msw_arena arena = {0};
    msw_simt_listener listener = {0};
    uint64_t all = 0;
    bench_check(b, program_named(&p, name) || program_build(&p), &p.err);
    msw_simt_device *device =
        msw_simt_device_new(p.p->arrays, p.p->array_count, UINT64_C(1) << 32, &p.err);
    if (!device)
        bench_fail(b, "%s", p.err.text);
    double start = bench_seconds();
    for (size_t s = 0; s < p.p->stage_count; s++) {
        uint64_t issued = 0;
        if (p.p->stages[s].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        msw_simt_launch launch = msw_simt_stage_launch(
            p.p, &p.p->stages[s], msw_simt_device_memory(device), MSW_SIMT_SLICE);
        const msw_simt_code *code = msw_simt_decode(&launch, &arena, &p.err);
        if (!code || msw_simt_execute(code, &SMS, 0, 0, &listener, &arena, &issued, &p.err))
            bench_fail(b, "%s", p.err.text);
        all += issued;
    }
    double seconds = bench_seconds() - start;
    msw_simt_device_free(device);
    msw_arena_free(&arena);
    program_close(&p);
    return (double)all / seconds;
}

static double metric(const direct *d, const char *name)
{
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

/* The first run also builds artifacts and answers the reference of paired metrics. */
static double full_rate(direct *d, double cores)
{
    direct_set(d, "simulated_cores", cores);
    direct_run(d, MSW_FULL, 1);
    double start = bench_seconds();
    direct_run(d, MSW_FULL, 1);
    double share = cores > 0 ? cores / 128 : 1;
    return share * metric(d, "instructions") / (bench_seconds() - start);
}

/* Cycles with so many cores simulated over those with all, less 1. */
static double bias(direct *d, double cores, double cycles)
{
    direct_set(d, "simulated_cores", cores);
    direct_run(d, MSW_FULL, 1);
    return metric(d, "cycles") / cycles - 1;
}

static double closed(bench *b, void *context, size_t n)
{
    double start = bench_seconds();
    for (size_t i = 0; i < n; i++)
        direct_run(context, MSW_ANALYTIC, 1);
    if (((direct *)context)->answer.status != MSW_OK)
        bench_fail(b, "a point has no answer");
    return bench_seconds() - start;
}

/* What simulating some cores alone changes, where it is quick enough to look. */
static void biases(bench *b, direct *d, const char *name, double cycles)
{
    static const int CORES[] = {4, 16, 64};
    for (int i = 0; i < 3 && !bench_quick(b); i++)
        bench_fact(b, "%", 100 * bias(d, CORES[i], cycles), "%s: cycles with %d cores", name,
                   CORES[i]);
}

static void measure(bench *b, const char *name)
{
    direct d;
    msw_err err = {0};
    bench_check(b, direct_open(&d, msw_mech_find("mpu"), name, &err), &err);
    closed(b, &d, 1);
    bench_time(b, bench_mean(b, closed, &d, 10) / 10, "%s: closed form", name);
    double slice = slice_rate(b, name), full = full_rate(&d, 0), cycles = metric(&d, "cycles");
    bench_rate(b, full, 1, "%s: warp-instructions", name);
    bench_row(b, "x", BENCH_HIGHER, full / slice, "%s: over the interpreter alone", name);
    bench_fact(b, "cycles", cycles, "%s: cycles", name);
    bench_rate(b, full_rate(&d, 4), 1, "%s: warp-instructions, 4 cores", name);
    biases(b, &d, name, cycles);
    direct_close(&d);
}

void section_mpu(bench *b)
{
    for (size_t i = 0; i < COUNT; i += bench_quick(b) ? 6 : 1)
        measure(b, NAMES[i]);
}
