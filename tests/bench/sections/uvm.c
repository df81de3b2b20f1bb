/* SPDX-License-Identifier: MIT */
/* How fast are the streams of the kernels in managed memory extracted, how large are they, and how
 * fast are they replayed? */
#include "section.h"

#include "direct.h"
#include "htmmu_streams.h"
#include "programs.h"

#include "mech/uvm/model.h"
#include "mech/uvm/stream/stream.h"

static const char *const KERNELS[] = {
    "uvm/addvectors", "uvm/atax", "uvm/backprop",   "uvm/bicg",    "uvm/2dconv",      "uvm/hotspot",
    "uvm/mvt",        "uvm/nw",   "uvm/pathfinder", "uvm/srad_v2", "uvm/streamtriad",
};

static void extract(bench *b, const char *name)
{
    program p;
    msw_arena arena = {0};
    bench_check(b, program_named(&p, name) || program_build(&p), &p.err);
    double start = bench_seconds();
    const uvm_stream *s = uvm_extract(p.p, &arena, &p.err);
    double seconds = bench_seconds() - start;
    if (!s)
        bench_fail(b, "%s", p.err.text);
    bench_rate(b, (double)s->instructions, seconds, "%s: warp-instructions", name);
    bench_row(b, "B", BENCH_LOWER, (double)s->bytes / (double)s->lines, "%s: bytes a line", name);
    msw_arena_free(&arena);
    program_close(&p);
}

static double run(bench *b, void *context, size_t n)
{
    double start = bench_seconds();
    (void)n;
    direct_run(context, MSW_FULL, 1);
    if (((direct *)context)->answer.status != MSW_OK)
        bench_fail(b, "a point has no answer");
    return bench_seconds() - start;
}

/* Under the tree, defaults else; the first run builds what later ones share. */
static void replay(bench *b, const char *name)
{
    direct d;
    msw_err err = {0};
    bench_check(b, direct_open(&d, msw_mech_find("uvm"), name, &err), &err);
    run(b, &d, 1);
    double lines = stream_metric(&d, "lines");
    bench_rate(b, lines, bench_mean(b, run, &d, 1), "%s: lines", name);
    direct_close(&d);
}

/* Policies on hotspot 1024, which share its stream: every prefetcher without weights, two ways to
 * charge faults, two links, and latencies. */
static void policies(bench *b)
{
    direct d;
    msw_err err = {0};
    int count = 0, most = bench_quick(b) ? 12 : 60;
    bench_check(b, direct_open(&d, msw_mech_find("uvm"), "uvm/hotspot", &err), &err);
    run(b, &d, 1);
    double start = bench_seconds();
    for (int round = 0; count < most; round++)
        for (int prefetcher = UVM_NONE; prefetcher < UVM_LEARNED && count < most; prefetcher++) {
            direct_set(&d, "prefetcher", prefetcher);
            direct_set(&d, "fault_charge", round % 2 ? UVM_BATCHED : UVM_EXCLUDED);
            direct_set(&d, "link", round / 2 % 2 ? UVM_PCIE5 : UVM_PCIE3);
            direct_set(&d, "fault_latency", 15000.0 * (1 + round / 4));
            run(b, &d, 1);
            count++;
        }
    bench_rate(b, count, bench_seconds() - start, "uvm/hotspot: policies");
    direct_close(&d);
}

static size_t kernel_count(const bench *b)
{
    return bench_quick(b) ? 6 : sizeof KERNELS / sizeof *KERNELS;
}

void section_uvm_extract_all(bench *b)
{
    for (size_t k = 0; k < kernel_count(b); k++)
        extract(b, KERNELS[k]);
}

void section_uvm_replay(bench *b)
{
    for (size_t k = 0; k < kernel_count(b); k++)
        replay(b, KERNELS[k]);
    policies(b);
}
