/* SPDX-License-Identifier: MIT */
/* Do transfers take what a table of measured bandwidths says, at the points, between and beyond? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/link_curve.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static msw_link_curve *curve_new(const msw_curve_point *points, size_t count, double clock)
{
    msw_err err;
    msw_link_curve *curve = malloc(sizeof *curve);
    assert_ok(msw_link_curve_init(curve, points, count, clock, &err), err);
    return curve;
}

/* Bytes per cycle that back-to-back transfers of this size achieve. */
static double rate_of(const msw_link_curve *curve, uint64_t bytes)
{
    return (double)bytes * (1 << MSW_CURVE_TICK_BITS) / (double)msw_link_curve_ticks(curve, bytes);
}

static double gbs(const msw_link_curve *curve, uint64_t bytes, double clock)
{
    return rate_of(curve, bytes) * clock;
}

/* The points are met but for the rounding of a tick; between two of them the bandwidth lies between
 * theirs, and a larger transfer never takes less time. */
static void points_are_met_and_nothing_overshoots(void **state)
{
    (void)state;
    for (const msw_named_curve *named = msw_link_curves; named->name; named++) {
        msw_link_curve *curve = curve_new(named->points, named->count, 1.481);
        for (size_t p = 0; p < named->count; p++)
            assert_relative(gbs(curve, named->points[p].bytes, 1.481), named->points[p].gbs, 1e-5);
        for (size_t p = 1; p < named->count; p++)
            for (int k = 1; k < 50; k++) {
                uint64_t low = named->points[p - 1].bytes, high = named->points[p].bytes;
                double rate = gbs(curve, low + (high - low) * (uint64_t)k / 50, 1.481);
                assert_in_range((int64_t)(rate * 1e5),
                                (int64_t)(named->points[p - 1].gbs * 1e5) - 1,
                                (int64_t)(named->points[p].gbs * 1e5) + 1);
            }
        uint64_t before = 0;
        for (uint64_t bytes = 0; bytes < UINT32_MAX; bytes += 1 + bytes / 977) {
            uint64_t ticks = msw_link_curve_ticks(curve, bytes);
            assert_true(ticks >= before);
            before = ticks;
        }
        free(curve);
    }
}

/* Any points that pass the check are met, and time never falls, however steep bandwidth rises. */
static void random_points_are_met(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 400; trial++) {
        msw_rng rng;
        msw_rng_init(&rng, 5, trial);
        msw_curve_point points[8] = {{16 + msw_rng_below(&rng, 4096), 0.5}};
        size_t count = 2 + msw_rng_below(&rng, 7);
        for (size_t p = 1; p < count; p++) {
            double grow = 1.2 + 4 * msw_rng_uniform(&rng), share = msw_rng_uniform(&rng);
            points[p].bytes = (uint64_t)((double)points[p - 1].bytes * grow) + 1;
            /* Half of the steps are nearly all fixed cost or all bandwidth. */
            share = msw_rng_below(&rng, 2) ? share : share < 0.5 ? 0 : 1;
            double most = (double)points[p].bytes / (double)points[p - 1].bytes;
            points[p].gbs = points[p - 1].gbs * (1 + share * (most - 1) * 0.9999);
        }
        msw_link_curve *curve = curve_new(points, count, 1);
        uint64_t before = 0;
        for (size_t p = 0; p < count; p++)
            assert_relative(gbs(curve, points[p].bytes, 1), points[p].gbs, 5e-3);
        for (uint64_t bytes = 1; bytes < points[count - 1].bytes * 2; bytes += 1 + bytes / 200) {
            uint64_t ticks = msw_link_curve_ticks(curve, bytes);
            assert_true(ticks >= before);
            before = ticks;
        }
        free(curve);
    }
}

/* The published formula, which the points sample: within 1.5 % at every size from 1 KiB up. Known
 * value: 1 MiB at 1481 MHz takes about 121,000 cycles (BICG's burst in the paper that uses it). */
static void the_published_formula_lies_between_the_points(void **state)
{
    (void)state;
    const msw_named_curve *named = msw_link_curve_find("pcie3_x16", NULL);
    msw_link_curve *curve = curve_new(named->points, named->count, 1.481);
    double worst = 0;
    for (uint64_t bytes = 1024; bytes <= 1 << 25; bytes += 1 + bytes / 321) {
        double formula = 24 / 3.14159265358979 * atan(0.07292 * (double)bytes / 1024) * 1.073741824;
        worst = fmax(worst, fabs(gbs(curve, bytes, 1.481) / formula - 1));
    }
    print_message("pcie3_x16 against its formula: worst %.4f\n", worst);
    assert_true(worst < 0.015);
    assert_relative((double)msw_link_curve_ticks(curve, 1 << 20) / 65536, 121000, 0.01);
    free(curve);
}

