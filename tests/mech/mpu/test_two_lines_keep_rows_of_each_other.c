/* SPDX-License-Identifier: MIT */
/* Defect 451. A line needs its row in several banks. With CLOSE_LAST a row that anybody waits for
 * stays open: two lines that each have their row open in one bank waited for each other for ever.
 * Are both served? */
#include "testing.h"

#include "lines_channel.h"

#include <stdlib.h>

static uint64_t push(msw_dram_lines *lines, uint64_t time, uint16_t banks, uint32_t row)
{
    msw_dram_lines_request request = {.arrival = time, .tag = row, .row = row, .banks = banks};
    assert_true(msw_dram_lines_push(lines, &request));
    return time;
}

static void both_are_served(void **state)
{
    (void)state;
    msw_dram_lines_config config = lines_config(2, 2);
    config.closing = MSW_DRAM_CLOSE_LAST;
    msw_dram_lines *lines = lines_start(&config);
    msw_dram_lines_completion last;
    push(lines, 0, 1, 5);
    push(lines, 0, 2, 7);
    assert_int_equal(lines_take_all(lines, &last), 2);
    push(lines, 1000, 3, 5);
    push(lines, 1000, 3, 7);
    assert_int_equal(lines_take_all(lines, &last), 2);
    free(lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_are_served)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
