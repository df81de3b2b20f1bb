/* SPDX-License-Identifier: MIT */
/* Is every request answered once, at the time the closed forms give, and is a series the same as
 * its requests one by one? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/mmu.h"
#include "memsweep/sim/walkread.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static msw_mmu *mmu_new(const msw_mmu_config *config)
{
    msw_err err;
    msw_mmu *mmu = malloc(sizeof *mmu + 64 + msw_mmu_bytes(config));
    assert_ok(msw_mmu_init(mmu, config, (char *)mmu + (sizeof *mmu + 63) / 64 * 64, &err), err);
    return mmu;
}

/* NeuMMU's baseline: 2048 entries, 5 cycles, 4 levels of 100 cycles. */
static msw_mmu_config neummu(uint32_t walkers, uint32_t slots)
{
    msw_mmu_config config = {.l1_cycles = 5, .reprobe = true};
    config.l1 = (msw_tlb_config){
        .banks = 1, .sets = 1, .ways = 2048, .sizes = 1, .page_shift = {12}, .coalesce = 1};
    config.walker = (msw_walker_config){.walkers = walkers,
                                        .scoreboard = slots > 0,
                                        .slots = slots,
                                        .return_gap = 1,
                                        .level_cycles = 100,
                                        .table = msw_pagetable_x86()};
    return config;
}

static msw_mmu_series_result page_series(msw_mmu *mmu, uint64_t time, uint64_t page, uint64_t count)
{
    msw_mmu_request request = {.time = time, .page = {page << 12, 12}, .count = count};
    return msw_mmu_series(mmu, &request);
}

static msw_tlb_stats all_banks(const msw_tlb *tlb)
{
    msw_tlb_stats sum = {0};
    for (uint32_t i = 0; i < tlb->banks; i++) {
        sum.requests += tlb->stats[i].requests;
        sum.hits += tlb->stats[i].hits;
        sum.misses += tlb->stats[i].misses;
    }
    return sum;
}

static void check_laws(const msw_mmu *mmu)
{
    const msw_mmu_stats *s = &mmu->stats;
    assert_int_equal(s->requests, s->l1_hits + s->l1_misses);
    assert_int_equal(s->l1_misses, s->l2_hits + s->held + s->merged + s->walked + s->replayed);
    assert_int_equal(s->walked, mmu->walker.stats.walks);
    assert_int_equal(s->merged, mmu->walker.stats.merged);
    msw_tlb_stats l1 = all_banks(&mmu->l1);
    assert_int_equal(l1.requests, s->requests);
    assert_int_equal(l1.hits, s->l1_hits);
    if (mmu->config.has_l2) {
        msw_tlb_stats l2 = all_banks(&mmu->l2);
        assert_int_equal(l2.hits, s->l2_hits);
        assert_int_equal(l2.requests, l2.hits + l2.misses);
    }
}

/* A cold tile asked for all at once: TLB latency + walk x ceil(pages / walkers), exactly. */
static void cold_tile_takes_its_rounds_of_walks(void **state)
{
    (void)state;
    static const uint64_t CASES[][2] = {{1280, 8}, {1280, 128}, {1281, 128}, {7, 8}, {100, 3}};
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        uint64_t pages = CASES[c][0], walkers = CASES[c][1], now = 0, done = 0;
        msw_mmu_config config = neummu((uint32_t)walkers, MSW_MSHR_UNLIMITED);
        msw_mmu *mmu = mmu_new(&config);
        for (uint64_t page = 0; page < pages; page++) {
            msw_mmu_request request = {.time = now, .page = {page << 12, 12}, .count = 1};
            msw_mmu_answer answer = msw_mmu_issue(mmu, &request);
            if (answer.kind == MSW_MMU_BLOCKED) {
                now = request.time = answer.until;
                answer = msw_mmu_retry(mmu, &request, answer.cause);
            }
            done = answer.done > done ? answer.done : done;
        }
        assert_int_equal(done, 5 + 400 * ((pages + walkers - 1) / walkers));
        check_laws(mmu);
        free(mmu);
    }
}

