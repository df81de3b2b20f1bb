/* SPDX-License-Identifier: MIT */
/* Does the event-driven scheduler issue exactly the commands, in exactly the cycles, of one that
 * looks at every request in every cycle: on random configurations, and on interleaved streams? */
#include "dram_referee.h"
#include "testing.h"

#include <stdlib.h>

enum { CONFIGS = 60, STREAM_CASES = 48, FULL = 20, MOST_STREAMS = 32 };

static uint32_t times(uint32_t cases)
{
    return getenv("MEMSWEEP_FULL") ? FULL * cases : cases;
}

static void commands_are_those_of_a_scan_of_every_cycle(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < times(CONFIGS); i++) {
        char name[32];
        referee_request requests[REFEREE_REQUESTS];
        msw_rng rng;
        msw_rng_init(&rng, 12, i);
        msw_dram_config c = random_config(&rng);
        dram_source source = random_source(&rng, &c);
        uint64_t time = 0, wait;
        for (uint32_t k = 0; k < REFEREE_REQUESTS; k++) {
            referee_request *q = &requests[k];
            q->address = source_next(&source, &q->is_write, &wait);
            q->arrival = time += wait;
        }
        snprintf(name, sizeof name, "config %u", i);
        referee_compare(&c, requests, name);
    }
}

/* ---- interleaved streams ---- */

/* A stream walks through its row, then through the next row of the same bank, or through the
 * address space. */
typedef struct stream {
    uint64_t next;
    uint32_t step; /* bursts */
} stream;

/* Where the streams of a case begin: in one bank, in the banks of one group, in all banks, in all
 * channels too. */
typedef enum spread { ONE_BANK, ONE_GROUP, ONE_CHANNEL, ALL_CHANNELS, SPREADS } spread;

static uint64_t begin(const msw_dram_config *c, spread over, uint32_t j, msw_rng *rng)
{
    uint32_t banks = c->ranks * c->groups * c->banks, reach = 1, channels = 1;
    if (over == ONE_GROUP)
        reach = c->banks;
    if (over >= ONE_CHANNEL)
        reach = banks;
    if (over == ALL_CHANNELS)
        channels = c->channels;
    uint64_t row = msw_rng_below(rng, c->rows / 2), bank = j % reach;
    uint64_t channel = j / reach % channels;
    return ((row * banks + bank) * c->channels + channel) * c->columns;
}

static msw_dram_config stream_config(msw_rng *rng, uint32_t i)
{
    static const char *const PRESETS[] = {"mpu_nbu", "hbm2", "ddr4_3200"};
    static const uint32_t WINDOWS[] = {1, 2, 4, 8, 16, 32, 64, 0};
    msw_dram_config c = *msw_dram_preset_find(PRESETS[i % 3], NULL);
    c.channels = 1u << msw_rng_below(rng, 2);
    c.map = "row rank bg bank ch col";
    c.window = WINDOWS[i % 8];
    c.buffers = 1u << (msw_rng_below(rng, 3) ? 0 : 2);
    c.t.sel = (uint32_t)msw_rng_below(rng, 3);
    c.t.ra = (uint32_t)msw_rng_below(rng, 8);
    c.t.rtp = 1 + (uint32_t)msw_rng_below(rng, 6);
    c.closing = msw_rng_below(rng, 4) ? MSW_DRAM_CLOSE_OLDER : MSW_DRAM_CLOSE_LAST;
    c.hit_cap = (uint32_t)msw_rng_below(rng, 2) * 4;
    c.t.refi = msw_rng_below(rng, 4) ? 0 : 2 * c.t.rfc;
    return c;
}

static void interleave(const msw_dram_config *c, msw_rng *rng, spread over, uint32_t streams,
                       referee_request *requests)
{
    uint64_t at[MOST_STREAMS], time = 0;
    bool in_turn = msw_rng_below(rng, 2), writes = !msw_rng_below(rng, 3);
    uint32_t pace = (uint32_t)msw_rng_below(rng, 4);
    for (uint32_t j = 0; j < streams; j++)
        at[j] = begin(c, over, j, rng) + msw_rng_below(rng, c->columns);
    for (uint32_t i = 0; i < REFEREE_REQUESTS; i++) {
        uint32_t j = in_turn ? i % streams : (uint32_t)msw_rng_below(rng, streams);
        requests[i] = (referee_request){.arrival = time,
                                        .address = at[j]++ * c->burst_bytes,
                                        .is_write = writes && !msw_rng_below(rng, 3)};
        time += pace;
    }
}

static void interleaved_streams_are_served_as_by_a_scan(void **state)
{
    (void)state;
    static const uint32_t STREAMS[] = {2, 3, 4, 8, 12, 16, 24, 32};
    size_t commands = 0;
    for (uint32_t i = 0; i < times(STREAM_CASES); i++) {
        char name[64];
        referee_request requests[REFEREE_REQUESTS];
        msw_rng rng;
        msw_rng_init(&rng, 14, i);
        msw_dram_config c = stream_config(&rng, i);
        spread over = (spread)msw_rng_below(&rng, SPREADS);
        uint32_t streams = STREAMS[msw_rng_below(&rng, 8)];
        interleave(&c, &rng, over, streams, requests);
        snprintf(name, sizeof name, "case %u: %u streams, window %u", i, streams, c.window);
        commands += referee_compare(&c, requests, name);
    }
    if (getenv("MEMSWEEP_VERBOSE"))
        printf("%u cases, %zu commands, all in the same cycle\n", times(STREAM_CASES), commands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_those_of_a_scan_of_every_cycle),
        cmocka_unit_test(interleaved_streams_are_served_as_by_a_scan),
    };
    return cmocka_run_group_tests_name("sim_dram_reference", tests, NULL, NULL);
}
