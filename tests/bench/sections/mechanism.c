/* SPDX-License-Identifier: MIT */
/* A mechanism at its defaults, on its default workload: what is built first, then a point at each
 * fidelity. */
#include "section.h"

#include "direct.h"

static double run(bench *b, void *context, size_t fidelity)
{
    direct *d = context;
    double start = bench_seconds();
    direct_run(d, (msw_fidelity)fidelity, 1);
    if (d->answer.status != MSW_OK)
        bench_fail(b, "a point has no answer at %s", msw_fidelity_name((msw_fidelity)fidelity));
    return bench_seconds() - start;
}

void section_mechanism(bench *b)
{
    const msw_mech *mech = bench_context(b);
    direct d;
    msw_err err = {0};
    bench_check(b, direct_open(&d, mech, mech->default_workload, &err), &err);
    for (size_t fidelity = 0; fidelity < MSW_FIDELITY_COUNT; fidelity++) {
        const char *name = msw_fidelity_name((msw_fidelity)fidelity);
        bench_time(b, run(b, &d, fidelity), "first %s", name);
        double seconds = bench_mean(b, run, &d, fidelity);
        bench_time(b, seconds, "%s", name);
        if (fidelity != MSW_ANALYTIC && d.answer.events)
            bench_rate(b, (double)d.answer.events, seconds, "events, %s", name);
    }
    direct_close(&d);
}
