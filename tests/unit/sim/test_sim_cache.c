/* SPDX-License-Identifier: MIT */
/* Does the cache count exactly: hits, misses, evictions, dirty lines, per requester? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/cache.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static msw_cache *cache_new(const msw_cache_config *config)
{
    msw_err err;
    msw_cache *cache = malloc(sizeof *cache + 64 + msw_cache_bytes(config));
    assert_ok(msw_cache_init(cache, config, (char *)cache + (sizeof *cache + 63) / 64 * 64, &err),
              err);
    return cache;
}

static msw_cache_answer cache_access(msw_cache *cache, uint32_t requester, uint64_t address,
                                     bool write)
{
    return msw_cache_ask(
        cache, &(msw_cache_request){.address = address, .requester = requester, .write = write});
}

/* Whether a line is there. */
static bool cache_has(const msw_cache *cache, uint64_t address)
{
    uint64_t number = address >> cache->line_shift;
    return msw_assoc_find(&cache->lines, msw_assoc_set(&cache->lines, number), number) !=
           MSW_ASSOC_NONE;
}

/* LRU of N lines and a cycle over N + 1: never a hit; over N: only the first round misses. */
static void cyclic_streams(void **state)
{
    (void)state;
    static const uint32_t SHAPES[][2] = {{1, 64}, {16, 4}, {1, 2048}, {12, 16}};
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
        msw_cache_config config = {
            .line_bytes = 64, .slices = 1, .sets = SHAPES[s][0], .ways = SHAPES[s][1]};
        uint64_t lines = (uint64_t)config.sets * config.ways;
        msw_cache *cache = cache_new(&config);
        for (uint64_t i = 0; i < 10 * lines; i++)
            cache_access(cache, 0, i % lines * 64, false);
        assert_int_equal(cache->stats[0].misses, lines);
        free(cache);
        cache = cache_new(&config);
        /* One more line per set. */
        for (uint64_t i = 0; i < 10 * (lines + config.sets); i++)
            cache_access(cache, 0, i % (lines + config.sets) * 64, false);
        assert_int_equal(cache->stats[0].hits, 0);
        free(cache);
    }
}

/* A second model of what is dirty: an array over all addresses used. */
static void dirty_lines_are_written_back_once(void **state)
{
    (void)state;
    enum { LINES = 512 };
    bool dirty[LINES] = {false};
    uint64_t written = 0, writebacks = 0;
    msw_cache_config config = {.line_bytes = 32, .slices = 4, .sets = 6, .ways = 4};
    msw_cache *cache = cache_new(&config);
    msw_rng rng;
    msw_rng_init(&rng, 5, 0);
    for (int i = 0; i < 50000; i++) {
        uint64_t line = msw_rng_below(&rng, LINES);
        bool write = msw_rng_below(&rng, 3) == 0;
        msw_cache_answer answer = cache_access(cache, 0, line * 32 + 7, write);
        if (answer.evicted) {
            assert_int_equal(answer.writeback, dirty[answer.victim / 32]);
            dirty[answer.victim / 32] = false;
            writebacks += answer.writeback;
        }
        written += write && !dirty[line];
        dirty[line] |= write;
        assert_true(cache_has(cache, line * 32));
    }
    msw_cache_stats stats = cache->stats[0];
    assert_int_equal(stats.writebacks, writebacks);
    uint64_t present = 0;
    for (uint64_t line = 0; line < LINES; line++) {
        present += cache_has(cache, line * 32);
        writebacks += dirty[line];
    }
    assert_int_equal(writebacks, written);
    assert_int_equal(stats.hits + stats.misses, stats.reads + stats.writes);
    assert_int_equal(stats.fills, stats.evictions + present);
    free(cache);
}

/* CaMDN's split: 4 ways for one side, 12 for the other; neither can push the other out. */
static void masked_requesters_do_not_disturb_each_other(void **state)
{
    (void)state;
    static const uint64_t MASKS[] = {0x000f, 0xfff0};
    msw_cache_config config = {
        .line_bytes = 64, .slices = 8, .sets = 16, .ways = 16, .requesters = 2, .way_masks = MASKS};
    msw_cache *cache = cache_new(&config);
    uint64_t own = 8 * 16 * 4, other = (uint64_t)1 << 30;
    for (uint64_t i = 0; i < own; i++)
        cache_access(cache, 0, i * 64, false);
    for (uint64_t i = 0; i < 100000; i++)
        cache_access(cache, 1, other + i * 64, true);
    for (uint64_t i = 0; i < own; i++)
        assert_true(cache_access(cache, 0, i * 64, false).hit);
    assert_int_equal(cache->stats[0].evictions, 0);
    assert_int_equal(cache->stats[1].evictions, 100000 - 8 * 16 * 12);
    free(cache);
}

static void write_around_fills_nothing(void **state)
{
    (void)state;
    msw_cache_config config = {
        .line_bytes = 64, .slices = 1, .sets = 4, .ways = 2, .write_around = true};
    msw_cache *cache = cache_new(&config);
    assert_false(cache_access(cache, 0, 0, true).filled);
    assert_false(cache_has(cache, 0));
    assert_true(cache_access(cache, 0, 0, false).filled);
    assert_true(cache_access(cache, 0, 0, true).hit);
    free(cache);
}

