/* SPDX-License-Identifier: MIT */
/* What drivers of today do with pages: counters of remote accesses, pages that host and device take
 * from each other, limits on pages that an SM waits for, replay: worked by hand. */
#include "direct.h"
#include "htmmu_streams.h"
#include "programs.h"
#include "testing.h"

#include "mech/uvm/pages/pager.h"

extern const msw_mech msw_mech_uvm;

static const char PTX[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry k(.param .u64 a)\n{\n    ret;\n}\n";

typedef struct fixture {
    program p;
    msw_arena arena;
    uvm_config config;
    uvm_pager pager;
    msw_err err;
} fixture;

static void prepare(fixture *f)
{
    *f = (fixture){.config = {0}};
    msw_params_defaults(uvm_params, &f->config);
    f->config.prefetcher = UVM_NONE;
    f->config.link = UVM_FIXED;
    f->config.clock_ghz = 1; /* a nanosecond is a cycle */
}

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
}

static void close_pager(fixture *f)
{
    msw_arena_free(&f->arena);
    program_close(&f->p);
}

/* Lets all that is under way end. Returns the cycle of the last thing. */
static uint64_t settle(fixture *f)
{
    uvm_move come;
    uint64_t now = 0;
    while (uvm_pager_next(&f->pager) != UINT64_MAX) {
        now = uvm_pager_next(&f->pager);
        assert_ok(uvm_pager_step(&f->pager, now, &come), f->err);
    }
    return now;
}

/* ---- access counters ---- */

/* Blocks are of 16 pages, a granule of 512 here: what is fetched are the blocks accessed. */
static void a_granule_is_fetched_at_its_threshold(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.migration = UVM_COUNTERS;
    f.config.counter_threshold = 4;
    f.config.fault_ns = 1000;
    open_pager(&f, 1024);
    const uvm_pager *p = &f.pager;
    for (uint64_t i = 0; i < 3; i++) {
        assert_false(uvm_memory_fetches(p, 33, true, i));
        uvm_memory_remote(&f.pager, i == 1 ? 70 : 33, i, 1);
    }
    assert_int_equal(uvm_pager_next(p), UINT64_MAX);
    uvm_memory_remote(&f.pager, 600, 3, 1); /* of another granule */
    assert_int_equal(uvm_pager_next(p), UINT64_MAX);
    uvm_memory_remote(&f.pager, 33, 10, 1);
    assert_int_equal(uvm_pager_next(p), 1010);
    settle(&f);
    assert_int_equal(p->counts.notices, 1);
    assert_int_equal(p->counts.pages_in, 32);
    assert_int_equal(p->where[32], UVM_VALID);
    assert_int_equal(p->where[79], UVM_VALID);
    assert_int_equal(p->where[80], UVM_ON_HOST);
    assert_int_equal(p->where[48], UVM_ON_HOST);
    assert_int_equal(p->where[600], UVM_ON_HOST);
    assert_int_equal(p->counts.faults, 0);
    close_pager(&f);
}

/* Granules of 64 KiB; the handler takes two at once, in its latency. */
static void granules_are_handled_in_batches(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.migration = UVM_COUNTERS;
    f.config.counter_threshold = 1;
    f.config.counter_granularity = 64 << 10;
    f.config.counter_batch = 2;
    f.config.fault_ns = 1000;
    open_pager(&f, 64);
    for (uint64_t block = 0; block < 4; block++)
        uvm_memory_remote(&f.pager, 16 * block, 0, 1);
    assert_int_equal(f.pager.counts.notices, 4);
    uvm_move come;
    assert_ok(uvm_pager_step(&f.pager, 1000, &come), f.err);
    assert_int_equal(f.pager.counts.pages_in, 16); /* the first had the handler to itself */
    assert_ok(uvm_pager_step(&f.pager, 2000, &come), f.err);
    assert_int_equal(f.pager.counts.pages_in, 48);
    settle(&f);
    assert_int_equal(f.pager.counts.pages_in, 64);
    close_pager(&f);
}

/* 128 B at 64 GB/s are 2 cycles of the link; each is there 200 cycles after it left. */
static void remote_lines_overlap(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.migration = UVM_ZERO_COPY;
    f.config.remote_bandwidth = 64;
    open_pager(&f, 8);
    assert_int_equal(uvm_memory_remote(&f.pager, 0, 1000, 1), 1202);
    assert_int_equal(uvm_memory_remote(&f.pager, 1, 1000, 1), 1204);
    assert_int_equal(uvm_memory_remote(&f.pager, 2, 1100, 1), 1302);
    close_pager(&f);
}

/* ---- pages that thrash ---- */

/* The device faults on page 0, the host takes it back, again and again. Returns the cycle in which
 * the page is here, 0: it never comes. */
static uint64_t bounce(fixture *f, uint64_t now)
{
    uint64_t page = 0;
    uvm_pager *p = &f->pager;
    assert_int_equal(p->where[0], UVM_ON_HOST);
    uvm_pager_request(p, page, false);
    assert_ok(uvm_pager_fault(p, now, &page, 1), f->err);
    uint64_t here = settle(f);
    if (p->where[0] != UVM_VALID)
        return 0;
    assert_ok(uvm_pager_back(p, here, 0, 1, true), f->err);
    settle(f);
    return here;
}

