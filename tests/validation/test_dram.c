/* SPDX-License-Identifier: MIT */
/* Does memory alone give what its rules give by hand, and what DRAMsim3 and Ramulator gave? */
#include "testing.h"

#include "mech/dram/dram.h"
#include "memsweep/mech/engine.h"
#include "memsweep/sim/energy.h"
#include "memsweep/workload/accesses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MPU_NBU = 10, DDR4 = 5, HBM3 = 2, MANY = 200000 };

/* Plays reads of 32 bytes, as the cycle model or as the closed form does. */
static void play_these(dram_config config, const uint64_t *addresses, uint64_t count, bool closed,
                       double *totals)
{
    double histogram[MSW_HISTOGRAM_BUCKETS] = {0};
    msw_accesses accesses = {.count = count, .addresses = addresses, .request_bytes = 32};
    msw_product product = {.kind = MSW_PRODUCT_ACCESSES, .data = &accesses};
    msw_arena arena = {0};
    msw_task task = {.config = &config, .product = &product, .arena = &arena};
    msw_unit_out out = {.totals = totals, .histograms = histogram};
    msw_err err;
    assert_ok(dram_check(&config, &err), err);
    if (closed)
        assert_ok(dram_analytic(&task, totals, &err), err);
    else
        assert_ok(dram_measure(&task, NULL, 0, 0, &out, &err), err);
    msw_arena_free(&arena);
}

/* Plays reads that lie `stride` bytes apart. */
static void play(dram_config config, uint64_t count, uint64_t stride, double *totals)
{
    uint64_t *addresses = calloc(count, sizeof *addresses);
    assert_non_null(addresses);
    for (uint64_t i = 0; i < count; i++)
        addresses[i] = i * stride;
    play_these(config, addresses, count, false, totals);
    free(addresses);
}

/* A million reads of HBM3: layers that stream, and one in four that jumps, so that rows are opened
 * far more often. Rows are the wrong ones where a part that is played begins. */
static void parts_stand_for_the_stream(void **state)
{
    enum { READS = 1 << 20, LAYER = 5000 };
    (void)state;
    uint64_t *addresses = calloc(READS, sizeof *addresses), at = 0;
    dram_config config = {.memory = HBM3, .stacks = 1, .window = 256};
    double full[DRAM_METRICS] = {0}, parts[DRAM_METRICS];
    assert_non_null(addresses);
    for (uint64_t i = 0; i < READS; i++)
        addresses[i] = at += i / LAYER % 4 == 3 ? 32 * 331 : 32;
    play_these(config, addresses, READS, false, full);
    play_these(config, addresses, READS, true, parts);
    assert_near(parts[DRAM_CYCLES] / full[DRAM_CYCLES], 1, 0.05);
    assert_near(parts[DRAM_ACTS] / full[DRAM_ACTS], 1, 0.05);
    assert_near(parts[DRAM_HITS] / full[DRAM_HITS], 1, 0.05);
    free(addresses);
}

/* docs/models/sim-dram.md: 1 + 14 + 14 + 2 cycles of 1 ns. */
static void one_read_takes_its_commands(void **state)
{
    (void)state;
    double t[DRAM_METRICS] = {0};
    play((dram_config){.memory = MPU_NBU, .stacks = 1, .window = 1}, 1, 32, t);
    assert_near(t[DRAM_CYCLES], 31, 0);
    assert_near(t[DRAM_TRANSFER] + t[DRAM_OVERHEAD], 31, 1e-9);
    assert_near(t[DRAM_ACTS], 1, 0);
    assert_near(t[DRAM_LATENCY_MOST], 31, 0);
}

/* The same page: a sequential stream gets 14.44 GB/s with refresh, 1 burst of 32 in a row is
 * closed or a conflict; reads of one row after the other in one bank take rc = 47 each (2.723 GB/s
 * over four banks in turn: 4 bursts of 32 B per rc). */
static void streams_get_what_simulators_gave(void **state)
{
    (void)state;
    double t[DRAM_METRICS] = {0}, rows[DRAM_METRICS] = {0};
    dram_config c = {.memory = MPU_NBU, .stacks = 1, .window = 32};
    play(c, MANY, 32, t);
    assert_relative(t[DRAM_BYTES] / t[DRAM_TIME], 14.44, 0.01);
    assert_near(t[DRAM_HITS] / t[DRAM_COLUMNS], 31.0 / 32, 0.002);
    play(c, 20000, 1024, rows);          /* a row each, bank after bank */
    double refreshed = 1 - 350.0 / 3900; /* refresh takes rfc of each refi */
    assert_relative(rows[DRAM_BYTES] / rows[DRAM_TIME], 2.723 * refreshed, 0.03);
    assert_near(rows[DRAM_HITS], 0, 0);
    assert_relative(rows[DRAM_ACTS], 20000, 5e-3); /* refresh closes some before they are read */
}

/* JESD238: 6.4 Gb/s on 1,024 pins are 819.2 GB/s; a stack has twice the peak of half as many. */
static void a_stack_has_its_pins(void **state)
{
    (void)state;
    for (int64_t stacks = 1; stacks <= 4; stacks *= 2) {
        dram_config c = {.memory = HBM3, .stacks = stacks};
        msw_dram_config m = dram_memory_of(&c);
        assert_relative(msw_dram_peak_gbs(&m, m.channels), 819.2 * (double)stacks, 1e-3);
    }
    dram_config asked = {.memory = HBM3, .stacks = 1, .bandwidth = 3000};
    msw_dram_config m = dram_memory_of(&asked);
    msw_err err = {0};
    assert_relative(msw_dram_peak_gbs(&m, m.channels), 819.2 * 4, 1e-3);
    asked.bandwidth = 16000;
    assert_int_equal(dram_check(&asked, &err), -1);
    assert_non_null(strstr(err.text, "16 stacks of hbm3_6400 have"));
    asked = (dram_config){.memory = HBM3, .stacks = 3};
    assert_int_equal(dram_check(&asked, &err), -1);
}

/* Rows, bits, and a rank that is kept ready, added up from the table of costs. */
static void commands_cost_what_the_table_says(void **state)
{
    (void)state;
    double t[DRAM_METRICS] = {0};
    play((dram_config){.memory = DDR4, .stacks = 1, .window = 32}, 4096, 64, t);
    const msw_dram_price *p = &msw_dram_prices[2];
    assert_string_equal(p->preset, "ddr4_3200");
    assert_relative(t[DRAM_ENERGY_ROWS], t[DRAM_ACTS] * 7.08, 1e-3);
    assert_relative(t[DRAM_ENERGY_BITS], t[DRAM_COLUMNS] * 512 * 14 / 1e3, 1e-9);
    assert_true(t[DRAM_ENERGY_READY] > 2 * 902e-3 * t[DRAM_TIME]); /* and refresh */
    assert_near(t[DRAM_ENERGY_ROWS] + t[DRAM_ENERGY_BITS] + t[DRAM_ENERGY_READY], t[DRAM_ENERGY],
                1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_read_takes_its_commands),
        cmocka_unit_test(streams_get_what_simulators_gave),
        cmocka_unit_test(a_stack_has_its_pins),
        cmocka_unit_test(commands_cost_what_the_table_says),
        cmocka_unit_test(parts_stand_for_the_stream),
    };
    return cmocka_run_group_tests_name("dram", tests, NULL, NULL);
}
