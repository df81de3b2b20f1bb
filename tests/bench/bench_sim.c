/* How fast are the shared hardware parts? Prints millions of events per second of processor time
 * and the ratio to a calibration loop of dependent multiplications on the same machine. */
#include "bench.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/belady.h"
#include "memsweep/sim/cache.h"
#include "memsweep/sim/link.h"
#include "memsweep/sim/lru_stack.h"
#include "memsweep/sim/mmu.h"
#include "memsweep/sim/reuse.h"
#include "memsweep/sim/utility.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM = 1 << 20, REPEATS = 3 };

struct bench {
    uint64_t *keys;     /* STREAM random numbers, */
    uint64_t *below;    /* and the same reduced to what one measurement needs */
    double calibration; /* millions of loop rounds per second */
    uint64_t sink;
};

static void *memory_of(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory)
        exit(1);
    return memory;
}

static void reduce(struct bench *bench, uint64_t span)
{
    for (int i = 0; i < STREAM; i++)
        bench->below[i] = bench->keys[i] % span;
}

static void report(const struct bench *bench, const char *what, double events, double elapsed)
{
    double rate = events / elapsed / 1e6;
    printf("%-58s %9.1f M/s  ratio %.4f\n", what, rate, rate / bench->calibration);
}

/* The stream once; Belady with the next uses of it. */
static void play_cache(struct bench *bench, msw_cache *cache, const uint64_t *next)
{
    if (!next) {
        for (int i = 0; i < STREAM; i++)
            msw_cache_access(cache, 0, bench->below[i] * 64, false);
        return;
    }
    for (int i = 0; i < STREAM; i++)
        msw_cache_ask(cache, &(msw_cache_request){bench->below[i] * 64, next[i], 0, 0, 0, 0});
}

static uint64_t *next_uses(struct bench *bench)
{
    msw_err err;
    uint64_t *next = memory_of(STREAM * sizeof *next);
    void *memory = memory_of(msw_belady_next_bytes(STREAM));
    if (msw_belady_next(bench->below, STREAM, memory, next, &err))
        exit(1);
    free(memory);
    return next;
}

static void bench_cache(struct bench *bench, const char *what, const msw_cache_config *config,
                        uint64_t span)
{
    msw_err err;
    msw_cache cache;
    void *memory = memory_of(msw_cache_bytes(config));
    reduce(bench, span);
    uint64_t *next = config->policy == MSW_POLICY_BELADY ? next_uses(bench) : NULL;
    double best = 1e9;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        if ((repeat == 0 || next) && msw_cache_init(&cache, config, memory, &err))
            exit(1);
        double start = bench_seconds();
        play_cache(bench, &cache, next);
        double elapsed = bench_seconds() - start;
        best = elapsed < best ? elapsed : best;
    }
    msw_cache_stats stats = msw_cache_total(&cache);
    char text[100];
    snprintf(text, sizeof text, "%s, hit rate %.2f", what,
             (double)stats.hits / (double)(stats.hits + stats.misses));
    report(bench, text, STREAM, best);
    free(next);
    free(memory);
}

/* Every policy where most hit and where most miss. */
static void bench_policies(struct bench *bench)
{
    static const char *const NAMES[] = {"LRU",   "FIFO",  "tree",  "bit",   "random",
                                        "SRRIP", "BRRIP", "DRRIP", "Belady"};
    static const uint64_t SPANS[] = {1100, 8192};
    msw_cache_config config = {.line_bytes = 64, .slices = 1, .sets = 256};
    for (config.ways = 4; config.ways <= 16; config.ways *= 4)
        for (config.policy = MSW_POLICY_LRU; config.policy <= MSW_POLICY_BELADY; config.policy++)
            for (int s = 0; s < 2; s++) {
                char text[80];
                snprintf(text, sizeof text, "cache 256 x %u %s", config.ways, NAMES[config.policy]);
                bench_cache(bench, text, &config, SPANS[s] * config.ways / 4);
            }
}

static void bench_caches(struct bench *bench)
{
    msw_cache_config config = {.line_bytes = 64, .slices = 1, .sets = 256, .ways = 4};
    bench_policies(bench);
    bench_cache(bench, "cache 256 x 4 LRU", &config, 900);
    config.slices = 8;
    config.sets = 32;
    config.hash = MSW_SLICE_PARITY;
    bench_cache(bench, "cache 8 x 32 x 4 LRU, hashed slices", &config, 1100);
    config = (msw_cache_config){.line_bytes = 64, .slices = 1, .sets = 16384, .ways = 16};
    bench_cache(bench, "cache 16384 x 16 LRU (16 MiB)", &config, 300000);
    config.sets = 1;
    config.ways = 2048;
    bench_cache(bench, "cache 1 x 2048 LRU", &config, 2300);
}

