/* SPDX-License-Identifier: MIT */
/* What leaves a memory that is short, what is read where it is, and what predictors predict: worked
 * by hand. */
#include "programs.h"
#include "testing.h"

#include "mech/uvm/pages/predict.h"

static const char PTX[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry k(.param .u64 a)\n{\n    ret;\n}\n";

typedef struct fixture {
    program p;
    msw_arena arena;
    uvm_config config;
    uvm_pager pager;
    uint64_t now;
    msw_err err;
} fixture;

static void prepare(fixture *f)
{
    *f = (fixture){.now = 0};
    msw_params_defaults(uvm_params, &f->config);
    f->config.prefetcher = UVM_NONE;
    f->config.link = UVM_FIXED;
}

/* An array of `pages` pages, under the config of the fixture. */
static void open_pager(fixture *f, int pages)
{
    char text[200];
    snprintf(text, sizeof text,
             "title t\nptx t.ptx\narray managed a u8[%d]\nlaunch k grid(1) block(32) args(a)\n",
             4096 * pages);
    assert_ok(program_text(&f->p, "", text, PTX), f->p.err);
    assert_ok(program_build(&f->p), f->p.err);
    const uvm_layout *layout = uvm_layout_of(f->p.p, 4096, &f->arena, &f->err);
    assert_non_null(layout);
    assert_ok(uvm_pager_init(&f->pager, &f->config, layout, NULL, &f->arena, &f->err), f->err);
    assert_ok(uvm_ahead_init(&f->pager, NULL), f->err);
}

static void close_pager(fixture *f)
{
    msw_arena_free(&f->arena);
    program_close(&f->p);
}

/* Touches a page and waits for it. Returns whether it faulted. */
static bool touch(fixture *f, uint64_t page, bool write)
{
    uvm_pager *p = &f->pager;
    uvm_move come;
    bool faults = p->where[page] == UVM_ON_HOST;
    uvm_pager_access(p, page, 1);
    uvm_pager_request(p, page, write);
    uvm_pager_touch(p, page);
    if (faults)
        assert_ok(uvm_pager_fault(p, f->now, &page, 1), f->err);
    else
        uvm_pager_use(p, page, f->now);
    while (uvm_pager_next(p) != UINT64_MAX) {
        f->now = uvm_pager_next(p);
        assert_ok(uvm_pager_step(p, f->now, &come), f->err);
    }
    return faults;
}

static void test_pages_touched_longest_ago_leave(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.oversubscription = 2;
    f.config.eviction = UVM_LRU_PAGE;
    f.config.write_back = UVM_WRITE_DIRTY;
    open_pager(&f, 8); /* 4 fit */
    for (uint64_t page = 0; page < 4; page++)
        assert_true(touch(&f, page, page == 1));
    assert_false(touch(&f, 0, false));
    assert_true(touch(&f, 4, false)); /* 1 leaves, written */
    assert_int_equal(f.pager.where[1], UVM_ON_HOST);
    assert_int_equal(f.pager.where[0], UVM_VALID);
    assert_int_equal(f.pager.out.bytes, 4096);
    assert_true(touch(&f, 5, false)); /* 2 leaves, clean: nothing goes back */
    assert_int_equal(f.pager.where[2], UVM_ON_HOST);
    assert_int_equal(f.pager.out.bytes, 4096);
    assert_true(touch(&f, 1, false));
    assert_int_equal(f.pager.counts.evictions, 3);
    assert_int_equal(f.pager.counts.again, 1);
    assert_int_equal(f.pager.memory.used, 4);
    close_pager(&f);
}

/* Chunks of 2 MiB: the one that came first leaves, or the one touched longest ago. */
static void test_chunks_leave_whole(void **state)
{
    (void)state;
    for (int eviction = UVM_LRU_CHUNK; eviction <= UVM_ROOT_CHUNK; eviction += UVM_ROOT_CHUNK) {
        fixture f;
        prepare(&f);
        f.config.oversubscription = 512;
        f.config.eviction = eviction;
        open_pager(&f, 1536); /* 3 pages fit */
        assert_true(touch(&f, 0, false));
        assert_true(touch(&f, 1, false));
        assert_true(touch(&f, 600, false));
        assert_false(touch(&f, 0, false));
        assert_true(touch(&f, 1100, false));
        bool old = eviction == UVM_LRU_CHUNK;
        assert_int_equal(f.pager.where[600], old ? UVM_ON_HOST : UVM_VALID);
        assert_int_equal(f.pager.where[0], old ? UVM_VALID : UVM_ON_HOST);
        assert_int_equal(f.pager.where[1], old ? UVM_VALID : UVM_ON_HOST);
        close_pager(&f);
    }
}

/* Blocks 0 to 4 of 8 are here, 0 and 1 the oldest. With 0 gone the pair 0, 1 is half full and
 * stays; then 1 goes, and of the left half two remain of four: it stays, too. */
static void test_the_tree_empties_nodes(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.prefetcher = UVM_BLOCK;
    f.config.oversubscription = 1.6; /* 80 of 128 pages */
    f.config.eviction = UVM_EVICT_TREE;
    open_pager(&f, 128);
    for (uint64_t block = 0; block < 5; block++)
        assert_true(touch(&f, 16 * block, false));
    assert_int_equal(f.pager.leaves[0], 0x1f);
    assert_true(touch(&f, 16 * 5, false)); /* 0 leaves; then 2 of 4 and 3 of 4 stay */
    assert_int_equal(f.pager.leaves[0], 0x3e);
    assert_true(touch(&f, 16 * 6, false)); /* 1 leaves */
    assert_int_equal(f.pager.leaves[0], 0x7c);
    assert_true(touch(&f, 16 * 7, false)); /* 2 leaves: 1 of 4 is less than half, 3 goes with it */
    assert_int_equal(f.pager.leaves[0], 0xf0);
    close_pager(&f);
}

/* Blocks as bits that are here. */
static uint32_t here(const fixture *f)
{
    uint32_t blocks = 0;
    for (uint32_t b = 0; b < 32 && 16ull * b < f->pager.layout->pages; b++)
        blocks |= (uint32_t)(f->pager.where[16 * b] == UVM_VALID) << b;
    return blocks;
}

/* `fit` of 8 blocks of one tree, block by block. */
static void open_blocks(fixture *f, int fit)
{
    prepare(f);
    f->config.prefetcher = UVM_BLOCK;
    f->config.oversubscription = 8.0 / fit;
    f->config.eviction = UVM_LRU_BLOCK;
    open_pager(f, 128);
    for (uint64_t block = 0; block < (uint64_t)fit; block++)
        assert_true(touch(f, 16 * block, false));
}

/* Of three pages that fit 0 was used three times and 600 once, last: its chunk leaves, which under
 * LRU would stay. */
static void test_chunks_used_least_leave(void **state)
{
    (void)state;
    for (int eviction = UVM_LRU_CHUNK; eviction <= UVM_LFU_CHUNK; eviction++) {
        static const uint64_t PAGES[] = {0, 1, 0, 0, 600, 1100};
        fixture f;
        prepare(&f);
        f.config.oversubscription = 512;
        f.config.eviction = eviction;
        open_pager(&f, 1536);
        for (size_t i = 0; i < sizeof PAGES / sizeof *PAGES; i++)
            touch(&f, PAGES[i], false);
        bool least = eviction == UVM_LFU_CHUNK;
        assert_int_equal(f.pager.where[600], least ? UVM_ON_HOST : UVM_VALID);
        assert_int_equal(f.pager.where[0], least ? UVM_VALID : UVM_ON_HOST);
        close_pager(&f);
    }
}

/* Pages 0 to 3 of 8 are here. From the drawn page on the first that may leave does, around the end:
 * a page in use, 2, is passed over. Draws of 8 are those of a copy of the generator. */
static void test_drawn_pages_leave(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.oversubscription = 2;
    f.config.eviction = UVM_RANDOM_PAGE;
    open_pager(&f, 8);
    for (uint64_t page = 0; page < 4; page++)
        assert_true(touch(&f, page, false));
    uvm_pager_hold(&f.pager, 2);
    bool here[8] = {true, true, true, true};
    for (uint64_t page = 4; page < 8; page++) {
        msw_rng copy = f.pager.draws;
        uint64_t leaves = msw_rng_below(&copy, 8);
        while (!here[leaves] || leaves == 2)
            leaves = (leaves + 1) % 8;
        assert_true(touch(&f, page, false));
        here[leaves] = false;
        here[page] = true;
        for (uint64_t i = 0; i < 8; i++)
            assert_int_equal(f.pager.where[i] == UVM_VALID, here[i]);
    }
    close_pager(&f);
}

/* Once memory of 3 blocks has been short a fault brings its block still, or its own page, or what
 * another prefetcher than before says. */
static void test_another_prefetcher_when_full(void **state)
{
    (void)state;
    static const struct {
        int64_t prefetcher, when_full, full;
        uint64_t pages;
    } CASES[] = {{UVM_BLOCK, 1, UVM_FULL_SAME, 16},
                 {UVM_BLOCK, 0, UVM_FULL_SAME, 1},
                 {UVM_NONE, 1, UVM_FULL_BLOCK, 16}};
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        fixture f;
        open_blocks(&f, 3);
        f.config.prefetcher = CASES[c].prefetcher;
        f.config.prefetch_when_full = CASES[c].when_full;
        f.config.full_prefetcher = CASES[c].full;
        assert_true(touch(&f, 48, false)); /* the fault that finds it short */
        uint64_t before = f.pager.counts.pages_in;
        assert_true(touch(&f, 64, false));
        assert_int_equal(f.pager.counts.pages_in - before, CASES[c].pages);
        close_pager(&f);
    }
}

