/* SPDX-License-Identifier: MIT */
/* Does a fault bring what the rules of its prefetcher say? Worked by hand, on chunks of 8 blocks.
 */
#include "programs.h"
#include "testing.h"

#include "mech/uvm/pages/pager.h"

static const char PTX[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry k(.param .u64 a)\n{\n    ret;\n}\n";

typedef struct fixture {
    program p;
    msw_arena arena;
    uvm_config config;
    uvm_pager pager;
    msw_err err;
} fixture;

/* An array of `bytes` bytes. */
static void open_pager(fixture *f, int prefetcher, double share, const char *bytes)
{
    char text[200];
    *f = (fixture){.arena = {0}};
    snprintf(text, sizeof text,
             "title t\nptx t.ptx\narray managed a u8[%s]\nlaunch k grid(1) block(32) args(a)\n",
             bytes);
    assert_ok(program_text(&f->p, "", text, PTX), f->p.err);
    assert_ok(program_build(&f->p), f->p.err);
    msw_params_defaults(uvm_params, &f->config);
    f->config.prefetcher = prefetcher;
    f->config.tree_share = share;
    f->config.link = UVM_FIXED;
    const uvm_layout *layout = uvm_layout_of(f->p.p, 4096, &f->arena, &f->err);
    assert_non_null(layout);
    assert_ok(uvm_pager_init(&f->pager, &f->config, layout, NULL, &f->arena, &f->err), f->err);
}

static void close_pager(fixture *f)
{
    msw_arena_free(&f->arena);
    program_close(&f->p);
}

/* Blocks, as bits, that a fault on the first page of a block brings. */
static uint32_t fault(fixture *f, uint64_t block)
{
    uint64_t page = 16 * block;
    uint32_t before = 0, after = 0;
    for (uint32_t b = 0; b < 32; b++)
        before |= (uint32_t)(f->pager.where[16 * b] != UVM_ON_HOST) << b;
    uvm_pager_request(&f->pager, page, false);
    assert_ok(uvm_pager_fault(&f->pager, 0, &page, 1), f->err);
    for (uint32_t b = 0; b < 32; b++)
        after |= (uint32_t)(f->pager.where[16 * b] != UVM_ON_HOST) << b;
    return after & ~before;
}

static void test_the_tree_fills_nodes_upwards(void **state)
{
    (void)state;
    fixture f;
    open_pager(&f, UVM_TREE, 0.5, "512 * 1024");
    assert_int_equal(fault(&f, 1), 1 << 1);
    assert_int_equal(fault(&f, 3), 1 << 3);
    assert_int_equal(fault(&f, 5), 1 << 5);
    assert_int_equal(fault(&f, 7), 1 << 7);
    assert_int_equal(fault(&f, 0), 1 << 0 | 1 << 2 | 1 << 4 | 1 << 6);
    close_pager(&f);
}

static void test_the_tree_on_a_stream(void **state)
{
    (void)state;
    for (int rule = UVM_TREE; rule <= UVM_TREE_DRIVER; rule++) {
        fixture f;
        open_pager(&f, rule, rule == UVM_TREE ? 0.5 : 0.51, "512 * 1024");
        assert_int_equal(fault(&f, 0), 1 << 0);
        assert_int_equal(fault(&f, 1), 1 << 1);
        assert_int_equal(fault(&f, 2), 3 << 2);
        assert_int_equal(fault(&f, 4), 15 << 4);
        close_pager(&f);
    }
}

/* Blocks 0, 1 and 4 are here, 2 faults: 3/4, then 5/8 fill the tree of UVMSmart; the driver counts
 * nothing twice: 4 of 8 are not more than 51 %. */
static void test_the_rules_differ(void **state)
{
    (void)state;
    static const struct {
        int rule;
        double share;
        uint32_t brings;
    } CASES[] = {{UVM_TREE, 0.5, 0xec}, {UVM_TREE_DRIVER, 0.51, 0x0c}};
    for (size_t i = 0; i < 2; i++) {
        fixture f;
        open_pager(&f, UVM_NONE, CASES[i].share, "512 * 1024");
        f.config.prefetcher = UVM_BLOCK;
        assert_int_equal(fault(&f, 0), 1 << 0);
        assert_int_equal(fault(&f, 1), 1 << 1);
        assert_int_equal(fault(&f, 4), 1 << 4);
        f.config.prefetcher = CASES[i].rule;
        assert_int_equal(fault(&f, 2), CASES[i].brings);
        close_pager(&f);
    }
}

/* 2 MiB and 200 KiB: the rest is rounded up to 256 KiB, which the driver does not do. */
static void test_the_last_chunk_is_rounded_up(void **state)
{
    (void)state;
    fixture f;
    open_pager(&f, UVM_TREE, 0.5, "2248 * 1024");
    const uvm_layout *l = f.pager.layout;
    assert_int_equal(l->chunk_count, 2);
    assert_int_equal(l->chunks[1].leaves, 4);
    assert_int_equal(l->chunks[1].pages, 64);
    assert_int_equal(l->chunks[1].real, 50);
    for (uint64_t page = 512; page < 562; page += 16) {
        uvm_pager_request(&f.pager, page, false);
        if (f.pager.where[page] == UVM_ON_HOST)
            assert_ok(uvm_pager_fault(&f.pager, 0, &page, 1), f.err);
    }
    assert_int_equal(f.pager.counts.pages_in, 64);
    assert_int_equal(f.pager.counts.faults, 3);
    close_pager(&f);
    open_pager(&f, UVM_TREE_DRIVER, 0.51, "2248 * 1024");
    for (uint64_t page = 512; page < 562; page += 16) {
        uvm_pager_request(&f.pager, page, false);
        if (f.pager.where[page] == UVM_ON_HOST)
            assert_ok(uvm_pager_fault(&f.pager, 0, &page, 1), f.err);
    }
    assert_int_equal(f.pager.counts.pages_in, 50);
    close_pager(&f);
}

/* A run is cut behind the page that faulted: 4 KiB, then 60. */
static void test_a_run_is_cut_behind_its_fault(void **state)
{
    (void)state;
    fixture f;
    open_pager(&f, UVM_BLOCK, 0.5, "512 * 1024");
    fault(&f, 2);
    assert_int_equal(f.pager.in.tail, 2);
    assert_int_equal(f.pager.in.moves[0].first, 32);
    assert_int_equal(f.pager.in.moves[0].count, 1);
    assert_int_equal(f.pager.in.moves[0].cause, UVM_DEMAND);
    assert_int_equal(f.pager.in.moves[1].count, 15);
    assert_int_equal(f.pager.in.moves[1].cause, UVM_AHEAD);
    close_pager(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_tree_fills_nodes_upwards),
        cmocka_unit_test(test_the_tree_on_a_stream),
        cmocka_unit_test(test_the_rules_differ),
        cmocka_unit_test(test_the_last_chunk_is_rounded_up),
        cmocka_unit_test(test_a_run_is_cut_behind_its_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