/* Moves 1 and 2 are not looked at closely (in, back within the lapse); 2 is the page's first, so 3,
 * 4 and 5 are its three events. The fault after it is served (its turn), the next naps. */
static void pages_that_thrash_nap_and_are_pinned(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.thrash = UVM_THRASH_HOST;
    f.config.thrash_lapse_ns = 5000;
    f.config.thrash_nap_ns = 7000;
    f.config.thrash_naps = 2;
    f.config.thrash_pin_ns = 50000;
    open_pager(&f, 8);
    const uvm_pager *p = &f.pager;
    uint64_t now = 1000;
    for (int i = 0; i < 3; i++, now += 1000)
        assert_true(bounce(&f, now) < now + 1000);
    assert_true(bounce(&f, now) < now + 1000); /* served: its turn */
    assert_int_equal(p->counts.naps, 0);
    now += 7001;
    assert_true(bounce(&f, now) < now + 1000); /* the lapse is over: it does not thrash any more */
    assert_int_equal(p->counts.naps, 0);
    close_pager(&f);
}

static void naps_lead_to_a_pin(void **state)
{
    (void)state;
    fixture f;
    prepare(&f);
    f.config.thrash = UVM_THRASH_HOST;
    f.config.thrash_lapse_ns = 5000;
    f.config.thrash_nap_ns = 500;
    f.config.thrash_naps = 2;
    f.config.thrash_pin_ns = 50000;
    open_pager(&f, 8);
    const uvm_pager *p = &f.pager;
    uint64_t now = 1000;
    int naps = 0, rounds = 0;
    for (; !p->counts.pins && rounds < 30; rounds++, now += 1000) {
        uint64_t here = bounce(&f, now);
        if ((int)p->counts.naps > naps)
            assert_true(!here || here >= now + 500); /* it came after its nap, or was pinned */
        naps = (int)p->counts.naps;
    }
    assert_int_equal(p->counts.pins, 1);
    assert_int_equal(naps, 2);
    assert_int_equal(p->where[0], UVM_ON_HOST);
    assert_false(uvm_memory_fetches(p, 0, false, now));
    assert_true(uvm_memory_fetches(p, 1, false, now));
    assert_true(uvm_memory_fetches(p, 0, false, now + 50000));
    assert_true(bounce(&f, now + 50000) > 0);
    close_pager(&f);
}

/* ---- registers and replay, in the machine ---- */

static void open_point(direct *d, const char *workload)
{
    msw_err err = {0};
    assert_ok(direct_open(d, &msw_mech_uvm, workload, &err), err);
    direct_set(d, "sync", UVM_SYNC_WAITS);
}

static double metric_of(direct *d, const char *name)
{
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    return stream_metric(d, name);
}

/* Fewer registers: walks stand still, every page still faults once, and it takes longer. */
static void registers_hold_walks_up(void **state)
{
    (void)state;
    direct d;
    open_point(&d, "uvm/atax/n=96");
    direct_set(&d, "prefetcher", UVM_NONE);
    double cycles = metric_of(&d, "cycles"), touched = metric_of(&d, "pages_touched");
    assert_true(metric_of(&d, "stalled_walks") == 0);
    direct_set(&d, "fault_registers", 1 << 20);
    assert_true(metric_of(&d, "cycles") == cycles);
    direct_set(&d, "fault_registers", 1);
    assert_true(metric_of(&d, "stalled_walks") > 0);
    assert_true(metric_of(&d, "far_faults") == touched);
    assert_true(metric_of(&d, "pages_touched") == touched);
    assert_true(metric_of(&d, "cycles") > cycles);
    direct_close(&d);
}

static void replay_waits_for_its_batch(void **state)
{
    (void)state;
    direct d;
    open_point(&d, "uvm/atax/n=96");
    direct_set(&d, "fault_charge", UVM_BATCHED);
    double cycles = metric_of(&d, "cycles"), walks = metric_of(&d, "walks");
    direct_set(&d, "replay", UVM_REPLAY_BATCH);
    assert_true(metric_of(&d, "cycles") > cycles);
    direct_set(&d, "replay", UVM_REPLAY_PAGE);
    direct_set(&d, "replay_walks", 1);
    assert_true(metric_of(&d, "walks") > walks);
    assert_true(metric_of(&d, "walks") ==
                walks + metric_of(&d, "joined") + metric_of(&d, "far_faults"));
    direct_close(&d);
}

/* All presets of today's systems run, at all fidelities. */
static void presets_run(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"driver", "hmm", "counters", "coherent", "pinned"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        direct d;
        open_point(&d, "uvm/srad_v2/side=128");
        stream_preset(&d, NAMES[i]);
        double touched = metric_of(&d, "pages_touched");
        direct_run(&d, MSW_ANALYTIC, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        assert_true(stream_metric(&d, "pages_touched") == touched);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_granule_is_fetched_at_its_threshold),
        cmocka_unit_test(granules_are_handled_in_batches),
        cmocka_unit_test(remote_lines_overlap),
        cmocka_unit_test(pages_that_thrash_nap_and_are_pinned),
        cmocka_unit_test(naps_lead_to_a_pin),
        cmocka_unit_test(registers_hold_walks_up),
        cmocka_unit_test(replay_waits_for_its_batch),
        cmocka_unit_test(presets_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
