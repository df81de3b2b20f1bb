/* SPDX-License-Identifier: MIT */
/* Defect 204. Without a window, or with one larger than the queues, latencies grew with the length
 * of the stream: requests that had waited outside the queue counted as if they had waited in it. */
#include "dram_play.h"
#include "testing.h"

#include <stdlib.h>

enum { LONG = 64000 };

static void the_length_of_a_stream_does_not_matter(void **state)
{
    (void)state;
    static const char *const PRESETS[] = {"mpu_nbu", "hbm2", "ddr4_3200"};
    uint64_t *address = malloc(LONG * sizeof *address);
    for (uint32_t i = 0; i < 12; i++) {
        msw_dram_config c = *msw_dram_preset_find(PRESETS[i % 3], NULL);
        uint64_t x = 1, step = i < 6 ? 7919 : 1;
        for (size_t k = 0; k < LONG; k++)
            address[k] = (x += step) * c.burst_bytes;
        msw_dram_stream s = {
            .address = address, .count = LONG, .bytes = c.burst_bytes, .window = i & 1 ? 0 : 4096};
        dram_played all = dram_play(&c, &s);
        s.count = LONG / 8;
        double part = dram_play(&c, &s).rates.read_latency;
        double pipe = (double)c.channels * (c.t.cl + c.t.bl + c.controller) / c.t.bl;
        double in_flight = LONG * all.rates.read_latency / (double)all.cycles;
        assert_relative(all.rates.read_latency, part, 0.05);
        assert_true(in_flight <= c.channels * c.read_depth + pipe);
    }
    free(address);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_length_of_a_stream_does_not_matter)};
    return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}
