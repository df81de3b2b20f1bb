/* SPDX-License-Identifier: MIT */
/* Defects of the closed form where it had not been looked at: streams of few pages (ten times and a
 * hundredth of their cycles), pages that wait in registers with a large window (four to nine
 * times), a TLB that is not there, and everybody's own traces. Is it near the cycle model on joins,
 * Zipf, strides, graphs and phases, whose like no statement names, over the whole space? */
#include "any_workload.h"
#include "htmmu_streams.h"
#include "testing.h"

#include <math.h>

#define GIB  ((uint64_t)1 << 30)
#define BASE ((uint64_t)1 << 33)

enum { REQUESTS = 30000, STREAMS = 5, CONFIGS = 40, SEED = 97 };

static uint64_t addresses[STREAMS][REQUESTS], times[2 * REQUESTS], longer[2 * REQUESTS];
static uint16_t requesters[2 * REQUESTS];

/* A row that is read, two lines of its bucket, a row that is written. */
static uint64_t join(uint64_t i, msw_rng *rng)
{
    uint64_t row = i / 4, bucket = any_scatter(row, 8 * GIB) / 64 * 64;
    (void)rng;
    return i % 4 == 0   ? BASE + row * 16
           : i % 4 == 3 ? BASE + 64 * GIB + row * 32
                        : BASE + 8 * GIB + bucket + (i % 4 - 1) * 64;
}

static uint64_t skewed(uint64_t i, msw_rng *rng)
{
    (void)i;
    return BASE + any_scatter(any_zipf(rng, 0.9, 4e6), 16 * GIB) / 64 * 64;
}

static uint64_t strides(uint64_t i, msw_rng *rng)
{
    static const uint64_t STRIDES[] = {64, 4160, 65600, 2097216, 1049600};
    uint64_t array = i / 8 % 5, turn = i / 40 * 8 + i % 8;
    (void)rng;
    return BASE + (array << 36) + turn * STRIDES[array] % (24 * GIB);
}

/* Vertices in order, their edges, and far more often the vertices at the other end of some. */
static uint64_t graph(uint64_t i, msw_rng *rng)
{
    uint64_t vertex = any_scatter(i / 6, (uint64_t)1 << 24);
    return i % 6 == 0 ? BASE + vertex * 8
           : i % 6 == 1
               ? BASE + 4 * GIB + any_scatter(vertex, 2 * GIB) / 64 * 64
               : BASE + 16 * GIB + any_scatter(any_zipf(rng, 0.8, 6e7), (uint64_t)1 << 26) * 64;
}

static uint64_t phases(uint64_t i, msw_rng *rng)
{
    uint64_t phase = i / (REQUESTS / 6) % 3;
    double u = msw_rng_uniform(rng);
    return BASE + (phase == 0   ? (uint64_t)(u * (double)GIB / 16)
                   : phase == 1 ? GIB + i * 256
                                : 2 * GIB + (uint64_t)(u * 32 * (double)GIB)) /
                      64 * 64;
}

static void make_streams(void)
{
    static uint64_t (*const MAKE[])(uint64_t, msw_rng *) = {join, skewed, strides, graph, phases};
    msw_rng rng;
    msw_rng_init(&rng, SEED, 1);
    for (uint64_t i = 0; i < REQUESTS; i++) {
        for (int stream = 0; stream < STREAMS; stream++)
            addresses[stream][i] = MAKE[stream](i, &rng);
        requesters[i] = (uint16_t)(i % 7);
        times[i] = 3 * i;
    }
}

/* Measured: half are within 0.6 %, nine in ten within 5 % (the form before: 3 and 27 %). */
static void own_streams_are_answered_as_in_the_cycle_model(void **state)
{
    double errors[CONFIGS];
    size_t count = 0;
    (void)state;
    make_streams();
    for (uint64_t draw = 0; count < CONFIGS; draw++) {
        direct d;
        stream_open(&d, (stream_config){.kind = STREAM_GIVEN,
                                        .requests = REQUESTS,
                                        .given = addresses[draw % STREAMS],
                                        .times = times,
                                        .requesters = requesters});
        double error = any_error(&d, HTMMU_CYCLES, SEED, draw);
        if (!isnan(error))
            errors[count++] = error;
        direct_close(&d);
    }
    any_print(errors, CONFIGS);
    assert_true(errors[CONFIGS / 2] < 0.02);
    assert_true(errors[CONFIGS * 9 / 10] < 0.1);
    assert_true(errors[CONFIGS - 1] < 0.69);
}

