/* SPDX-License-Identifier: MIT */
/* Do the two sides of a shared cache stay apart, and do its pages keep count of owners and dirty
 * lines? */
#include "testing.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/shared_cache.h"

#include <stdlib.h>
#include <string.h>

/* CaMDN's: 16 MiB, 8 slices, 2,048 sets, 16 ways of which the last 12 hold pages of 32 KiB. */
static const uint64_t PAGE_WAYS[] = {0xfff0};
static const msw_shared_cache_config CAMDN = {
    .cache = {.line_bytes = 64, .slices = 8, .sets = 2048, .ways = 16, .requesters = 2},
    .page_ways = PAGE_WAYS,
    .page_sets = 64,
    .owners = 16};

static msw_shared_cache *shared_new(const msw_shared_cache_config *config)
{
    msw_err err;
    msw_shared_cache *shared = malloc(sizeof *shared + 64 + msw_shared_cache_bytes(config));
    void *memory = (char *)shared + (sizeof *shared + 63) / 64 * 64;
    assert_ok(msw_shared_cache_init(shared, config, memory, &err), err);
    return shared;
}

static msw_cache_answer cache_access(msw_cache *cache, uint32_t requester, uint64_t address,
                                     bool write)
{
    return msw_cache_ask(
        cache, &(msw_cache_request){.address = address, .requester = requester, .write = write});
}

static int operate(msw_shared_cache *shared, msw_page_use use, uint64_t *moved)
{
    msw_err err;
    return msw_page_operate(shared, &use, moved, &err);
}

/* 384 of 512 numbers are pages, of 512 lines each; the others have a way of the general side. */
static void page_numbers_are_those_of_the_paper(void **state)
{
    (void)state;
    msw_shared_cache *shared = shared_new(&CAMDN);
    uint32_t count = 0;
    for (uint32_t page = 0; page < 600; page++) {
        count += msw_page_exists(shared, page);
        assert_int_equal(msw_page_exists(shared, page), page < 512 && page % 16 >= 4);
    }
    assert_int_equal(count, 384);
    assert_int_equal(shared->pages, 384);
    assert_int_equal(shared->lines_per_page * 64, 32768);
    free(shared);
}

/* Every error says what is wrong and changes nothing. */
static void refuses(msw_shared_cache *shared, msw_page_use use, const char *why)
{
    msw_err err = {0};
    uint64_t moved = 99, dirty = msw_page_dirty(shared, use.page);
    assert_int_equal(msw_page_operate(shared, &use, &moved, &err), -1);
    assert_non_null(strstr(err.text, why));
    assert_int_equal(moved, 99);
    assert_int_equal(msw_page_dirty(shared, use.page), dirty);
}

static void sides_and_owners_stay_apart(void **state)
{
    (void)state;
    msw_err err;
    uint64_t moved;
    msw_shared_cache *shared = shared_new(&CAMDN);
    assert_ok(msw_page_take(shared, 3, 20, &err), err);
    assert_int_equal(operate(shared, (msw_page_use){3, 20, 0, 9, MSW_PAGE_WRITE}, &moved), 0);
    for (msw_page_operation o = MSW_PAGE_FILL; o <= MSW_PAGE_WRITE; o++) {
        refuses(shared, (msw_page_use){2, 20, 0, 1, o}, "owner 3's");
        refuses(shared, (msw_page_use){3, 21, 0, 1, o}, "nobody's");
        refuses(shared, (msw_page_use){3, 19, 0, 1, o}, "way 3 is the general side's");
        refuses(shared, (msw_page_use){3, 512 + 4, 0, 1, o}, "no page has this number");
        refuses(shared, (msw_page_use){3, 20, 500, 13, o}, "it has 512");
        refuses(shared, (msw_page_use){16, 20, 0, 1, o}, "there are 16");
    }
    assert_int_equal(msw_page_take(shared, 2, 20, &err), -1);
    assert_int_equal(msw_page_take(shared, 2, 19, &err), -1);
    assert_int_equal(msw_page_release(shared, 2, 20, &moved, &err), -1);
    assert_ok(msw_page_release(shared, 3, 20, &moved, &err), err);
    assert_int_equal(moved, 9);
    assert_ok(msw_page_take(shared, 2, 20, &err), err);
    assert_int_equal(msw_page_dirty(shared, 20), 0);
    free(shared);
}

static void tagged_side_has_no_way_of_pages(void **state)
{
    (void)state;
    static const uint64_t INSIDE[] = {0x3, 0xc}, ACROSS[] = {0x3, 0x1c};
    msw_err err = {0};
    msw_shared_cache_config config = CAMDN;
    config.cache.way_masks = ACROSS;
    void *memory = malloc(msw_shared_cache_bytes(&config));
    msw_shared_cache bad;
    assert_int_equal(msw_shared_cache_init(&bad, &config, memory, &err), -1);
    assert_non_null(strstr(err.text, "requester 1 asks for way 4, which holds pages"));
    free(memory);
    config.cache.way_masks = INSIDE;
    msw_shared_cache *shared = shared_new(&config);
    assert_int_equal(msw_shared_cache_mask(shared, 0, (uint64_t[]){0x8001}, &err), -1);
    assert_int_equal(msw_shared_cache_mask(shared, 0, (uint64_t[]){0}, &err), -1);
    assert_ok(msw_shared_cache_mask(shared, 0, (uint64_t[]){0x1}, &err), err);
    /* Two lines of one set: one way is left to requester 0, two to requester 1. */
    for (uint64_t i = 0; i < 20; i++) {
        bool again = cache_access(&shared->general, i % 2, (i / 2 % 2) << 24 | i % 2 << 40, 0).hit;
        assert_int_equal(again, i >= 4 && i % 2);
    }
    free(shared);
}

