/* SPDX-License-Identifier: MIT */
/* Do page tables, walk caches, miss registers and the walker pool keep their rules? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/walker.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static msw_walker *pool_new(const msw_walker_config *config)
{
    msw_err err;
    msw_walker *pool = malloc(sizeof *pool + 64 + msw_walker_bytes(config));
    assert_ok(msw_walker_init(pool, config, (char *)pool + (sizeof *pool + 63) / 64 * 64, &err),
              err);
    return pool;
}

static msw_walker_config eight_walkers(void)
{
    return (msw_walker_config){.walkers = 8,
                               .scoreboard = true,
                               .slots = 3,
                               .return_gap = 1,
                               .level_cycles = 100,
                               .table = msw_pagetable_x86()};
}

static msw_walk ask(msw_walker *pool, uint64_t time, uint64_t page, uint64_t count)
{
    msw_walk_request request = {.time = time, .page = {page << 12, 12}, .count = count};
    msw_walk walk;
    msw_walk_kind kind = msw_walker_request(pool, &request, &walk);
    assert_int_equal(kind, walk.kind);
    return walk;
}

/* Intel's manual: 4 accesses for 4 KiB, 3 for 2 MiB, 2 for 1 GiB. */
static void levels_by_page_size(void **state)
{
    (void)state;
    static const unsigned SIZES[][2] = {{12, 4}, {14, 4}, {16, 4}, {21, 3}, {30, 2}, {39, 1}};
    msw_pagetable table;
    msw_err err;
    msw_pagetable_config config = msw_pagetable_x86();
    assert_ok(msw_pagetable_init(&table, &config, &err), err);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        assert_int_equal(msw_pagetable_steps(&table, SIZES[i][0]), SIZES[i][1]);
    config.address_bits = 57;
    assert_ok(msw_pagetable_init(&table, &config, &err), err);
    assert_int_equal(msw_pagetable_steps(&table, 12), 5);
    config.address_bits = 63;
    assert_int_equal(msw_pagetable_init(&table, &config, &err), -1);
}

/* Neighbouring pages: entries 8 bytes apart, 512 of them in one table; no two tables overlap. */
static void entries_lie_as_in_a_real_table(void **state)
{
    (void)state;
    for (int scattered = 0; scattered < 2; scattered++) {
        msw_pagetable table;
        msw_err err;
        msw_pagetable_config config = msw_pagetable_x86();
        config.scattered = scattered;
        config.base = (uint64_t)1 << 44;
        assert_ok(msw_pagetable_init(&table, &config, &err), err);
        msw_rng rng;
        msw_rng_init(&rng, 7, 0);
        for (int i = 0; i < 2000; i++) {
            uint64_t a = msw_rng_u64(&rng) >> 16, b = msw_rng_u64(&rng) >> 16;
            unsigned la = 1 + (unsigned)msw_rng_below(&rng, 4);
            unsigned lb = 1 + (unsigned)msw_rng_below(&rng, 4);
            uint64_t ea = msw_pagetable_entry(&table, a, la);
            bool same = la == lb && a >> (12 + 9 * la) == b >> (12 + 9 * lb);
            assert_int_equal(ea / 4096 == msw_pagetable_entry(&table, b, lb) / 4096, same);
            assert_true(ea >= config.base && ea - config.base < (uint64_t)1 << 41);
            uint64_t next = a + ((uint64_t)1 << (12 + 9 * (la - 1)));
            if ((a ^ next) >> (12 + 9 * la) == 0)
                assert_int_equal(msw_pagetable_entry(&table, next, la), ea + 8);
        }
    }
}

static void merges_then_walks_again_or_blocks(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        msw_walker_config config = eight_walkers();
        config.walk_when_full = again;
        msw_walker *pool = pool_new(&config);
        msw_walk walk = ask(pool, 10, 1, 1);
        assert_int_equal(walk.kind, MSW_WALK_STARTED);
        assert_int_equal(walk.done, 410);
        assert_int_equal(walk.accesses, 4);
        walk = ask(pool, 11, 1, 9);
        assert_int_equal(walk.kind, MSW_WALK_MERGED);
        assert_int_equal(walk.taken, 3);
        walk = ask(pool, 14, 1, 1);
        assert_int_equal(walk.kind, again ? MSW_WALK_STARTED : MSW_WALK_BLOCKED);
        assert_int_equal(walk.done, again ? 414 : 410);
        assert_int_equal(pool->stats.redundant, again);
        msw_walk_end end;
        assert_false(msw_walker_retire(pool, 409, &end));
        assert_true(msw_walker_retire(pool, 410, &end));
        assert_int_equal(end.merged, 3);
        assert_int_equal(end.page.address, 4096);
        free(pool);
    }
}

