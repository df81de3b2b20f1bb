/* SPDX-License-Identifier: MIT */
/* Does the TLB honour page sizes, coalescing, banks and routing? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/tlb.h"
#include "testing.h"

#include <stdlib.h>

static msw_tlb *tlb_new(const msw_tlb_config *config)
{
    msw_err err;
    msw_tlb *tlb = malloc(sizeof *tlb + 64 + msw_tlb_bytes(config));
    assert_ok(msw_tlb_init(tlb, config, (char *)tlb + (sizeof *tlb + 63) / 64 * 64, &err), err);
    return tlb;
}

static msw_tlb_config plain(uint32_t sets, uint32_t ways)
{
    return (msw_tlb_config){
        .banks = 1, .sets = sets, .ways = ways, .sizes = 1, .page_shift = {12}, .coalesce = 1};
}

/* Streaming: one miss per page; a cyclic sweep over one page too many: all miss. */
static void streaming_misses(void **state)
{
    (void)state;
    enum { PAGES = 2048 };
    for (uint64_t extra = 0; extra < 2; extra++) {
        msw_tlb_config config = plain(1, PAGES);
        msw_tlb *tlb = tlb_new(&config);
        for (int round = 0; round < 3; round++)
            for (uint64_t page = 0; page < PAGES + extra; page++)
                if (!msw_tlb_lookup(tlb, 0, page << 12))
                    msw_tlb_fill(tlb, 0, (msw_page){page << 12, 12}, 0, 0);
        msw_tlb_stats stats = tlb->stats[0];
        assert_int_equal(stats.misses, extra ? 3 * (PAGES + 1) : PAGES);
        assert_int_equal(stats.hits + stats.misses, stats.requests);
        free(tlb);
    }
}

static void page_sizes_live_side_by_side(void **state)
{
    (void)state;
    msw_tlb_config config = plain(16, 4);
    config.sizes = 3;
    config.page_shift[1] = 21;
    config.page_shift[2] = 30;
    msw_tlb *tlb = tlb_new(&config);
    uint64_t address = 0x7f1234567890;
    msw_tlb_fill(tlb, 0, (msw_page){address, 21}, 0, 0);
    assert_true(msw_tlb_lookup(tlb, 0, address ^ 0xff000));
    assert_false(msw_tlb_lookup(tlb, 0, address ^ 0x200000));
    msw_tlb_fill(tlb, 0, (msw_page){address ^ 0x200000, 12}, 0, 0);
    assert_true(msw_tlb_lookup(tlb, 0, address ^ 0x200000));
    assert_false(msw_tlb_lookup(tlb, 0, address ^ 0x201000));
    assert_true(msw_tlb_invalidate(tlb, 0, (msw_page){address, 21}));
    assert_false(msw_tlb_lookup(tlb, 0, address));
    msw_tlb_fill(tlb, 0, (msw_page){address, 16}, 0, 0); /* not enabled: not held */
    assert_false(msw_tlb_lookup(tlb, 0, address));
    free(tlb);
}

/* 4 entries of 8 pages hold 32 contiguous pages, but only 4 scattered ones. */
static void coalesced_entries(void **state)
{
    (void)state;
    msw_tlb_config config = plain(1, 4);
    config.coalesce = 8;
    msw_tlb *tlb = tlb_new(&config);
    for (uint64_t page = 0; page < 32; page++) {
        assert_false(msw_tlb_lookup(tlb, 0, page << 12));
        msw_tlb_fill(tlb, 0, (msw_page){page << 12, 12}, 0, page);
    }
    for (uint64_t page = 0; page < 32; page++)
        assert_int_equal(msw_tlb_probe(tlb, 0, page << 12), page | 7);
    assert_true(msw_tlb_invalidate(tlb, 0, (msw_page){5 << 12, 12}));
    assert_false(msw_tlb_lookup(tlb, 0, 5 << 12));
    assert_true(msw_tlb_lookup(tlb, 0, 6 << 12));
    msw_tlb_fill(tlb, 0, (msw_page){100 << 12, 12}, 0xf0, 0);
    assert_true(msw_tlb_lookup(tlb, 0, 103 << 12));
    assert_false(msw_tlb_lookup(tlb, 0, 97 << 12));
    free(tlb);
}

