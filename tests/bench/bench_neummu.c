/* How fast does neummu answer? Translation requests per second of processor time at `full` (a run
 * of transactions counts with its length), points per second at `analytic`, time to build the
 * streams, and how the closed form agrees over random configs.
 *
 *   bench_neummu [random configs per network, default 50]
 */
#include "bench.h"

#include "neummu_configs.h"

#include <math.h>

/* Mean seconds of a run, over at least 0.2 s. */
static double time_run(direct *d, msw_fidelity fidelity)
{
    int runs = 0;
    direct_run(d, fidelity, 1); /* builds the artifacts */
    double start = bench_seconds(), end;
    do {
        direct_run(d, fidelity, 1);
        runs++;
    } while ((end = bench_seconds()) - start < 0.2);
    return (end - start) / runs;
}

static int open_network(direct *d, const char *workload)
{
    msw_err err = {0};
    if (direct_open(d, msw_mech_find("neummu"), workload, &err) == 0)
        return 0;
    fprintf(stderr, "%s\n", err.text);
    return -1;
}

typedef struct setting {
    const char *name;
    double walkers, scoreboard, path_cache;
} setting;

static const setting SETTINGS[] = {{"neummu", 128, 1, 1},
                                   {"8 walkers", 8, 1, 0},
                                   {"1024 walkers", 1024, 1, 1},
                                   {"iommu", 8, 0, 0}};

static int show_speed(const char *workload)
{
    direct d;
    if (open_network(&d, workload))
        return -1;
    double start = bench_seconds();
    direct_run(&d, MSW_ANALYTIC, 1);
    double build = bench_seconds() - start;
    printf("%-16s streams built in %.1f ms, analytic %.0f points/s\n", workload, 1e3 * build,
           1 / time_run(&d, MSW_ANALYTIC));
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
        direct_set(&d, "ptw_count", SETTINGS[i].walkers);
        direct_set(&d, "scoreboard", SETTINGS[i].scoreboard);
        direct_set(&d, "path_cache", SETTINGS[i].path_cache);
        double seconds = time_run(&d, MSW_FULL);
        double requests = d.metrics[msw_metrics_find(d.mech->metrics, "translations")];
        printf("%-16s %-14s full %8.2f ms, %7.1f M requests/s, slowdown %.4f\n", "",
               SETTINGS[i].name, 1e3 * seconds, 1e-6 * requests / seconds,
               d.metrics[msw_metrics_find(d.mech->metrics, "slowdown")]);
    }
    direct_close(&d);
    return 0;
}

/* ---- closed form against full ---- */

typedef struct pair {
    double error, full, closed; /* of cycles; slowdowns */
    int same_bound;
} pair;

static void compare_one(direct *d, uint64_t seed, pair *out)
{
    int slowdown = msw_metrics_find(d->mech->metrics, "slowdown");
    neummu_random(d, seed);
    direct_run(d, MSW_FULL, 1);
    double cycles = d->metrics[0];
    int bound = msw_mech_bound_by(d->mech, d->metrics);
    out->full = d->metrics[slowdown];
    direct_run(d, MSW_ANALYTIC, 1);
    out->closed = d->metrics[slowdown];
    out->error = fabs(d->metrics[0] / cycles - 1);
    out->same_bound = bound == msw_mech_bound_by(d->mech, d->metrics);
}

static int compare_errors(const void *a, const void *b)
{
    double x = ((const pair *)a)->error, y = ((const pair *)b)->error;
    return (x > y) - (x < y);
}

/* Kendall's tau over pairs whose slowdowns differ by more than `apart`, relatively. */
static double tau(const pair *pairs, int count, double apart)
{
    double all = 0, sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            double x = pairs[i].full - pairs[j].full, y = pairs[i].closed - pairs[j].closed;
            if (fabs(x) <= apart * pairs[j].full)
                continue;
            all++;
            sum += x * y > 0 ? 1 : x * y < 0 ? -1 : 0;
        }
    return all > 0 ? sum / all : 1;
}

static int show_agreement(const char *workload, int configs)
{
    direct d;
    int same = 0;
    pair *pairs = calloc((size_t)configs, sizeof *pairs);
    if (!pairs || open_network(&d, workload))
        return -1;
    for (int i = 0; i < configs; i++) {
        compare_one(&d, (uint64_t)i + 1, &pairs[i]);
        same += pairs[i].same_bound;
    }
    qsort(pairs, (size_t)configs, sizeof *pairs, compare_errors);
    printf("%-16s cycles: median error %.3f %%, p95 %.2f %%, largest %.1f %%; slowdown: tau %.3f "
           "(%.3f where 1 %% apart); same bottleneck %.1f %%\n",
           workload, 100 * pairs[configs / 2].error, 100 * pairs[configs * 95 / 100].error,
           100 * pairs[configs - 1].error, tau(pairs, configs, 1e-9), tau(pairs, configs, 0.01),
           100.0 * same / configs);
    free(pairs);
    direct_close(&d);
    return 0;
}

static const char *const NETWORKS[] = {
    "alexnet/b1", "googlenet/b1", "resnet50/b1", "resnet50/b4",     "rnn1/b1",
    "rnn2/b1",    "rnn3/b1",      "vgg16/b1",    "mobilenet_v2/b1", "bert_base_s128/b1"};

int main(int argc, char **argv)
{
    int configs = argc > 1 ? atoi(argv[1]) : 50;
    size_t count = sizeof NETWORKS / sizeof *NETWORKS;
    for (size_t n = 0; n < count; n++)
        if (show_speed(NETWORKS[n]))
            return 1;
    for (size_t n = 0; configs > 0 && n < count; n++)
        if (show_agreement(NETWORKS[n], configs))
            return 1;
    return 0;
}
