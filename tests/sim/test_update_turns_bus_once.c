/* SPDX-License-Identifier: MIT */
/* Defect 452. An update of a line of four banks turned the bus round behind every bank: read,
 * write, wait, read. Do its reads follow each other, and then its writes? */
#include "testing.h"

#include "lines_channel.h"

#include <stdlib.h>

static uint64_t end_of(const msw_dram_lines_config *config, uint16_t banks)
{
    msw_dram_lines *lines = lines_start(config);
    msw_dram_lines_request request = {.banks = banks, .is_write = true, .updates = true};
    assert_true(msw_dram_lines_push(lines, &request));
    msw_dram_lines_completion last = {0};
    lines_take_all(lines, &last);
    free(lines);
    return last.time;
}

static void line_takes_three_bursts_more(void **state)
{
    (void)state;
    msw_dram_lines_config config = lines_config(4, 4);
    config.t.wtr_s = config.t.wtr_l = 100;
    uint64_t one = end_of(&config, 1), line = end_of(&config, 15);
    assert_true(line >= one + 3 * config.t.ccd_l);
    assert_true(line < one + config.t.wtr_l); /* never waits for the bus to turn */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(line_takes_three_bursts_more)};
    return cmocka_run_group_tests_name("update turns bus once", tests, NULL, NULL);
}
