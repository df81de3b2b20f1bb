/* SPDX-License-Identifier: MIT */
/* How fast does neummu answer? Translation requests per second at `full` (a run of transactions
 * counts with its length), time of a point at `analytic`, time to build the streams, and how the
 * closed form agrees over random configs. */
#include "agreement.h"

#include "neummu_configs.h"

typedef struct setting {
    const char *name;
    double walkers, scoreboard, path_cache;
} setting;

static const setting SETTINGS[] = {{"neummu", 128, 1, 1},
                                   {"8 walkers", 8, 1, 0},
                                   {"1024 walkers", 1024, 1, 1},
                                   {"iommu", 8, 0, 0}};

static const char *const NETWORKS[] = {
    "resnet50/b1", "rnn2/b1", "bert_base_s128/b1", "alexnet/b1", "googlenet/b1",
    "resnet50/b4", "rnn1/b1", "rnn3/b1",           "vgg16/b1",   "mobilenet_v2/b1"};

static size_t network_count(const bench *b)
{
    return bench_quick(b) ? 3 : sizeof NETWORKS / sizeof *NETWORKS;
}

static double run(bench *b, void *context, size_t fidelity)
{
    direct *d = context;
    double start = bench_seconds();
    direct_run(d, (msw_fidelity)fidelity, 1);
    if (d->answer.status != MSW_OK)
        bench_fail(b, "a point has no answer");
    return bench_seconds() - start;
}

static void show_speed(bench *b, const char *network)
{
    direct d;
    msw_err err = {0};
    bench_check(b, direct_open(&d, msw_mech_find("neummu"), network, &err), &err);
    bench_time(b, run(b, &d, MSW_ANALYTIC), "%s: streams built", network);
    bench_time(b, bench_mean(b, run, &d, MSW_ANALYTIC), "%s: closed form", network);
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++) {
        direct_set(&d, "ptw_count", SETTINGS[i].walkers);
        direct_set(&d, "scoreboard", SETTINGS[i].scoreboard);
        direct_set(&d, "path_cache", SETTINGS[i].path_cache);
        run(b, &d, MSW_FULL); /* builds the artifacts */
        double seconds = bench_mean(b, run, &d, MSW_FULL);
        bench_rate(b, d.metrics[msw_metrics_find(d.mech->metrics, "translations")], seconds,
                   "%s: requests, %s", network, SETTINGS[i].name);
        bench_fact(b, "", d.metrics[msw_metrics_find(d.mech->metrics, "slowdown")],
                   "%s: slowdown, %s", network, SETTINGS[i].name);
    }
    direct_close(&d);
}

void section_neummu(bench *b)
{
    for (size_t n = 0; n < network_count(b); n++)
        show_speed(b, NETWORKS[n]);
}

void section_neummu_agreement(bench *b)
{
    agreeing a = {"neummu", "slowdown", neummu_random, (int)bench_set(b, "configs")};
    for (size_t n = 0; n < network_count(b); n++)
        agreement_rows(b, &a, NETWORKS[n]);
}
