/* How fast are the streams of the kernels in managed memory extracted, how large are they, and how
 * fast are they replayed? Processor time of one thread. */
#include "bench.h"

#include "direct.h"
#include "htmmu_streams.h"
#include "programs.h"

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

/* Under the tree, defaults else; the first run builds what later ones share. */
static void replay(const char *name)
{
    direct d;
    msw_err err = {0};
    if (direct_open(&d, msw_mech_find("uvm"), name, &err)) {
        printf("%s\n", err.text);
        return;
    }
    direct_run(&d, MSW_FULL, 1);
    double start = bench_seconds();
    direct_run(&d, MSW_FULL, 1);
    double seconds = bench_seconds() - start, lines = stream_metric(&d, "lines");
    printf("%-18s replayed in %6.3f s, %5.1f M lines/s\n", name, seconds, 1e-6 * lines / seconds);
    direct_close(&d);
}

int main(void)
{
    sums all = {0};
    bench_multiply();
    for (size_t k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++)
        extract(KERNELS[k], &all);
    printf("all                %6.3f s, %6.1f M instructions of warps, %.1f MB\n", all.seconds,
           1e-6 * all.instructions, 1e-6 * all.bytes);
    for (size_t k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++)
        replay(KERNELS[k]);
    return 0;
}
