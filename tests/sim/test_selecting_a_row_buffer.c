/* SPDX-License-Identifier: MIT */
/* Defect 203. Several row buffers per bank cost nothing: no command selected one, and a row was
 * opened in one in the very cycle after a read of another. Do both cost what they cost? */
#include "dram_play.h"
#include "testing.h"

enum { COUNT = 8192, BUFFERS = 4 };

static uint64_t address[COUNT];
static msw_dram_command trace[6 * COUNT];

/* `streams` in turn, each in rows of a buffer of its own, all in bank 0. */
static dram_played play(const msw_dram_config *c, uint32_t streams, uint32_t window, size_t *count)
{
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t n = i / streams, j = i % streams;
        address[i] = (j * 1024 + j + n / 32 * BUFFERS) * 4096 + n % 32 * 32;
    }
    msw_dram_stream s = {.address = address, .count = COUNT, .bytes = 32, .window = window};
    return dram_play_traced(c, &s, trace, 6 * COUNT, count);
}

static msw_dram_config masa(void)
{
    msw_dram_config c = *msw_dram_preset_find("mpu_nbu", NULL);
    c.buffers = BUFFERS;
    c.t.refi = 0;
    return c;
}

/* One request at a time: every request but those that open a row pays sel cycles more. */
static void another_row_buffer_is_selected_first(void **state)
{
    (void)state;
    size_t count;
    msw_dram_config c = masa();
    dram_played selected = play(&c, 2, 1, &count);
    assert_int_equal(c.t.sel, 1);
    assert_in_range(selected.stats.commands_sel, COUNT - 2, COUNT);
    c.t.sel = 0;
    dram_played free = play(&c, 2, 1, &count);
    assert_int_equal(free.stats.commands_sel, 0);
    assert_near(selected.rates.read_latency - free.rates.read_latency, 1, 0.1);
    c.t.sel = 1;
    assert_true(play(&c, 1, 1, &count).stats.commands_sel <= COUNT / 32);
}

static uint64_t least_gap(size_t count)
{
    uint64_t least = 1000, last = 0;
    uint32_t buffer = 0;
    for (size_t i = 0; i < count; i++) {
        const msw_dram_command *c = &trace[i];
        if (c->kind == MSW_DRAM_RD) {
            last = c->time;
            buffer = c->buffer;
        } else if (last && (c->kind == MSW_DRAM_ACT || c->kind == MSW_DRAM_SEL) &&
                   c->buffer != buffer && c->time - last < least) {
            least = c->time - last;
        }
    }
    return least;
}

static void another_row_buffer_waits_for_the_read(void **state)
{
    (void)state;
    size_t count;
    msw_dram_config c = masa();
    for (c.t.ra = 2; c.t.ra <= 7; c.t.ra += 5) {
        play(&c, 4, 32, &count);
        assert_int_equal(least_gap(count), c.t.ra);
    }
    c.t.ra = 0;
    play(&c, 4, 32, &count);
    assert_int_equal(least_gap(count), 1);
}

/* With a window both together take back a part of what more row buffers gain. */
static void gains_are_smaller_than_without_the_rules(void **state)
{
    (void)state;
    size_t count;
    msw_dram_config c = masa();
    c.t.ra = 7;
    double with = play(&c, 4, 32, &count).rates.bandwidth_gbs;
    c.t.sel = c.t.ra = 0;
    double without = play(&c, 4, 32, &count).rates.bandwidth_gbs;
    assert_true(with < 0.9 * without);
}

/* Eight streams by turns in bank 0 with eight row buffers, 32 requests under way: 6.31 GB/s by the
 * rules of CMU-SAFARI/ramulator (src/SALP.cpp with nRA = 7, the scheduler FRFCFS_PriorHit), played
 * in cycles. It selects a buffer as soon as that is allowed, though its row is still being opened,
 * and goes on selecting back and forth until it can be read. */
static void selecting_early_gives_what_a_public_simulator_has(void **state)
{
    (void)state;
    size_t count;
    msw_dram_config c = masa();
    c.buffers = 8;
    c.t.ra = 7;
    c.closing = MSW_DRAM_CLOSE_LAST;
    for (uint64_t i = 0; i < COUNT; i++)
        address[i] = (i % 8 * 2049 + i / 8 / 32) * 4096 + i / 8 % 32 * 32;
    msw_dram_stream s = {.address = address, .count = COUNT, .bytes = 32, .window = 32};
    double late = dram_play_traced(&c, &s, trace, 6 * COUNT, &count).rates.bandwidth_gbs;
    c.select_early = true;
    double early = dram_play_traced(&c, &s, trace, 6 * COUNT, &count).rates.bandwidth_gbs;
    assert_near(early, 6.31, 0.05 * 6.31);
    assert_true(late > 1.5 * early);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_row_buffer_is_selected_first),
        cmocka_unit_test(another_row_buffer_waits_for_the_read),
        cmocka_unit_test(gains_are_smaller_than_without_the_rules),
        cmocka_unit_test(selecting_early_gives_what_a_public_simulator_has),
    };
    return cmocka_run_group_tests_name("row buffers", tests, NULL, NULL);
}