/* Two trees, a of page 0 and b of page 512, used in the order a0 b0 b1 a1: the tree used longest
 * ago is b, its oldest block b0; the oldest block of all is a0. */
static void test_blocks_leave_by_trees_or_by_age(void **state)
{
    (void)state;
    for (int order = UVM_ORDER_TREES; order <= UVM_ORDER_LIST; order++) {
        fixture f;
        static const uint64_t PAGES[] = {0, 512, 528, 16};
        prepare(&f);
        f.config.prefetcher = UVM_BLOCK;
        f.config.oversubscription = 16;
        f.config.eviction = UVM_LRU_BLOCK;
        f.config.block_order = order;
        open_pager(&f, 1024); /* 4 blocks fit */
        for (size_t i = 0; i < 4; i++)
            assert_true(touch(&f, PAGES[i], false));
        assert_true(touch(&f, 32, false));
        assert_int_equal(f.pager.where[512], order == UVM_ORDER_TREES ? UVM_ON_HOST : UVM_VALID);
        assert_int_equal(f.pager.where[0], order == UVM_ORDER_TREES ? UVM_VALID : UVM_ON_HOST);
        close_pager(&f);
    }
}

/* Of blocks 0, 1, 2 the oldest, 0, has a line under way: 1 leaves. When the line is over it is in
 * use until 100 cycles later; then 0 is the oldest again. */