static void banks_are_separate(void **state)
{
    (void)state;
    msw_tlb_config config = plain(2, 4);
    config.banks = 4;
    msw_tlb *tlb = tlb_new(&config);
    msw_tlb_fill(tlb, 1, (msw_page){0x5000, 12}, 0, 0);
    assert_false(msw_tlb_lookup(tlb, 0, 0x5000));
    assert_true(msw_tlb_lookup(tlb, 1, 0x5000));
    msw_tlb_fill(tlb, 0, (msw_page){0x5000, 12}, 0, 0);
    assert_true(msw_tlb_lookup(tlb, 0, 0x5000));
    assert_int_equal(tlb->stats[0].misses, 1);
    assert_int_equal(tlb->stats[1].misses, 0);
    free(tlb);
}

/* 136 sets x 4 ways = 544 entries: as the plain modulo index says, 5 pages of one set do not fit.
 */
static void any_number_of_sets(void **state)
{
    (void)state;
    msw_tlb_config config = plain(136, 4);
    msw_tlb *tlb = tlb_new(&config);
    for (uint64_t i = 0; i < 5; i++)
        msw_tlb_fill(tlb, 0, (msw_page){(7 + 136 * i) << 12, 12}, 0, 0);
    assert_int_equal(tlb->stats[0].evictions, 1);
    assert_false(msw_tlb_lookup(tlb, 0, 7 << 12));
    assert_true(msw_tlb_lookup(tlb, 0, (7 + 136) << 12));
    free(tlb);
}

/* A plain TLB fills full sets by a shorter way than its array of tags: both must choose alike. */
static void plain_fills_choose_as_the_tags_do(void **state)
{
    (void)state;
    static const msw_policy POLICIES[] = {MSW_POLICY_LRU, MSW_POLICY_FIFO, MSW_POLICY_TREE,
                                          MSW_POLICY_BIT};
    for (uint32_t i = 0; i < 4 * 7; i++) {
        msw_tlb_config config = plain(3, 1u << i % 7);
        config.policy = POLICIES[i / 7];
        msw_assoc_config shape = {.sets = 3, .ways = config.ways, .policy = config.policy};
        msw_tlb *tlb = tlb_new(&config);
        msw_assoc tags;
        msw_err err;
        void *memory = aligned_alloc(64, (msw_assoc_bytes(&shape) + 63) / 64 * 64);
        assert_ok(msw_assoc_init(&tags, &shape, memory, &err), err);
        msw_rng rng;
        msw_rng_init(&rng, 11, i);
        for (int request = 0; request < 5000; request++) {
            uint64_t page = msw_rng_below(&rng, 4 * config.ways), evicted;
            uint32_t set = (uint32_t)(page % 3), line = msw_assoc_find(&tags, set, page);
            assert_int_equal(msw_tlb_lookup(tlb, 0, page << 12), line != MSW_ASSOC_NONE);
            if (line != MSW_ASSOC_NONE) {
                msw_assoc_touch(&tags, set, line);
                continue;
            }
            msw_assoc_insert(&tags, set, page, MSW_WAYS_ALL, &evicted);
            msw_tlb_fill(tlb, 0, (msw_page){page << 12, 12}, 0, 0);
        }
        free(memory);
        free(tlb);
    }
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    msw_tlb_config bad[6];
    for (int i = 0; i < 6; i++)
        bad[i] = plain(4, 4);
    bad[0].banks = 65;
    bad[1].sizes = 0;
    bad[2].coalesce = 3;
    bad[3].page_shift[0] = 5;
    bad[4].sizes = 2;
    bad[4].page_shift[1] = 12;
    bad[5].sets = 0;
    for (int i = 0; i < 6; i++) {
        msw_tlb tlb;
        msw_err err = {0};
        void *memory = malloc(msw_tlb_bytes(&bad[i]) + 64);
        assert_int_equal(msw_tlb_init(&tlb, &bad[i], memory, &err), -1);
        assert_true(err.text[0] != 0);
        free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streaming_misses),
        cmocka_unit_test(page_sizes_live_side_by_side),
        cmocka_unit_test(coalesced_entries),
        cmocka_unit_test(banks_are_separate),
        cmocka_unit_test(any_number_of_sets),
        cmocka_unit_test(plain_fills_choose_as_the_tags_do),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("sim tlb", tests, NULL, NULL);
}
