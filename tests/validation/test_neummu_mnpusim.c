/* SPDX-License-Identifier: MIT */
/* Set up like a public cycle simulator (casys-kaist/mNPUsim: tiles as given, no overlap, walks of
 * one length, all misses of a page merged, issue without limit): do the closed forms hold that hold
 * there? Tiles: workloads/npu/tiles/streaming.csv. */
#include "direct.h"
#include "testing.h"

#include <math.h>

enum { TILES = 4, LOADED = 320, STORED = 16, COMPUTE = 16766, WALK = 400 };

static void open_streaming(direct *d)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("neummu"), "workloads/npu/tiles/streaming.csv", &err),
              err);
    const msw_preset *preset = d->mech->presets;
    while (strcmp(preset->name, "mnpusim") != 0)
        preset++;
    for (const msw_preset_value *v = preset->values; v->param; v++) {
        const msw_param *p = msw_params_find(d->mech->params, v->param);
        double value;
        assert_ok(msw_param_parse(p, v->value, &value, &err), err);
        direct_set(d, v->param, value);
    }
}

static double run(direct *d, msw_fidelity fidelity, const char *name)
{
    direct_run(d, fidelity, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

static double rounds(double pages, double walkers)
{
    return ceil(pages / walkers);
}

/* Cold and walker-bound: look-up + walk x ceil(pages / walkers) + a tail of tens to a few hundred
 * cycles, for loads and stores. */
static void cold_tiles_take_rounds_of_walks(void **state)
{
    (void)state;
    direct d;
    open_streaming(&d);
    for (int walkers = 1; walkers <= 16; walkers *= 2) {
        direct_set(&d, "ptw_count", walkers);
        double exact =
            TILES * (COMPUTE + 2 * 5 + WALK * (rounds(LOADED, walkers) + rounds(STORED, walkers)));
        for (int f = MSW_ANALYTIC; f <= MSW_FULL; f += MSW_FULL - MSW_ANALYTIC) {
            double cycles = run(&d, (msw_fidelity)f, "cycles");
            assert_true(cycles > exact && cycles < exact + TILES * 2 * 400);
        }
    }
    direct_close(&d);
}

/* P* = 256 B/cycle x 400 cycles / 4096 B = 25. With 16 walkers the loads take 25 / 16 of what
 * memory does; with 32 only the first walk of each load and store shows. */
static void knee_lies_between_16_and_32_walkers(void **state)
{
    (void)state;
    direct d;
    open_streaming(&d);
    for (int walkers = 8; walkers <= 128; walkers *= 2) {
        direct_set(&d, "ptw_count", walkers);
        double cycles = run(&d, MSW_FULL, "cycles");
        double oracle = cycles / run(&d, MSW_FULL, "slowdown"), busy = TILES * COMPUTE;
        if (walkers < 25)
            assert_relative((cycles - busy) / (oracle - busy), 25.0 / walkers, 0.1);
        else
            assert_true(cycles - oracle < TILES * 2 * (WALK + 50));
    }
    direct_close(&d);
}

/* TLB misses, counted as there (a merged request is none): distinct pages, whatever the TLB holds.
 */
static void misses_are_distinct_pages(void **state)
{
    (void)state;
    direct d;
    open_streaming(&d);
    for (int entries = 128; entries <= 2048; entries *= 4) {
        direct_set(&d, "tlb_entries", entries);
        assert_true(run(&d, MSW_FULL, "walks") == TILES * (LOADED + STORED));
        assert_true(run(&d, MSW_ANALYTIC, "walks") == TILES * (LOADED + STORED));
    }
    direct_close(&d);
}

/* A walk takes what it takes there for large pages too. */
static void large_pages_walk_as_long(void **state)
{
    (void)state;
    direct d;
    open_streaming(&d);
    direct_set(&d, "page_size", 2097152);
    double cycles = run(&d, MSW_FULL, "cycles");
    double oracle = cycles / run(&d, MSW_FULL, "slowdown");
    assert_true(cycles - oracle >= TILES * WALK / 2 && cycles - oracle <= TILES * 3 * (WALK + 5));
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cold_tiles_take_rounds_of_walks),
        cmocka_unit_test(knee_lies_between_16_and_32_walkers),
        cmocka_unit_test(misses_are_distinct_pages),
        cmocka_unit_test(large_pages_walk_as_long),
    };
    return cmocka_run_group_tests_name("neummu_mnpusim", tests, NULL, NULL);
}