static void test_what_is_in_use_stays(void **state)
{
    (void)state;
    fixture f;
    open_blocks(&f, 3);
    uvm_pager_hold(&f.pager, 7);
    assert_true(touch(&f, 16 * 3, false));
    assert_int_equal(here(&f), 0xd);
    uvm_pager_let_go(&f.pager, 7, f.now + 100);
    assert_true(touch(&f, 16 * 4, false));
    assert_int_equal(here(&f), 0x19);
    assert_true(touch(&f, 16 * 5, false));
    assert_int_equal(here(&f), 0x38);
    close_pager(&f);
}

/* Block 0 has all its pages but one, 1 all: 1 leaves though 0 is older. Where no block is whole the
 * oldest leaves, as nothing else could go on. */
static void test_units_leave_whole(void **state)
{
    (void)state;
    for (uint64_t second = 16; second >= 15; second--) {
        fixture f;
        prepare(&f);
        f.config.oversubscription = 128.0 / (15 + (double)second);
        f.config.eviction = UVM_LRU_BLOCK;
        open_pager(&f, 128);
        for (uint64_t page = 0; page < 15; page++)
            assert_true(touch(&f, page, false));
        for (uint64_t page = 0; page < second; page++)
            assert_true(touch(&f, 16 + page, false));
        assert_true(touch(&f, 64, false));
        assert_int_equal(here(&f), second == 16 ? 0x11 : 0x12);
        close_pager(&f);
    }
}

/* 64 KiB take 8089 cycles: block 3 is asked for at once where the room of block 0 is free when its
 * write-back begins, and after it where it is free when that is over. */
static void test_room_is_free_when_the_write_back_begins(void **state)
{
    (void)state;
    for (int leave = UVM_LEAVE_BEGIN; leave <= UVM_LEAVE_CHOSEN; leave++) {
        fixture f;
        uvm_move come = {0};
        open_blocks(&f, 3);
        f.config.victims_leave = leave;
        uint64_t page = 48, start = f.now;
        uvm_pager_request(&f.pager, page, false);
        assert_ok(uvm_pager_fault(&f.pager, f.now, &page, 1), f.err);
        while (f.pager.where[63] != UVM_VALID) {
            f.now = uvm_pager_next(&f.pager);
            assert_ok(uvm_pager_step(&f.pager, f.now, &come), f.err);
        }
        double cycles = 65536 * 1.481 / 12 * (leave == UVM_LEAVE_BEGIN ? 1 : 2);
        assert_true(f.now - start - (uint64_t)cycles <= 2);
        close_pager(&f);
    }
}

