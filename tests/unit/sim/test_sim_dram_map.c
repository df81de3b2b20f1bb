/* SPDX-License-Identifier: MIT */
/* Are addresses split as the map says, are all places distinct, and are wrong maps and
 * configurations refused with a message that helps? */
#include "memsweep/sim/dram.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static msw_dram_config small(const char *map)
{
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    c.channels = 2;
    c.ranks = 2;
    c.groups = 2;
    c.banks = 4;
    c.rows = 16;
    c.columns = 8;
    c.map = map;
    return c;
}

static void fields_are_taken_from_their_bits(void **state)
{
    (void)state;
    msw_err err;
    msw_dram_map map;
    msw_dram_config c = small("row rank bank bg col:2 ch col:1 off");
    assert_ok(msw_dram_map_init(&map, &c, &err), err);
    /* bits: row 4, rank 1, bank 2, bg 1, col 2, ch 1, col 1, off 5 */
    uint64_t address =
        (uint64_t)0xA << 13 | 1 << 12 | 2 << 10 | 1 << 9 | 3 << 7 | 1 << 6 | 0 << 5 | 31;
    msw_dram_location p = msw_dram_locate(&map, address);
    assert_int_equal(p.row, 0xA);
    assert_int_equal(p.bank, 1 * 8 + 1 * 4 + 2); /* rank, group, bank */
    assert_int_equal(p.channel, 1);
    assert_int_equal(p.column, 6);
}

static void every_burst_has_its_own_place(void **state)
{
    (void)state;
    static const char *const MAPS[] = {
        "row rank bg bank col ch",         "ch row col rank bg bank",
        "row:2 rank row bg:1 bank col ch", "row col:1 bank bg rank col:1 ch col:1 off:5",
        "rank bg bank ch col row",
    };
    enum { PLACES = 2 * 16 * 16 * 8 };
    for (size_t m = 0; m < sizeof MAPS / sizeof *MAPS; m++)
        for (int hash = 0; hash < 2; hash++) {
            static uint8_t seen[PLACES];
            msw_err err;
            msw_dram_map map;
            msw_dram_config c = small(MAPS[m]);
            c.hash = hash ? MSW_DRAM_HASH_BANK : MSW_DRAM_HASH_NONE;
            assert_ok(msw_dram_map_init(&map, &c, &err), err);
            memset(seen, 0, sizeof seen);
            for (uint64_t i = 0; i < PLACES; i++) {
                msw_dram_location p = msw_dram_locate(&map, i * 32 + i % 32);
                size_t at = ((p.channel * 16 + p.bank) * 16 + p.row) * 8 + p.column;
                assert_in_range(at, 0, PLACES - 1);
                assert_int_equal(seen[at]++, 0);
            }
        }
}

static void hashing_spreads_a_stride_over_the_banks(void **state)
{
    (void)state;
    msw_err err;
    msw_dram_map map;
    msw_dram_config c = small("row rank bg bank col ch");
    c.hash = MSW_DRAM_HASH_BANK;
    assert_ok(msw_dram_map_init(&map, &c, &err), err);
    uint32_t seen = 0;
    for (uint64_t row = 0; row < 8; row++)
        seen |= 1u << msw_dram_locate(&map, row << 13).bank;
    assert_int_equal(seen, 0xff);
}

static void wrong_maps_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *map, *message;
    } CASES[] = {
        {"row rank bg bnak col ch", "unknown field \"bnak\""},
        {"row rank bg bank col", "field \"ch\" has 0 bits, the organisation needs 1"},
        {"row:5 rank bg bank col ch", "field \"row\" has 5 bits, the organisation needs 4"},
        {"row:2 rank bg bank col ch", "field \"row\" has 2 bits, the organisation needs 4"},
        {"row row rank bg bank col ch", "only one \"row\" may be without bits"},
        {"row rank bg bank off col ch", "\"off\" must come last"},
        {"row rank bg bank col ch off:6", "field \"off\" has 6 bits, the organisation needs 5"},
        {"row: rank bg bank col ch", "1 to 31 bits after the colon"},
        {"row:4x rank bg bank col ch", "1 to 31 bits after the colon"},
        {"", "map is empty"},
        {NULL, "map is missing"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_err err = {0};
        msw_dram_map map;
        msw_dram_config c = small(CASES[i].map);
        assert_int_equal(msw_dram_map_init(&map, &c, &err), -1);
        if (!strstr(err.text, CASES[i].message))
            fail_msg("\"%s\" does not say \"%s\"", err.text, CASES[i].message);
    }
}

