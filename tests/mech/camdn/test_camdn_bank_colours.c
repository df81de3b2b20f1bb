/* SPDX-License-Identifier: MIT */
/* Defect 816. Do colours keep tenants out of each other's banks? By hand: ddr4_3200 with the
 * channel last lays "row rank bank bg col ch off"; two ranks, four groups of four banks are the
 * five bits below the row. */
#include "direct.h"
#include "testing.h"

#include "mech/camdn/machine/system.h"

#include "mech/shared/rows.h"

#include <string.h>

static int64_t preset_of(const char *name)
{
    int64_t i = 0;
    while (strcmp(msw_dram_presets[i].name, name) != 0)
        i++;
    return i;
}

static camdn_config config_of(const char *preset)
{
    camdn_config c;
    msw_params_defaults(camdn_params, &c);
    c.memory = CAMDN_MEMORY_BANKS;
    c.memory_preset = preset_of(preset);
    return c;
}

static void bits_below_the_row_name_banks(void **state)
{
    (void)state;
    static const struct {
        const char *preset;
        unsigned bits;
    } KNOWN[] = {{"ddr4_3200", 5}, {"hbm2", 4}, {"ddr3_1600", 3}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        camdn_config c = config_of(KNOWN[i].preset);
        char text[CAMDN_MAP_BYTES];
        unsigned shift;
        msw_err err = {0};
        msw_dram_map map;
        msw_dram_config dram = camdn_banks_of(&c, text);
        assert_ok(msw_dram_map_init(&map, &dram, &err), err);
        assert_int_equal(camdn_colour_bits(&map, &shift), KNOWN[i].bits);
        msw_dram_location below = msw_dram_locate(&map, ((uint64_t)1 << shift) - 1);
        assert_true(below.row == 0 && below.bank == 0);
    }
}

static void too_many_are_refused(void **state)
{
    (void)state;
    camdn_config c = config_of("ddr4_3200");
    msw_err err = {0};
    c.colours = 32;
    assert_ok(camdn_check(&c, &err), err);
    c.colours = 64;
    assert_int_equal(camdn_check(&c, &err), -1);
    assert_non_null(strstr(err.text, "bank_colours 64"));
    assert_non_null(strstr(err.text, "(32)"));
    c.colours = 3;
    assert_int_equal(camdn_check(&c, &err), -1);
}

/* Latency, and traffic, of small networks that meet in one channel. */
static void run(double colours, double tenants, msw_fidelity fidelity, double *latency,
                double *traffic)
{
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("camdn"), "mix:mobilenet_v2", &err), err);
    direct_set(&d, "tenants", tenants);
    direct_set(&d, "tasks", 1);
    direct_set(&d, "first_tasks", 0);
    direct_set(&d, "memory_model", CAMDN_MEMORY_BANKS);
    direct_set(&d, "memory_preset", (double)preset_of("ddr4_3200"));
    direct_set(&d, "memory_channels", 1);
    direct_set(&d, "cache_size", 1 << 20);
    direct_set(&d, "bank_colours", colours);
    direct_run(&d, fidelity, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    *latency = d.answer.metrics[CAMDN_LATENCY];
    *traffic = d.answer.metrics[CAMDN_TRAFFIC];
    direct_close(&d);
}

static void tenants_that_share_no_banks_wait_less(void **state)
{
    (void)state;
    double mixed, apart, before, after;
    run(1, 4, MSW_FULL, &mixed, &before);
    run(4, 4, MSW_FULL, &apart, &after);
    assert_true(apart < 0.99 * mixed);
    assert_true(fabs(after - before) < 0.02 * before); /* what meets in the cache may shift */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits_below_the_row_name_banks),
                                       cmocka_unit_test(too_many_are_refused),
                                       cmocka_unit_test(tenants_that_share_no_banks_wait_less)};
    return cmocka_run_group_tests_name("camdn_bank_colours", tests, NULL, NULL);
}
