/* An update of a line of four banks turned the bus round behind every bank: read, write, wait,
 * read. Do its reads follow each other, and then its writes? */
#include "testing.h"

#include "memsweep/sim/dram_lines.h"

#include <stdlib.h>

static const msw_dram_lines_config CONFIG = {
    .banks = 4,
    .buffers = 1,
    .groups = 1,
    .placing = MSW_DRAM_LINES_LRU,
    .ahead = true,
    .window = 4,
    .controller = 1,
    .capacity = 8,
    .t = {.bl = 2,
          .cl = 14,
          .cwl = 4,
          .rcd = 14,
          .rp = 14,
          .ras = 33,
          .rc = 47,
          .ccd_s = 2,
          .ccd_l = 2,
          .rtp = 4,
          .rrd_s = 4,
          .rrd_l = 4,
          .faw = 16,
          .wr = 16,
          .wtr_s = 100,
          .wtr_l = 100,
          .rtw = 2},
};

static uint64_t end_of(uint16_t banks)
{
    msw_err err = {0};
    void *memory = aligned_alloc(64, (msw_dram_lines_bytes(&CONFIG) + 63) / 64 * 64);
    assert_non_null(memory);
    assert_ok(msw_dram_lines_check(&CONFIG, &err), err);
    msw_dram_lines *lines = msw_dram_lines_init(memory, &CONFIG);
    msw_dram_lines_request request = {.banks = banks, .is_write = true, .updates = true};
    assert_true(msw_dram_lines_push(lines, &request));
    msw_dram_lines_completion done = {0};
    for (uint64_t when; (when = msw_dram_lines_when(lines)) != MSW_DRAM_NEVER;)
        msw_dram_lines_next(lines, when, &done);
    free(memory);
    return done.time;
}

static void line_takes_three_bursts_more(void **state)
{
    (void)state;
    uint64_t one = end_of(1), line = end_of(15);
    assert_true(line >= one + 3 * CONFIG.t.ccd_l);
    assert_true(line < one + CONFIG.t.wtr_l); /* never waits for the bus to turn */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(line_takes_three_bursts_more)};
    return cmocka_run_group_tests_name("update turns bus once", tests, NULL, NULL);
}
