/* A line needs its row in several banks. With CLOSE_LAST a row that anybody waits for stays open:
 * two lines that each have their row open in one bank waited for each other for ever. Are both
 * served? */
#include "testing.h"

#include "memsweep/sim/dram_lines.h"

#include <stdlib.h>

static const msw_dram_lines_config CONFIG = {
    .banks = 2,
    .buffers = 1,
    .groups = 1,
    .placing = MSW_DRAM_LINES_LRU,
    .ahead = true,
    .window = 2,
    .closing = MSW_DRAM_CLOSE_LAST,
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
          .wtr_s = 6,
          .wtr_l = 8,
          .rtw = 2},
};

static uint64_t push(msw_dram_lines *lines, uint64_t time, uint16_t banks, uint32_t row)
{
    msw_dram_lines_request request = {.arrival = time, .tag = row, .row = row, .banks = banks};
    assert_true(msw_dram_lines_push(lines, &request));
    return time;
}

/* Serves what waits. Returns how many were served. */
static int serve(msw_dram_lines *lines)
{
    msw_dram_lines_completion done;
    int served = 0;
    for (uint64_t when; (when = msw_dram_lines_when(lines)) != MSW_DRAM_NEVER;)
        served += msw_dram_lines_next(lines, when, &done);
    return served;
}

static void both_are_served(void **state)
{
    (void)state;
    msw_err err = {0};
    void *memory = aligned_alloc(64, (msw_dram_lines_bytes(&CONFIG) + 63) / 64 * 64);
    assert_ok(msw_dram_lines_check(&CONFIG, &err), err);
    msw_dram_lines *lines = msw_dram_lines_init(memory, &CONFIG);
    push(lines, 0, 1, 5);
    push(lines, 0, 2, 7);
    assert_int_equal(serve(lines), 2);
    push(lines, 1000, 3, 5);
    push(lines, 1000, 3, 7);
    assert_int_equal(serve(lines), 2);
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_are_served)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