/* Misses by ways, 256 sets. */
static void bench_utility(struct bench *bench)
{
    msw_err err;
    msw_utility_config config = {.sets = 256, .ways = 16};
    msw_utility utility;
    void *memory = memory_of(msw_utility_bytes(&config));
    if (msw_utility_init(&utility, &config, memory, &err))
        exit(1);
    reduce(bench, 4400);
    double start = bench_seconds();
    for (int i = 0; i < STREAM; i++)
        msw_utility_add(&utility, bench->below[i] % 256, bench->below[i]);
    report(bench, "misses by ways, 256 sets, up to 16", STREAM, bench_seconds() - start);
    bench->sink += msw_utility_misses(&utility, 8);
    free(memory);
}

static void bench_tlb(struct bench *bench)
{
    msw_err err;
    msw_tlb_config config = {
        .banks = 1, .sets = 16, .ways = 4, .sizes = 1, .page_shift = {12}, .coalesce = 1};
    msw_tlb tlb;
    void *memory = memory_of(msw_tlb_bytes(&config));
    if (msw_tlb_init(&tlb, &config, memory, &err))
        exit(1);
    reduce(bench, 64);
    for (uint64_t page = 0; page < 64; page++)
        msw_tlb_fill(&tlb, 0, (msw_page){page << 12, 12}, 0, 0);
    double start = bench_seconds();
    for (int repeat = 0; repeat < 8; repeat++)
        for (int i = 0; i < STREAM; i++)
            bench->sink += msw_tlb_lookup(&tlb, 0, bench->below[i] << 12);
    report(bench, "tlb 16 x 4 look-ups, all hits, random order", 8.0 * STREAM,
           bench_seconds() - start);
    free(memory);
}

static msw_mmu_config two_levels(void)
{
    msw_mmu_config config = {.l1_cycles = 5, .has_l2 = true, .l2_cycles = 7, .reprobe = true};
    config.l1 = (msw_tlb_config){
        .banks = 1, .sets = 16, .ways = 4, .sizes = 1, .page_shift = {12}, .coalesce = 1};
    config.l2 = config.l1;
    config.l2.sets = 128;
    config.walker = (msw_walker_config){.walkers = 128,
                                        .scoreboard = true,
                                        .slots = 32,
                                        .return_gap = 1,
                                        .level_cycles = 100,
                                        .table = msw_pagetable_x86(),
                                        .cache = {.kind = MSW_WALKCACHE_REGISTER, .levels = 3}};
    return config;
}

/* `each` requests to a page, then the next page: in order, or drawn from 2^20 pages. */
static void bench_mmu(struct bench *bench, const char *what, uint64_t each, bool random,
                      bool series)
{
    msw_err err;
    msw_mmu_config config = two_levels();
    msw_mmu mmu;
    void *memory = memory_of(msw_mmu_bytes(&config));
    if (msw_mmu_init(&mmu, &config, memory, &err))
        exit(1);
    msw_mmu_request request = {.page = {0, 12}};
    reduce(bench, STREAM);
    uint64_t pages = STREAM / each * (series ? 8 : 1);
    double start = bench_seconds();
    for (uint64_t i = 0; i < pages; i++) {
        request.page.address = (random ? bench->below[i % STREAM] : i) << 12;
        for (uint64_t done = 0; done < each; done += request.count) {
            request.count = series ? each : 1;
            request.time = msw_mmu_series(&mmu, &request).next;
        }
    }
    report(bench, what, (double)(pages * each), bench_seconds() - start);
    free(memory);
}

static void bench_events(struct bench *bench)
{
    msw_event_queue queue;
    void *memory = memory_of(msw_event_bytes(1024));
    msw_event event;
    msw_event_init(&queue, 1024, memory);
    reduce(bench, 1000);
    for (int i = 0; i < 512; i++)
        msw_event_push(&queue, bench->below[i], 0);
    double start = bench_seconds();
    for (int i = 0; i < STREAM; i++) {
        msw_event_pop(&queue, &event);
        msw_event_push(&queue, event.time + bench->below[i], 0);
    }
    report(bench, "event queue of 512: pop and push", STREAM, bench_seconds() - start);
    bench->sink += event.time;
    free(memory);
}