static void ends_are_a_fixed_cost_and_a_fixed_bandwidth(void **state)
{
    (void)state;
    static const msw_curve_point POINTS[] = {{4096, 1}, {65536, 8}, {1 << 20, 12}};
    msw_link_curve *curve = curve_new(POINTS, 3, 2);
    for (uint64_t bytes = 1; bytes <= 4096; bytes *= 2) /* 4096 bytes at 1 GB/s: 8192 cycles */
        assert_int_equal(msw_link_curve_ticks(curve, bytes), (uint64_t)8192 << 16);
    assert_int_equal(msw_link_curve_ticks(curve, 0), 0);
    for (uint64_t bytes = 1 << 20; bytes < UINT32_MAX; bytes *= 2) /* 6 bytes a cycle */
        assert_near((double)msw_link_curve_ticks(curve, bytes), (double)bytes / 6 * 65536, 1);
    free(curve);
    curve = curve_new(POINTS + 2, 1, 1); /* one point: a latency and a bandwidth */
    assert_near((double)msw_link_curve_ticks(curve, 3 << 20), (3 << 20) / 12.0 * 65536, 1);
    free(curve);
    curve = curve_new(POINTS, 2, 1); /* two: a straight line over the logarithm */
    assert_relative(gbs(curve, 16384, 1), sqrt(8), 1e-6);
    free(curve);
}

/* The table against the curve it was made from: within a part in 10^4 at any size. */
static void the_table_is_fine_enough(void **state)
{
    (void)state;
    static const msw_curve_point SLOW[] = {{64, 0.0064}, {1 << 30, 0.0128}};
    msw_link_curve *curve = curve_new(SLOW, 2, 1);
    double worst = 0;
    msw_rng rng;
    msw_rng_init(&rng, 3, 0);
    for (int i = 0; i < 100000; i++) {
        uint64_t bytes = 64 + (msw_rng_below(&rng, (1u << 30) - 64) >> msw_rng_below(&rng, 24));
        double rate = 0.0064 * exp2((log2((double)bytes) - 6) / 24);
        worst = fmax(worst, fabs(rate_of(curve, bytes) / rate - 1));
    }
    print_message("table against curve: worst %.2g\n", worst);
    assert_true(worst < 1e-4);
    free(curve);
}

static void bad_curves_are_refused_with_the_point(void **state)
{
    (void)state;
    static const struct {
        msw_curve_point points[3];
        size_t count;
        double clock;
        const char *says;
    } BAD[] = {
        {{{0}}, 0, 1, "of 0 points"},
        {{{64, 1}}, 1, 0, "0 GHz"},
        {{{64, 1}, {64, 2}}, 2, 1, "point 2: 64 bytes after 64"},
        {{{64, 1}, {128, 1e-4}}, 2, 1, "point 2: 0.0001 GB/s"},
        {{{64, 1}, {128, 2.5}}, 2, 1, "point 2: 128 bytes at 2.5 GB/s take less time than 64 at 1"},
        {{{0, 1}}, 1, 1, "point 1: 0 bytes"},
        {{{(uint64_t)1 << 32, 1}}, 1, 1, "allowed are 1 to 4294967295"},
    };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_link_curve curve;
        msw_err err = {0};
        assert_int_equal(
            msw_link_curve_init(&curve, BAD[i].points, BAD[i].count, BAD[i].clock, &err), -1);
        if (!strstr(err.text, BAD[i].says))
            fail_msg("\"%s\" does not say \"%s\"", err.text, BAD[i].says);
    }
    msw_err err;
    assert_null(msw_link_curve_find("pcie3_x8", &err));
    assert_non_null(strstr(err.text, "pcie3_x16"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_met_and_nothing_overshoots),
        cmocka_unit_test(random_points_are_met),
        cmocka_unit_test(the_published_formula_lies_between_the_points),
        cmocka_unit_test(ends_are_a_fixed_cost_and_a_fixed_bandwidth),
        cmocka_unit_test(the_table_is_fine_enough),
        cmocka_unit_test(bad_curves_are_refused_with_the_point),
    };
    return cmocka_run_group_tests_name("sim_link_curve", tests, NULL, NULL);
}
