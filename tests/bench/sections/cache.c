/* SPDX-License-Identifier: MIT */
/* How fast are caches? Accesses per second of every policy and of several shapes. */
#include "numbers.h"

#include "memsweep/sim/cache.h"

#include <stdio.h>

static void bench_cache(numbers *set, const char *what, const msw_cache_config *config,
                        uint64_t span)
{
    msw_err err;
    msw_cache cache;
    void *memory = bench_memory(set->b, msw_cache_bytes(config));
    numbers_reduce(set, span);
    bench_check(set->b, msw_cache_init(&cache, config, memory, &err), &err);
    double best = 1e9;
    for (int repeat = 0; repeat < 3; repeat++) {
        double start = bench_seconds();
        for (int i = 0; i < set->count; i++)
            msw_cache_ask(&cache, &(msw_cache_request){.address = set->below[i] * 64});
        double elapsed = bench_seconds() - start;
        best = elapsed < best ? elapsed : best;
    }
    const msw_cache_stats stats = cache.stats[0];
    bench_rate(set->b, set->count, best, "%s", what);
    bench_fact(set->b, "", (double)stats.hits / (double)(stats.hits + stats.misses), "%s hit rate",
               what);
    free(memory);
}

/* Every policy where most hit and where most miss. */
static void bench_policies(numbers *set)
{
    static const char *const NAMES[] = {"LRU",    "FIFO",  "tree",  "bit",
                                        "random", "SRRIP", "BRRIP", "DRRIP"};
    static const uint64_t SPANS[] = {1100, 8192};
    msw_cache_config config = {.line_bytes = 64, .slices = 1, .sets = 256};
    for (config.ways = 4; config.ways <= 16; config.ways *= 4)
        for (config.policy = MSW_POLICY_LRU; config.policy <= MSW_POLICY_DRRIP; config.policy++)
            for (int s = 0; s < 2; s++) {
                char text[80];
                snprintf(text, sizeof text, "256 x %u %s, %s", config.ways, NAMES[config.policy],
                         s ? "most miss" : "most hit");
                bench_cache(set, text, &config, SPANS[s] * config.ways / 4);
            }
}

static void shapes(numbers *set)
{
    msw_cache_config config = {.line_bytes = 64, .slices = 1, .sets = 256, .ways = 4};
    bench_cache(set, "256 x 4 LRU, nearly all hit", &config, 900);
    config = (msw_cache_config){.line_bytes = 64, .slices = 1, .sets = 16384, .ways = 16};
    bench_cache(set, "16384 x 16 LRU (16 MiB)", &config, 300000);
    config.sets = 1;
    config.ways = 2048;
    bench_cache(set, "1 x 2048 LRU", &config, 2300);
}

void section_caches(bench *b)
{
    numbers set = numbers_new(b);
    bench_policies(&set);
    shapes(&set);
    numbers_free(&set);
}
