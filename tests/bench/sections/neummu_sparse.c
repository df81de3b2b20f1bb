/* SPDX-License-Identifier: MIT */
/* What does a point of the sparse case study cost, at each fidelity? Without the artifacts. */
#include "section.h"

#include "direct.h"

static double run(bench *b, void *context, size_t fidelity)
{
    double start = bench_seconds();
    direct *d = context;
    direct_run(d, (msw_fidelity)fidelity, 1);
    if (d->answer.status != MSW_OK)
        bench_fail(b, "a point has no answer");
    return bench_seconds() - start;
}

static void measure(bench *b, const char *workload, int mode, size_t fidelity)
{
    direct d;
    msw_err err = {0};
    const char *name = msw_fidelity_name((msw_fidelity)fidelity);
    bench_check(b, direct_open(&d, msw_mech_find("neummu_sparse"), workload, &err), &err);
    direct_set(&d, "sparse_batches", bench_set(b, "batches"));
    direct_set(&d, "mode", mode);
    run(b, &d, fidelity); /* builds the artifacts */
    bench_time(b, bench_mean(b, run, &d, fidelity), "%s mode %d %s", workload, mode, name);
    bench_fact(b, "cycles", d.metrics[0], "%s mode %d %s cycles", workload, mode, name);
    direct_close(&d);
}

void section_neummu_sparse(bench *b)
{
    static const char *const WORKLOADS[] = {"neumf/b64", "dlrm/b128"};
    for (size_t w = 0; w < 2; w++)
        for (int mode = 0; mode < 4; mode++)
            for (size_t fidelity = 0; fidelity < MSW_FIDELITY_COUNT; fidelity++)
                measure(b, WORKLOADS[w], mode, fidelity);
}
