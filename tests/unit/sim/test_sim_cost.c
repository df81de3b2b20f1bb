/* SPDX-License-Identifier: MIT */
/* Do the cost constants hold their sources, and do the formulas reproduce them? */
#include "memsweep/base/text.h"
#include "memsweep/sim/cost.h"
#include "testing.h"

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
    free(page);
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
        cmocka_unit_test(the_page_has_the_constants_of_the_code),
        cmocka_unit_test(node_factors_follow_their_source),
        cmocka_unit_test(scaling_moves_what_is_on_the_chip),
    };
    return cmocka_run_group_tests_name("sim cost", tests, NULL, NULL);
}
