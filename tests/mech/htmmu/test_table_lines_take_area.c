/* SPDX-License-Identifier: MIT */
/* Defect 207. Lines of the page table that htmmu's walkers keep were in sram_bytes and took no
 * area. Does every structure that takes bytes take area and leak? */
#include "htmmu_streams.h"
#include "testing.h"

static void what_takes_bytes_takes_area(void **state)
{
    (void)state;
    static const struct {
        const char *param;
        double few, many;
    } SIZES[] = {{"l1_entries", 64, 256}, {"l2_entries", 512, 2048}, {"merge_entries", 16, 64},
                 {"merge_items", 8, 32},  {"tpc_entries", 16, 64},   {"table_lines", 0, 64},
                 {"table_lines", 64, 256}};
    static const char *const METRICS[] = {"sram_bytes", "area_mm2", "leakage_mw"};
    direct d;
    stream_open(&d, (stream_config){.kind = STREAM_SEQUENTIAL, .requests = 100});
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        for (size_t m = 0; m < sizeof METRICS / sizeof *METRICS; m++) {
            direct_set(&d, SIZES[i].param, SIZES[i].few);
            direct_run(&d, MSW_FULL, 1);
            assert_int_equal(d.answer.status, MSW_OK);
            double few = stream_metric(&d, METRICS[m]);
            direct_set(&d, SIZES[i].param, SIZES[i].many);
            direct_run(&d, MSW_FULL, 1);
            if (stream_metric(&d, METRICS[m]) <= few)
                fail_msg("%s does not grow with %s", METRICS[m], SIZES[i].param);
        }
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_takes_bytes_takes_area)};
    return cmocka_run_group_tests_name("table lines take area", tests, NULL, NULL);
}