/* Walkers needed with perfect merging: P* = bytes per cycle x walk / page. At 256 B per request and
 * cycle P* = 256 x 400 / 4096 = 25: below it a page takes 400 / P cycles, above it 16. */
static void walkers_needed_with_perfect_merging(void **state)
{
    (void)state;
    static const uint32_t WALKERS[] = {4, 8, 16, 25, 32, 64};
    enum { PAGES = 2000 };
    for (size_t i = 0; i < sizeof WALKERS / sizeof *WALKERS; i++) {
        msw_mmu_config config = neummu(WALKERS[i], MSW_MSHR_UNLIMITED);
        msw_mmu *mmu = mmu_new(&config);
        uint64_t time = 0;
        for (uint64_t page = 0; page < PAGES; page++)
            time = page_series(mmu, time, page, 16).next;
        double per_page = (double)time / PAGES;
        double bound = WALKERS[i] < 25 ? 400.0 / WALKERS[i] : 16;
        assert_relative(per_page, bound, 0.02);
        assert_int_equal(mmu->stats.walked, PAGES);
        check_laws(mmu);
        free(mmu);
    }
}

/* One translation per cycle, none merged, walk of 400: 400 walks in flight, no more, no fewer. */
static void walks_in_flight_without_merging(void **state)
{
    (void)state;
    msw_mmu_config config = neummu(1024, 0);
    config.reprobe = false;
    msw_mmu *mmu = mmu_new(&config);
    uint64_t time = 0;
    for (uint64_t page = 0; page < 100; page++)
        time = page_series(mmu, time, page, 64).next;
    assert_int_equal(time, 6400);
    assert_int_equal(mmu->walker.board.capacity - mmu->walker.board.free_count, 400);
    assert_int_equal(mmu->stats.walked, 6400);
    assert_int_equal(mmu->stats.blocked[MSW_BLOCK_WALKERS], 0);
    free(mmu);
}

/* 8 walkers, no merging, 64 requests per page. With a queue behind the TLB every miss walks, 8 per
 * 400 cycles, though most find nothing new; with blocked requests probing again only the 8 that
 * were under way walk: 8 times the throughput. */
static void blocked_requests_queue_or_probe_again(void **state)
{
    (void)state;
    enum { PAGES = 200, EACH = 64 };
    for (int reprobe = 0; reprobe < 2; reprobe++) {
        msw_mmu_config config = neummu(8, 0);
        config.reprobe = reprobe;
        config.walker.queue = reprobe ? 0 : PAGES * EACH;
        msw_mmu *mmu = mmu_new(&config);
        uint64_t time = 0, done = 0;
        for (uint64_t page = 0; page < PAGES; page++) {
            msw_mmu_series_result result = page_series(mmu, time, page, EACH);
            time = result.next;
            done = result.done;
        }
        check_laws(mmu);
        assert_int_equal(mmu->stats.walked, reprobe ? 8 * PAGES : PAGES * EACH);
        assert_relative((double)done, reprobe ? (400.0 + EACH - 8) * PAGES : 50.0 * PAGES * EACH,
                        0.02);
        free(mmu);
    }
}

/* 400 requests to one page, 3 slots, walking again when full: 1 + 3 requests per walk. */
static void redundant_walks_when_slots_are_full(void **state)
{
    (void)state;
    msw_mmu_config config = neummu(128, 3);
    config.walker.walk_when_full = true;
    msw_mmu *mmu = mmu_new(&config);
    page_series(mmu, 0, 9, 400);
    assert_int_equal(mmu->stats.walked, 100);
    assert_int_equal(mmu->walker.stats.redundant, 99);
    assert_int_equal(mmu->stats.merged, 300);
    free(mmu);
}

