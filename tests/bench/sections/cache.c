/* SPDX-License-Identifier: MIT */
/* How fast are caches? Accesses per second of every policy and of several shapes. */
#include "numbers.h"

#include "memsweep/sim/belady.h"
#include "memsweep/sim/cache.h"

#include <stdio.h>

/* The stream once; Belady with the next uses of it. */
static void play_cache(numbers *set, msw_cache *cache, const uint64_t *next)
{
    if (!next) {
        for (int i = 0; i < set->count; i++)
            msw_cache_access(cache, 0, set->below[i] * 64, false);
        return;
    }
    for (int i = 0; i < set->count; i++)
        msw_cache_ask(cache, &(msw_cache_request){set->below[i] * 64, next[i], 0, 0, 0, 0});
}

static uint64_t *next_uses(numbers *set)
{
    msw_err err;
    uint64_t *next = bench_memory(set->b, set->count * sizeof *next);
    void *memory = bench_memory(set->b, msw_belady_next_bytes(set->count));
    bench_check(set->b, msw_belady_next(set->below, set->count, memory, next, &err), &err);
    free(memory);
    return next;
}

static void bench_cache(numbers *set, const char *what, const msw_cache_config *config,
                        uint64_t span)
{
    msw_err err;
    msw_cache cache;
    void *memory = bench_memory(set->b, msw_cache_bytes(config));
    numbers_reduce(set, span);
    uint64_t *next = config->policy == MSW_POLICY_BELADY ? next_uses(set) : NULL;
    double best = 1e9;
    for (int repeat = 0; repeat < 3; repeat++) {
        if (repeat == 0 || next)
            bench_check(set->b, msw_cache_init(&cache, config, memory, &err), &err);
        double start = bench_seconds();
        play_cache(set, &cache, next);
        double elapsed = bench_seconds() - start;
        best = elapsed < best ? elapsed : best;
    }
    msw_cache_stats stats = msw_cache_total(&cache);
    bench_rate(set->b, set->count, best, "%s", what);
    bench_fact(set->b, "", (double)stats.hits / (double)(stats.hits + stats.misses), "%s hit rate",
               what);
    free(next);
    free(memory);
}

/* Every policy where most hit and where most miss. */
static void bench_policies(numbers *set)
{
    static const char *const NAMES[] = {"LRU",   "FIFO",  "tree",  "bit",   "random",
                                        "SRRIP", "BRRIP", "DRRIP", "Belady"};
    static const uint64_t SPANS[] = {1100, 8192};
    msw_cache_config config = {.line_bytes = 64, .slices = 1, .sets = 256};
    for (config.ways = 4; config.ways <= 16; config.ways *= 4)
        for (config.policy = MSW_POLICY_LRU; config.policy <= MSW_POLICY_BELADY; config.policy++)
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
    config.slices = 8;
    config.sets = 32;
    config.hash = MSW_SLICE_PARITY;
    bench_cache(set, "8 x 32 x 4 LRU, hashed slices", &config, 1100);
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