static void bench_reuse(struct bench *bench)
{
    msw_err err;
    msw_reuse reuse;
    void *memory = memory_of(msw_reuse_bytes(1 << 16));
    if (msw_reuse_init(&reuse, 1 << 16, memory, &err))
        exit(1);
    reduce(bench, 65536);
    double start = bench_seconds();
    for (int i = 0; i < STREAM; i++)
        msw_reuse_add(&reuse, bench->below[i], &err);
    report(bench, "stack distance, 65536 keys, random", STREAM, bench_seconds() - start);
    free(memory);
}

/* The same distances from a tree whose every walk goes to its end. Returns the sum. */
static uint64_t plain_distances(const uint64_t *keys, uint32_t *tree, uint32_t *last)
{
    uint64_t sum = 0;
    uint32_t count = 0;
    for (size_t now = 1; now <= STREAM; now++) {
        uint32_t before = last[keys[now - 1]];
        sum += before ? count : 0;
        for (size_t i = before; i; i -= i & -i)
            sum -= tree[i];
        for (size_t i = before; i && i <= STREAM; i += i & -i)
            tree[i]--;
        for (size_t i = now; i <= STREAM; i += i & -i)
            tree[i]++;
        count += before == 0;
        last[keys[now - 1]] = (uint32_t)now;
    }
    return sum;
}

static uint64_t stack_distances(const uint64_t *keys, uint32_t *tree, uint32_t *last)
{
    uint64_t sum = 0;
    msw_lru_stack stack;
    msw_lru_stack_init(&stack, STREAM, tree);
    for (size_t i = 0; i < STREAM; i++) {
        uint32_t before = last[keys[i]];
        sum += before ? msw_lru_stack_since(&stack, before) : 0;
        last[keys[i]] = msw_lru_stack_use(&stack, before);
    }
    return sum;
}

static void bench_stack(struct bench *bench, uint64_t span)
{
    uint64_t (*const ways[])(const uint64_t *, uint32_t *, uint32_t *) = {plain_distances,
                                                                          stack_distances};
    size_t words = msw_lru_stack_words(STREAM);
    uint32_t *tree = memory_of(words * sizeof *tree), *last = memory_of(span * sizeof *last);
    double best[2] = {1e9, 1e9};
    uint64_t sums[2];
    reduce(bench, span);
    for (int repeat = 0; repeat < 2 * REPEATS; repeat++) {
        memset(tree, 0, words * sizeof *tree);
        memset(last, 0, span * sizeof *last);
        double start = bench_seconds();
        sums[repeat % 2] = ways[repeat % 2](bench->below, tree, last);
        double elapsed = bench_seconds() - start;
        best[repeat % 2] = elapsed < best[repeat % 2] ? elapsed : best[repeat % 2];
    }
    if (sums[0] != sums[1])
        exit(1);
    char text[100];
    snprintf(text, sizeof text, "LRU stack, %llu keys, %.2f of a plain tree's time",
             (unsigned long long)span, best[1] / best[0]);
    report(bench, text, STREAM, best[1]);
    free(last);
    free(tree);
}

static void bench_link(struct bench *bench)
{
    msw_err err;
    msw_link link;
    msw_link_config config = {.bytes = 600, .cycles = 1, .priorities = 1};
    if (msw_link_init(&link, &config, NULL, &err))
        exit(1);
    msw_link_series series = {.count = 64, .bytes = 64};
    double start = bench_seconds();
    for (int i = 0; i < STREAM; i++)
        series.time = msw_link_reserve(&link, &series);
    report(bench, "link: series of 64 transfers", STREAM, bench_seconds() - start);
    bench->sink += series.time;
}

int main(void)
{
    struct bench bench = {.keys = memory_of(STREAM * sizeof(uint64_t)),
                          .below = memory_of(STREAM * sizeof(uint64_t))};
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (int i = 0; i < STREAM; i++)
        bench.keys[i] = msw_rng_u64(&rng) >> 16;
    bench.calibration = bench_multiply();
    bench_tlb(&bench);
    bench_caches(&bench);
    bench_mmu(&bench, "two-level tlb + 128 walkers, streaming, 64 per page", 64, false, false);
    bench_mmu(&bench, "two-level tlb + 128 walkers, streaming, 8 per page", 8, false, false);
    bench_mmu(&bench, "two-level tlb + 128 walkers, streaming, series of 64", 64, false, true);
    bench_mmu(&bench, "two-level tlb + 128 walkers, random pages", 1, true, false);
    bench_events(&bench);
    bench_reuse(&bench);
    bench_stack(&bench, 1 << 16);
    bench_stack(&bench, 1 << 8);
    bench_utility(&bench);
    bench_link(&bench);
    free(bench.keys);
    free(bench.below);
    return bench.sink == 42;
}