/* Walk at 0 ends at 405; merged requests come back at 406, 407, ...; after that all hit. */
static void merged_answers_come_one_per_cycle(void **state)
{
    (void)state;
    msw_mmu_config config = neummu(8, MSW_MSHR_UNLIMITED);
    msw_mmu *mmu = mmu_new(&config);
    assert_int_equal(page_series(mmu, 0, 1, 11).done, 405 + 10);
    assert_int_equal(mmu->stats.latency_cycles, 405 * 11);
    msw_mmu_series_result hits = page_series(mmu, 1000, 1, 50);
    assert_int_equal(hits.next, 1050);
    assert_int_equal(hits.done, 1049 + 5);
    assert_int_equal(mmu->stats.latency_cycles, 405 * 11 + 50 * 5);
    free(mmu);
}

static msw_mmu_config random_config(msw_rng *rng)
{
    static const uint32_t SLOTS[] = {0, 1, 3, 8, MSW_MSHR_UNLIMITED};
    msw_mmu_config config =
        neummu(1 + (uint32_t)msw_rng_below(rng, 12), SLOTS[msw_rng_below(rng, 5)]);
    config.l1.banks = 1 + (uint32_t)msw_rng_below(rng, 3);
    config.l1.sets = 1 + (uint32_t)msw_rng_below(rng, 3);
    config.l1.ways = 1u << msw_rng_below(rng, 4);
    config.l1.policy = (msw_policy)msw_rng_below(rng, 5);
    config.l1.coalesce = 1u << msw_rng_below(rng, 3);
    config.l1_cycles = (uint32_t)msw_rng_below(rng, 6);
    config.has_l2 = msw_rng_below(rng, 2);
    config.l2 = config.l1;
    config.l2.banks = 1;
    config.l2.ways *= 4;
    config.l2_cycles = (uint32_t)msw_rng_below(rng, 9);
    config.mshrs = (uint32_t)msw_rng_below(rng, 5);
    config.mshr_merge = msw_rng_below(rng, 2);
    config.reprobe = msw_rng_below(rng, 2);
    config.walker.scoreboard = msw_rng_below(rng, 4) > 0;
    config.walker.queue = (uint32_t)msw_rng_below(rng, 2) * (uint32_t)msw_rng_below(rng, 40);
    config.walker.walk_when_full = msw_rng_below(rng, 2);
    config.walker.return_gap = (uint32_t)msw_rng_below(rng, 3);
    config.walker.level_cycles = 1 + (uint32_t)msw_rng_below(rng, 30);
    config.walker.lookup_cycles = (uint32_t)msw_rng_below(rng, 3);
    config.walker.cache = (msw_walkcache_config){.kind = (msw_walkcache_kind)msw_rng_below(rng, 4),
                                                 .entries = 4,
                                                 .levels = (uint32_t)msw_rng_below(rng, 4)};
    return config;
}

/* The same through the interface for single requests: issue, and retry when told. */
static msw_mmu_series_result one_by_one(msw_mmu *mmu, const msw_mmu_request *request)
{
    msw_mmu_request single = *request;
    msw_mmu_series_result result = {request->time, request->time};
    single.count = 1;
    for (uint64_t i = 0; i < request->count; i++, single.time++) {
        msw_mmu_answer answer = msw_mmu_issue(mmu, &single);
        while (answer.kind == MSW_MMU_BLOCKED) {
            single.time = answer.until;
            answer = msw_mmu_retry(mmu, &single, answer.cause);
        }
        assert_int_equal(answer.taken, 1);
        assert_true(answer.done >= single.time);
        result.done = answer.done > result.done ? answer.done : result.done;
    }
    result.next = single.time;
    return result;
}

static void series_equal_requests_one_by_one(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 2024, 0);
    for (int trial = 0; trial < 1500; trial++) {
        msw_mmu_config config = random_config(&rng);
        msw_mmu *at_once = mmu_new(&config), *singles = mmu_new(&config);
        msw_mmu_request request = {0};
        for (int i = 0; i < 60; i++) {
            request.page = (msw_page){msw_rng_below(&rng, 30) << 12, 12};
            request.bank = (uint32_t)msw_rng_below(&rng, config.l1.banks);
            request.count = 1 + msw_rng_below(&rng, msw_rng_below(&rng, 2) ? 4 : 200);
            msw_mmu_series_result a = msw_mmu_series(at_once, &request),
                                  b = one_by_one(singles, &request);
            assert_int_equal(a.next, b.next);
            assert_int_equal(a.done, b.done);
            request.time = a.next + msw_rng_below(&rng, 20);
        }
        check_laws(at_once);
        assert_memory_equal(&at_once->stats, &singles->stats, sizeof at_once->stats);
        msw_walker_stats a = at_once->walker.stats, b = singles->walker.stats;
        assert_memory_equal(&a, &b, sizeof a);
        assert_memory_equal(at_once->l1.stats, singles->l1.stats, sizeof *at_once->l1.stats);
        free(at_once);
        free(singles);
    }
}