/* Page ways between general ways, past 64: the general side counts as a cache of its own ways, and
 * dirty lines as a plain array. */
static void both_sides_count_as_if_alone(void **state)
{
    (void)state;
    enum { WAYS = 70, SETS = 12, SLICES = 2, OWNERS = 5, LINES = 4 * SLICES };
    static const uint64_t PAGES[] = {0xaaaaaaaaaaaaaaaa, 0x2a}; /* odd ways: 35 */
    msw_shared_cache_config config = {
        .cache = {.line_bytes = 64, .slices = SLICES, .sets = SETS, .ways = WAYS},
        .page_ways = PAGES,
        .page_sets = 4,
        .owners = OWNERS};
    msw_shared_cache *shared = shared_new(&config);
    msw_cache_config lone = config.cache;
    lone.ways = WAYS / 2;
    msw_cache alone;
    msw_err err;
    void *memory = malloc(msw_cache_bytes(&lone));
    static int owner[512];
    static bool dirty[512][LINES];
    msw_rng rng;
    msw_rng_init(&rng, 4, 0);
    assert_ok(msw_cache_init(&alone, &lone, memory, &err), err);
    for (int i = 0; i < 30000; i++) {
        uint64_t address = msw_rng_below(&rng, 2 * SLICES * SETS * WAYS) * 64, moved = 0,
                 wanted = 0;
        bool write = msw_rng_below(&rng, 3) == 0;
        msw_cache_answer a = cache_access(&shared->general, 0, address, write);
        msw_cache_answer b = cache_access(&alone, 0, address, write);
        assert_true(a.hit == b.hit && a.writeback == b.writeback && a.victim == b.victim);
        uint32_t page = (uint32_t)msw_rng_below(&rng, 3 * 128),
                 who = (uint32_t)msw_rng_below(&rng, OWNERS);
        bool exists = page % 128 < WAYS && page % 2;
        assert_int_equal(msw_page_exists(shared, page), exists);
        msw_page_use use = {who, page, (uint32_t)msw_rng_below(&rng, LINES), 0,
                            (msw_page_operation)msw_rng_below(&rng, 4)};
        use.count = 1 + (uint32_t)msw_rng_below(&rng, LINES - use.line);
        bool mine = exists && owner[page] == (int)who + 1;
        for (uint32_t l = use.line; mine && l < use.line + use.count; l++) {
            wanted += use.operation == MSW_PAGE_FILL ||
                      (use.operation == MSW_PAGE_WRITE_BACK && dirty[page][l]);
            if (use.operation != MSW_PAGE_READ)
                dirty[page][l] = use.operation == MSW_PAGE_WRITE;
        }
        assert_int_equal(msw_page_operate(shared, &use, &moved, &err), mine ? 0 : -1);
        assert_int_equal(moved, wanted);
        if (exists && owner[page] == 0) {
            assert_ok(msw_page_take(shared, who, page, &err), err);
            owner[page] = (int)who + 1;
        } else if (mine && msw_rng_below(&rng, 8) == 0) {
            for (uint32_t l = 0; l < LINES; l++)
                wanted = (l ? wanted : 0) + dirty[page][l];
            assert_ok(msw_page_release(shared, who, page, &moved, &err), err);
            assert_int_equal(moved, wanted);
            memset(dirty[page], 0, sizeof dirty[page]);
            owner[page] = 0;
        }
    }
    assert_memory_equal(shared->general.stats, alone.stats, sizeof *alone.stats);
    free(memory);
    free(shared);
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    static const uint64_t ALL[] = {0xffff}, NONE[] = {0};
    msw_shared_cache_config bad[6];
    for (int i = 0; i < 6; i++)
        bad[i] = CAMDN;
    bad[0].page_ways = ALL;
    bad[1].page_ways = NONE;
    bad[2].page_sets = 48;
    bad[3].page_sets = 4096;
    bad[4].owners = 0;
    bad[5].cache.line_bytes = 48;
    for (int i = 0; i < 6; i++) {
        msw_shared_cache shared;
        msw_err err = {0};
        void *memory = malloc(msw_shared_cache_bytes(&bad[i]) + 1);
        assert_int_equal(msw_shared_cache_init(&shared, &bad[i], memory, &err), -1);
        assert_true(err.text[0] != 0);
        free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_numbers_are_those_of_the_paper),
        cmocka_unit_test(sides_and_owners_stay_apart),
        cmocka_unit_test(tagged_side_has_no_way_of_pages),
        cmocka_unit_test(both_sides_count_as_if_alone),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("sim shared cache", tests, NULL, NULL);
}