/* Ways past 64: requester 0 may fill the last 3 of 130, requester 1 the others. */
static void masks_reach_past_64_ways(void **state)
{
    (void)state;
    static const uint64_t MASKS[2][3] = {{0, (uint64_t)1 << 63, 3},
                                         {UINT64_MAX, UINT64_MAX >> 1, 0}};
    for (msw_policy policy = 0; policy <= MSW_POLICY_DRRIP; policy++) {
        msw_cache_config config = {.line_bytes = 64,
                                   .slices = 1,
                                   .sets = 2,
                                   .ways = policy == MSW_POLICY_TREE ? 256 : 130,
                                   .policy = policy,
                                   .requesters = 2,
                                   .way_masks = MASKS[0]};
        static const uint64_t TREE[8] = {0, (uint64_t)1 << 63, 3, 0, UINT64_MAX, 0, 0, 0};
        config.way_masks = policy == MSW_POLICY_TREE ? TREE : MASKS[0];
        msw_cache *cache = cache_new(&config);
        for (uint64_t i = 0; i < 6; i++)
            cache_access(cache, 0, i * 64, true);
        for (uint64_t i = 0; i < 5000; i++)
            assert_false(cache_access(cache, 1, 1 << 20 | i * 64, false).writeback);
        for (uint64_t i = 0; i < 6; i++)
            assert_true(cache_access(cache, 0, i * 64, false).hit);
        for (uint64_t i = 0; i < 2; i++) /* one of its own makes room */
            assert_true(cache_access(cache, 0, 1 << 30 | i * 64, false).writeback);
        free(cache);
    }
}

static void bypass_fills_nothing(void **state)
{
    (void)state;
    msw_cache_config config = {.line_bytes = 64, .slices = 1, .sets = 4, .ways = 2};
    msw_cache *cache = cache_new(&config);
    msw_cache_request request = {.address = 64, .bypass = true};
    assert_false(msw_cache_ask(cache, &request).filled);
    assert_false(cache_has(cache, 64));
    request.bypass = false;
    assert_true(msw_cache_ask(cache, &request).filled);
    request.bypass = request.write = true;
    assert_true(msw_cache_ask(cache, &request).hit);
    assert_int_equal(cache->dirty[64 / 64 * 2], 1);
    msw_cache_stats stats = cache->stats[0];
    assert_int_equal(stats.bypasses, 1);
    assert_int_equal(stats.misses, stats.fills + stats.bypasses);
    free(cache);
}

/* Lines that are said to be distant make room for each other, not for the rest. */
static void scans_with_a_hint_leave_the_rest(void **state)
{
    (void)state;
    /* The others keep no ranks, or take new lines for distant themselves. */
    static const msw_policy RANKED[] = {MSW_POLICY_LRU, MSW_POLICY_FIFO, MSW_POLICY_BIT,
                                        MSW_POLICY_SRRIP};
    for (size_t p = 0; p < sizeof RANKED / sizeof *RANKED; p++) {
        msw_cache_config config = {
            .line_bytes = 64, .slices = 1, .sets = 2, .ways = 4, .policy = RANKED[p]};
        msw_cache *cache = cache_new(&config);
        uint64_t hits = 0;
        for (uint64_t i = 0; i < 600; i++) {
            hits += cache_access(cache, 0, i % 6 * 64, false).hit;
            msw_cache_ask(cache, &(msw_cache_request){.address = 1 << 20 | i * 64,
                                                      .insert = MSW_INSERT_DISTANT});
        }
        assert_true(hits > 580);
        free(cache);
    }
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    static const uint64_t NONE[2] = {0};
    static const msw_cache_config BAD[] = {
        {.line_bytes = 48, .slices = 1, .sets = 1, .ways = 1},
        {.line_bytes = 64, .slices = 0, .sets = 1, .ways = 1},
        {.line_bytes = 64, .slices = 1, .sets = 1, .ways = 128, .way_masks = NONE},
        {.line_bytes = 64, .slices = 1, .sets = 1, .ways = 4, .way_masks = NONE},
        {.line_bytes = 64, .slices = 1, .sets = 1, .ways = 4, .requesters = 65}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_cache cache;
        msw_err err = {0};
        void *memory = malloc(msw_cache_bytes(&BAD[i]) + 64);
        assert_int_equal(msw_cache_init(&cache, &BAD[i], memory, &err), -1);
        assert_true(err.text[0] != 0);
        free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cyclic_streams),
        cmocka_unit_test(dirty_lines_are_written_back_once),
        cmocka_unit_test(masked_requesters_do_not_disturb_each_other),
        cmocka_unit_test(write_around_fills_nothing),
        cmocka_unit_test(masks_reach_past_64_ways),
        cmocka_unit_test(bypass_fills_nothing),
        cmocka_unit_test(scans_with_a_hint_leave_the_rest),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("sim cache", tests, NULL, NULL);
}
