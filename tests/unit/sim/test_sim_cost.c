/* SPDX-License-Identifier: MIT */
/* Do the cost constants hold their sources, and do the formulas reproduce them? */
#include "memsweep/base/text.h"
#include "memsweep/sim/energy.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void table_is_complete_and_in_range(void **state)
{
    (void)state;
    size_t count;
    const msw_cost_entry *entries = msw_cost_entries(&count);
    assert_int_equal(count * sizeof(double), sizeof(msw_cost));
    bool seen[sizeof(msw_cost) / sizeof(double)] = {false};
    for (size_t i = 0; i < count; i++) {
        assert_false(seen[entries[i].offset / sizeof(double)]);
        seen[entries[i].offset / sizeof(double)] = true;
        assert_true(entries[i].least <= entries[i].value && entries[i].value <= entries[i].most);
        assert_true(strlen(entries[i].source) > 10);
    }
}

/* Horowitz 2014: 64-bit reads of 8 KiB, 32 KiB and 1 MiB cost 10, 20 and 100 pJ. */
static void sram_reads(void **state)
{
    (void)state;
    static const double CASES[][2] = {{8192, 10}, {32768, 20}, {1048576, 100}};
    msw_cost cost;
    msw_cost_init(&cost);
    for (size_t i = 0; i < 3; i++) {
        msw_sram sram = {.bytes = CASES[i][0], .access_bits = 64};
        assert_relative(msw_cost_sram(&cost, &sram).read_pj, CASES[i][1], 0.05);
    }
    /* Horowitz 2014: 32 bits from DRAM cost 640 pJ. */
    assert_near(msw_cost_move_pj(cost.dram_pj_per_bit, 4), 640, 1e-9);
}

static void bigger_wider_and_more_ways_cost_more(void **state)
{
    (void)state;
    msw_cost cost;
    msw_cost_init(&cost);
    msw_sram base = {.bytes = 16384, .access_bits = 64, .entries = 2048, .tag_bits = 36, .ways = 4};
    msw_sram_cost one = msw_cost_sram(&cost, &base), other;
    msw_sram changed = base;
    changed.ways = 8;
    other = msw_cost_sram(&cost, &changed);
    assert_true(other.lookup_pj > one.lookup_pj && other.area_um2 == one.area_um2);
    changed.ways = 2048; /* compared all at once */
    other = msw_cost_sram(&cost, &changed);
    assert_true(other.lookup_pj > one.lookup_pj && other.area_um2 > one.area_um2);
    changed = base;
    changed.all_ways = true;
    assert_true(msw_cost_sram(&cost, &changed).read_pj > one.read_pj);
    changed = base;
    changed.bytes *= 2;
    other = msw_cost_sram(&cost, &changed);
    assert_true(other.read_pj > one.read_pj && other.leakage_mw > one.leakage_mw);
    assert_near(msw_cost_logic_um2(&cost, 100, 10), 79.8 + 45.22, 1e-9);
}

/* A row of the table of docs/models/costs.md. */
static void the_page_has_the_constants_of_the_code(void **state)
{
    (void)state;
    static const char *const CLASSES[] = {"public", "inferred", "unknown"};
    char *page, row[512];
    size_t size, count;
    msw_err err;
    assert_ok(msw_read_file(MEMSWEEP_SOURCE "/docs/models/costs.md", &page, &size, &err), err);
    const msw_cost_entry *e = msw_cost_entries(&count);
    for (size_t i = 0; i < count; i++, e++) {
        snprintf(row, sizeof row, "| %s | %g | %s | %g to %g | %s | %s |", e->name, e->value,
                 *e->unit ? e->unit : "1", e->least, e->most, CLASSES[e->source_class], e->source);
        if (!strstr(page, row))
            fail_msg("docs/models/costs.md lacks the row\n%s", row);
    }
    const msw_cost_node *n = msw_cost_nodes(&count);
    for (size_t i = 0; i < count; i++, n++) {
        snprintf(row, sizeof row, "| %g | %g | %g | %g |", n->nm, n->area, n->energy, n->leakage);
        if (!strstr(page, row))
            fail_msg("docs/models/costs.md lacks the row\n%s", row);
    }
    for (const msw_dram_price *p = msw_dram_prices; p->preset; p++) {
        snprintf(row, sizeof row, "| %s | %g | %g | %g | %g | %g | %g to %g | %s | %s |", p->preset,
                 p->act_pj, p->column_pj_per_bit, p->io_pj_per_bit, p->refresh_pj, p->standby_mw,
                 p->least, p->most, CLASSES[p->source_class], p->source);
        if (!strstr(page, row))
            fail_msg("docs/models/costs.md lacks the row\n%s", row);
    }
    free(page);
}

