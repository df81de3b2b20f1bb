/* SPDX-License-Identifier: MIT */
/* Defect 917. Does a near-bank channel that holds requests always know when to look at them again?
 * Two did not: one in which a row past hit_cap was taken from the only request that could go,
 * while another row of that was kept for it; and one whose rows were open before the bursts ahead
 * of them could have passed, so that the time of the first burst was computed below 0. */
#include "memsweep/base/rng.h"

#include "testing.h"

#include "lines_channel.h"

#include <stdlib.h>

enum { CHANNELS = 6000, REQUESTS = 100, CAPACITY = 128, LATE = 1000 };

/* ---- by hand ---- */

static void push(msw_dram_lines *lines, uint64_t time, uint16_t banks, uint32_t row, bool is_write)
{
    msw_dram_lines_request request = {
        .arrival = time, .tag = row, .row = row, .banks = banks, .is_write = is_write};
    assert_true(msw_dram_lines_push(lines, &request));
}

/* Row 5 has served three in bank 0 (the cap), one in bank 1. A write of bank 1 keeps reads away, so
 * row 7, which is older than the read of row 5 in both banks, takes bank 0 at LATE + 1 and waits
 * for bank 1, whose row has served two. Nobody can go now: row 7 gets that bank, too, when the
 * write lets it, at cwl + bl + wr = 22 behind the write; its column comes rp + rcd = 28 later. */
static void a_row_is_taken_from_the_last_that_can_go(void **state)
{
    (void)state;
    msw_dram_lines_config config = lines_config(2, 3);
    msw_dram_lines_completion last;
    config.closing = MSW_DRAM_CLOSE_LAST;
    config.hit_cap = 3;
    msw_dram_lines *lines = lines_start(&config);
    push(lines, 0, 3, 5, false);
    push(lines, 0, 1, 5, false);
    push(lines, 0, 1, 5, false);
    assert_int_equal(lines_take_all(lines, &last), 3);
    push(lines, LATE, 2, 5, true);
    push(lines, LATE, 3, 7, false);
    push(lines, LATE, 3, 5, false);
    assert_int_equal(lines_take(lines, LATE + 1, &last), 1);
    assert_int_equal(msw_dram_lines_waiting(lines), 2);
    assert_int_equal(lines_take(lines, LATE + 1 + 22 + 28, &last), 1);
    assert_int_equal(last.tag, 7);
    assert_int_equal(last.time, LATE + 1 + 22 + 28 + 14 + 2);
    assert_int_equal(lines_take_all(lines, &last), 1);
    assert_int_equal(last.tag, 5);
    assert_int_equal(msw_dram_lines_waiting(lines), 0);
    free(lines);
}

/* ACTs from 1 on, rcd 1, bursts of 16 cycles: the row of the second bank is there long before its
 * burst. Bank 0 goes at 2, bank 1 at 18, whose data end at 18 + 14 + 16. */
static void a_row_is_there_long_before_its_burst(void **state)
{
    (void)state;
    msw_dram_lines_config config = lines_config(2, 1);
    msw_dram_lines_completion last;
    config.t.rcd = 1;
    config.t.bl = config.t.ccd_s = config.t.ccd_l = 16;
    msw_dram_lines *lines = lines_start(&config);
    push(lines, 0, 3, 5, false);
    assert_int_equal(lines_take_all(lines, &last), 1);
    assert_int_equal(last.time, 18 + 14 + 16);
    free(lines);
}

/* ---- any channel ---- */

static uint32_t below(msw_rng *rng, uint32_t n)
{
    return (uint32_t)msw_rng_below(rng, n);
}

static void any_timing(msw_rng *rng, msw_dram_timing *t)
{
    *t = msw_dram_preset_find("mpu_nbu", NULL)->t;
    t->rcd = 1 + below(rng, 40);
    t->rp = 1 + below(rng, 40);
    t->ras = 1 + below(rng, 100);
    t->rc = t->ras + t->rp;
    t->bl = t->ccd_s = t->ccd_l = 1 + below(rng, 8);
    t->rfc = below(rng, 500);
    t->refi = below(rng, 2) ? 3000 + below(rng, 3000) : 0;
}

static msw_dram_lines_config any_config(msw_rng *rng)
{
    msw_dram_lines_config c = {.banks = 1 + below(rng, 8),
                               .buffers = 1 + below(rng, 3),
                               .groups = 1 + below(rng, 2),
                               .placing = below(rng, 2) ? MSW_DRAM_LINES_MOD : MSW_DRAM_LINES_LRU,
                               .own_buses = below(rng, 2),
                               .ahead = below(rng, 4) > 0,
                               .window = 1 + below(rng, 12),
                               .closing =
                                   below(rng, 3) ? MSW_DRAM_CLOSE_LAST : MSW_DRAM_CLOSE_OLDER,
                               .hit_cap = below(rng, 6),
                               .controller = below(rng, 4),
                               .capacity = CAPACITY};
    any_timing(rng, &c.t);
    return c;
}

static msw_dram_lines_request any_request(msw_rng *rng, const msw_dram_lines_config *c,
                                          uint64_t time)
{
    uint16_t all = (uint16_t)((1U << c->banks) - 1), some = (uint16_t)(below(rng, all) + 1);
    return (msw_dram_lines_request){.arrival = time,
                                    .row = below(rng, 4),
                                    .banks = below(rng, 2) ? all : some,
                                    .is_write = below(rng, 2),
                                    .updates = below(rng, 2)};
}

/* Whether it knows when to look again after every step; nothing else must come to wake it. */
static bool stays_awake(msw_rng *rng, const msw_dram_lines_config *c)
{
    msw_dram_lines *lines = lines_start(c);
    msw_dram_lines_completion last;
    uint64_t time = 0, ended = 0;
    bool awake = true;
    for (uint64_t i = 0; i < REQUESTS && awake; i++) {
        time += below(rng, 3) ? below(rng, 8) : below(rng, 200);
        ended += lines_take(lines, time, &last);
        assert_int_equal(msw_dram_lines_waiting(lines), i - ended);
        awake = ended == i || msw_dram_lines_when(lines) != MSW_DRAM_NEVER;
        msw_dram_lines_request request = any_request(rng, c, time);
        assert_true(msw_dram_lines_push(lines, &request));
    }
    ended += lines_take_all(lines, &last);
    free(lines);
    return awake && ended == REQUESTS;
}

static void no_channel_sleeps_on_requests(void **state)
{
    (void)state;
    uint64_t asleep = 0;
    for (uint64_t i = 0; i < CHANNELS; i++) {
        msw_rng rng;
        msw_rng_init(&rng, 917, i);
        msw_dram_lines_config config = any_config(&rng);
        asleep += !stays_awake(&rng, &config);
    }
    assert_int_equal(asleep, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_is_taken_from_the_last_that_can_go),
                                       cmocka_unit_test(a_row_is_there_long_before_its_burst),
                                       cmocka_unit_test(no_channel_sleeps_on_requests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