static void all_walkers_busy_blocks_until_the_first_is_free(void **state)
{
    (void)state;
    msw_walker_config config = eight_walkers();
    config.scoreboard = false;
    msw_walker *pool = pool_new(&config);
    for (uint64_t i = 0; i < 8; i++)
        assert_int_equal(ask(pool, i, 5, 1).walker, i);
    msw_walk walk = ask(pool, 8, 5, 1);
    assert_int_equal(walk.kind, MSW_WALK_BLOCKED);
    assert_int_equal(walk.cause, MSW_BLOCK_WALKERS);
    assert_int_equal(walk.done, 400);
    msw_walk_end end;
    assert_true(msw_walker_retire(pool, 400, &end));
    assert_int_equal(ask(pool, 400, 5, 1).walker, 0);
    assert_int_equal(pool->stats.redundant, 8);
    free(pool);
}

/* 2 walkers, 3 places in the queue: walks of 400 start at 0, 1, 400, 401 and 800. */
static void queued_walks_book_the_first_free_walker(void **state)
{
    (void)state;
    static const uint64_t ENDS[] = {400, 401, 800, 801, 1200};
    msw_walker_config config = eight_walkers();
    config.walkers = 2;
    config.queue = 3;
    msw_walker *pool = pool_new(&config);
    for (uint64_t i = 0; i < 5; i++) {
        msw_walk walk = ask(pool, i, i, 1);
        assert_int_equal(walk.done, ENDS[i]);
        assert_int_equal(walk.walker, i % 2);
    }
    assert_int_equal(ask(pool, 5, 4, 1).done, 1200); /* merged into a walk that is queued */
    msw_walk blocked = ask(pool, 6, 6, 1);
    assert_int_equal(blocked.kind, MSW_WALK_BLOCKED);
    assert_int_equal(blocked.done, 400);
    free(pool);
}

static void owner_can_time_the_accesses(void **state)
{
    (void)state;
    msw_walker_config config = eight_walkers();
    config.timed_by_owner = true;
    msw_walker *pool = pool_new(&config);
    msw_walk slow = ask(pool, 0, 1, 1), quick = ask(pool, 1, 2, 1);
    assert_true(slow.done == UINT64_MAX && msw_walker_next(pool) == UINT64_MAX);
    assert_int_equal(slow.access[3] + 8, quick.access[3]);
    msw_walker_finish(pool, slow.entry, 700);
    msw_walker_finish(pool, quick.entry, 300);
    assert_int_equal(msw_walker_next(pool), 300);
    msw_walk_end end;
    assert_true(msw_walker_retire(pool, 1000, &end));
    assert_int_equal(end.entry, quick.entry);
    free(pool);
}

/* Walks pages 0 to 1023 one after the other with one walker. Returns the accesses made. */
static uint64_t sequential_accesses(msw_walkcache_kind kind, uint32_t levels)
{
    msw_walker_config config = eight_walkers();
    config.walkers = 1;
    config.cache = (msw_walkcache_config){.kind = kind, .entries = 16, .levels = levels};
    msw_walker *pool = pool_new(&config);
    msw_walk_end end;
    uint64_t time = 0;
    for (uint64_t page = 0; page < 1024; page++) {
        time = ask(pool, time, page, 1).done;
        assert_true(msw_walker_retire(pool, time, &end));
    }
    uint64_t accesses = pool->stats.accesses;
    assert_int_equal(accesses * 100, time);
    assert_int_equal(pool->stats.steps, 4096);
    uint64_t hits = 0, reads = 0;
    for (int level = 1; level <= 4; level++) {
        hits += pool->stats.level_hits[level];
        reads += pool->stats.level_reads[level];
    }
    assert_int_equal(reads, accesses);
    assert_int_equal(hits + reads, pool->stats.steps);
    free(pool);
    return accesses;
}