/* Picojoules of a bit in a stream that uses whole rows, without standby and refresh. */
static double stream_pj(size_t preset)
{
    const msw_dram_config *c = &msw_dram_presets[preset].config;
    const msw_dram_price *p = &msw_dram_prices[preset];
    double acts = msw_dram_least_acts(c, 1);
    msw_dram_use use = {acts, 8, 0, 1};
    assert_near(acts * (double)c->burst_bytes * (double)c->columns, 1, 1e-12);
    return msw_dram_energy_nj(p, c, &use) * 1e3 / 8;
}

/* HBM2: 3.92 (O'Connor et al. 2017), 250 to 450 pJ per 64 bits (Jouppi et al. 2021); DDR4: 1,300 pJ
 * per 64 bits, and by Horowitz 1,300 to 2,600; GDDR6: 350 to 480; LPDDR5: about 4. What is within
 * the stated span of the table passes: least and most. */
static void bits_cost_what_was_published(void **state)
{
    (void)state;
    static const struct {
        const char *preset;
        double least, most;
    } PUBLISHED[] = {{"hbm2", 3.92, 3.92},
                     {"hbm2", 250.0 / 64, 450.0 / 64},
                     {"ddr4_3200", 1300.0 / 64, 1300.0 / 64},
                     {"ddr4_3200", 1300.0 / 64, 2600.0 / 64},
                     {"gddr6_14", 350.0 / 64, 480.0 / 64},
                     {"lpddr5_6400", 4, 4},
                     {"hbm3_6400", 250.0 / 64, 450.0 / 64}};
    for (size_t i = 0; msw_dram_presets[i].name; i++) {
        assert_string_equal(msw_dram_prices[i].preset, msw_dram_presets[i].name);
        for (size_t p = 0; p < sizeof PUBLISHED / sizeof *PUBLISHED; p++)
            if (strcmp(PUBLISHED[p].preset, msw_dram_presets[i].name) == 0) {
                double pj = stream_pj(i);
                assert_true(pj * msw_dram_prices[i].least <= PUBLISHED[p].most);
                assert_true(pj * msw_dram_prices[i].most >= PUBLISHED[p].least);
            }
    }
}

/* DDR4-3200, 16 devices x4, by the currents of its datasheet: 1.2 V, IDD0 52, IDD2N 37, IDD3N 47,
 * IDD4R 143, IDD5 250 mA. A rank that does nothing for a refresh interval pays standby and one
 * refresh. */
static void currents_give_the_prices(void **state)
{
    (void)state;
    const msw_dram_price *p = &msw_dram_prices[2];
    const msw_dram_config *c = &msw_dram_presets[2].config;
    double ns = 0.625, rank = 16 * 1.2;
    assert_relative(p->act_pj, rank * (52 * 74 - 47 * 52 - 37 * 22) * ns, 1e-3);
    assert_relative(p->column_pj_per_bit, rank * (143 - 47) * 4 * ns / 512, 1e-3);
    assert_relative(p->refresh_pj, rank * (250 - 47) * 560 * ns, 1e-3);
    assert_relative(p->standby_mw, rank * 47, 1e-3);
    msw_dram_use idle = {0, 0, 12480 * 0.625e-9, 1};
    assert_relative(msw_dram_energy_nj(p, c, &idle),
                    p->refresh_pj / 1e3 + p->standby_mw * 12480 * 0.625 / 1e3, 1e-6);
}

