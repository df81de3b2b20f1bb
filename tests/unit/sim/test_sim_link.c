/* SPDX-License-Identifier: MIT */
/* Does a link deliver every byte at the time its bandwidth, latency and priorities say? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/link.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static msw_link *link_new(const msw_link_config *config)
{
    msw_err err;
    msw_link *link = malloc(sizeof *link + 64 + msw_link_bytes(config));
    assert_ok(msw_link_init(link, config, (char *)link + (sizeof *link + 63) / 64 * 64, &err), err);
    return link;
}

/* 102.4 GB/s at 1 GHz: 1 MiB takes 1048576 / 102.4 = 10240 cycles exactly, plus latency. */
static void bandwidth_is_exact(void **state)
{
    (void)state;
    msw_link_config config = {.bytes = 1024, .cycles = 10, .latency_cycles = 100, .priorities = 1};
    msw_link *link = link_new(&config);
    msw_link_series series = {.time = 7, .count = 16384, .bytes = 64};
    assert_int_equal(msw_link_reserve(link, &series), 7 + 10240 + 100);
    series.direction = 1; /* full duplex: the other way is free */
    assert_int_equal(msw_link_reserve(link, &series), 7 + 10240 + 100);
    free(link);
    config.half_duplex = true;
    link = link_new(&config);
    msw_link_reserve(link, &series);
    series.direction = 0;
    assert_int_equal(msw_link_reserve(link, &series), 7 + 2 * 10240 + 100);
    free(link);
}

/* Setup and packet overhead: effective bandwidth rises with size to packet / (packet + overhead).
 */
static void effective_bandwidth_depends_on_size(void **state)
{
    (void)state;
    msw_link_config config = {.bytes = 16,
                              .cycles = 1,
                              .setup_cycles = 1000,
                              .packet_bytes = 256,
                              .overhead_bytes = 24,
                              .priorities = 1};
    double last = 0;
    for (uint64_t bytes = 4096; bytes <= 1 << 26; bytes *= 4) {
        double now = msw_link_effective(&config, bytes);
        assert_true(now > last);
        last = now;
    }
    assert_relative(last, 16.0 * 256 / 280, 0.001);
    assert_relative(msw_link_effective(&config, 4096), 4096 / (1000 + 4480 / 16.0), 1e-12);
    assert_int_equal(msw_link_wire(&config, 257), 257 + 48);
}

static void series_equal_single_transfers(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 8, 0);
    for (int trial = 0; trial < 300; trial++) {
        msw_link_config config = {.bytes = 1 + msw_rng_below(&rng, 100),
                                  .cycles = 1 + msw_rng_below(&rng, 20),
                                  .latency_cycles = (uint32_t)msw_rng_below(&rng, 50),
                                  .setup_cycles = (uint32_t)msw_rng_below(&rng, 10),
                                  .packet_bytes = (uint32_t)msw_rng_below(&rng, 300),
                                  .half_duplex = msw_rng_below(&rng, 2),
                                  .priorities = 1};
        config.overhead_bytes = config.packet_bytes ? 12 : 0;
        msw_link *at_once = link_new(&config), *singles = link_new(&config);
        uint64_t time = 0;
        for (int i = 0; i < 20; i++) {
            msw_link_series series = {.time = time,
                                      .gap = msw_rng_below(&rng, 30),
                                      .count = 1 + msw_rng_below(&rng, 40),
                                      .bytes = 1 + msw_rng_below(&rng, 600),
                                      .direction = (uint32_t)msw_rng_below(&rng, 2)};
            msw_link_series one = series;
            one.count = 1;
            uint64_t last = 0;
            for (uint64_t j = 0; j < series.count; j++, one.time += series.gap)
                last = msw_link_reserve(singles, &one);
            assert_int_equal(msw_link_reserve(at_once, &series), last);
            time += series.gap * (series.count - 1) + msw_rng_below(&rng, 400);
        }
        assert_memory_equal(at_once->stats, singles->stats, sizeof at_once->stats);
        free(at_once);
        free(singles);
    }
}

/* 10 cycles each: one under way, then the urgent one, then the rest in order. */
static void urgent_transfers_overtake_waiting_ones(void **state)
{
    (void)state;
    msw_link_config config = {
        .bytes = 1, .cycles = 1, .latency_cycles = 5, .priorities = 2, .queue = 8};
    msw_link *link = link_new(&config);
    msw_transfer transfer = {.bytes = 10, .priority = 1};
    for (transfer.data = 0; transfer.data < 3; transfer.data++)
        assert_true(msw_link_send(link, &transfer));
    transfer = (msw_transfer){.time = 4, .bytes = 10, .data = 9, .priority = 0};
    assert_true(msw_link_send(link, &transfer));
    static const uint64_t ORDER[][2] = {{0, 15}, {9, 25}, {1, 35}, {2, 45}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(msw_link_next(link), ORDER[i][1]);
        assert_false(msw_link_take(link, ORDER[i][1] - 1, &transfer));
        assert_true(msw_link_take(link, ORDER[i][1], &transfer));
        assert_int_equal(transfer.data, ORDER[i][0]);
        assert_int_equal(transfer.time, ORDER[i][1]);
    }
    assert_int_equal(msw_link_next(link), UINT64_MAX);
    free(link);
}

