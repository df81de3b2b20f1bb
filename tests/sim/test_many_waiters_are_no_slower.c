/* SPDX-License-Identifier: MIT */
/* Defect 205. The closed form of a channel was slower than its banks where many accesses wait, by
 * up to a quarter. Is it no slower now, and not far faster? */
#include "dram_play.h"
#include "testing.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/dram_analytic.h"

#include <stdlib.h>

enum { COUNT = 10000 };

/* Visits of `visit` bursts to random rows, streams in every bank. */
static double simulated(const msw_dram_config *c, uint32_t visit, uint32_t streams)
{
    static uint64_t address[COUNT], next[64];
    static uint32_t left[64];
    msw_rng rng;
    msw_rng_init(&rng, 205, visit);
    uint32_t banks = c->ranks * c->groups * c->banks;
    for (uint32_t j = 0; j < 64; j++)
        left[j] = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t j = (uint32_t)msw_rng_below(&rng, (uint64_t)streams * banks);
        if (!left[j]) {
            next[j] = (msw_rng_below(&rng, c->rows) * banks + j % banks) * c->columns;
            left[j] = visit;
        }
        left[j]--;
        address[i] = next[j]++ * c->burst_bytes;
    }
    msw_dram_stream s = {
        .address = address, .count = COUNT, .bytes = c->burst_bytes, .window = c->read_depth};
    return dram_play(c, &s).rates.bandwidth_gbs;
}

static void the_closed_form_keeps_up(void **state)
{
    (void)state;
    msw_dram_config c = *msw_dram_preset_find("hbm2", NULL);
    c.channels = 1;
    for (c.read_depth = 64; c.read_depth <= 256; c.read_depth *= 2)
        for (uint32_t visit = 1; visit <= 4; visit *= 2)
            for (uint32_t streams = 1; streams <= 4; streams *= 4) {
                msw_dram_load load = {visit, streams, 1, c.read_depth};
                double truth = simulated(&c, visit, streams);
                msw_dram_form form = msw_dram_form_of(&c);
                double guess = msw_dram_estimate_load(&form, &load).bandwidth_gbs;
                if (getenv("MEMSWEEP_VERBOSE"))
                    printf("%3u waiting, visits of %u, %u streams: %+.1f %%\n", c.read_depth, visit,
                           streams, 100 * (guess / truth - 1));
                assert_true(guess > 0.94 * truth && guess < 1.15 * truth);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_closed_form_keeps_up)};
    return cmocka_run_group_tests_name("many waiters", tests, NULL, NULL);
}
