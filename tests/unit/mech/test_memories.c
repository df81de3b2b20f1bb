/* SPDX-License-Identifier: MIT */
/* Are the memories that mechanisms offer the presets, in their order, and do they serve them all?
 */
#include "mech/htmmu/memory.h"
#include "mech/neummu/memory.h"
#include "mech/shared/rows.h"
#include "testing.h"

#include "memsweep/sim/dram_analytic.h"

#include <string.h>

static void choices_are_the_presets(void **state)
{
    (void)state;
    size_t i = 0;
    for (; msw_dram_presets[i].name; i++) {
        assert_string_equal(msw_memory_choices[i].name, msw_dram_presets[i].name);
        assert_ptr_equal(msw_memory_of((int64_t)i), &msw_dram_presets[i].config);
    }
    assert_null(msw_memory_choices[i].name);
    assert_string_equal(msw_memory_choices[MSW_MEMORY_HBM2].name, "hbm2");
}

/* Long runs of neummu come near the peak of the channels, single bursts at what row misses allow.
 */
static void neummu_takes_them_all(void **state)
{
    (void)state;
    for (int64_t i = 0; msw_dram_presets[i].name; i++) {
        msw_err err;
        neummu_memory memory;
        neummu_config config;
        msw_params_defaults(neummu_params, &config);
        config.memory_model = NEUMMU_MEMORY_BANKS;
        config.memory_preset = i;
        config.memory_channels = 1;
        config.issue_width = 1;
        assert_ok(neummu_memory_init(&memory, &config, &err), err);
        const msw_dram_config *c = &msw_dram_presets[i].config;
        double peak = c->burst_bytes * 1000.0 / c->t.bl / c->clock_ps; /* GB/s of a channel */
        double best = (1 << 20) / (double)memory.per_byte * config.frequency;
        print_message("%-12s %6.2f of %6.2f GB/s, single bursts %.1f times slower\n",
                      msw_dram_presets[i].name, best, peak, memory.stretch[0]);
        assert_in_range((int)(1000 * best / peak), 500, 1001);
        for (int r = 1; r < NEUMMU_ROW_BURSTS; r++)
            assert_true(memory.stretch[r] >= 1);
        assert_near(neummu_memory_weight(&memory, c->burst_bytes),
                    c->burst_bytes * memory.stretch[0], 1e-9);
    }
}

/* Bursts of a run in the row of its first, counted one by one. */
static double in_row(const msw_dram_config *c, uint64_t bursts)
{
    msw_err err;
    msw_dram_map map;
    double same = 0;
    assert_ok(msw_dram_map_init(&map, c, &err), err);
    msw_dram_location first = msw_dram_locate(&map, 0);
    for (uint64_t i = 0; i < bursts; i++) {
        msw_dram_location at = msw_dram_locate(&map, i * c->burst_bytes);
        same += at.channel == first.channel && at.bank == first.bank && at.row == first.row;
    }
    return same;
}

static void neummu_knows_the_bursts_of_a_row(void **state)
{
    (void)state;
    for (int64_t i = 0; msw_dram_presets[i].name; i++) {
        msw_err err;
        neummu_memory memory;
        neummu_config config;
        const msw_dram_config *c = &msw_dram_presets[i].config;
        msw_dram_form form = msw_dram_form_of(c);
        double rate[NEUMMU_ROW_BURSTS], best = 0;
        msw_params_defaults(neummu_params, &config);
        config.memory_model = NEUMMU_MEMORY_BANKS;
        config.memory_preset = i;
        assert_ok(neummu_memory_init(&memory, &config, &err), err);
        for (int r = 0; r < NEUMMU_ROW_BURSTS; r++) {
            msw_dram_load load = {in_row(c, 1u << r), 0, 1, c->read_depth};
            rate[r] = msw_dram_estimate_load(&form, &load).bandwidth_gbs;
            best = fmax(best, rate[r]);
        }
        for (int r = 0; r < NEUMMU_ROW_BURSTS; r++)
            assert_near(memory.stretch[r], best / rate[r], 1e-12);
    }
}

static void htmmu_takes_them_all(void **state)
{
    (void)state;
    for (int64_t i = 0; msw_dram_presets[i].name; i++) {
        msw_err err;
        msw_dram_config dram;
        htmmu_config config;
        msw_params_defaults(htmmu_params, &config);
        config.memory_model = HTMMU_MEMORY_BANKS;
        config.memory_preset = i;
        for (config.memory_banks = 1; config.memory_banks <= 16; config.memory_banks *= 2) {
            assert_ok(htmmu_memory_config(&config, &dram, &err), err);
            assert_int_equal(dram.clock_ps, 1000);
            assert_int_equal(dram.groups * dram.banks, config.memory_banks);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_the_presets),
        cmocka_unit_test(neummu_takes_them_all),
        cmocka_unit_test(neummu_knows_the_bursts_of_a_row),
        cmocka_unit_test(htmmu_takes_them_all),
    };
    return cmocka_run_group_tests_name("memories", tests, NULL, NULL);
}