/* 1024 leaves; the upper levels: 3 for the first page, 1 (level 2) for page 512, which starts the
 * next 2 MiB; a level that is not kept is read every time. */
static void walk_caches_save_the_upper_levels(void **state)
{
    (void)state;
    assert_int_equal(sequential_accesses(MSW_WALKCACHE_NONE, 3), 4096);
    for (msw_walkcache_kind k = MSW_WALKCACHE_REGISTER; k <= MSW_WALKCACHE_TABLE; k++) {
        assert_int_equal(sequential_accesses(k, 3), 1024 + 3 + 1);
        assert_int_equal(sequential_accesses(k, 2), 1024 + 1024 + 2);
        assert_int_equal(sequential_accesses(k, 0), 4096);
    }
}

/* Two walks alternate between two far regions: one register thrashes, a path cache of two does not;
 * with one walker only the top level index is shared (both lie below 512 GiB). */
static void path_cache_holds_several_paths(void **state)
{
    (void)state;
    static const uint64_t EXPECTED[] = {
        [MSW_WALKCACHE_REGISTER] = 4 + 99 * 3, [MSW_WALKCACHE_PATH] = 4 + 3 + 98 * 1};
    for (msw_walkcache_kind k = MSW_WALKCACHE_REGISTER; k <= MSW_WALKCACHE_PATH; k++) {
        msw_walker_config config = eight_walkers();
        config.walkers = 1;
        config.cache = (msw_walkcache_config){.kind = k, .entries = 2, .levels = 3};
        msw_walker *pool = pool_new(&config);
        msw_walk_end end;
        uint64_t time = 0;
        for (uint64_t i = 0; i < 100; i++) {
            time = ask(pool, time, (i % 2 << 20) + i, 1).done;
            assert_true(msw_walker_retire(pool, time, &end));
        }
        assert_int_equal(pool->stats.accesses, EXPECTED[k]);
        free(pool);
    }
}

/* Against a plain list of open entries. */
static void miss_registers_agree_with_a_list(void **state)
{
    (void)state;
    enum { ENTRIES = 12 };
    msw_mshr_config config = {ENTRIES, 5};
    msw_mshr mshr;
    msw_err err;
    void *memory = malloc(msw_mshr_bytes(&config));
    assert_ok(msw_mshr_init(&mshr, &config, memory, &err), err);
    uint64_t keys[ENTRIES], ready[ENTRIES], opened[ENTRIES] = {0}, tick = 0, now = 0;
    bool open[ENTRIES] = {false};
    msw_rng rng;
    msw_rng_init(&rng, 3, 3);
    for (int step = 0; step < 30000; step++, now += msw_rng_below(&rng, 3)) {
        msw_mshr_closed closed;
        while (msw_mshr_close(&mshr, now, &closed)) {
            assert_true(open[closed.entry] && ready[closed.entry] == closed.time);
            assert_int_equal(keys[closed.entry], closed.key);
            open[closed.entry] = false;
        }
        uint64_t key = msw_rng_below(&rng, 6);
        uint32_t newest = MSW_MSHR_NONE, count = 0;
        for (uint32_t i = 0; i < ENTRIES; i++) {
            assert_true(!open[i] || ready[i] > now);
            count += open[i];
            if (open[i] && keys[i] == key &&
                (newest == MSW_MSHR_NONE || opened[i] > opened[newest]))
                newest = i;
        }
        assert_int_equal(msw_mshr_find(&mshr, key), newest);
        uint32_t entry = msw_mshr_open(&mshr, key);
        assert_int_equal(entry == MSW_MSHR_NONE, count == ENTRIES);
        if (entry == MSW_MSHR_NONE)
            continue;
        open[entry] = true;
        keys[entry] = key;
        opened[entry] = ++tick;
        ready[entry] = now + 1 + msw_rng_below(&rng, 20);
        msw_mshr_schedule(&mshr, entry, ready[entry]);
    }
    free(memory);
}

