/* SPDX-License-Identifier: MIT */
/* Do translations asked for ahead come when they can be worked out by hand to come? */
#include "neummu_configs.h"
#include "testing.h"

#include "mech/neummu/machine/timeline.h"
#include "mech/neummu/model.h"

#include <stdlib.h>

/* ---- tiles by hand: a machine of its own ---- */

enum { TILES_MOST = 4, FIRST_PAGE = 1000, PAGE_COUNT = 1000 };

typedef struct hand {
    neummu_config config;
    neummu_machine machine;
    neummu_tile tiles[TILES_MOST];
    neummu_step steps[TILES_MOST];
    neummu_visit visits[TILES_MOST][16];
    neummu_stream stream;
    msw_arena arena;
    void *memory;
    neummu_counts counts;
} hand;

/* Walks of 400 cycles behind a TLB of 5; pages of 8 transactions. */
static void open_hand(hand *h)
{
    memset(h, 0, sizeof *h);
    msw_params_defaults(neummu_params, &h->config);
    h->config.path_cache = NEUMMU_PATH_NONE;
    h->config.bandwidth = 16384; /* a transaction takes no time to speak of */
    h->stream = (neummu_stream){.tiles = h->tiles,
                                .steps = h->steps,
                                .first_page = FIRST_PAGE,
                                .page_count = PAGE_COUNT,
                                .shifts = neummu_shifts_of(&h->config)};
}

/* Adds a tile that waits for the one before it and loads these pages. */
static void add_tile(hand *h, uint32_t layer, uint64_t compute, const uint64_t *pages, size_t count)
{
    uint64_t t = h->stream.tile_count++;
    for (size_t i = 0; i < count; i++)
        h->visits[t][i] =
            (neummu_visit){.page = FIRST_PAGE + pages[i], .requests = 8, .bytes = 4096};
    h->tiles[t] = (neummu_tile){.late = {h->visits[t], count, count * 8, count * 4096},
                                .compute_cycles = compute,
                                .boundary = NEUMMU_BOUNDARY_STORED};
    h->steps[t] =
        (neummu_step){.tile = (uint32_t)t, .source = (uint32_t)t, .layer = layer, .executions = 1};
    h->stream.step_count++;
}

/* Returns the cycles that all tiles take. */
static uint64_t run_hand(hand *h, int prefetch, int64_t depth)
{
    msw_err err = {0};
    neummu_timeline line = {.last = NEUMMU_NO_STEP, .behind = NEUMMU_NO_STEP};
    h->config.tlb_prefetch = prefetch;
    h->config.tlb_prefetch_depth = depth;
    h->memory = aligned_alloc(64, (neummu_machine_bytes(&h->config) + 63) / 64 * 64);
    assert_ok(neummu_machine_init(&h->machine, &h->config, h->memory, &err), err);
    assert_ok(neummu_prefetch_open(&h->machine.prefetch, &h->config, &h->stream, &h->arena, &err),
              err);
    for (uint32_t i = 0; i < h->stream.step_count; i++)
        neummu_execute_step(&h->machine, &h->stream, &line, i);
    neummu_finish(&h->machine, &h->stream, &line);
    h->counts = neummu_count(&h->machine);
    free(h->memory);
    msw_arena_free(&h->arena);
    return line.end;
}

static void expect_counts(const hand *h, uint64_t prefetches, uint64_t useful, uint64_t late)
{
    assert_int_equal(h->counts.prefetches, prefetches);
    assert_true(h->counts.useful == (double)useful);
    assert_true(h->counts.late == (double)late);
}

/* Three pages, one look-up ahead. Walks of the pages begin at 5, 13, 21 without, at 5, 5, 13 with:
 * that of the last page is over at 413 and not at 421; then its first request is no longer the one
 * that walks but one of 8 that are merged, answered 1 to 8 cycles later: 421 and not 428. */
static void pages_of_a_tile_are_walked_earlier(void **state)
{
    (void)state;
    static const uint64_t PAGES[] = {0, 1, 2};
    static const int KINDS[] = {NEUMMU_PREFETCH_NEXT_PAGE, NEUMMU_PREFETCH_TILE,
                                NEUMMU_PREFETCH_LAYER, NEUMMU_PREFETCH_NETWORK};
    hand h;
    open_hand(&h);
    add_tile(&h, 0, 0, PAGES, 3);
    uint64_t none = run_hand(&h, NEUMMU_PREFETCH_NONE, 1);
    assert_int_equal(none, 428 + 1 + 100); /* the transaction, and the memory's latency */
    expect_counts(&h, 0, 0, 0);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(run_hand(&h, KINDS[k], 1), 421 + 1 + 100);
        bool blind = KINDS[k] == NEUMMU_PREFETCH_NEXT_PAGE; /* it goes on behind the tile */
        expect_counts(&h, blind ? 3 : 2, 0, 2);
        assert_int_equal(h.counts.walker.walks, blind ? 4 : 3);
        assert_int_equal(h.counts.mmu.merged, 7 + 8 + 8);
    }
}