/* Blocks 4, 5 and 6 need the room of three of 0 to 3. The write-back of 0 has begun, that of 1
 * waits: an access to 1 keeps it, as the youngest, and 2 and 3 leave. */
static void test_an_access_keeps_what_waits_to_leave(void **state)
{
    (void)state;
    fixture f;
    open_blocks(&f, 4);
    uint64_t pages[] = {64, 80, 96};
    for (size_t i = 0; i < 3; i++)
        uvm_pager_request(&f.pager, pages[i], false);
    assert_ok(uvm_pager_fault(&f.pager, f.now, pages, 3), f.err);
    assert_int_equal(here(&f), 0xe);
    assert_true(f.pager.memory.staged[16]);
    assert_false(touch(&f, 20, false));
    assert_int_equal(here(&f), 0x72);
    assert_true(f.pager.flags[16] & UVM_DIRTY);
    assert_int_equal(f.pager.counts.evicted, 48);
    assert_int_equal(f.pager.counts.back, 48);
    assert_int_equal(f.pager.memory.used, 64);
    close_pager(&f);
}

/* One of 4 blocks is kept free, and the two oldest of 3 are passed over. */
static void test_shares_are_kept(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.prefetcher = UVM_BLOCK;
    f.config.oversubscription = 2;
    f.config.eviction = UVM_LRU_BLOCK;
    f.config.free_share = 0.25;
    f.config.reserve_share = 0.67;
    open_pager(&f, 128);
    for (uint64_t block = 0; block < 4; block++)
        assert_true(touch(&f, 16 * block, false));
    assert_int_equal(here(&f), 0xb);
    close_pager(&f);
}

/* 4 of 16 blocks fit. Blocks that come in order leave policies as they are; one that comes again in
 * order makes trees leave; one that comes out of order leaves cold blocks on the host, too. */
static void test_the_smart_runtime_follows_arrays(void **state)
{
    (void)state;
    static const struct {
        uint64_t blocks[6];
        uint32_t second; /* from here on it is the second launch */
        int64_t eviction, migration;
    } CASES[] = {
        {{0, 1, 2, 3, 4, 5}, 6, UVM_LRU_CHUNK, UVM_FIRST_TOUCH},
        {{1, 2, 3, 4, 5, 1}, 5, UVM_EVICT_TREE, UVM_FIRST_TOUCH},
        {{1, 0, 2, 3, 4, 5}, 6, UVM_EVICT_TREE, UVM_DELAYED_WHEN_FULL},
    };
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        fixture f;
        prepare(&f);
        f.config.prefetcher = UVM_BLOCK;
        f.config.oversubscription = 4;
        f.config.smart_runtime = true;
        f.config.victims = UVM_VICTIMS_ANY;
        open_pager(&f, 256);
        for (uint32_t i = 0; i < 6; i++) {
            f.pager.launch = 1 + (i >= CASES[c].second);
            touch(&f, 16 * CASES[c].blocks[i], false);
        }
        for (uint64_t block = 6; block < 12; block++)
            touch(&f, 16 * block, false);
        assert_int_equal(f.pager.memory.eviction, CASES[c].eviction);
        assert_int_equal(f.pager.memory.migration, CASES[c].migration);
        close_pager(&f);
    }
}

static void test_cold_blocks_are_read_where_they_are(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.migration = UVM_DELAYED;
    f.config.migrate_threshold = 3;
    open_pager(&f, 32);
    for (int i = 0; i < 2; i++) {
        uvm_pager_access(&f.pager, 5, 1);
        assert_false(uvm_memory_fetches(&f.pager, 5, false, 1000));
    }
    assert_int_equal(uvm_memory_remote(&f.pager, 5, 1000, 1), 1200);
    assert_int_equal(uvm_memory_remote(&f.pager, 5, 1000, 1), 1400);
    assert_true(uvm_memory_fetches(&f.pager, 5, true, 1000));
    uvm_pager_access(&f.pager, 6, 1);
    assert_true(uvm_memory_fetches(&f.pager, 5, false, 1000));
    assert_false(uvm_memory_fetches(&f.pager, 16, false, 1000)); /* another block */
    close_pager(&f);
}

/* What a prefetcher predicts from pages in a row; 0: nothing. */
static uint64_t predicts(fixture *f, const uint64_t *pages, size_t count)
{
    uint64_t out[UVM_DEGREE_MOST] = {0}, last = 0;
    for (size_t i = 0; i < count; i++) {
        uvm_event event = {.page = pages[i], .pc = 1};
        uint32_t found =
            uvm_predictions[f->config.prefetcher].predict(f->pager.predictor, &event, out);
        last = found ? out[0] : 0;
    }
    return last;
}