/* 8-bit numbers: 0.2 + 0.1 pJ at 45 nm (Horowitz); an array of 4 x 4 with all data in one bank. */
static void an_array_adds_up(void **state)
{
    (void)state;
    msw_cost cost;
    msw_cost_init(&cost);
    assert_near(msw_cost_mac_pj(&cost, 1), 0.3, 1e-12);
    assert_near(msw_cost_mac_pj(&cost, 2), 2, 1e-12);
    msw_array_use use = {64, 4, 4, 1, 16};
    msw_array_energy e = msw_array_energy_of(&cost, &use, 8192, 48);
    assert_near(e.array_nj, 64 * (0.3 + 40 * 5e-3) / 1e3, 1e-9);
    double side = sqrt(8192 * 8 * 0.346 / 0.5 / 1e6), bit = 10.0 / 64 + side / 2 * 0.1;
    assert_near(e.pads_nj, (64 * 8 / 4.0 + 64 * 64 / 4.0 + 8 * 16 + 8 * 48) * bit / 1e3, 1e-9);
}

/* The energy factors are the published polynomials at the supply voltages stated in the table. */
static void node_factors_follow_their_source(void **state)
{
    (void)state;
    static const double FITS[][5] = {{45, 0.9, 1.103, -0.362, 0.2767},
                                     {32, 0.9, 0.9559, -0.7823, 0.471},
                                     {20, 0.9, 0.373, -0.1582, 0.04104},
                                     {16, 0.8, 0.2958, -0.1241, 0.03024},
                                     {7, 0.7, 0.1776, -0.09097, 0.02447}};
    double at45 = 0;
    for (size_t i = 0; i < sizeof FITS / sizeof *FITS; i++) {
        const double *f = FITS[i];
        msw_cost_node node;
        msw_err err;
        double energy = f[2] * f[1] * f[1] + f[3] * f[1] + f[4];
        at45 = i ? at45 : energy;
        assert_ok(msw_cost_node_at(f[0], &node, &err), err);
        assert_near(node.energy, energy / at45, 5e-4);
    }
}

static void scaling_moves_what_is_on_the_chip(void **state)
{
    (void)state;
    msw_cost at45, at32, between;
    msw_err err;
    msw_cost_init(&at45);
    assert_ok(msw_cost_at(&at45, 32, &at32, &err), err);
    assert_near(at32.gate_um2, at45.gate_um2 * 0.46, 1e-12);
    assert_near(at32.int_add32_pj, at45.int_add32_pj * 0.6411, 1e-12);
    assert_near(at32.dram_pj_per_bit, at45.dram_pj_per_bit, 0);
    assert_ok(msw_cost_at(&at45, 30, &between, &err), err);
    assert_true(between.gate_um2 < at32.gate_um2);
    assert_int_equal(msw_cost_at(&at45, 65, &between, &err), -1);
    assert_int_equal(msw_cost_at(&at45, 5, &between, &err), -1);
    assert_ok(msw_cost_at(&at45, 7, &between, &err), err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_complete_and_in_range),
        cmocka_unit_test(sram_reads),
        cmocka_unit_test(bigger_wider_and_more_ways_cost_more),
        cmocka_unit_test(bits_cost_what_was_published),
        cmocka_unit_test(currents_give_the_prices),
        cmocka_unit_test(an_array_adds_up),
        cmocka_unit_test(the_page_has_the_constants_of_the_code),
        cmocka_unit_test(node_factors_follow_their_source),
        cmocka_unit_test(scaling_moves_what_is_on_the_chip),
    };
    return cmocka_run_group_tests_name("sim cost", tests, NULL, NULL);
}
