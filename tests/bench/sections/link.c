/* SPDX-License-Identifier: MIT */
/* How fast are links and curves of bandwidth? Transfers a second. */
#include "section.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/link.h"
#include "memsweep/sim/link_curve.h"

#include <stdlib.h>

enum { SIZES = 4096 };

static void use(bench *b, uint64_t sum)
{
    if (sum == 1)
        bench_fail(b, "nothing was moved");
}

static uint64_t *random_sizes(bench *b)
{
    uint64_t *sizes = bench_memory(b, SIZES * sizeof *sizes);
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (int i = 0; i < SIZES; i++)
        sizes[i] = 1 + (msw_rng_below(&rng, 1 << 21) >> msw_rng_below(&rng, 15));
    return sizes;
}

static void bench_curve(bench *b, const uint64_t *sizes)
{
    int transfers = (int)bench_set(b, "transfers");
    uint64_t sink = 0;
    msw_err err;
    msw_link link;
    msw_link_curve *curve = bench_memory(b, sizeof *curve);
    const msw_named_curve *pcie = msw_link_curve_find("pcie3_x16", &err);
    if (!pcie)
        bench_fail(b, "%s", err.text);
    bench_check(b, msw_link_curve_init(curve, pcie->points, pcie->count, 1.481, &err), &err);
    double start = bench_seconds();
    for (int i = 0; i < transfers; i++)
        sink += msw_link_curve_ticks(curve, sizes[i % SIZES]);
    bench_rate(b, transfers, bench_seconds() - start, "curve: look-ups, random sizes");
    msw_link_config config = {.bytes = 16, .cycles = 1};
    bench_check(b, msw_link_init(&link, &config, &err), &err);
    msw_link_series series = {.count = 1};
    start = bench_seconds();
    for (int i = 0; i < transfers; i++) {
        series.bytes = sizes[i % SIZES];
        series.time = i;
        sink += msw_link_reserve(&link, &series);
    }
    bench_rate(b, transfers, bench_seconds() - start, "link: single transfers");
    use(b, sink);
    free(curve);
}

void section_links(bench *b)
{
    uint64_t *sizes = random_sizes(b);
    bench_curve(b, sizes);
    free(sizes);
}