static void test_predictors(void **state)
{
    (void)state;
    static const uint64_t STEPS[] = {3, 7, 11, 15}, TWO[] = {1, 2, 5, 6, 9, 10, 13};
    static const struct {
        int prefetcher;
        const uint64_t *pages;
        size_t count;
        int64_t distance;
        uint64_t wanted;
    } CASES[] = {
        {UVM_SEQUENTIAL, STEPS, 4, 1, 16},   {UVM_LAST_DELTA, STEPS, 4, 1, 19},
        {UVM_LAST_DELTA, STEPS, 4, 2, 23},   {UVM_LAST_DELTA, STEPS, 4, 30, 0},
        {UVM_STRIDE, STEPS, 4, 2, 23},       {UVM_STRIDE, STEPS, 2, 2, 0},
        {UVM_STRIDE, TWO, 7, 1, 0},          {UVM_MARKOV1, TWO, 7, 1, 14},
        {UVM_MARKOV2, TWO, 7, 1, 14},        {UVM_MARKOV2, TWO, 7, 2, 17},
        {UVM_MULTI_STRIDE, STEPS, 4, 1, 19}, {UVM_MARKOV1, TWO, 2, 1, 0},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fixture f;
        prepare(&f);
        f.config.prefetcher = CASES[i].prefetcher;
        f.config.learner.distance = CASES[i].distance;
        open_pager(&f, 64);
        if (predicts(&f, CASES[i].pages, CASES[i].count) != CASES[i].wanted)
            fail_msg("case %zu: not %d", i, (int)CASES[i].wanted);
        close_pager(&f);
    }
}

/* An offset that fits is found after a phase of tests. */
static void test_the_best_offset_is_learned(void **state)
{
    (void)state;
    fixture f;
    uint64_t pages[1200];
    for (size_t i = 0; i < 1200; i++)
        pages[i] = 4 * i;
    prepare(&f);
    f.config.prefetcher = UVM_BEST_OFFSET;
    open_pager(&f, 64);
    assert_int_equal(predicts(&f, pages, 1200) % 4, 0);
    assert_true(predicts(&f, pages, 1200) > pages[1199]);
    close_pager(&f);
}

/* 1000 ns are 1481 cycles: two predictions at once, one server or any number. */
static void test_predictions_take_time(void **state)
{
    (void)state;
    for (int server = UVM_SERVER_SERIAL; server <= UVM_SERVER_PIPELINED; server++) {
        fixture f;
        uvm_move come;
        prepare(&f);
        f.config.prefetcher = UVM_SEQUENTIAL;
        f.config.predict_server = server;
        open_pager(&f, 64);
        for (uint64_t i = 0; i < 2; i++)
            assert_ok(uvm_ahead_event(&f.pager, 0, &(uvm_event){.page = 20 * i}, true), f.err);
        assert_int_equal(uvm_pager_next(&f.pager), 1481);
        assert_ok(uvm_pager_step(&f.pager, 1481, &come), f.err);
        assert_int_equal(f.pager.where[1], UVM_QUEUED);
        assert_int_equal(f.pager.where[21], server ? UVM_QUEUED : UVM_ON_HOST);
        assert_int_equal(f.pager.predicted_until, server ? UINT64_MAX : 2962);
        close_pager(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_touched_longest_ago_leave),
        cmocka_unit_test(test_chunks_leave_whole),
        cmocka_unit_test(test_the_tree_empties_nodes),
        cmocka_unit_test(test_chunks_used_least_leave),
        cmocka_unit_test(test_drawn_pages_leave),
        cmocka_unit_test(test_another_prefetcher_when_full),
        cmocka_unit_test(test_blocks_leave_by_trees_or_by_age),
        cmocka_unit_test(test_what_is_in_use_stays),
        cmocka_unit_test(test_units_leave_whole),
        cmocka_unit_test(test_room_is_free_when_the_write_back_begins),
        cmocka_unit_test(test_an_access_keeps_what_waits_to_leave),
        cmocka_unit_test(test_shares_are_kept),
        cmocka_unit_test(test_the_smart_runtime_follows_arrays),
        cmocka_unit_test(test_cold_blocks_are_read_where_they_are),
        cmocka_unit_test(test_predictors),
        cmocka_unit_test(test_the_best_offset_is_learned),
        cmocka_unit_test(test_predictions_take_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