static void one_priority_delivers_as_reserved(void **state)
{
    (void)state;
    msw_link_config config = {
        .bytes = 7, .cycles = 3, .latency_cycles = 11, .priorities = 1, .queue = 4};
    msw_link *queued = link_new(&config), *reserved = link_new(&config);
    msw_rng rng;
    msw_rng_init(&rng, 9, 0);
    uint64_t time = 0, expected[4], first = 0, sent = 0;
    for (int i = 0; i < 5000; i++, time += msw_rng_below(&rng, 25)) {
        msw_transfer transfer;
        while (msw_link_take(queued, time, &transfer))
            assert_int_equal(transfer.time, expected[first++ % 4]);
        transfer = (msw_transfer){.time = time, .bytes = 1 + msw_rng_below(&rng, 50)};
        if (!msw_link_send(queued, &transfer)) {
            assert_int_equal(sent - first, 4);
            continue;
        }
        msw_link_series series = {.time = time, .count = 1, .bytes = transfer.bytes};
        expected[sent++ % 4] = msw_link_reserve(reserved, &series);
    }
    msw_transfer transfer;
    while (msw_link_take(queued, UINT64_MAX / 1024, &transfer))
        assert_int_equal(transfer.time, expected[first++ % 4]);
    assert_int_equal(first, sent);
    assert_int_equal(queued->stats[0].bytes, queued->stats[0].delivered_bytes);
    assert_memory_equal(queued->stats, reserved->stats, sizeof queued->stats);
    free(queued);
    free(reserved);
}

/* The same with a second master or priority that never asks: there the channel decides when it
 * becomes free, here the start is known at once. */
static void in_order_is_as_with_silent_masters(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 10, 0);
    for (int trial = 0; trial < 40; trial++) {
        msw_link_config config = {.bytes = 1 + msw_rng_below(&rng, 60),
                                  .cycles = 1 + msw_rng_below(&rng, 9),
                                  .latency_cycles = (uint32_t)msw_rng_below(&rng, 30),
                                  .setup_cycles = (uint32_t)msw_rng_below(&rng, 5),
                                  .half_duplex = trial % 2,
                                  .priorities = 1,
                                  .queue = 1 + (uint32_t)msw_rng_below(&rng, 9)};
        msw_link *quick = link_new(&config);
        config.masters = trial % 4 < 2 ? 2 : 1;
        config.weights[0] = config.weights[1] = 1;
        config.priorities = config.masters == 2 ? 1 : 2;
        msw_link *slow = link_new(&config);
        uint64_t time = 0;
        for (int i = 0; i < 500; i++, time += msw_rng_below(&rng, 20)) {
            msw_transfer a, b,
                sent = {.time = time,
                        .bytes = 1 + msw_rng_below(&rng, 99),
                        .data = (uint64_t)i,
                        .direction = (uint8_t)msw_rng_below(&rng, 2)};
            assert_int_equal(msw_link_next(quick), msw_link_next(slow));
            while (msw_link_take(slow, time, &a)) {
                assert_true(msw_link_take(quick, time, &b));
                assert_int_equal(a.data, b.data);
                assert_int_equal(a.time, b.time);
            }
            assert_false(msw_link_take(quick, time, &b));
            assert_int_equal(msw_link_send(quick, &sent), msw_link_send(slow, &sent));
        }
        msw_transfer last;
        while (msw_link_take(slow, UINT64_MAX / 1024, &last))
            assert_true(msw_link_take(quick, UINT64_MAX / 1024, &last));
        assert_memory_equal(quick->stats, slow->stats, sizeof quick->stats);
        free(quick);
        free(slow);
    }
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    static const msw_link_config BAD[] = {
        {.bytes = 0, .cycles = 1, .priorities = 1},
        {.bytes = 1, .cycles = 1 << 20, .priorities = 1},
        {.bytes = 1, .cycles = 1, .priorities = 9},
        {.bytes = 1, .cycles = 1, .priorities = 1, .overhead_bytes = 4}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_link link;
        msw_err err = {0};
        assert_int_equal(msw_link_init(&link, &BAD[i], NULL, &err), -1);
        assert_true(err.text[0] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bandwidth_is_exact),
        cmocka_unit_test(effective_bandwidth_depends_on_size),
        cmocka_unit_test(series_equal_single_transfers),
        cmocka_unit_test(urgent_transfers_overtake_waiting_ones),
        cmocka_unit_test(one_priority_delivers_as_reserved),
        cmocka_unit_test(in_order_is_as_with_silent_masters),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("sim link", tests, NULL, NULL);
}
