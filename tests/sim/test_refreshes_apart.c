/* SPDX-License-Identifier: MIT */
/* Defect 501. Between two jumps a sample saw either a refresh of all banks at once or none:
 * windows of a few hundred cycles differed by a third. Where cores go on without time each is
 * refreshed at its own time from then on. */
#include "testing.h"

#include "lines_channel.h"

#include <stdlib.h>

/* When the data of one bank's read that arrives at a time have come. */
static uint64_t read_at(msw_dram_lines *lines, uint64_t time)
{
    msw_dram_lines_request request = {.arrival = time, .row = 1, .banks = 1};
    msw_dram_lines_completion done;
    assert_true(msw_dram_lines_push(lines, &request));
    while (!msw_dram_lines_next(lines, msw_dram_lines_when(lines), &done)) {
    }
    return done.time;
}

static void a_refresh_can_be_put_off(void **state)
{
    (void)state;
    msw_dram_lines_config config = lines_config(4, 8);
    config.t.rfc = 350;
    config.t.refi = 3900;
    uint64_t came[2];
    for (int off = 0; off < 2; off++) {
        msw_dram_lines *lines = lines_start(&config);
        if (off)
            msw_dram_lines_put_off(lines, 1000);
        came[off] = read_at(lines, 3950);
        free(lines);
    }
    assert_true(came[0] >= 3900 + 350);
    assert_true(came[1] <= 3950 + 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_refresh_can_be_put_off)};
    return cmocka_run_group_tests_name("refreshes apart", tests, NULL, NULL);
}