/* Two banks share walkers: a merged request's bank is filled too. */
static void a_walk_fills_every_bank_that_asked(void **state)
{
    (void)state;
    msw_mmu_config config = neummu(8, 4);
    config.l1.banks = 2;
    config.l1.ways = 8;
    msw_mmu *mmu = mmu_new(&config);
    msw_mmu_request request = {.page = {0x3000, 12}, .count = 1};
    assert_int_equal(msw_mmu_issue(mmu, &request).kind, MSW_MMU_WALK);
    request.bank = 1;
    assert_int_equal(msw_mmu_issue(mmu, &request).kind, MSW_MMU_MERGED);
    request.time = 1000;
    assert_int_equal(msw_mmu_issue(mmu, &request).kind, MSW_MMU_L1_HIT);
    request.bank = 0;
    assert_int_equal(msw_mmu_issue(mmu, &request).kind, MSW_MMU_L1_HIT);
    free(mmu);
}

/* HTMMU's baseline: 64 + 512 entries, 5 + 7 cycles; more pages than the first level holds. */
static void second_level_answers_what_the_first_lost(void **state)
{
    (void)state;
    msw_mmu_config config = neummu(16, 4);
    config.l1.sets = 16;
    config.l1.ways = 4;
    config.has_l2 = true;
    config.l2 = config.l1;
    config.l2.sets = 128;
    config.l2_cycles = 7;
    msw_mmu *mmu = mmu_new(&config);
    uint64_t time = 0;
    for (int round = 0; round < 2; round++)
        for (uint64_t page = 0; page < 512; page++)
            time = page_series(mmu, time, page, 1).next;
    assert_int_equal(mmu->stats.walked, 512);
    msw_mmu_stats before = mmu->stats;
    for (uint64_t page = 0; page < 512; page++)
        time = page_series(mmu, time, page, 1).next;
    assert_int_equal(mmu->stats.l2_hits - before.l2_hits, 512);
    assert_int_equal(mmu->stats.latency_cycles - before.latency_cycles, 512 * 12);
    check_laws(mmu);
    free(mmu);
}

/* Two miss registers: a third page waits for the first answer, hits pass in between. */
static void miss_registers_limit_and_let_hits_pass(void **state)
{
    (void)state;
    msw_mmu_config config = neummu(8, 4);
    config.mshrs = 2;
    config.mshr_merge = true;
    msw_mmu *mmu = mmu_new(&config);
    page_series(mmu, 0, 7, 1);
    msw_mmu_request request = {.time = 1000, .page = {1 << 12, 12}, .count = 1};
    assert_int_equal(msw_mmu_issue(mmu, &request).kind, MSW_MMU_WALK);
    request.page.address = 7 << 12;
    assert_int_equal(msw_mmu_issue(mmu, &request).kind, MSW_MMU_L1_HIT);
    request.page.address = 1 << 12;
    msw_mmu_answer held = msw_mmu_issue(mmu, &request);
    assert_int_equal(held.kind, MSW_MMU_HELD);
    assert_int_equal(held.done, 1405);
    request.page.address = 2 << 12;
    assert_int_equal(msw_mmu_issue(mmu, &request).kind, MSW_MMU_WALK);
    request.page.address = 3 << 12;
    msw_mmu_answer blocked = msw_mmu_issue(mmu, &request);
    assert_int_equal(blocked.kind, MSW_MMU_BLOCKED);
    assert_int_equal(blocked.cause, MSW_BLOCK_MSHRS);
    assert_int_equal(blocked.until, 1400);
    free(mmu);
}

