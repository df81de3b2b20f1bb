/* SPDX-License-Identifier: MIT */
/* Defect 202. With writes one opening of a row was counted up to three times as no hit: by the
 * request that closed the old row, by that which opened the new one, by that which used it. Is it
 * counted once? */
#include "dram_play.h"
#include "testing.h"

#include "memsweep/base/rng.h"

enum { COUNT = 20000 };

static void openings_are_counted_once(void **state)
{
    (void)state;
    static uint64_t address[COUNT];
    static uint8_t is_write[COUNT];
    static const char *const PRESETS[] = {"mpu_nbu", "hbm2", "ddr4_3200"};
    for (uint32_t i = 0; i < 9; i++) {
        msw_rng rng;
        msw_rng_init(&rng, 202, i);
        msw_dram_config c = *msw_dram_preset_find(PRESETS[i % 3], NULL);
        c.write_high = 4;
        c.write_low = 1;
        for (uint32_t k = 0; k < COUNT; k++) {
            address[k] = msw_rng_below(&rng, 2 * c.banks * c.groups * c.columns) * c.burst_bytes;
            is_write[k] = msw_rng_below(&rng, 3) == 0;
        }
        msw_dram_stream s = {.address = address,
                             .is_write = is_write,
                             .count = COUNT,
                             .bytes = c.burst_bytes,
                             .window = 8u << i / 3};
        msw_dram_stats t = dram_play(&c, &s).stats;
        assert_int_equal(t.hits + t.closed + t.conflicts, t.commands_rd + t.commands_wr);
        assert_in_range(t.closed + t.conflicts, t.commands_act * 3 / 4, t.commands_act);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(openings_are_counted_once)};
    return cmocka_run_group_tests_name("openings", tests, NULL, NULL);
}