/* A pool that walks and one that is warmed with the same pages find the same entries afterwards. */
static void warming_leaves_the_table_cache_as_walks_do(void **state)
{
    (void)state;
    msw_walker_config config = eight_walkers();
    config.cache = (msw_walkcache_config){
        .kind = MSW_WALKCACHE_TABLE, .entries = 16, .ways = 4, .levels = 4, .leaves = true};
    msw_walker *walked = pool_new(&config), *warmed = pool_new(&config);
    msw_rng rng;
    msw_walk_end end;
    msw_rng_init(&rng, 3, 0);
    for (uint64_t i = 0; i < 2000; i++) {
        uint64_t page = msw_rng_below(&rng, 64) << msw_rng_below(&rng, 20);
        uint32_t accesses = ask(walked, 1000 * i, page, 1).accesses;
        assert_true(msw_walker_retire(walked, 1000 * i + 999, &end));
        if (i % 3) {
            msw_walker_warm(warmed, (msw_page){page << 12, 12}, 0);
            continue;
        }
        assert_int_equal(ask(warmed, 1000 * i, page, 1).accesses, accesses);
        assert_true(msw_walker_retire(warmed, 1000 * i + 999, &end));
    }
    free(walked);
    free(warmed);
}

static void joining_is_merging(void **state)
{
    (void)state;
    msw_walker_config config = eight_walkers();
    msw_walker *pool = pool_new(&config);
    msw_walk_end end;
    uint32_t entry = ask(pool, 0, 1, 1).entry;
    for (uint32_t i = 0; i < config.slots; i++) {
        assert_true(msw_walker_has_room(pool, entry));
        msw_walker_join(pool, entry, (uint64_t)1 << i);
    }
    assert_false(msw_walker_has_room(pool, entry));
    assert_int_equal(ask(pool, 1, 1, 1).kind, MSW_WALK_BLOCKED);
    assert_true(msw_walker_retire(pool, 400, &end));
    assert_int_equal(end.merged, 3);
    assert_int_equal(end.note, 7);
    assert_int_equal(pool->stats.merged, 3);
    free(pool);
}

/* Of walkers 0 to 3, freed in that order: the longest idle is 0, the warmest 3; 1 walked the page's
 * path before. */
static void a_walk_takes_the_walker_that_is_chosen(void **state)
{
    (void)state;
    static const uint32_t TAKEN[] = {
        [MSW_WALKER_LONGEST_IDLE] = 0, [MSW_WALKER_WARMEST] = 3, [MSW_WALKER_SAME_PATH] = 1};
    static const uint32_t ACCESSES[] = {4, 4, 1};
    for (int choice = MSW_WALKER_LONGEST_IDLE; choice <= MSW_WALKER_SAME_PATH; choice++) {
        msw_walker_config config = eight_walkers();
        msw_walk_end end;
        uint32_t order[4];
        config.walkers = 4;
        config.choice = (msw_walker_choice)choice;
        config.cache = (msw_walkcache_config){.kind = MSW_WALKCACHE_REGISTER, .levels = 4};
        msw_walker *pool = pool_new(&config);
        for (uint64_t i = 0; i < 4; i++)
            order[i] = ask(pool, i, (i + 1) << 27, 1).walker;
        while (msw_walker_retire(pool, 1000, &end))
            ;
        msw_walk walk = ask(pool, 1000, ((uint64_t)2 << 27) + 1, 1);
        assert_int_equal(walk.walker, order[TAKEN[choice]]);
        assert_int_equal(walk.accesses, ACCESSES[choice]);
        free(pool);
    }
}

/* 1 walker, 2 places in line: the second walk starts when the first ends, with the path that it has
 * left; the third is dropped, since its page has come, and answered at once. */