typedef void spoil(msw_dram_config *c);

static void three_banks(msw_dram_config *c)
{
    c->banks = 3;
}

static void no_read_queue(msw_dram_config *c)
{
    c->read_depth = 0;
}

static void watermarks_crossed(msw_dram_config *c)
{
    c->write_low = c->write_high;
}

static void short_rc(msw_dram_config *c)
{
    c->t.rc = c->t.ras - 1;
}

static void long_group_gap_below_short(msw_dram_config *c)
{
    c->t.ccd_l = c->t.ccd_s - 1;
}

static void always_refreshing(msw_dram_config *c)
{
    c->t.refi = c->t.rfc;
}

static void endless_refresh(msw_dram_config *c)
{
    c->t.rfc = 1u << 21;
    c->t.refi = 1u << 23;
}

static void no_bandwidth(msw_dram_config *c)
{
    c->kind = MSW_DRAM_FIXED;
    c->fixed_bytes_per_cycle = 0;
}

static void wrong_configurations_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        spoil *spoil;
        const char *message;
    } CASES[] = {
        {three_banks, "banks is 3, must be a power of two"},
        {no_read_queue, "read_depth is 0, allowed are 1 to"},
        {watermarks_crossed, "write_low is 26, allowed are 0 to 25"},
        {short_rc, "rc 32 is less than ras 33"},
        {long_group_gap_below_short, "ccd_l is 1, allowed are 2 to"},
        {always_refreshing, "refi is 350, less than twice rfc"},
        {endless_refresh, "rfc is 2097152, allowed are up to 2097151"},
        {no_bandwidth, "fixed_bytes_per_cycle is 0"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        msw_err err = {0};
        msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
        CASES[i].spoil(&c);
        assert_int_equal(msw_dram_check(&c, &err), -1);
        if (!strstr(err.text, CASES[i].message))
            fail_msg("\"%s\" does not say \"%s\"", err.text, CASES[i].message);
    }
}

static void presets_are_sound(void **state)
{
    (void)state;
    msw_err err;
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++) {
        assert_ok(msw_dram_check(&p->config, &err), err);
        assert_ptr_equal(msw_dram_preset_find(p->name, &err), &p->config);
        /* The fixed model of a preset has the peak of its banks and the latency of a closed bank.
         */
        const msw_dram_timing *t = &p->config.t;
        assert_near(p->config.fixed_bytes_per_cycle, p->config.burst_bytes / (double)t->bl, 1e-9);
        assert_int_equal(p->config.fixed_latency, p->config.controller + t->rcd + t->cl);
    }
    assert_null(msw_dram_preset_find("hbm3", &err));
    assert_non_null(strstr(err.text, "hbm2"));
    assert_null(msw_dram_preset_find("nothing like a name", &err));
    assert_non_null(strstr(err.text, "presets are mpu_nbu, hbm2, "));
    assert_non_null(strstr(err.text, "hbm3_6400"));
}

static void a_wrong_configuration_makes_no_memory(void **state)
{
    (void)state;
    msw_err err;
    msw_dram_config c = small("row rank bg bank col ch");
    void *memory = aligned_alloc(64, msw_dram_bytes(&c));
    c.map = "row";
    assert_null(msw_dram_init(memory, &c, &err));
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_taken_from_their_bits),
        cmocka_unit_test(every_burst_has_its_own_place),
        cmocka_unit_test(hashing_spreads_a_stride_over_the_banks),
        cmocka_unit_test(wrong_maps_are_refused_by_name),
        cmocka_unit_test(wrong_configurations_are_refused_by_name),
        cmocka_unit_test(presets_are_sound),
        cmocka_unit_test(a_wrong_configuration_makes_no_memory),
    };
    return cmocka_run_group_tests_name("sim_dram_map", tests, NULL, NULL);
}
