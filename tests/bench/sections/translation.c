/* SPDX-License-Identifier: MIT */
/* How fast are the other shared parts? Events per second. */
#include "numbers.h"

#include "memsweep/sim/link.h"
#include "memsweep/sim/lru_stack.h"
#include "memsweep/sim/mmu.h"
#include "memsweep/sim/reuse.h"
#include "memsweep/sim/utility.h"

#include <stdio.h>
#include <string.h>

/* Misses by ways, 256 sets. */
static void measure_utility(numbers *set)
{
    msw_err err;
    msw_utility_config config = {.sets = 256, .ways = 16};
    msw_utility utility;
    void *memory = bench_memory(set->b, msw_utility_bytes(&config));
    bench_check(set->b, msw_utility_init(&utility, &config, memory, &err), &err);
    numbers_reduce(set, 4400);
    double start = bench_seconds();
    for (int i = 0; i < set->count; i++)
        msw_utility_add(&utility, set->below[i] % 256, set->below[i]);
    bench_rate(set->b, set->count, bench_seconds() - start, "misses by ways, 256 sets, up to 16");
    set->sink += msw_utility_misses(&utility, 8);
    free(memory);
}

static void measure_tlb(numbers *set)
{
    msw_err err;
    msw_tlb_config config = {
        .banks = 1, .sets = 16, .ways = 4, .sizes = 1, .page_shift = {12}, .coalesce = 1};
    msw_tlb tlb;
    void *memory = bench_memory(set->b, msw_tlb_bytes(&config));
    bench_check(set->b, msw_tlb_init(&tlb, &config, memory, &err), &err);
    numbers_reduce(set, 64);
    for (uint64_t page = 0; page < 64; page++)
        msw_tlb_fill(&tlb, 0, (msw_page){page << 12, 12}, 0, 0);
    double start = bench_seconds();
    for (int repeat = 0; repeat < 8; repeat++)
        for (int i = 0; i < set->count; i++)
            set->sink += msw_tlb_lookup(&tlb, 0, set->below[i] << 12);
    bench_rate(set->b, 8.0 * set->count, bench_seconds() - start,
               "tlb 16 x 4 look-ups, all hits, random order");
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
static void measure_mmu(numbers *set, const char *what, uint64_t each, bool random, bool series)
{
    msw_err err;
    msw_mmu_config config = two_levels();
    msw_mmu mmu;
    void *memory = bench_memory(set->b, msw_mmu_bytes(&config));
    bench_check(set->b, msw_mmu_init(&mmu, &config, memory, &err), &err);
    msw_mmu_request request = {.page = {0, 12}};
    numbers_reduce(set, (uint64_t)set->count);
    uint64_t pages = (uint64_t)set->count / each * (series ? 8 : 1);
    double start = bench_seconds();
    for (uint64_t i = 0; i < pages; i++) {
        request.page.address = (random ? set->below[i % (uint64_t)set->count] : i) << 12;
        for (uint64_t done = 0; done < each; done += request.count) {
            request.count = series ? each : 1;
            request.time = msw_mmu_series(&mmu, &request).next;
        }
    }
    bench_rate(set->b, (double)(pages * each), bench_seconds() - start, "%s", what);
    free(memory);
}

static void measure_events(numbers *set)
{
    msw_event_queue queue;
    void *memory = bench_memory(set->b, msw_event_bytes(1024));
    msw_event event;
    msw_event_init(&queue, 1024, memory);
    numbers_reduce(set, 1000);
    for (int i = 0; i < 512; i++)
        msw_event_push(&queue, set->below[i], 0);
    double start = bench_seconds();
    for (int i = 0; i < set->count; i++) {
        msw_event_pop(&queue, &event);
        msw_event_push(&queue, event.time + set->below[i], 0);
    }
    bench_rate(set->b, set->count, bench_seconds() - start, "event queue of 512: pop and push");
    set->sink += event.time;
    free(memory);
}

static void measure_reuse(numbers *set)
{
    msw_err err;
    msw_reuse reuse;
    void *memory = bench_memory(set->b, msw_reuse_bytes(1 << 16));
    bench_check(set->b, msw_reuse_init(&reuse, 1 << 16, memory, &err), &err);
    numbers_reduce(set, 65536);
    double start = bench_seconds();
    for (int i = 0; i < set->count; i++)
        msw_reuse_add(&reuse, set->below[i], &err);
    bench_rate(set->b, set->count, bench_seconds() - start, "stack distance, 65536 keys, random");
    free(memory);
}

/* The same distances from a tree whose every walk goes to its end. Returns the sum. */
static uint64_t plain_distances(const numbers *set, uint32_t *tree, uint32_t *last)
{
    uint64_t sum = 0;
    uint32_t count = 0;
    for (size_t now = 1; now <= (size_t)set->count; now++) {
        uint32_t before = last[set->below[now - 1]];
        sum += before ? count : 0;
        for (size_t i = before; i; i -= i & -i)
            sum -= tree[i];
        for (size_t i = before; i && i <= (size_t)set->count; i += i & -i)
            tree[i]--;
        for (size_t i = now; i <= (size_t)set->count; i += i & -i)
            tree[i]++;
        count += before == 0;
        last[set->below[now - 1]] = (uint32_t)now;
    }
    return sum;
}

static uint64_t stack_distances(const numbers *set, uint32_t *tree, uint32_t *last)
{
    uint64_t sum = 0;
    msw_lru_stack stack;
    msw_lru_stack_init(&stack, (size_t)set->count, tree);
    for (size_t i = 0; i < (size_t)set->count; i++) {
        uint32_t before = last[set->below[i]];
        sum += before ? msw_lru_stack_since(&stack, before) : 0;
        last[set->below[i]] = msw_lru_stack_use(&stack, before);
    }
    return sum;
}

static void measure_stack(numbers *set, uint64_t span)
{
    uint64_t (*const ways[])(const numbers *, uint32_t *, uint32_t *) = {plain_distances,
                                                                         stack_distances};
    size_t words = msw_lru_stack_words((size_t)set->count);
    uint32_t *tree = bench_memory(set->b, words * sizeof *tree),
             *last = bench_memory(set->b, span * sizeof *last);
    double best[2] = {1e9, 1e9};
    uint64_t sums[2];
    numbers_reduce(set, span);
    for (int repeat = 0; repeat < 2 * 3; repeat++) {
        memset(tree, 0, words * sizeof *tree);
        memset(last, 0, span * sizeof *last);
        double start = bench_seconds();
        sums[repeat % 2] = ways[repeat % 2](set, tree, last);
        double elapsed = bench_seconds() - start;
        best[repeat % 2] = elapsed < best[repeat % 2] ? elapsed : best[repeat % 2];
    }
    if (sums[0] != sums[1])
        bench_fail(set->b, "two trees disagree");
    bench_rate(set->b, set->count, best[1], "LRU stack, %llu keys", (unsigned long long)span);
    bench_row(set->b, "x", BENCH_LOWER, best[1] / best[0],
              "LRU stack, %llu keys, over a plain tree's time", (unsigned long long)span);
    free(last);
    free(tree);
}

static void measure_link(numbers *set)
{
    msw_err err;
    msw_link link;
    msw_link_config config = {.bytes = 600, .cycles = 1};
    bench_check(set->b, msw_link_init(&link, &config, &err), &err);
    msw_link_series series = {.count = 64, .bytes = 64};
    double start = bench_seconds();
    for (int i = 0; i < set->count; i++)
        series.time = msw_link_reserve(&link, &series);
    bench_rate(set->b, set->count, bench_seconds() - start, "link: series of 64 transfers");
    set->sink += series.time;
}

static void mmus(numbers *set)
{
    static const char WHAT[] = "two-level tlb + 128 walkers";
    char text[100];
    snprintf(text, sizeof text, "%s, streaming, 64 per page", WHAT);
    measure_mmu(set, text, 64, false, false);
    snprintf(text, sizeof text, "%s, streaming, 8 per page", WHAT);
    measure_mmu(set, text, 8, false, false);
    snprintf(text, sizeof text, "%s, streaming, series of 64", WHAT);
    measure_mmu(set, text, 64, false, true);
    snprintf(text, sizeof text, "%s, random pages", WHAT);
    measure_mmu(set, text, 1, true, false);
}

void section_translation(bench *b)
{
    numbers set = numbers_new(b);
    measure_tlb(&set);
    mmus(&set);
    measure_events(&set);
    measure_reuse(&set);
    measure_stack(&set, 1 << 16);
    measure_stack(&set, 1 << 8);
    measure_utility(&set);
    measure_link(&set);
    if (set.sink == 42)
        bench_fail(b, "nothing was simulated");
    numbers_free(&set);
}