static void a_walk_in_line_starts_or_is_dropped(void **state)
{
    (void)state;
    msw_walker_config config = eight_walkers();
    msw_walk_end end;
    config.walkers = 1;
    config.queue = 2;
    config.queue_waits = true;
    config.scoreboard = false;
    config.cache = (msw_walkcache_config){.kind = MSW_WALKCACHE_REGISTER, .levels = 4};
    msw_walker *pool = pool_new(&config);
    assert_int_equal(ask(pool, 0, 1, 1).done, 400);
    assert_int_equal(ask(pool, 1, 2, 1).kind, MSW_WALK_QUEUED);
    assert_int_equal(ask(pool, 2, 2, 1).kind, MSW_WALK_QUEUED);
    assert_int_equal(ask(pool, 3, 3, 1).kind, MSW_WALK_BLOCKED);
    assert_false(msw_walker_can_start(pool));
    assert_true(msw_walker_retire(pool, 400, &end));
    assert_true(msw_walker_can_start(pool));
    assert_int_equal(msw_walker_first(pool)->page.address, 2 << 12);
    msw_walk walk;
    msw_walker_start_first(pool, 400, &walk);
    assert_int_equal(walk.accesses, 1);
    assert_int_equal(walk.done, 500);
    assert_true(msw_walker_retire(pool, 500, &end));
    msw_walker_drop_first(pool, 500);
    assert_true(msw_walker_retire(pool, 500, &end));
    assert_true(end.dropped && end.time == 500);
    assert_int_equal(pool->stats.walks, 2);
    assert_int_equal(pool->idle.count, 1);
    free(pool);
}

/* Two walks alternate between 1 GiB areas that share the top level, in pages of as many 2 MiB areas
 * as the level cache below holds, or one more: it misses all of them then (LRU), not the others. */
static void levels_have_sizes_of_their_own(void **state)
{
    (void)state;
    for (uint64_t areas = 4; areas <= 5; areas++) {
        msw_walker_config config = eight_walkers();
        msw_walk_end end;
        uint64_t time = 0;
        config.walkers = 1;
        config.cache = (msw_walkcache_config){.kind = MSW_WALKCACHE_LEVELS,
                                              .level_entries = {[4] = 1, [3] = 2, [2] = 4}};
        msw_walker *pool = pool_new(&config);
        for (uint64_t i = 0; i < 10 * areas; i++) {
            uint64_t area = i % areas;
            time = ask(pool, time, (area % 2 << 18) + (area << 9) + i, 1).done;
            assert_true(msw_walker_retire(pool, time, &end));
        }
        /* the first round: 4 + 3 accesses, then 2 each; later rounds 1 each, or 2 where lost */
        uint64_t later = areas == 4 ? 1 : 2;
        assert_int_equal(pool->stats.accesses, 4 + 3 + 2 * (areas - 2) + 9 * areas * later);
        free(pool);
    }
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    msw_walker_config bad[5] = {eight_walkers(), eight_walkers(), eight_walkers(), eight_walkers(),
                                eight_walkers()};
    bad[0].walkers = 0;
    bad[1].table.level_bits = 2;
    bad[2].cache = (msw_walkcache_config){.kind = MSW_WALKCACHE_TABLE, .entries = 10, .ways = 4};
    bad[3].queue = bad[4].queue = 4;
    bad[3].choice = MSW_WALKER_WARMEST;
    bad[4].timed_by_owner = true;
    for (int i = 0; i < 5; i++) {
        msw_walker pool;
        msw_err err = {0};
        void *memory = malloc(msw_walker_bytes(&bad[i]) + 64);
        assert_int_equal(msw_walker_init(&pool, &bad[i], memory, &err), -1);
        assert_true(err.text[0] != 0);
        free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_by_page_size),
        cmocka_unit_test(entries_lie_as_in_a_real_table),
        cmocka_unit_test(merges_then_walks_again_or_blocks),
        cmocka_unit_test(all_walkers_busy_blocks_until_the_first_is_free),
        cmocka_unit_test(queued_walks_book_the_first_free_walker),
        cmocka_unit_test(owner_can_time_the_accesses),
        cmocka_unit_test(walk_caches_save_the_upper_levels),
        cmocka_unit_test(path_cache_holds_several_paths),
        cmocka_unit_test(miss_registers_agree_with_a_list),
        cmocka_unit_test(warming_leaves_the_table_cache_as_walks_do),
        cmocka_unit_test(joining_is_merging),
        cmocka_unit_test(a_walk_takes_the_walker_that_is_chosen),
        cmocka_unit_test(a_walk_in_line_starts_or_is_dropped),
        cmocka_unit_test(levels_have_sizes_of_their_own),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("sim walker", tests, NULL, NULL);
}
