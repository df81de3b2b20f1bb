/* SPDX-License-Identifier: MIT */
/* Does each rule of the lint speak when its settings make no sense, and only then? */
#include "memsweep/sim/dram_lint.h"
#include "testing.h"

#include <string.h>

static void no_row_cycle(msw_dram_config *c)
{
    c->t.rc = 47;
}
static void short_open(msw_dram_config *c)
{
    c->t.ras = 25, c->t.rc = 39, c->t.rtp = 12;
}
static void short_faw(msw_dram_config *c)
{
    c->t.faw = 15;
}
static void late_writes(msw_dram_config *c)
{
    c->t.cwl = 15;
}
static void single_group(msw_dram_config *c)
{
    c->groups = 1, c->banks = 16, c->t.ccd_l = 3;
}
static void slow_bus(msw_dram_config *c)
{
    c->t.bl = 3;
}
static void many_fast_banks(msw_dram_config *c)
{
    c->t.rrd_s = c->t.rrd_l = 2, c->t.faw = 8, c->t.rc = 48, c->banks = 16, c->command_buses = 1;
}
static void much_refresh(msw_dram_config *c)
{
    c->t.refi = 5 * (260 + 14 + 6 + 14) - 1;
}
static void little_refresh(msw_dram_config *c)
{
    c->t.refi = 7900;
}
static void no_batches(msw_dram_config *c)
{
    c->write_low = c->write_high - 1;
}
static void wide_window(msw_dram_config *c)
{
    c->window = 33;
}
static void one_bank_at_a_time(msw_dram_config *c)
{
    c->groups = 1, c->banks = 1, c->columns = 8, c->t.ccd_s = 2;
}

/* One case a rule, on a configuration that is sound but for it; numbers the message must have. */
static const struct {
    const char *rule;
    void (*spoil)(msw_dram_config *config);
    const char *says;
} CASES[] = {
    {"row_cycle", no_row_cycle, "rc 47 is less than ras 34 + rp 14 = 48"},
    {"row_open", short_open, "ras 25 is less than rcd 14 + rtp 12 = 26"},
    {"four_activates", short_faw, "faw 15 is less than 4 rrd_s = 16"},
    {"write_latency", late_writes, "cwl 15 is more than cl 14"},
    {"one_group", single_group, "ccd_s 1 is for other bank groups"},
    {"data_bus", slow_bus, "bl 3 cycles and a bank gives one every ccd_l 2"},
    {"command_bus", many_fast_banks, "every 2 cycles"},
    {"refresh_share", much_refresh, "/ refi 1469 = 20 %"},
    {"refresh_rare", little_refresh, "refi 7900 is 7.9 us"},
    {"drain", no_batches, "write_high 26 and write_low 25"},
    {"queue_window", wide_window, "window 33 is more than the queues hold, 32"},
    {"sequential", one_bank_at_a_time, "% of the peak, less than half"},
};

enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static msw_dram_config spoiled(size_t i)
{
    msw_err err;
    msw_dram_config c = *msw_dram_preset_find("hbm2", &err);
    CASES[i].spoil(&c);
    assert_ok(msw_dram_check(&c, &err), err);
    return c;
}

static void each_rule_speaks_alone_and_names_the_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        msw_dram_config c = spoiled(i);
        msw_dram_finding found[4];
        size_t count = msw_dram_lint(&c, found, 4);
        if (count != 1)
            fail_msg("%s: %zu findings, %s: %s", CASES[i].rule, count, found[0].rule,
                     found[count > 1].text);
        assert_string_equal(found[0].rule, CASES[i].rule);
        if (!strstr(found[0].text, CASES[i].says))
            fail_msg("\"%s\" does not say \"%s\"", found[0].text, CASES[i].says);
    }
}

static void no_rule_is_untried(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASE_COUNT; i++)
        assert_string_equal(msw_dram_lint_rule(i), CASES[i].rule);
    assert_null(msw_dram_lint_rule(CASE_COUNT));
}

/* One cycle the other way is silence. */
static void rules_are_silent_at_their_edge(void **state)
{
    (void)state;
    msw_dram_config c = *msw_dram_preset_find("hbm2", NULL);
    c.t.rc = 48, c.t.faw = 16, c.t.cwl = 14, c.window = 32, c.write_low = 24;
    c.t.refi = 7800;
    assert_int_equal(msw_dram_lint(&c, NULL, 0), 0);
    c.t.refi = 5 * (260 + 14 + 6 + 14);
    assert_int_equal(msw_dram_lint(&c, NULL, 0), 0);
    c.t.refi = 0;
    assert_int_equal(msw_dram_lint(&c, NULL, 0), 0);
}

static void findings_beyond_the_room_are_counted(void **state)
{
    (void)state;
    msw_dram_config c = *msw_dram_preset_find("hbm2", NULL);
    msw_dram_finding found[1];
    c.t.rc = 47, c.t.faw = 15, c.window = 40;
    assert_int_equal(msw_dram_lint(&c, found, 1), 3);
    assert_string_equal(found[0].rule, "row_cycle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_speaks_alone_and_names_the_numbers),
        cmocka_unit_test(no_rule_is_untried),
        cmocka_unit_test(rules_are_silent_at_their_edge),
        cmocka_unit_test(findings_beyond_the_room_are_counted),
    };
    return cmocka_run_group_tests_name("sim_dram_lint", tests, NULL, NULL);
}
