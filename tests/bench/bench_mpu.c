/* How fast does mpu answer on the twelve kernels, preset `paper` at a 16th of its size? Millions of
 * warp-instructions per second of processor time at `full`, on all cores and on four of them, over
 * those of the interpreter alone (slice, in the same run); what simulating some cores alone changes
 * in the cycles; and points per second of the closed form.
 *
 *   bench_mpu [NAME]   one kernel alone
 */
#include "bench.h"

#include "direct.h"
#include "programs.h"

#include <string.h>

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

typedef struct rates {
    double slice[COUNT], full[COUNT], four[COUNT];
    double closed; /* seconds of one point of every kernel */
    size_t count;
} rates;

static const msw_simt_sms SMS = {.sms = 1, .ctas = 1};

/* Warp-instructions per second of the interpreter, one CTA at a time. */
static double slice_rate(const char *name)
{
    program p;
    msw_arena arena = {0};
    msw_simt_listener listener = {0};
    uint64_t all = 0;
    if (program_named(&p, name) || program_build(&p))
        return 0;
    msw_simt_device *device =
        msw_simt_device_new(p.p->arrays, p.p->array_count, UINT64_C(1) << 32, &p.err);
    double start = bench_seconds();
    for (size_t s = 0; device && s < p.p->stage_count; s++) {
        uint64_t issued = 0;
        if (p.p->stages[s].kind != MSW_SIMT_STAGE_LAUNCH)
            continue;
        msw_simt_launch launch = msw_simt_stage_launch(
            p.p, &p.p->stages[s], msw_simt_device_memory(device), MSW_SIMT_SLICE);
        const msw_simt_code *code = msw_simt_decode(&launch, &arena, &p.err);
        if (!code || msw_simt_execute(code, &SMS, 0, 0, &listener, &arena, &issued, &p.err))
            printf("%s\n", p.err.text);
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

/* Mean seconds of a point, over at least 0.05 s. */
static double closed_seconds(direct *d)
{
    int runs = 0;
    direct_run(d, MSW_ANALYTIC, 1);
    double start = bench_seconds(), end;
    do {
        direct_run(d, MSW_ANALYTIC, 1);
        runs++;
    } while ((end = bench_seconds()) - start < 0.05);
    return (end - start) / runs;
}

static int measure(const char *name, rates *r)
{
    direct d;
    msw_err err = {0};
    if (direct_open(&d, msw_mech_find("mpu"), name, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return -1;
    }
    size_t i = r->count++;
    double closed = closed_seconds(&d);
    r->slice[i] = slice_rate(name);
    r->full[i] = full_rate(&d, 0);
    uint64_t digest = msw_hash_bytes(d.metrics, d.mech->metric_count * sizeof *d.metrics).lo;
    double cycles = metric(&d, "cycles");
    r->four[i] = full_rate(&d, 4);
    double four = metric(&d, "cycles") / cycles - 1, some = bias(&d, 16, cycles);
    double half = bias(&d, 64, cycles);
    r->closed += closed;
    printf("%-26s slice %6.1f M/s, full %5.2f M/s (%.3f of slice), on 4 cores %5.2f M/s; closed "
           "form %5.1f us; %.0f cycles, %016llx; with 4, 16, 64 of 128 cores %+.1f, %+.1f, %+.1f "
           "%%\n",
           name, 1e-6 * r->slice[i], 1e-6 * r->full[i], r->full[i] / r->slice[i], 1e-6 * r->four[i],
           1e6 * closed, cycles, (unsigned long long)digest, 100 * four, 100 * some, 100 * half);
    direct_close(&d);
    return 0;
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

int main(int argc, char **argv)
{
    rates r = {.count = 0};
    for (size_t i = 0; i < COUNT; i++)
        if ((argc < 2 || strncmp(argv[1], NAMES[i], strlen(argv[1])) == 0) && measure(NAMES[i], &r))
            return 1;
    if (!r.count)
        return 1;
    double slice = median(r.slice, r.count), full = median(r.full, r.count);
    printf("median: slice %.1f M/s, full %.2f M/s (slowest %.2f), over slice %.3f; on 4 cores %.2f "
           "M/s; closed form %.0f configs/s of all\n",
           1e-6 * slice, 1e-6 * full, 1e-6 * r.full[0], full / slice,
           1e-6 * median(r.four, r.count), 1 / r.closed);
    return 0;
}
