/* SPDX-License-Identifier: MIT */
/* Does a link deliver every byte at the time its bandwidth and latency say? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/link.h"
#include "testing.h"

static msw_link link_of(const msw_link_config *config)
{
    msw_err err;
    msw_link link;
    assert_ok(msw_link_init(&link, config, &err), err);
    return link;
}

/* 102.4 GB/s at 1 GHz: 1 MiB takes 1048576 / 102.4 = 10240 cycles exactly, plus latency. */
static void bandwidth_is_exact(void **state)
{
    (void)state;
    msw_link_config config = {.bytes = 1024, .cycles = 10, .latency_cycles = 100};
    msw_link link = link_of(&config);
    msw_link_series series = {.time = 7, .count = 16384, .bytes = 64};
    assert_int_equal(msw_link_reserve(&link, &series), 7 + 10240 + 100);
    series.direction = 1; /* full duplex: the other way is free */
    assert_int_equal(msw_link_reserve(&link, &series), 7 + 10240 + 100);
    config.half_duplex = true;
    link = link_of(&config);
    msw_link_reserve(&link, &series);
    series.direction = 0;
    assert_int_equal(msw_link_reserve(&link, &series), 7 + 2 * 10240 + 100);
}

/* Setup and packet overhead: effective bandwidth rises with size to packet / (packet + overhead).
 */
static void effective_bandwidth_depends_on_size(void **state)
{
    (void)state;
    msw_link_config config = {
        .bytes = 16, .cycles = 1, .setup_cycles = 1000, .packet_bytes = 256, .overhead_bytes = 24};
    double last = 0;
    for (uint64_t bytes = 4096; bytes <= 1 << 26; bytes *= 4) {
        msw_link link = link_of(&config);
        msw_link_series series = {.count = 1, .bytes = bytes};
        double now = (double)bytes / (double)msw_link_reserve(&link, &series);
        assert_int_equal(link.stats[0].wire_bytes, bytes + bytes / 256 * 24);
        if (bytes == 4096)
            assert_relative(now, 4096 / (1000 + 4480 / 16.0), 1e-12);
        assert_true(now > last);
        last = now;
    }
    assert_relative(last, 16.0 * 256 / 280, 0.001);
    msw_link link = link_of(&config);
    msw_link_reserve(&link, &(msw_link_series){.count = 1, .bytes = 257});
    assert_int_equal(link.stats[0].wire_bytes, 257 + 48);
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
                                  .half_duplex = msw_rng_below(&rng, 2)};
        config.overhead_bytes = config.packet_bytes ? 12 : 0;
        msw_link at_once = link_of(&config), singles = link_of(&config);
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
                last = msw_link_reserve(&singles, &one);
            assert_int_equal(msw_link_reserve(&at_once, &series), last);
            time += series.gap * (series.count - 1) + msw_rng_below(&rng, 400);
        }
        assert_memory_equal(at_once.stats, singles.stats, sizeof at_once.stats);
    }
}

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    static const msw_link_config BAD[] = {{.bytes = 0, .cycles = 1},
                                          {.bytes = 1, .cycles = 1 << 20},
                                          {.bytes = 1, .cycles = 1, .overhead_bytes = 4}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        msw_link link;
        msw_err err = {0};
        assert_int_equal(msw_link_init(&link, &BAD[i], &err), -1);
        assert_true(err.text[0] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bandwidth_is_exact),
        cmocka_unit_test(effective_bandwidth_depends_on_size),
        cmocka_unit_test(series_equal_single_transfers),
        cmocka_unit_test(bad_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("sim link", tests, NULL, NULL);
}
