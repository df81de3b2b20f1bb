/* How fast do the shipped kernels run on device memory, in values and as a slice, and what does
 * their summary cost? Processor time of one thread, the best of five runs, preset `paper` at a 16th
 * of its size. */
#include "bench.h"

#include "programs.h"

#include <stdlib.h>
#include <string.h>

/* One CTA at a time: registers of many would not fit into the caches. */
static const msw_simt_sms SMS = {.sms = 1, .ctas = 1};

/* Runs all launches. Returns the instructions of warps, 0 after a message. */
static uint64_t run(program *p, msw_simt_mode mode)
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
            printf("%s\n", p->err.text);
        all += issued;
    }
    msw_simt_device_free(device);
    msw_arena_free(&arena);
    return all;
}

/* Millions of instructions of warps per second: the best run, since others share the caches. */
static double rate(program *p, msw_simt_mode mode)
{
    double best = 0;
    for (int i = 0; i < 5; i++) {
        double start = bench_seconds();
        uint64_t count = run(p, mode);
        double now = 1e-6 * (double)count / (bench_seconds() - start);
        best = now > best ? now : best;
    }
    return best;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

int main(void)
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
    enum { COUNT = sizeof NAMES / sizeof *NAMES };
    double values[COUNT], slices[COUNT];
    bench_multiply();
    for (size_t i = 0; i < COUNT; i++) {
        program p;
        double start = bench_seconds();
        if (program_named(&p, NAMES[i]) || program_build(&p)) {
            printf("%s: %s\n", NAMES[i], p.err.text);
            return 1;
        }
        double build = bench_seconds() - start;
        values[i] = rate(&p, MSW_SIMT_VALUES);
        slices[i] = rate(&p, MSW_SIMT_SLICE);
        printf("%-26s read and summary %6.1f ms, values %7.1f, slice %7.1f M instructions/s\n",
               NAMES[i], 1e3 * build, values[i], slices[i]);
        program_close(&p);
    }
    printf("median: values %.1f, slice %.1f M instructions of warps/s\n", median(values, COUNT),
           median(slices, COUNT));
    return 0;
}