static double value_of(direct *d, msw_fidelity fidelity, int metric)
{
    direct_run(d, fidelity, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[metric];
}

/* Seven pages of 2 MiB: the closed form had 167 times the cycles and 108 times the walks. */
static void few_pages_walk_no_more_than_is_asked_for(void **state)
{
    static const direct_setting SETTINGS[] = {
        {"l2_entries", 0},  {"l1_entries", 16}, {"streams", 8},        {"merge_items", 0},
        {"tpc_entries", 4}, {"l2_coalesce", 8}, {"merge_entries", 16}, {0}};
    direct d;
    msw_err err = {0};
    (void)state;
    assert_ok(direct_open_set(&d, &msw_mech_htmmu, "kgcn/b128", SETTINGS, &err), err);
    double closed = value_of(&d, MSW_ANALYTIC, HTMMU_CYCLES);
    double walks = d.metrics[HTMMU_WALKS], full = value_of(&d, MSW_FULL, HTMMU_CYCLES);
    assert_true(fabs(closed / full - 1) < 0.2);
    assert_true(fabs(walks / d.metrics[HTMMU_WALKS] - 1) < 0.2);
    direct_set(&d, "l2_coalesce", 1);
    assert_true(value_of(&d, MSW_ANALYTIC, HTMMU_CYCLES) == closed);
    direct_close(&d);
}

/* Nearly all requests wait in 64 registers a bank: 188 times the cycles on `dense`, 1.4 on `big`.
 */
static void registers_that_merge_keep_large_windows_busy(void **state)
{
    static const char *const WORKLOADS[] = {"dense", "big", "dlrm/b128"};
    (void)state;
    for (int w = 0; w < 3; w++)
        for (int page = 4096; page <= 2097152; page *= 512) {
            const direct_setting settings[] = {
                {"mshr_merge", 1},     {"register_holds", HTMMU_HOLDS_MISS},
                {"outstanding", 4096}, {"l1_mshrs", 64},
                {"page_size", page},   {0}};
            direct d;
            msw_err err = {0};
            assert_ok(direct_open_set(&d, &msw_mech_htmmu, WORKLOADS[w], settings, &err), err);
            double closed = value_of(&d, MSW_ANALYTIC, HTMMU_CYCLES);
            double full = value_of(&d, MSW_FULL, HTMMU_CYCLES);
            if (fabs(closed / full - 1) > 0.25)
                fail_msg("%s: %g cycles, full: %g", WORKLOADS[w], closed, full);
            direct_close(&d);
        }
}

/* Two arrays by turns, in phases, by several requesters: what stands for the part that was skipped
 * put a page into the bank of its last use alone, and every other bank walked it again (1.9 times
 * the cycles, 3.3 times the walks). */
static void banks_keep_pages_that_several_have(void **state)
{
    direct d;
    (void)state;
    for (uint64_t i = 0; i < 2 * REQUESTS; i++) {
        uint64_t phase = i / 1200, base = any_scatter(phase, 2 * GIB) / 64 * 64;
        longer[i] = BASE + base + (i % 2 << (16 + phase % 12)) + i % 1200 / 2 * 64;
        requesters[i] = (uint16_t)(i % 5);
    }
    stream_open(&d, (stream_config){.kind = STREAM_GIVEN,
                                    .requests = 2 * REQUESTS,
                                    .given = longer,
                                    .times = times,
                                    .requesters = requesters});
    direct_set(&d, "streams", 8);
    direct_set(&d, "router", HTMMU_ROUTER_ADAPTIVE);
    direct_set(&d, "router_by", HTMMU_BY_REQUESTER);
    direct_set(&d, "page_size", 32768);
    direct_set(&d, "l1_entries", 512);
    direct_set(&d, "l2_entries", 0);
    double closed = value_of(&d, MSW_ANALYTIC, HTMMU_CYCLES), walks = d.metrics[HTMMU_WALKS];
    double full = value_of(&d, MSW_FULL, HTMMU_CYCLES);
    printf("%g cycles, full %g; %g walks, full %g\n", closed, full, walks, d.metrics[HTMMU_WALKS]);
    assert_true(fabs(closed / full - 1) < 0.15);
    assert_true(fabs(walks / d.metrics[HTMMU_WALKS] - 1) < 0.15);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_streams_are_answered_as_in_the_cycle_model),
        cmocka_unit_test(few_pages_walk_no_more_than_is_asked_for),
        cmocka_unit_test(registers_that_merge_keep_large_windows_busy),
        cmocka_unit_test(banks_keep_pages_that_several_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