/* A page that is there in time costs its look-up alone: 60 pages with 64 walkers and a walk of 400
 * cycles, 55 visits of 8 cycles ahead. From the 56th on the walk is over: 8 x 55 > 405. */
static void a_far_look_ahead_is_in_time(void **state)
{
    (void)state;
    hand h;
    uint64_t pages[16];
    for (uint64_t i = 0; i < 16; i++)
        pages[i] = i;
    open_hand(&h);
    h.config.walk_cycles = 40;
    add_tile(&h, 0, 0, pages, 16);
    run_hand(&h, NEUMMU_PREFETCH_TILE, 16);
    /* page k is looked up at tick k - 1 and there at k + 44; the engine asks at 8 k and finds out
     * at 8 k + 5: late up to k = 5 */
    expect_counts(&h, 15, 10, 5);
}

/* The first page of the next tile is walked while this one computes, as far as the look-ahead may
 * go: its translations are known 400 cycles earlier. */
static void idle_walkers_walk_what_comes_next(void **state)
{
    (void)state;
    static const uint64_t FIRST = 0, SECOND = 500;
    for (uint32_t layer = 0; layer < 2; layer++) {
        hand h;
        open_hand(&h);
        add_tile(&h, 0, 1000, &FIRST, 1);
        add_tile(&h, layer, 1000, &SECOND, 1);
        uint64_t none = run_hand(&h, NEUMMU_PREFETCH_NONE, 8);
        assert_int_equal(run_hand(&h, NEUMMU_PREFETCH_TILE, 8), none);
        expect_counts(&h, 0, 0, 0);
        assert_int_equal(run_hand(&h, NEUMMU_PREFETCH_LAYER, 8), layer ? none : none - 400);
        expect_counts(&h, layer ? 0 : 1, layer ? 0 : 1, 0);
        assert_int_equal(run_hand(&h, NEUMMU_PREFETCH_NETWORK, 8), none - 400);
        expect_counts(&h, 1, 1, 0);
    }
}

/* One walker: the blocked miss takes it, not the look-ahead. */
static void misses_go_first(void **state)
{
    (void)state;
    static const uint64_t PAGES[] = {0, 1, 2, 3};
    hand h;
    open_hand(&h);
    h.config.ptw_count = 1;
    add_tile(&h, 0, 0, PAGES, 4);
    uint64_t none = run_hand(&h, NEUMMU_PREFETCH_NONE, 4);
    assert_int_equal(run_hand(&h, NEUMMU_PREFETCH_TILE, 4), none);
    expect_counts(&h, 0, 0, 0);
}

/* But a walk that has begun is not broken off. The first tile's walk is over at 405, its data is
 * there at 412 + 1 + 100 = 513, the tile computes to 613. The walker took page 1, which nobody
 * wants, at 405: until 805. The miss of the second tile would begin at 618: it loses 187 cycles. */
static void a_useless_walk_delays_a_miss(void **state)
{
    (void)state;
    static const uint64_t FIRST = 0, SECOND = 500;
    hand h;
    open_hand(&h);
    h.config.ptw_count = 1;
    add_tile(&h, 0, 100, &FIRST, 1);
    add_tile(&h, 1, 100, &SECOND, 1);
    uint64_t none = run_hand(&h, NEUMMU_PREFETCH_NONE, 1);
    assert_int_equal(run_hand(&h, NEUMMU_PREFETCH_NEXT_PAGE, 1), none + 805 - 618);
    expect_counts(&h, 1, 0, 0);
    h.config.tlb_prefetch_spare = 1; /* the walker is kept for misses */
    assert_int_equal(run_hand(&h, NEUMMU_PREFETCH_NEXT_PAGE, 1), none);
    expect_counts(&h, 0, 0, 0);
}

/* ---- networks ---- */

static void open_network(direct *d, const char *workload, double walkers)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("neummu"), workload, &err), err);
    direct_set(d, "ptw_count", walkers);
    direct_set(d, "npu_spm_activation", 262144);
    direct_set(d, "npu_spm_weight", 262144);
}

