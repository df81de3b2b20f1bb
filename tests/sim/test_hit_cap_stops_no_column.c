/* SPDX-License-Identifier: MIT */
/* Defect 201. hit_cap stopped column commands although the precharge had to wait for tRAS all the
 * same. Are hits served until the PRE is due, and no longer? */
#include "dram_play.h"
#include "testing.h"

enum { HITS = 30, CAP = 2 };

/* Hits of row 0 and, after the first, one request for another row of the bank. Returns the column
 * commands before the PRE. */
static uint32_t columns_before_close(const msw_dram_config *c)
{
    uint64_t address[HITS + 1] = {0, 4096};
    msw_dram_command trace[HITS + 8];
    size_t count, at = 0;
    for (uint64_t i = 2; i <= HITS; i++)
        address[i] = (i - 1) * 32;
    msw_dram_stream s = {.address = address, .count = HITS + 1, .bytes = 32};
    dram_play_traced(c, &s, trace, HITS + 8, &count);
    uint32_t columns = 0;
    for (; at < count && trace[at].kind != MSW_DRAM_PRE; at++)
        columns += trace[at].kind == MSW_DRAM_RD;
    return columns;
}

/* ACT in cycle 1, columns from 15 on, one every 2 cycles; rtp = 1 lets the PRE in between. */
static void hits_go_on_until_the_precharge_is_due(void **state)
{
    (void)state;
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    c.closing = MSW_DRAM_CLOSE_LAST;
    c.hit_cap = CAP;
    c.t.rtp = 1;
    uint32_t until_ras = (c.t.ras - c.t.rcd + c.t.ccd_l - 1) / c.t.ccd_l;
    assert_in_range(columns_before_close(&c), until_ras, until_ras + 1);
    c.t.ras = c.t.rcd;
    assert_in_range(columns_before_close(&c), CAP, CAP + 1);
    c.hit_cap = 0;
    assert_int_equal(columns_before_close(&c), HITS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hits_go_on_until_the_precharge_is_due)};
    return cmocka_run_group_tests_name("hit cap", tests, NULL, NULL);
}
