/* SPDX-License-Identifier: MIT */
/* How fast does htmmu answer, and how does its closed form agree? Requests per second at `full`,
 * time of a point at `analytic`, errors over random configs. */
#include "agreement.h"

#include "htmmu_configs.h"

static const char *const WORKLOADS[] = {"dense", "big", "kgcn/b128", "large", "dlrm/b128"};

static size_t workload_count(const bench *b)
{
    return bench_quick(b) ? 3 : sizeof WORKLOADS / sizeof *WORKLOADS;
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

static void show_speed(bench *b, const char *workload)
{
    static const char *const PRESETS[] = {"baseline", "tbu", "htmmu"};
    direct d;
    msw_err err = {0};
    bench_check(b, direct_open(&d, &msw_mech_htmmu, workload, &err), &err);
    bench_time(b, run(b, &d, MSW_ANALYTIC), "%s: profiles built", workload);
    bench_time(b, bench_mean(b, run, &d, MSW_ANALYTIC), "%s: closed form", workload);
    for (size_t i = 0; i < sizeof PRESETS / sizeof *PRESETS; i++) {
        stream_preset(&d, PRESETS[i]);
        run(b, &d, MSW_FULL); /* builds the artifacts and the reference */
        double seconds = bench_mean(b, run, &d, MSW_FULL);
        bench_rate(b, stream_metric(&d, "requests"), seconds, "%s: requests, %s", workload,
                   PRESETS[i]);
        bench_fact(b, "", stream_metric(&d, "speedup"), "%s: speedup, %s", workload, PRESETS[i]);
    }
    direct_close(&d);
}

void section_htmmu(bench *b)
{
    for (size_t w = 0; w < workload_count(b); w++)
        show_speed(b, WORKLOADS[w]);
}

void section_htmmu_agreement(bench *b)
{
    agreeing a = {"htmmu", "mean_wait_cycles", htmmu_random, (int)bench_set(b, "configs")};
    for (size_t w = 0; w < workload_count(b); w++)
        agreement_rows(b, &a, WORKLOADS[w]);
}