static double run_network(direct *d, msw_fidelity fidelity, int prefetch, double depth)
{
    direct_set(d, "tlb_prefetch", prefetch);
    direct_set(d, "tlb_prefetch_depth", depth);
    direct_run(d, fidelity, 1);
    if (d->answer.status != MSW_OK)
        fail_msg("%s", d->answer.reason);
    return d->metrics[NEUMMU_CYCLES];
}

/* Every miss is found, merged, walked or found after all, whoever began the walk; the closed form
 * is near; the further the look-ahead may go the less is lost. */
static void networks_lose_less(void **state)
{
    (void)state;
    static const char *const LOADS[] = {"alexnet/b1", "googlenet/b1"};
    for (int i = 0; i < 2; i++) {
        direct d;
        open_network(&d, LOADS[i], 64);
        double least = run_network(&d, MSW_FULL, NEUMMU_PREFETCH_NONE, 32);
        for (int kind = NEUMMU_PREFETCH_TILE; kind <= NEUMMU_PREFETCH_NETWORK; kind++) {
            double full = run_network(&d, MSW_FULL, kind, 32);
            const double *m = d.metrics;
            assert_true(full < least);
            least = full;
            assert_true(m[NEUMMU_TLB_MISSES] == m[NEUMMU_TLB2_HITS] + m[NEUMMU_MERGED] +
                                                    m[NEUMMU_WALKS] - m[NEUMMU_PREFETCHES] +
                                                    m[NEUMMU_REPLAYED]);
            assert_true(m[NEUMMU_PREFETCHES_USELESS] <= 0.001 * m[NEUMMU_PREFETCHES]);
            assert_relative(run_network(&d, MSW_ANALYTIC, kind, 32), full, 0.01);
        }
        direct_close(&d);
    }
}

/* Where ends of walks are unknown the look-ahead waits for the walks of the transfer before. */
static void walks_of_unknown_end_are_asked_for_ahead(void **state)
{
    (void)state;
    direct d;
    open_network(&d, "alexnet/b1", 64);
    double fixed = run_network(&d, MSW_FULL, NEUMMU_PREFETCH_TILE, 32);
    double known = d.metrics[NEUMMU_PREFETCHES];
    direct_set(&d, "walk_queue", 64);
    direct_set(&d, "queue_reprobe", 1); /* walks of unknown end */
    assert_relative(run_network(&d, MSW_FULL, NEUMMU_PREFETCH_TILE, 32), fixed, 0.002);
    assert_true(d.metrics[NEUMMU_PREFETCHES] <= known);
    assert_relative(d.metrics[NEUMMU_PREFETCHES], known, 0.15);
    direct_close(&d);
}

/* Layers that are repeated: what one execution asks for another one meets. */
static void repeated_layers_add_up(void **state)
{
    (void)state;
    direct d;
    open_network(&d, "bert_base_s128/b1", 16);
    run_network(&d, MSW_FULL, NEUMMU_PREFETCH_NETWORK, 512);
    const double *m = d.metrics;
    double met = m[NEUMMU_PREFETCHES_USEFUL] + m[NEUMMU_PREFETCHES_LATE];
    assert_true(met <= m[NEUMMU_PREFETCHES]);
    assert_relative(met, m[NEUMMU_PREFETCHES], 0.01);
    direct_close(&d);
}

/* Units would each be warmed up, which costs more events than the pass and tells less of it: a
 * sample is the pass, and says so. */
static void a_sample_is_the_pass(void **state)
{
    (void)state;
    for (int kind = NEUMMU_PREFETCH_NEXT_PAGE; kind <= NEUMMU_PREFETCH_NETWORK; kind++) {
        direct d;
        open_network(&d, "alexnet/b1", 32);
        double full = run_network(&d, MSW_FULL, kind, 64), walks = d.metrics[NEUMMU_PREFETCHES];
        uint64_t events = d.answer.events;
        assert_true(run_network(&d, MSW_SAMPLED, kind, 64) == full);
        assert_int_equal(d.answer.measured, d.answer.units);
        assert_int_equal(d.answer.events, events);
        assert_true(d.metrics[NEUMMU_PREFETCHES] == walks);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_of_a_tile_are_walked_earlier),
        cmocka_unit_test(a_far_look_ahead_is_in_time),
        cmocka_unit_test(idle_walkers_walk_what_comes_next),
        cmocka_unit_test(misses_go_first),
        cmocka_unit_test(a_useless_walk_delays_a_miss),
        cmocka_unit_test(networks_lose_less),
        cmocka_unit_test(walks_of_unknown_end_are_asked_for_ahead),
        cmocka_unit_test(repeated_layers_add_up),
        cmocka_unit_test(a_sample_is_the_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