/* ---- walks of unknown end ---- */

/* An mmu whose owner makes the accesses, 100 cycles each, one request at a time. */
typedef struct timed {
    msw_mmu *mmu;
    msw_walkread reads;
    void *memory;
    uint64_t done[4096];    /* by request */
    uint32_t waiting[4096]; /* by request: the one before it that waits for its walk */
    uint32_t last[64];      /* by walk: the last that does, + 1 */
    uint64_t after[4096];   /* by request: cycles from the end of its walk */
} timed;

static void open_timed(timed *t, msw_mmu_config config)
{
    msw_err err = {0};
    msw_walkread_config reads = {.walks = config.walker.walkers + config.walker.queue};
    config.walker.timed_by_owner = true;
    config.walker.queue_waits = config.walker.queue > 0;
    t->mmu = mmu_new(&config);
    t->memory = malloc(msw_walkread_bytes(&reads) + 64);
    assert_ok(msw_walkread_init(&t->reads, &reads, t->memory, &err), err);
    memset(t->last, 0, sizeof t->last);
}

static void answer_walk(timed *t, const msw_walk_end *end)
{
    uint32_t request = t->last[end->entry];
    for (; request; request = t->waiting[request - 1])
        t->done[request - 1] = end->time + t->after[request - 1];
    t->last[end->entry] = 0;
}

static uint64_t next_of(const timed *t)
{
    uint64_t walk = msw_mmu_next(t->mmu), read = msw_walkread_next(&t->reads);
    return walk < read ? walk : read;
}

/* One walk ends or starts, or one access is made. */
static void step_timed(timed *t)
{
    msw_walkread_read read;
    msw_mmu_event event;
    if (msw_walkread_next(&t->reads) < msw_mmu_next(t->mmu)) {
        if (msw_walkread_take(&t->reads, &t->mmu->walker, next_of(t), &read))
            msw_walkread_answer(&t->reads, &t->mmu->walker, read.walk, read.time + 100);
        return;
    }
    assert_true(msw_mmu_step(t->mmu, msw_mmu_next(t->mmu), &event));
    if (event.kind == MSW_MMU_ENDED)
        answer_walk(t, &event.end);
    while (msw_walker_can_start(&t->mmu->walker) && msw_mmu_step(t->mmu, 0, &event))
        msw_walkread_begin(&t->reads, &t->mmu->walker, &t->mmu->walk);
}

static void keep_answer(timed *t, uint32_t number, const msw_mmu_answer *answer)
{
    t->done[number] = answer->done;
    if (answer->done != UINT64_MAX)
        return;
    t->after[number] = answer->before * t->mmu->config.walker.return_gap;
    t->waiting[number] = t->last[answer->entry];
    t->last[answer->entry] = number + 1;
    if (answer->kind == MSW_MMU_WALK && t->mmu->walk.kind == MSW_WALK_STARTED)
        msw_walkread_begin(&t->reads, &t->mmu->walker, &t->mmu->walk);
}

/* Returns when the next request can be issued. */
static uint64_t issue_timed(timed *t, uint32_t number, msw_mmu_request request)
{
    uint64_t lookup = t->mmu->lookup_cycles;
    msw_mmu_answer answer = {.kind = MSW_MMU_L1_HIT};
    do {
        while (next_of(t) <= request.time + lookup)
            step_timed(t);
        answer = answer.kind == MSW_MMU_BLOCKED ? msw_mmu_retry(t->mmu, &request, answer.cause)
                                                : msw_mmu_issue(t->mmu, &request);
        if (answer.kind == MSW_MMU_BLOCKED) {
            uint64_t ends = t->mmu->ends;
            while (t->mmu->ends == ends)
                step_timed(t);
            request.time = t->mmu->ended - lookup;
        }
    } while (answer.kind == MSW_MMU_BLOCKED);
    keep_answer(t, number, &answer);
    return request.time + 1;
}

/* Accesses that the owner times, 100 cycles each, and accesses of 100 cycles: the same answers to
 * every request, and the same counts. */
