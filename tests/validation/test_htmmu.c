/* SPDX-License-Identifier: MIT */
/* Does htmmu keep to what can be worked out by hand, to its rules one by one, and to laws? */
#include "htmmu_configs.h"
#include "testing.h"

#include "mech/neummu/machine/machine.h"

#define GIB ((uint64_t)1 << 30)
#define MIB ((uint64_t)1 << 20)

static double run(direct *d)
{
    direct_run(d, MSW_FULL, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s: %s", msw_status_name(d->answer.status), d->answer.reason);
    return stream_metric(d, "cycles");
}

static uint64_t count(const direct *d, const char *name)
{
    double value = stream_metric(d, name);
    if (!(value >= 0))
        fail_msg("%s = %g", name, value);
    return (uint64_t)value;
}

static void open_given(direct *d, const uint64_t *addresses, uint64_t requests)
{
    stream_open(d, (stream_config){.kind = STREAM_GIVEN, .requests = requests, .given = addresses});
}

/* ---- one request ---- */

/* Table 1: 4 (first TLB) + 7 (second) + 8 (path cache) + levels x 1000. */
static void cold_request_takes_every_part_once(void **state)
{
    (void)state;
    static const struct {
        double page, levels;
    } CASES[] = {{4096, 4}, {2097152, 3}, {1073741824, 2}};
    uint64_t address = 5 * GIB;
    for (size_t i = 0; i < 3; i++) {
        direct d;
        open_given(&d, &address, 1);
        direct_set(&d, "page_size", CASES[i].page);
        assert_true(run(&d) == 4 + 7 + 8 + 1000 * CASES[i].levels);
        assert_true(stream_metric(&d, "mean_wait") == stream_metric(&d, "cycles"));
        assert_int_equal(count(&d, "walk_accesses"), (uint64_t)CASES[i].levels);
        direct_close(&d);
    }
}

/* ---- the rules, one by one ---- */

/* T1: entries are split among the banks: with bits alone, pages of one bank have only its share. */
static void entries_are_split_among_banks(void **state)
{
    (void)state;
    for (uint64_t pages = 8; pages <= 9; pages++) {
        direct d;
        stream_open(&d, (stream_config){.kind = STREAM_CYCLE, .requests = 900, .pages = pages});
        direct_set(&d, "router", HTMMU_ROUTER_BITS);
        direct_set(&d, "l1_entries", 32);
        direct_set(&d, "l1_ways", 0);
        direct_set(&d, "policy", MSW_POLICY_LRU);
        direct_set(&d, "outstanding", 1);
        run(&d);
        assert_int_equal(count(&d, "l1_misses"), pages == 8 ? 8 : 900);
        direct_close(&d);
    }
}

/* T2: address bits name the bank. */
static void address_bits_name_the_bank(void **state)
{
    (void)state;
    uint64_t addresses[512];
    for (uint64_t i = 0; i < 512; i++)
        addresses[i] = (i % 2 ? 2 : 0) * GIB + i;
    direct d;
    open_given(&d, addresses, 512);
    direct_set(&d, "router", HTMMU_ROUTER_BITS);
    run(&d);
    assert_true(stream_metric(&d, "bank_imbalance") == 2); /* banks 0 and 2 of 4 */
    direct_set(&d, "router_bit", 31);
    run(&d);
    assert_true(stream_metric(&d, "bank_imbalance") == 2); /* banks 0 and 1 */
    direct_set(&d, "router_bit", 32);
    run(&d);
    assert_true(stream_metric(&d, "bank_imbalance") == 4);
    assert_int_equal(count(&d, "diverted"), 0);
    direct_close(&d);
}

/* T2 by requester: five requesters in turn on one page. Numbers 0 and 4 share a bank of four. */
static void requester_names_the_bank(void **state)
{
    (void)state;
    uint64_t addresses[500];
    uint16_t requesters[500];
    for (uint64_t i = 0; i < 500; i++) {
        addresses[i] = GIB + i;
        requesters[i] = (uint16_t)(i % 5);
    }
    for (int known = 0; known <= 1; known++) {
        direct d;
        stream_open(&d, (stream_config){.kind = STREAM_GIVEN,
                                        .requests = 500,
                                        .given = addresses,
                                        .requesters = known ? requesters : NULL});
        direct_set(&d, "router", HTMMU_ROUTER_BITS);
        direct_set(&d, "router_by", HTMMU_BY_REQUESTER);
        direct_set(&d, "l1_mshrs", 64);
        run(&d);
        /* one window of 256 requests has 103 of bank 0, the other 97 */
        assert_relative(stream_metric(&d, "bank_imbalance"), known ? 200 / 125. : 4, 1e-9);
        assert_int_equal(count(&d, "diverted"), 0);
        direct_run(&d, MSW_ANALYTIC, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        direct_set(&d, "router", HTMMU_ROUTER_ADAPTIVE);
        run(&d);
        assert_true(count(&d, "diverted") > 0);
        direct_close(&d);
    }
}

/* Requesters that name the banks which the addresses name give the same answers. */
static void requesters_like_addresses_change_nothing(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    static uint64_t addresses[COUNT];
    static uint16_t requesters[COUNT];
    msw_rng rng;
    msw_rng_init(&rng, 7, 7);
    for (uint64_t i = 0; i < COUNT; i++) {
        addresses[i] = msw_rng_below(&rng, 64 * GIB);
        requesters[i] = (uint16_t)(addresses[i] >> 30);
    }
    for (uint64_t seed = 0; seed < 20; seed++) {
        double cycles[2][2];
        direct d;
        stream_open(&d, (stream_config){.kind = STREAM_GIVEN,
                                        .requests = COUNT,
                                        .given = addresses,
                                        .requesters = requesters});
        htmmu_random(&d, seed);
        direct_set(&d, "router_bit", 30);
        for (int by = 0; by <= 1; by++) {
            direct_set(&d, "router_by", by);
            for (int full = 0; full <= 1; full++) {
                direct_run(&d, full ? MSW_FULL : MSW_ANALYTIC, 1);
                cycles[by][full] = d.metrics[HTMMU_CYCLES];
            }
        }
        if (d.answer.status == MSW_OK)
            assert_memory_equal(cycles[0], cycles[1], sizeof cycles[0]);
        direct_close(&d);
    }
}

/* T3: a blocked bank turns requests away when another is free; peak 1 against `streams` a cycle. */
static void adaptive_router_uses_free_banks(void **state)
{
    (void)state;
    direct d;
    stream_open(&d,
                (stream_config){.kind = STREAM_CYCLE, .requests = 8192, .pages = 1, .run = 8192});
    direct_set(&d, "register_holds", HTMMU_HOLDS_MISS);
    direct_set(&d, "l1_mshrs", 4);
    direct_set(&d, "router", HTMMU_ROUTER_BITS);
    double bits = run(&d) - 3019;
    assert_int_equal(count(&d, "diverted"), 0);
    direct_set(&d, "divert", HTMMU_DIVERT_STALLED);
    direct_set(&d, "router", HTMMU_ROUTER_ADAPTIVE);
    double stalled = run(&d) - 3019;
    direct_set(&d, "divert", HTMMU_DIVERT_BUSY);
    double busy = run(&d) - 3019;
    assert_true(bits > 8192 - 8 && bits <= 8192 + 8);
    assert_true(stalled > 8192 - 32 && stalled <= 8192 + 8);
    assert_true(busy > 2048 - 8 && busy <= 2048 + 32);
    direct_close(&d);
}

/* T4: a page is looked up only in the bank of its request, so it comes to sit in all of them. */
static void page_sits_in_several_banks(void **state)
{
    (void)state;
    for (int streams = 1; streams <= 16; streams *= 2) {
        direct d;
        stream_open(
            &d, (stream_config){.kind = STREAM_CYCLE, .requests = 4096, .pages = 1, .run = 4096});
        direct_set(&d, "streams", streams);
        direct_set(&d, "l1_entries", 64);
        direct_set(&d, "l1_mshrs", 1);
        direct_set(&d, "outstanding", streams);
        run(&d);
        assert_int_equal(count(&d, "l1_misses"), streams);
        direct_close(&d);
    }
}

/* T5: hits pass a miss while there is a register; a second miss without one stops its bank. */
static void registers_let_hits_pass(void **state)
{
    (void)state;
    uint64_t addresses[300];
    addresses[0] = GIB;
    for (uint64_t i = 1; i < 300; i++)
        addresses[i] = i == 1 ? 8 * GIB : i == 2 ? 16 * GIB : GIB;
    direct d;
    open_given(&d, addresses, 300);
    stream_preset(&d, "baseline");
    direct_set(&d, "register_holds", HTMMU_HOLDS_MISS);
    direct_set(&d, "outstanding", 512);
    direct_set(&d, "l1_mshrs", 64);
    run(&d);
    /* 64 misses, and one that parks until the first walk ends: its page is there for the rest */
    assert_int_equal(count(&d, "l1_hits"), 300 - 65);
    direct_set(&d, "l1_mshrs", 2);
    run(&d);
    /* the third request parks until the first walk ends; then its page is there for the rest */
    assert_int_equal(count(&d, "l1_hits"), 297);
    assert_true(stream_metric(&d, "stall_mshr") > 2900);
    direct_set(&d, "l1_mshrs", 1);
    run(&d);
    assert_int_equal(count(&d, "l1_hits"), 297);
    assert_true(stream_metric(&d, "stall_mshr") > 2900 + 1900);
    direct_close(&d);
}

/* T6: n misses of one page at once: each walk answers 1 + items; without a second walk they wait.
 */
static void merge_items_save_walks(void **state)
{
    (void)state;
    direct d;
    stream_open(&d, (stream_config){.kind = STREAM_CYCLE, .requests = 48, .pages = 1, .run = 48});
    stream_preset(&d, "baseline");
    direct_set(&d, "l1_mshrs", 64);
    for (int items = 0; items <= 64; items = items * 2 + 1) {
        direct_set(&d, "merge_items", items);
        direct_set(&d, "items_full", HTMMU_FULL_WALK);
        run(&d);
        int walks = (48 + items) / (1 + items);
        if (walks <= 16) {
            assert_int_equal(count(&d, "walks"), walks);
            assert_int_equal(count(&d, "merged"), 48 - walks);
            assert_int_equal(count(&d, "redundant_walks"), walks - 1);
        }
        direct_set(&d, "items_full", HTMMU_FULL_WAIT);
        run(&d);
        assert_int_equal(count(&d, "redundant_walks"), 0);
        assert_int_equal(count(&d, "repeated"), count(&d, "merged"));
    }
    direct_close(&d);
}

/* T6: all entries busy and no match: the miss waits, and it is one that a free walker serves. */
static void busy_walkers_make_misses_wait(void **state)
{
    (void)state;
    uint64_t addresses[17];
    for (uint64_t i = 0; i < 17; i++)
        addresses[i] = (i + 1) * 600 * GIB; /* nothing shared but the top table */
    direct d;
    open_given(&d, addresses, 17);
    stream_preset(&d, "baseline");
    direct_set(&d, "l1_mshrs", 64);
    /* one look-up a cycle: walks begin at 11 .. 26, the last when the first ends */
    assert_true(run(&d) == 11 + 3008 + 3008);
    direct_set(&d, "merge_entries", 17);
    assert_true(run(&d) == 11 + 16 + 3008);
    direct_close(&d);
}

/* T6: a miss on a page that is being walked passes those that wait for a walker. */
static void merging_passes_the_queue(void **state)
{
    (void)state;
    uint64_t addresses[3] = {GIB, 3 * GIB, GIB + 64};
    direct d;
    open_given(&d, addresses, 3);
    stream_preset(&d, "baseline");
    direct_set(&d, "merge_entries", 1);
    run(&d);
    assert_int_equal(count(&d, "walks"), 2);
    assert_int_equal(count(&d, "merged"), 1);
    direct_close(&d);
}

/* Of events at the same time walks end first: a miss whose second look-up ends with the walk of its
 * page, at 3019, finds it there; one cycle earlier it is merged. */
static void walk_that_ends_now_is_seen(void **state)
{
    (void)state;
    uint64_t addresses[2] = {GIB, GIB + 64};
    for (uint64_t early = 0; early <= 1; early++) {
        uint64_t times[2] = {0, 3019 - 11 - early};
        direct d;
        stream_open(&d,
                    (stream_config){
                        .kind = STREAM_GIVEN, .requests = 2, .given = addresses, .times = times});
        stream_preset(&d, "baseline");
        direct_set(&d, "requester", HTMMU_TIMED);
        run(&d);
        assert_int_equal(count(&d, "l2_hits"), 1 - early);
        assert_int_equal(count(&d, "merged"), early);
        direct_close(&d);
    }
}

/* T7: merged requests finish when the walk does. */
static void merged_requests_finish_with_their_walk(void **state)
{
    (void)state;
    uint64_t addresses[4] = {GIB, GIB + 64, GIB + 128, GIB + 192};
    direct d;
    open_given(&d, addresses, 4);
    stream_preset(&d, "baseline");
    assert_true(run(&d) == 3019);
    assert_int_equal(count(&d, "walks"), 1);
    assert_int_equal(count(&d, "merged"), 3);
    assert_true(stream_metric(&d, "wait_max") == 3019);
    /* closed loop: all four are made at once */
    assert_true(stream_metric(&d, "mean_wait") == 3019);
    direct_close(&d);
}

/* T8: 3 levels; a path in the same GiB saves two accesses, one in the same 512 GiB one. */
static void path_cache_saves_upper_levels(void **state)
{
    (void)state;
    uint64_t addresses[] = {GIB, GIB + 2 * MIB, 2 * GIB, 600 * GIB};
    static const uint64_t ACCESSES[] = {3, 1, 2, 3};
    uint64_t expected = 0;
    for (uint64_t n = 1; n <= 4; n++) {
        direct d;
        open_given(&d, addresses, n);
        direct_set(&d, "outstanding", 1);
        expected += ACCESSES[n - 1];
        assert_true(run(&d) == (double)(n * 19 + expected * 1000));
        assert_int_equal(count(&d, "walk_accesses"), expected);
        direct_close(&d);
    }
}

/* T9: a walk fills the first TLB of the bank that asked, and the second for all. */
static void walk_fills_both_tlbs(void **state)
{
    (void)state;
    /* the same GiB has bank 1; while that one is stalled the router turns to bank 2 */
    direct d;
    stream_open(&d, (stream_config){.kind = STREAM_CYCLE, .requests = 3, .pages = 1, .run = 3});
    direct_set(&d, "outstanding", 1);
    run(&d);
    assert_int_equal(count(&d, "l1_hits"), 2);
    assert_int_equal(count(&d, "l2_lookups"), 1);
    direct_set(&d, "outstanding", 4);
    direct_set(&d, "l1_mshrs", 1);
    run(&d); /* three banks at once */
    assert_int_equal(count(&d, "l2_lookups"), 3);
    assert_int_equal(count(&d, "walks"), 1);
    direct_close(&d);
    /* a page that the first TLB lost comes from the second */
    stream_open(&d, (stream_config){.kind = STREAM_CYCLE, .requests = 640, .pages = 64});
    direct_set(&d, "outstanding", 1);
    direct_set(&d, "l1_entries", 4);
    run(&d);
    assert_int_equal(count(&d, "walks"), 64);
    assert_int_equal(count(&d, "l2_hits"), 640 - 64);
    direct_close(&d);
}

/* Miss registers and queue, which the paper's budget leaves out: page, item and a valid bit. */
static double waiting(double registers)
{
    return ceil(registers * (36 + 32 + 1) / 8) + ceil(16 * (36 + 32 + 1) / 8.0);
}

/* T10 and facts 1.3: both TLBs 18 kB before and after; the path cache gives 192 bytes, the items
 * take 16 x 4 of 4 bytes more. */
static void presets_share_one_budget(void **state)
{
    (void)state;
    direct d;
    uint64_t address = GIB;
    open_given(&d, &address, 1);
    stream_preset(&d, "baseline");
    run(&d);
    double before = 576 * 32 + 16 * 6 * 4 + 32 * 48;
    assert_true(stream_metric(&d, "sram_bytes") == before + waiting(1 * 8));
    stream_preset(&d, "tbu");
    run(&d);
    assert_true(stream_metric(&d, "sram_bytes") == before + waiting(4 * 8));
    stream_preset(&d, "htmmu");
    run(&d);
    assert_true(stream_metric(&d, "sram_bytes") == before + 16 * 4 * 4 - 4 * 48 + waiting(4 * 8));
    direct_close(&d);
}

/* ---- bounds ---- */

static double rate_of_walks(double path, uint64_t apart)
{
    uint64_t addresses[4000];
    for (uint64_t i = 0; i < 4000; i++)
        addresses[i] = (i % 4000) * apart + (path == HTMMU_PATH_NONE ? 0 : i / 500 * GIB);
    direct d;
    open_given(&d, addresses, 4000);
    direct_set(&d, "l1_mshrs", 64);
    direct_set(&d, "path_cache", path);
    double rate = 4000 / run(&d);
    assert_int_equal(count(&d, "walks"), 4000);
    direct_close(&d);
    return rate;
}

/* 16 walkers: 16 / 3000 walks a cycle at 2 MiB without path cache, 16 / 1008 with all upper levels
 * known, 16 / 2008 with all but one; up to 16 walks begin before the first has learnt a new path.
 */
static void walkers_bound_throughput(void **state)
{
    (void)state;
    assert_relative(rate_of_walks(HTMMU_PATH_NONE, 2 * MIB), 16.0 / 3000, 0.01);
    assert_relative(rate_of_walks(HTMMU_PATH_SHARED, 2 * MIB), 16.0 / 1008, 0.07);
    assert_relative(rate_of_walks(HTMMU_PATH_SHARED, 3 * GIB), 16.0 / 2008, 0.07);
}

/* Little: as many misses are under way as banks have registers, one more parked each. */
static void registers_bound_misses_under_way(void **state)
{
    (void)state;
    for (int streams = 1; streams <= 4; streams *= 2) {
        for (int mshrs = 1; mshrs <= 4; mshrs *= 2) {
            direct d;
            stream_open(&d, (stream_config){.kind = STREAM_UNIFORM,
                                            .requests = 4000,
                                            .footprint = (uint64_t)1 << 44});
            direct_set(&d, "streams", streams);
            direct_set(&d, "l1_mshrs", mshrs);
            direct_set(&d, "path_cache", HTMMU_PATH_NONE);
            double rate = 4000 / run(&d);
            assert_relative(rate, streams * mshrs / 3007.0, 0.03);
            direct_close(&d);
        }
    }
}

/* A merge buffer answers at most entries x (1 + items) requests per walk. */
static void merge_buffer_bounds_requests_under_way(void **state)
{
    (void)state;
    for (int items = 0; items <= 8; items += 4) {
        direct d;
        stream_open(
            &d, (stream_config){.kind = STREAM_CYCLE, .requests = 64000, .pages = 4000, .run = 16});
        stream_preset(&d, "baseline");
        direct_set(&d, "streams", 16);
        direct_set(&d, "router", HTMMU_ROUTER_ADAPTIVE);
        direct_set(&d, "l1_mshrs", 64);
        direct_set(&d, "l2_ports", 16);
        direct_set(&d, "outstanding", 4096);
        direct_set(&d, "merge_items", items);
        direct_set(&d, "path_cache", HTMMU_PATH_NONE);
        double rate = 64000 / run(&d), bound = 16.0 * (1 + items) / 3000;
        assert_true(rate < 1.02 * bound);
        direct_close(&d);
    }
}

/* ---- laws ---- */

static void random_config(direct *d, uint64_t seed)
{
    static const char *const VARIED[] = {"outstanding", "router",      "free_choice",   "divert",
                                         "l1_mshrs",    "mshr_merge",  "l2_ports",      "l2_mshrs",
                                         "ptu_queue",   "merge_items", "items_full",    "reprobe",
                                         "path_cache",  "tpc_entries", "policy",        "requester",
                                         "l1_cycles",   "l2_cycles",   "register_holds"};
    msw_rng rng;
    msw_rng_init(&rng, seed, 3);
    for (size_t i = 0; i < sizeof VARIED / sizeof *VARIED; i++) {
        const msw_param *p = msw_params_find(d->mech->params, VARIED[i]);
        uint64_t choices = msw_param_choices(p);
        double most = choices ? (double)choices : fmin(p->max, p->def * 4 + 4);
        double value = choices ? floor(most * msw_rng_uniform(&rng))
                               : floor(p->min + (most - p->min) * msw_rng_uniform(&rng));
        direct_set(d, VARIED[i], value);
    }
    if (((htmmu_config *)d->config)->requester == HTMMU_TIMED)
        direct_set(d, "requester", HTMMU_OPEN);
    uint64_t streams = 1 + msw_rng_below(&rng, 16), each = (uint64_t)1 << msw_rng_below(&rng, 5);
    direct_set(d, "streams", (double)streams);
    direct_set(d, "l1_entries", (double)(streams * each));
    direct_set(d, "l2_entries", (double)(4 * msw_rng_below(&rng, 64)));
    direct_set(d, "merge_entries", (double)(1 + msw_rng_below(&rng, 20)));
    direct_set(d, "router_bit", (double)(12 + msw_rng_below(&rng, 20)));
    direct_set(d, "rate", 0.001 + 0.5 * msw_rng_uniform(&rng));
    direct_set(d, "burst", (double)(1 + msw_rng_below(&rng, 100)));
    direct_set(d, "page_size", msw_rng_below(&rng, 2) ? 4096 : 2097152);
    if (msw_rng_below(&rng, 4) == 0) {
        direct_set(d, "page_size", 4096);
        direct_set(d, "large_page", 2097152);
    }
}

static stream_config random_stream(uint64_t seed)
{
    static const stream_config STREAMS[] = {
        {.kind = STREAM_SEQUENTIAL, .requests = 3000},
        {.kind = STREAM_UNIFORM, .requests = 1500, .footprint = 64 * GIB},
        {.kind = STREAM_SKEWED, .requests = 2500, .footprint = 8 * GIB, .run = 3},
        {.kind = STREAM_CYCLE, .requests = 2000, .pages = 50, .run = 4},
    };
    stream_config stream = STREAMS[seed % 4];
    stream.seed = seed;
    return stream;
}

static void check_laws(const direct *d, uint64_t requests)
{
    const htmmu_config *c = d->config;
    double stack = 0;
    for (int cause = HTMMU_ISSUE; cause <= HTMMU_STALL_MEMORY; cause++)
        stack += d->metrics[cause];
    assert_true(stack == stream_metric(d, "cycles"));
    assert_int_equal(count(d, "requests"), requests);
    assert_int_equal(count(d, "l1_hits") + count(d, "l1_misses"), requests);
    assert_int_equal(count(d, "merged") + count(d, "redundant_walks"), count(d, "repeated"));
    uint64_t beyond = count(d, "l1_misses") - count(d, "held"), replayed = count(d, "replayed");
    uint64_t answered = count(d, "l2_hits") + count(d, "merged") + count(d, "walks");
    assert_int_equal(beyond, answered + replayed);
    if (!c->reprobe)
        assert_int_equal(count(d, "ptu_requests"), count(d, "merged") + count(d, "walks"));
    if (c->l2_entries && !c->reprobe)
        assert_int_equal(count(d, "l2_lookups"), beyond);
    if (!c->mshr_merge)
        assert_int_equal(count(d, "held"), 0);
    if (c->items_full == HTMMU_FULL_WAIT)
        assert_int_equal(count(d, "redundant_walks"), 0);
    assert_true(count(d, "walk_accesses") >= count(d, "walks") || c->path_cache);
    /* an answer takes at least a look-up */
    assert_true(stream_metric(d, "mean_wait_accepted") >= (double)c->l1_cycles);
    assert_true(stream_metric(d, "mean_wait") >= stream_metric(d, "mean_wait_accepted"));
    assert_true(stream_metric(d, "wait_max") >= stream_metric(d, "wait_p99") * 0.9);
    assert_true(stream_metric(d, "throughput") <= (double)c->streams);
}

static void laws_hold_for_any_config(void **state)
{
    (void)state;
    int seeds = getenv("MEMSWEEP_FULL") ? 4000 : 150, answered = 0;
    for (int seed = 0; seed < seeds; seed++) {
        direct d;
        stream_config stream = random_stream((uint64_t)seed);
        stream_open(&d, stream);
        random_config(&d, (uint64_t)seed);
        direct_run(&d, MSW_FULL, 1);
        if (d.answer.status == MSW_OK) {
            check_laws(&d, stream.requests);
            answered++;
        } else if (d.answer.status != MSW_INFEASIBLE) {
            fail_msg("seed %d: %s", seed, d.answer.reason);
        }
        direct_close(&d);
    }
    assert_true(answered > seeds / 3);
}

/* In a closed loop the window is always full: mean wait x throughput = window (Little). */
static void littles_law_holds(void **state)
{
    (void)state;
    for (double window = 4; window <= 256; window *= 4) {
        direct d;
        stream_open(&d,
                    (stream_config){
                        .kind = STREAM_SKEWED, .requests = 20000, .run = 2, .footprint = 32 * GIB});
        direct_set(&d, "outstanding", window);
        run(&d);
        double inside = stream_metric(&d, "mean_wait") * stream_metric(&d, "throughput");
        assert_relative(inside, window, 0.03);
        direct_close(&d);
    }
}

/* ---- the other MMU ---- */

enum { NEUMMU_VISITS = 400 };

typedef struct geometry {
    neummu_config neummu;
    neummu_visit visits[NEUMMU_VISITS];
    uint64_t addresses[NEUMMU_VISITS * 16], requests;
} geometry;

/* Runs on pages that come back, few at first, then many. */
static void random_geometry(geometry *g, uint64_t seed)
{
    static const int64_t PATHS[] = {NEUMMU_PATH_NONE, NEUMMU_PATH_REGISTER, NEUMMU_PATH_SHARED,
                                    NEUMMU_PATH_UNIFIED};
    msw_rng rng;
    msw_rng_init(&rng, seed, 8);
    *g = (geometry){.requests = 0};
    msw_params_defaults(neummu_params, &g->neummu);
    g->neummu.tlb_entries = 1 << (2 + msw_rng_below(&rng, 6));
    g->neummu.tlb_cycles = 1 + (int64_t)msw_rng_below(&rng, 9);
    g->neummu.ptw_count = 1 + (int64_t)msw_rng_below(&rng, 24);
    g->neummu.prmb_slots = (int64_t)msw_rng_below(&rng, 9);
    g->neummu.slots_full = (int64_t)msw_rng_below(&rng, 2);
    g->neummu.reprobe = (int64_t)msw_rng_below(&rng, 2);
    g->neummu.path_cache = PATHS[msw_rng_below(&rng, 4)];
    g->neummu.outstanding = 1 + (int64_t)msw_rng_below(&rng, 64);
    g->neummu.return_cycles = 0;
    for (uint64_t r = 0; r < NEUMMU_VISITS; r++) {
        uint64_t page = 5000 + msw_rng_below(&rng, 5 + r) * 300;
        uint32_t requests = 1 + (uint32_t)msw_rng_below(&rng, 16);
        g->visits[r] = (neummu_visit){.page = page, .requests = requests, .bytes = requests * 64};
        for (uint32_t i = 0; i < requests; i++)
            g->addresses[g->requests++] = page * 4096 + i * 64;
    }
}

static neummu_counts count_neummu(const geometry *g)
{
    neummu_machine machine;
    neummu_flow flow = {g->visits, NEUMMU_VISITS, g->requests, g->requests * 64};
    msw_err err = {0};
    void *memory = aligned_alloc(64, (neummu_machine_bytes(&g->neummu) + 63) / 64 * 64);
    assert_ok(neummu_machine_init(&machine, &g->neummu, memory, &err), err);
    neummu_transfer(&machine, &flow, 0);
    neummu_counts counts = neummu_count(&machine);
    free(memory);
    return counts;
}

static void take_geometry(direct *d, const neummu_config *n)
{
    htmmu_config *c = d->config;
    stream_preset(d, "baseline");
    c->window = 65536;
    c->l1_entries = n->tlb_entries;
    c->l1_ways = 0;
    c->l1_cycles = n->tlb_cycles;
    c->l1_mshrs = n->outstanding;
    c->register_holds = HTMMU_HOLDS_MISS;
    c->l2_entries = 0;
    c->policy = MSW_POLICY_LRU;
    c->ptu_queue = 0;
    c->merge_entries = n->ptw_count;
    c->merge_items = n->prmb_slots;
    c->items_full = n->slots_full == NEUMMU_SLOTS_WALK ? HTMMU_FULL_WALK : HTMMU_FULL_WAIT;
    c->reprobe = n->reprobe;
    c->path_cache = n->path_cache;
    c->tpc_entries = n->path_entries;
    c->tpc_cycles = n->path_cycles;
    c->page_size = 4096;
    c->level_cycles = n->walk_level_cycles;
}

/* Set to the geometry of neummu, the same stream gives the same counts. */
static void geometry_of_neummu_gives_its_counts(void **state)
{
    (void)state;
    static geometry g;
    for (uint64_t seed = 0; seed < 200; seed++) {
        direct d;
        random_geometry(&g, seed);
        neummu_counts n = count_neummu(&g);
        open_given(&d, g.addresses, g.requests);
        take_geometry(&d, &g.neummu);
        run(&d);
        assert_int_equal(count(&d, "l1_hits"), n.mmu.l1_hits);
        assert_int_equal(count(&d, "l1_misses"), n.mmu.l1_misses);
        assert_int_equal(count(&d, "merged"), n.mmu.merged);
        assert_int_equal(count(&d, "replayed"), n.mmu.replayed);
        assert_int_equal(count(&d, "walks"), n.walker.walks);
        assert_int_equal(count(&d, "redundant_walks"), n.walker.redundant);
        assert_int_equal(count(&d, "walk_accesses"), n.walker.accesses);
        direct_close(&d);
    }
}

/* ---- fidelities ---- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Over random configs half of the errors of the closed form lie below what README.md says. */
/* Appends the errors of `configs` random configurations on one stream. */
static int add_errors(const char *stream, int configs, double *errors)
{
    int count = 0;
    msw_err err = {0};
    direct d;
    assert_ok(direct_open(&d, &msw_mech_htmmu, stream, &err), err);
    for (uint64_t seed = 100; count < configs; seed++) {
        htmmu_random(&d, seed);
        direct_run(&d, MSW_FULL, 1);
        if (d.answer.status != MSW_OK)
            continue;
        double full = stream_metric(&d, "cycles");
        direct_run(&d, MSW_ANALYTIC, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        errors[count++] = fabs(stream_metric(&d, "cycles") / full - 1);
        direct_drop_artifacts(&d);
    }
    direct_close(&d);
    return count;
}

/* README.md has the same over 1,000 configurations each, of an older version. Of the 100 configs
 * that README.md tells of for this one the 95th percentile is 30.3 %. */
static void closed_form_agrees(void **state)
{
    (void)state;
    static const char *const STREAMS[] = {"dense", "big", "large", "kgcn/b128", "dlrm/b128"};
    static double errors[5 * 200];
    int configs = getenv("MEMSWEEP_FULL") ? 200 : 12, count = 0;
    for (int i = 0; i < 5; i++)
        count += add_errors(STREAMS[i], configs, errors + count);
    qsort(errors, (size_t)count, sizeof *errors, compare_doubles);
    print_message("median %.3f, 95th percentile %.3f\n", errors[count / 2],
                  errors[count * 19 / 20]);
    assert_true(errors[count / 2] < 0.1);
    assert_true(errors[count * 19 / 20] < 0.31);
}

/* Streams of a few walks, on which everything under way can end before the next request. */
static void closed_form_ends(void **state)
{
    (void)state;
    static const char *const STREAMS[] = {"neumf/b128", "karate"};
    for (int i = 0; i < 2; i++) {
        msw_err err = {0};
        direct d;
        assert_ok(direct_open(&d, &msw_mech_htmmu, STREAMS[i], &err), err);
        for (uint64_t seed = 1000; seed < 1200; seed++) {
            htmmu_random(&d, seed);
            direct_set(&d, "l2_entries", seed % 5 ? 512 : 0);
            direct_set(&d, "mshr_merge", seed % 2);
            direct_set(&d, "items_full", seed % 3 ? HTMMU_FULL_WALK : HTMMU_FULL_WAIT);
            direct_set(&d, "reprobe", seed % 4 == 0);
            direct_set(&d, "l2_mshrs", seed % 7 ? 0 : 2);
            direct_run(&d, MSW_ANALYTIC, 1);
            if (d.answer.status == MSW_OK) {
                assert_true(stream_metric(&d, "cycles") > 0);
                assert_true(stream_metric(&d, "cycles") < 1e9);
                assert_true(stream_metric(&d, "l1_hits") >= 0);
            }
        }
        direct_close(&d);
    }
}

/* A trace whose requests come one by one takes as long as the trace; one at once, as long as a
 * closed loop. */
static void closed_form_keeps_times(void **state)
{
    (void)state;
    enum { REQUESTS = 4096 };
    static uint64_t times[REQUESTS];
    for (uint64_t gap = 0; gap <= 10000; gap += 10000) {
        direct d;
        for (uint64_t i = 0; i < REQUESTS; i++)
            times[i] = i * gap;
        stream_open(&d, (stream_config){.kind = STREAM_UNIFORM,
                                        .requests = REQUESTS,
                                        .pages = 1 << 16,
                                        .times = times});
        double cycles[2];
        for (int timed = 0; timed < 2; timed++) {
            direct_set(&d, "requester", timed ? HTMMU_TIMED : HTMMU_CLOSED);
            direct_run(&d, MSW_ANALYTIC, 1);
            assert_int_equal(d.answer.status, MSW_OK);
            cycles[timed] = stream_metric(&d, "cycles");
        }
        double wanted = gap ? (double)(REQUESTS * gap) : cycles[0];
        assert_true(fabs(cycles[1] / wanted - 1) < 0.01);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cold_request_takes_every_part_once),
        cmocka_unit_test(entries_are_split_among_banks),
        cmocka_unit_test(address_bits_name_the_bank),
        cmocka_unit_test(requester_names_the_bank),
        cmocka_unit_test(requesters_like_addresses_change_nothing),
        cmocka_unit_test(adaptive_router_uses_free_banks),
        cmocka_unit_test(page_sits_in_several_banks),
        cmocka_unit_test(registers_let_hits_pass),
        cmocka_unit_test(merge_items_save_walks),
        cmocka_unit_test(busy_walkers_make_misses_wait),
        cmocka_unit_test(merging_passes_the_queue),
        cmocka_unit_test(walk_that_ends_now_is_seen),
        cmocka_unit_test(merged_requests_finish_with_their_walk),
        cmocka_unit_test(path_cache_saves_upper_levels),
        cmocka_unit_test(walk_fills_both_tlbs),
        cmocka_unit_test(presets_share_one_budget),
        cmocka_unit_test(walkers_bound_throughput),
        cmocka_unit_test(registers_bound_misses_under_way),
        cmocka_unit_test(merge_buffer_bounds_requests_under_way),
        cmocka_unit_test(laws_hold_for_any_config),
        cmocka_unit_test(littles_law_holds),
        cmocka_unit_test(geometry_of_neummu_gives_its_counts),
        cmocka_unit_test(closed_form_agrees),
        cmocka_unit_test(closed_form_ends),
        cmocka_unit_test(closed_form_keeps_times),
    };
    return cmocka_run_group_tests_name("htmmu", tests, NULL, NULL);
}
