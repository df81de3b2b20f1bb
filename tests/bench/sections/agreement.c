/* SPDX-License-Identifier: MIT */
#include "agreement.h"

#include <math.h>

typedef struct pair {
    double error, full, closed; /* of cycles; of the metric that ranks */
} pair;

static int compare(const void *a, const void *b)
{
    double x = ((const pair *)a)->error, y = ((const pair *)b)->error;
    return (x > y) - (x < y);
}

/* Kendall's tau. */
static double tau(const pair *pairs, int count)
{
    double all = 0, sum = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            double x = pairs[i].full - pairs[j].full, y = pairs[i].closed - pairs[j].closed;
            all += x != 0;
            sum += x * y > 0 ? 1 : x * y < 0 ? -1 : 0;
        }
    return all > 0 ? sum / all : 1;
}

/* Returns 0, or -1: the config has no answer. */
static int compare_one(direct *d, const agreeing *a, uint64_t seed, pair *out)
{
    int ranked = msw_metrics_find(d->mech->metrics, a->ranked);
    int cycles = msw_metrics_find(d->mech->metrics, "cycles");
    a->draw(d, seed);
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        return -1;
    double full = d->metrics[cycles];
    out->full = d->metrics[ranked];
    direct_run(d, MSW_ANALYTIC, 1);
    out->closed = d->metrics[ranked];
    out->error = fabs(d->metrics[cycles] / full - 1);
    return 0;
}

void agreement_rows(bench *b, const agreeing *a, const char *workload)
{
    direct d;
    msw_err err = {0};
    int count = 0;
    pair *pairs = bench_memory(b, (size_t)a->configs * sizeof *pairs);
    bench_check(b, direct_open(&d, msw_mech_find(a->mech), workload, &err), &err);
    for (int seed = 1; count < a->configs && seed <= 3 * a->configs; seed++) {
        count += compare_one(&d, a, (uint64_t)seed, &pairs[count]) == 0;
        if (seed % 8 == 0)
            direct_drop_artifacts(&d);
    }
    if (!count)
        bench_fail(b, "%s: no config has an answer", workload);
    qsort(pairs, (size_t)count, sizeof *pairs, compare);
    bench_fact(b, "%", 100 * pairs[count / 2].error, "%s: error of cycles, median", workload);
    bench_fact(b, "%", 100 * pairs[count * 95 / 100].error, "%s: error of cycles, p95", workload);
    bench_fact(b, "", tau(pairs, count), "%s: tau of %s", workload, a->ranked);
    free(pairs);
    direct_close(&d);
}
