/* How fast are the streams of the kernels in managed memory extracted, how large are they, and how
 * fast are they replayed? Processor time of one thread. */
#include "bench.h"

#include "direct.h"
#include "htmmu_streams.h"
#include "programs.h"

#include "mech/uvm/config.h"
#include "mech/uvm/stream/stream.h"

static const char *const KERNELS[] = {
    "uvm/addvectors", "uvm/atax", "uvm/backprop",   "uvm/bicg",    "uvm/2dconv",      "uvm/hotspot",
    "uvm/mvt",        "uvm/nw",   "uvm/pathfinder", "uvm/srad_v2", "uvm/streamtriad",
};

typedef struct sums {
    double seconds, instructions, bytes;
} sums;

static void extract(const char *name, sums *all)
{
    program p;
    msw_arena arena = {0};
    if (program_named(&p, name) || program_build(&p)) {
        printf("%s\n", p.err.text);
        return;
    }
    double start = bench_seconds();
    const uvm_stream *s = uvm_extract(p.p, &arena, &p.err);
    double seconds = bench_seconds() - start;
    if (s) {
        printf("%-18s %6.3f s, %6.1f M instructions of warps, %6.2f M lines, %8.1f KB, %.3f bytes "
               "a line\n",
               name, seconds, 1e-6 * (double)s->instructions, 1e-6 * (double)s->lines,
               1e-3 * (double)s->bytes, (double)s->bytes / (double)s->lines);
        all->seconds += seconds;
        all->instructions += (double)s->instructions;
        all->bytes += (double)s->bytes;
    }
    msw_arena_free(&arena);
    program_close(&p);
}

/* Under the tree, defaults else; the first run builds what later ones share. The best of three. */
static void replay(const char *name)
{
    direct d;
    msw_err err = {0};
    if (direct_open(&d, msw_mech_find("uvm"), name, &err)) {
        printf("%s\n", err.text);
        return;
    }
    direct_run(&d, MSW_FULL, 1);
    double seconds = 1e9, lines = stream_metric(&d, "lines");
    for (int round = 0; round < 3; round++) {
        double start = bench_seconds();
        direct_run(&d, MSW_FULL, 1);
        seconds = msw_min_f64(seconds, bench_seconds() - start);
    }
    printf("%-18s replayed in %6.3f s, %5.1f M lines/s\n", name, seconds, 1e-6 * lines / seconds);
    direct_close(&d);
}

/* 200 policies on hotspot 1024, which share its stream: every prefetcher without weights, two ways
 * to charge faults, two links, three latencies. */
static void policies(void)
{
    enum { MOST = 200 };
    direct d;
    msw_err err = {0};
    if (direct_open(&d, msw_mech_find("uvm"), "uvm/hotspot", &err)) {
        printf("%s\n", err.text);
        return;
    }
    int count = 0;
    double start = bench_seconds();
    for (int round = 0; count < MOST; round++)
        for (int prefetcher = UVM_NONE; prefetcher < UVM_LEARNED && count < MOST; prefetcher++) {
            direct_set(&d, "prefetcher", prefetcher);
            direct_set(&d, "fault_charge", round % 2 ? UVM_BATCHED : UVM_EXCLUDED);
            direct_set(&d, "link", round / 2 % 2 ? UVM_PCIE5 : UVM_PCIE3);
            direct_set(&d, "fault_latency", 15000.0 * (1 + round / 4));
            direct_run(&d, MSW_FULL, 1);
            count += d.answer.status == MSW_OK;
        }
    printf("uvm/hotspot        %d policies in %.1f s of one thread, the stream's included\n", count,
           bench_seconds() - start);
    direct_close(&d);
}

static void extract_all(void)
{
    sums all = {0};
    for (size_t k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++)
        extract(KERNELS[k], &all);
    printf("all                %6.3f s, %6.1f M instructions of warps, %.1f MB\n", all.seconds,
           1e-6 * all.instructions, 1e-6 * all.bytes);
}

/* With an argument: replays alone. */
int main(int count, char **words)
{
    (void)words;
    bench_multiply();
    if (count < 2)
        extract_all();
    for (size_t k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++)
        replay(KERNELS[k]);
    if (count < 2)
        policies();
    return 0;
}
