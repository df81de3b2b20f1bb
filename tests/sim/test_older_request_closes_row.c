/* SPDX-License-Identifier: MIT */
/* Defect 200. A row with any waiting hit was never closed: streams that share banks lost bandwidth
 * while older requests waited. Does a request close a row now unless an older one waits for it,
 * and gain? */
#include "dram_play.h"
#include "testing.h"

#include "memsweep/base/rng.h"

#include <stdlib.h>

enum { COUNT = 20000, MOST = 16, SEEDS = 5, ROW_BURSTS = 32, BANKS = 4 };

static uint64_t address[COUNT];

/* Streams in turn, each from a random place of a row of its own on. */
static double bandwidth(uint32_t streams, uint32_t window, uint64_t seed, msw_dram_closing closing)
{
    msw_rng rng;
    msw_rng_init(&rng, 200, seed);
    uint64_t next[MOST];
    for (uint64_t j = 0; j < streams; j++)
        next[j] = j * 1024 * BANKS * ROW_BURSTS + msw_rng_below(&rng, BANKS * ROW_BURSTS);
    for (uint64_t i = 0; i < COUNT; i++)
        address[i] = next[i % streams]++ * 32;
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    msw_dram_stream s = {.address = address, .count = COUNT, .bytes = 32, .window = window};
    c.t.refi = 0;
    c.read_depth = window;
    c.closing = closing;
    return dram_play(&c, &s).rates.bandwidth_gbs;
}

static void streams_that_share_banks_overlap(void **state)
{
    (void)state;
    for (uint32_t streams = 8; streams <= MOST; streams *= 2) {
        double gain = 0, best = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            double last = bandwidth(streams, 64, seed, MSW_DRAM_CLOSE_LAST);
            double more = bandwidth(streams, 64, seed, MSW_DRAM_CLOSE_OLDER) / last - 1;
            gain += more / SEEDS;
            best = more > best ? more : best;
        }
        if (getenv("MEMSWEEP_VERBOSE"))
            printf("%u streams: %.1f %% more, at most %.1f %%\n", streams, 100 * gain, 100 * best);
        assert_true(gain > 0.02 && best > 0.04);
    }
}

/* Row 0 is open; bank 0 is asked for row 1, then for row 0 again, while two other banks keep the
 * data bus busy. The older request closes the row before the younger one has been served. */
static void the_older_request_goes_first(void **state)
{
    (void)state;
    enum { BANK = 1024, ROW = 4096 };
    uint64_t asked[40] = {0, BANK, 2 * BANK, ROW, 32};
    for (uint64_t i = 5; i < 40; i++)
        asked[i] = (1 + i % 2) * BANK + i / 2 * 32;
    msw_dram_command trace[100];
    size_t count, at = 0;
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    msw_dram_stream s = {.address = asked, .count = 40, .bytes = 32, .window = 0};
    c.read_depth = 64;
    c.t.ras = c.t.rcd + 1;
    dram_play_traced(&c, &s, trace, 100, &count);
    uint32_t columns = 0;
    for (; at < count && trace[at].kind != MSW_DRAM_PRE; at++)
        columns += trace[at].kind == MSW_DRAM_RD && trace[at].bank == 0;
    assert_true(at < count && trace[at].bank == 0);
    assert_int_equal(columns, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_that_share_banks_overlap),
        cmocka_unit_test(the_older_request_goes_first),
    };
    return cmocka_run_group_tests_name("older request", tests, NULL, NULL);
}
