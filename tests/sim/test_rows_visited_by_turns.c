/* SPDX-License-Identifier: MIT */
/* Defect 206. The closed form took a stream to visit one row after the other where the address map
 * deals neighbouring bursts to bank groups by turns, and gave 65 to 85 % of the peak of GDDR6,
 * HBM2E and HBM3. Is it as fast as the banks now, for pieces of all lengths? */
#include "dram_play.h"
#include "testing.h"

#include "memsweep/base/rng.h"
#include "memsweep/sim/dram_analytic.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT = 8192 };

static uint64_t address[COUNT];

/* Pieces of `bursts`, one after the other: anywhere, or 4 KiB apart. */
static double simulated(const msw_dram_config *c, uint64_t bursts, bool apart)
{
    msw_rng rng;
    msw_rng_init(&rng, 206, bursts);
    uint64_t first = 0, stride = 4096 / c->burst_bytes + bursts;
    for (uint64_t i = 0; i < COUNT; i++) {
        if (i % bursts == 0)
            first = apart ? i / bursts * stride : msw_rng_below(&rng, (1u << 24) / bursts) * bursts;
        address[i] = (first + i % bursts) * c->burst_bytes;
    }
    msw_dram_stream s = {
        .address = address, .count = COUNT, .bytes = c->burst_bytes, .window = c->read_depth};
    return dram_play(c, &s).rates.bandwidth_gbs;
}

/* Bursts of the first row among the first of a piece. */
static double in_row(const msw_dram_config *c, uint64_t bursts)
{
    msw_dram_map map;
    msw_err err;
    double same = 0;
    assert_int_equal(msw_dram_map_init(&map, c, &err), 0);
    msw_dram_location first = msw_dram_locate(&map, 0);
    for (uint64_t i = 0; i < bursts; i++) {
        msw_dram_location at = msw_dram_locate(&map, i * c->burst_bytes);
        same += at.bank == first.bank && at.row == first.row;
    }
    return same;
}

/* Bandwidth as the closed form has it, over that of the banks. */
static double ratio(const msw_dram_config *c, uint64_t bursts, bool apart)
{
    msw_dram_form form = msw_dram_form_of(c);
    msw_dram_load load = {.visit = in_row(c, bursts), .read_share = 1, .window = c->read_depth};
    double guess = msw_dram_estimate_load(&form, &load).bandwidth_gbs;
    return guess / simulated(c, bursts, apart);
}

static void the_closed_form_sees_all_groups(void **state)
{
    (void)state;
    for (const msw_dram_preset *p = msw_dram_presets; p->name; p++) {
        msw_dram_config c = p->config;
        c.channels = 1;
        c.t.refi = 0;
        double longest = ratio(&c, 256, false), rows = msw_dram_form_of(&c).rows_at_once;
        double line = ratio(&c, 16, true), part = ratio(&c, 64, true);
        if (getenv("MEMSWEEP_VERBOSE"))
            printf("%-12s %g rows at once: %.3f, %.3f, %.3f\n", p->name, rows, longest, line, part);
        assert_true(longest > 0.97 && longest < 1.09);
        assert_true(rows == 1 || (line > 0.97 && line < 1.02 && part > 0.97 && part < 1.19));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_closed_form_sees_all_groups)};
    return cmocka_run_group_tests_name("rows visited by turns", tests, NULL, NULL);
}