static void walks_timed_by_the_owner_are_the_same(void **state)
{
    (void)state;
    enum { REQUESTS = 2000 };
    for (uint64_t seed = 0; seed < 48; seed++) {
        msw_mmu_config config = neummu(1 + (uint32_t)seed % 7, (uint32_t)seed % 4);
        static timed t;
        msw_rng rng;
        config.reprobe = seed & 1;
        config.walker.walk_when_full = seed >> 1 & 1;
        config.l1.ways = 16;
        config.has_l2 = seed >> 2 & 1;
        config.l2 = config.l1;
        config.l2.ways = 64;
        config.l2_cycles = 7;
        config.walker.cache.kind = seed >> 3 & 1 ? MSW_WALKCACHE_REGISTER : MSW_WALKCACHE_NONE;
        config.walker.cache.levels = 4;
        config.walker.queue = seed >> 4 ? 0 : 16 * (config.walker.cache.kind == MSW_WALKCACHE_NONE);
        msw_mmu *known = mmu_new(&config);
        open_timed(&t, config);
        msw_rng_init(&rng, seed, 5);
        uint64_t time[2] = {0, 0}, done[REQUESTS];
        for (uint32_t i = 0; i < REQUESTS; i++) {
            msw_page page = {msw_rng_below(&rng, 100) << 12, 12};
            uint64_t gap = msw_rng_below(&rng, 60);
            msw_mmu_request request = {.time = time[0] + gap, .page = page, .count = 1};
            msw_mmu_series_result result = msw_mmu_series(known, &request);
            done[i] = result.done;
            time[0] = result.next;
            request.time = time[1] + gap;
            time[1] = issue_timed(&t, i, request);
            assert_int_equal(time[0], time[1]);
        }
        while (next_of(&t) < UINT64_MAX)
            step_timed(&t);
        for (uint32_t i = 0; i < REQUESTS; i++)
            assert_int_equal(done[i], t.done[i]);
        assert_int_equal(known->stats.l1_hits, t.mmu->stats.l1_hits);
        assert_int_equal(known->stats.merged, t.mmu->stats.merged);
        assert_int_equal(known->stats.walked, t.mmu->stats.walked);
        assert_int_equal(known->stats.replayed, t.mmu->stats.replayed);
        assert_int_equal(known->walker.stats.accesses, t.mmu->walker.stats.accesses);
        free(known);
        free(t.mmu);
        free(t.memory);
    }
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    msw_mmu_config bad[3];
    for (int i = 0; i < 3; i++)
        bad[i] = neummu(8, 4);
    bad[0].l1.sizes = 0;
    bad[1].walker.timed_by_owner = bad[1].mshr_merge = true;
    bad[1].mshrs = 4;
    bad[2].has_l2 = true;
    bad[2].l2 = bad[2].l1;
    bad[2].l2.banks = 2;
    for (int i = 0; i < 3; i++) {
        msw_mmu mmu;
        msw_err err = {0};
        void *memory = malloc(msw_mmu_bytes(&bad[i]) + 64);
        assert_int_equal(msw_mmu_init(&mmu, &bad[i], memory, &err), -1);
        assert_true(err.text[0] != 0);
        free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cold_tile_takes_its_rounds_of_walks),
        cmocka_unit_test(walkers_needed_with_perfect_merging),
        cmocka_unit_test(walks_in_flight_without_merging),
        cmocka_unit_test(blocked_requests_queue_or_probe_again),
        cmocka_unit_test(redundant_walks_when_slots_are_full),
        cmocka_unit_test(merged_answers_come_one_per_cycle),
        cmocka_unit_test(series_equal_requests_one_by_one),
        cmocka_unit_test(a_walk_fills_every_bank_that_asked),
        cmocka_unit_test(second_level_answers_what_the_first_lost),
        cmocka_unit_test(miss_registers_limit_and_let_hits_pass),
        cmocka_unit_test(walks_timed_by_the_owner_are_the_same),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("sim mmu", tests, NULL, NULL);
}
