/* SPDX-License-Identifier: MIT */
/* Defect 350. A look-up in the cache of table lines took no energy, and a line that a walk read
 * cost as much as one entry. Does the energy of a stream of walks count both, as by hand? */
#include "htmmu_streams.h"
#include "testing.h"

#include "mech/shared/storage.h"
#include "memsweep/sim/cost.h"

enum { REQUESTS = 2000, LINE_BYTES = 64, ENTRY_BYTES = 8 };

static double energy_with(double lines, double *reads)
{
    direct d;
    stream_open(&d, (stream_config){.kind = STREAM_UNIFORM,
                                    .requests = REQUESTS,
                                    .footprint = (uint64_t)1 << 30});
    direct_set(&d, "page_size", 4096);
    direct_set(&d, "path_cache", HTMMU_PATH_NONE);
    direct_set(&d, "outstanding", 1);
    direct_set(&d, "table_lines", lines);
    direct_set(&d, "table_line_ways", 0);
    direct_run(&d, MSW_FULL, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    double energy = stream_metric(&d, "energy_translation_nj") * 1000;
    *reads = stream_metric(&d, "walk_accesses");
    direct_close(&d);
    return energy;
}

/* Two caches of one line and of 64: beside the cache everything costs the same. */
static void lines_are_paid_for(void **state)
{
    (void)state;
    msw_cost cost;
    double none, few;
    msw_cost_init(&cost);
    double without = energy_with(0, &none), with = energy_with(64, &few);
    msw_sram lines = {.bytes = 64 * LINE_BYTES,
                      .access_bits = 8 * LINE_BYTES,
                      .entries = 64,
                      .tag_bits = MSW_STORAGE_ENTRY_BITS,
                      .ways = 64};
    msw_sram_cost price = msw_cost_sram(&cost, &lines);
    double bit = msw_cost_move_pj(20, 1), hits = none - few;
    double expected = few * (LINE_BYTES * bit + price.lookup_pj + price.write_pj) +
                      hits * price.read_pj - none * ENTRY_BYTES * bit;
    assert_true(hits > 0 && few > 0);
    assert_float_equal((with - without) / expected, 1, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_paid_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
