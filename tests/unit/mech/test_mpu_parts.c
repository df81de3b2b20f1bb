/* SPDX-License-Identifier: MIT */
/* Parts of mpu that can be worked by hand: places of addresses, open rows, links, area, energy. */
#include "testing.h"

#include "mech/mpu/closed/profile.h"
#include "mech/mpu/config.h"
#include "mech/mpu/model.h"

#include <math.h>
#include <string.h>

static mpu_config defaults(void)
{
    mpu_config config;
    msw_params_defaults(mpu_params, &config);
    return config;
}

static mpu_map map_of(const mpu_config *config, const msw_simt_product *product)
{
    mpu_map map;
    mpu_map_init(&map, config, product);
    return map;
}

/* line: 32 B in a bank, 4 banks, 4 units, 128 cores, 32 columns of 1 KiB, rows. */
static void lines_go_round(void **state)
{
    mpu_config c = defaults();
    msw_simt_product none = {0};
    mpu_map map = map_of(&c, &none);
    (void)state;
    mpu_location at = mpu_locate(&map, 32 * 3 + 128 * 2 + 512 * 77 + 65536 * 5 + (5ULL << 21));
    assert_int_equal(at.bank, 3);
    assert_int_equal(at.unit, 2);
    assert_int_equal(at.core, 77);
    assert_int_equal(at.column, 5);
    assert_int_equal(at.row, 5);
    c.placement = MPU_PLACEMENT_BANK;
    map = map_of(&c, &none);
    at = mpu_locate(&map, 128 * 33 + (64ULL << 20));
    assert_int_equal(at.column, 1);
    assert_int_equal(at.row, 1);
    assert_int_equal(at.unit, 1);
    assert_int_equal(at.core, 0);
}

/* The second array moves by one gap, the third by two. */
static void gaps_shift_arrays(void **state)
{
    const msw_simt_array arrays[] = {
        {.address = 0x1000000}, {.address = 0x2000000}, {.address = 0x3000000}};
    msw_simt_product product = {.arrays = arrays, .array_count = 3};
    mpu_config c = defaults();
    (void)state;
    c.array_gap = 128;
    mpu_map map = map_of(&c, &product);
    assert_int_equal(mpu_locate(&map, 0x1000000).unit, 0);
    assert_int_equal(mpu_locate(&map, 0x2000000).unit, 1);
    assert_int_equal(mpu_locate(&map, 0x3000000).unit, 2);
}

/* Rows 0 and 4 share a buffer of four under mod and not with a hash. */
static void buffers_of_rows(void **state)
{
    mpu_config c = defaults();
    (void)state;
    assert_int_equal(mpu_row_buffer(&c, 4, 14), mpu_row_buffer(&c, 0, 14));
    c.row_hash = MPU_HASH_XOR;
    assert_int_equal(mpu_row_buffer(&c, 4, 14), 1);
    assert_int_equal(mpu_row_buffer(&c, 0, 14), 0);
    c.row_buffers = 1;
    assert_int_equal(mpu_row_buffer(&c, 7, 14), 0);
}

/* Three rows in turn, a multiple of four apart: under mod every access opens one, under lru four
 * buffers hold them all. */
static void use_three(mpu_config *c, double *totals)
{
    msw_simt_product none = {0};
    msw_arena arena = {0};
    msw_err err = {0};
    mpu_map map = map_of(c, &none);
    mpu_rows rows;
    memset(totals, 0, MPU_METRICS * sizeof *totals);
    assert_ok(mpu_rows_init(&rows, &map, &arena, &err), err);
    for (uint32_t i = 0; i < 30; i++) {
        mpu_location at = {.row = i % 3 * 32};
        mpu_rows_use(&rows, &at, totals);
    }
    msw_arena_free(&arena);
}

static void rows_share_buffers(void **state)
{
    mpu_config c = defaults();
    double totals[MPU_METRICS];
    (void)state;
    use_three(&c, totals);
    assert_true(totals[MPU_ROW_HITS] == 0 && totals[MPU_ROW_CLOSED] == 1 &&
                totals[MPU_ROW_CONFLICTS] == 29);
    c.row_placement = MPU_ROWS_LRU;
    use_three(&c, totals);
    assert_true(totals[MPU_ROW_HITS] == 27 && totals[MPU_ROW_CLOSED] == 3);
    c.row_buffers = 2;
    use_three(&c, totals);
    assert_true(totals[MPU_ROW_HITS] == 0);
}

/* Cubes 4 x 2 of cores 4 x 4: core 3 of cube 0 is beside core 0 of cube 1. */
static void links_between_cores(void **state)
{
    mpu_config c = defaults();
    (void)state;
    mpu_hops hops = mpu_hops_of(&c, 3, 16);
    assert_int_equal(hops.on_chip, 0);
    assert_int_equal(hops.off_chip, 1);
    hops = mpu_hops_of(&c, 0, 127);
    assert_int_equal(hops.off_chip, 4);
    assert_int_equal(hops.on_chip + hops.off_chip, 15 + 7);
}

static void area_is_that_of_table_3(void **state)
{
    mpu_config c = defaults();
    (void)state;
    assert_true(fabs(mpu_area(&c) - 19.80) < 0.011);
    assert_true(fabs(100 * mpu_area(&c) / c.die_mm2 - 20.62) < 0.02);
    c.near_rf_bytes = c.far_rf_bytes;
    assert_true(fabs(100 * mpu_area(&c) / c.die_mm2 - 30.74) < 0.02);
    c.row_buffers = 1;
    c.pipeline = MPU_PIPELINE_BASE;
    assert_true(fabs(mpu_area(&c) - 0.63) < 1e-9);
}

/* One of each, from table II. */
static void energy_by_parts(void **state)
{
    mpu_config c = defaults();
    double m[MPU_METRICS] = {0};
    (void)state;
    m[MPU_READS] = m[MPU_WRITES] = m[MPU_ACTIVATES] = m[MPU_PRECHARGES] = m[MPU_REFRESHES] = 1;
    m[MPU_TSV_BYTES] = m[MPU_ON_CHIP_BYTES] = m[MPU_OFF_CHIP_BYTES] = 1000;
    m[MPU_RF_ACCESSES] = m[MPU_COLLECTOR_ACCESSES] = 1;
    m[MPU_ENERGY_ALU] = 7;
    mpu_energy(&c, m);
    assert_true(fabs(m[MPU_ENERGY_DRAM] - (0.15 * 2 + 0.27 * 2 + 1.13)) < 1e-12);
    assert_true(fabs(m[MPU_ENERGY_TSV] - 36.24) < 1e-12);
    assert_true(fabs(m[MPU_ENERGY_NETWORK] - 8 * (0.72 + 4.5)) < 1e-12);
    assert_true(fabs(m[MPU_ENERGY_RF] - 0.08149) < 1e-12);
    assert_true(fabs(m[MPU_ENERGY] - (1.97 + 36.24 + 41.76 + 0.08149 + 7)) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_round),      cmocka_unit_test(gaps_shift_arrays),
        cmocka_unit_test(buffers_of_rows),     cmocka_unit_test(rows_share_buffers),
        cmocka_unit_test(links_between_cores), cmocka_unit_test(area_is_that_of_table_3),
        cmocka_unit_test(energy_by_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
