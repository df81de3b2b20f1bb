/* SPDX-License-Identifier: MIT */
/* Defect 571. Does a near-bank channel serve every request, whatever its timing? One whose row was
 * opened ahead of time could go at once, and was forgotten where nothing else was due. */
#include "memsweep/base/rng.h"

#include "testing.h"

#include "lines_channel.h"

#include <stdlib.h>

enum { CHANNELS = 400, REQUESTS = 60, CAPACITY = 64 };

static uint32_t below(msw_rng *rng, uint32_t n)
{
    return (uint32_t)msw_rng_below(rng, n);
}

static msw_dram_lines_config any_config(msw_rng *rng)
{
    msw_dram_lines_config c = {.banks = 1 + below(rng, 8),
                               .buffers = 1 + below(rng, 3),
                               .groups = 1 + below(rng, 2),
                               .placing = below(rng, 2) ? MSW_DRAM_LINES_MOD : MSW_DRAM_LINES_LRU,
                               .own_buses = below(rng, 2),
                               .ahead = below(rng, 4) > 0,
                               .window = 1 + below(rng, 12),
                               .closing =
                                   below(rng, 2) ? MSW_DRAM_CLOSE_LAST : MSW_DRAM_CLOSE_OLDER,
                               .hit_cap = below(rng, 3) * 8,
                               .controller = below(rng, 4),
                               .capacity = CAPACITY};
    c.t = msw_dram_preset_find("mpu_nbu", NULL)->t;
    c.t.rcd = 1 + below(rng, 100);
    c.t.rp = 1 + below(rng, 100);
    c.t.ras = 1 + below(rng, 300);
    c.t.rc = c.t.ras + c.t.rp;
    c.t.rfc = below(rng, 500);
    c.t.refi = below(rng, 2) ? 2000 + below(rng, 3000) : 0;
    return c;
}

static msw_dram_lines_request any_request(msw_rng *rng, const msw_dram_lines_config *c,
                                          uint64_t time)
{
    uint16_t all = (uint16_t)((1U << c->banks) - 1), some = (uint16_t)(below(rng, all) + 1);
    return (msw_dram_lines_request){.arrival = time,
                                    .row = below(rng, 4),
                                    .banks = below(rng, 2) ? all : some,
                                    .is_write = below(rng, 2)};
}

static uint64_t ended_of(msw_rng *rng, const msw_dram_lines_config *c)
{
    msw_dram_lines *lines = lines_start(c);
    msw_dram_lines_completion last;
    uint64_t time = 0, ended = 0;
    for (int i = 0; i < REQUESTS; i++) {
        time += below(rng, 3) ? below(rng, 8) : below(rng, 2000);
        ended += lines_take(lines, time, &last);
        msw_dram_lines_request request = any_request(rng, c, time);
        assert_true(msw_dram_lines_push(lines, &request));
    }
    ended += lines_take_all(lines, &last);
    free(lines);
    return ended;
}

static void every_request_ends(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < CHANNELS; i++) {
        msw_rng rng;
        msw_rng_init(&rng, 571, i);
        msw_dram_lines_config config = any_config(&rng);
        assert_int_equal(ended_of(&rng, &config), REQUESTS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
