/* SPDX-License-Identifier: MIT */
/* Defect 512. The closed form of mpu put the CTAs of a core into waves in the order in which they
 * ended: two that had nothing to do and ended first made a wave of their own, and the chain of
 * those that had was counted twice. And a unit could open rows as fast as it liked: t_rrd and
 * t_faw did nothing. Then: where the first CTAs of a core do all the work, its chain went on in all
 * its waves, up to six times the time of the machine. */
#include "direct.h"
#include "testing.h"

static double cycles(direct *d)
{
    direct_run(d, MSW_ANALYTIC, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[0];
}

static void ctas_without_work_take_no_time(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    /* 256 tiles for 512 CTAs: of the four CTAs of a core two have one */
    assert_ok(direct_open(&d, msw_mech_find("mpu"), "conv/h=64", &err), err);
    direct_set(&d, "alu_cycles", 200);
    double all = cycles(&d);
    direct_set(&d, "ctas", 3);
    assert_relative(cycles(&d), all, 0.1);
    direct_close(&d);
}

/* 64 alignments for 2048 CTAs: of the 512 CTAs of a core the first 16 do all the work. The time of
 * the machine is the known answer. */
static void the_first_ctas_may_do_all_the_work(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("mpu"), "nw/pairs=64", &err), err);
    direct_set(&d, "processors", 1);
    direct_set(&d, "processor_columns", 1);
    direct_set(&d, "cores", 4);
    double closed = cycles(&d);
    direct_run(&d, MSW_FULL, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    assert_relative(closed, d.metrics[0], 0.05);
    direct_close(&d);
}

static void units_open_rows_no_faster_than_allowed(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("mpu"), "axpy/n=64Ki", &err), err);
    direct_set(&d, "row_bytes", 256);
    direct_set(&d, "row_buffers", 1);
    double free = cycles(&d);
    direct_set(&d, "t_rrd", 100);
    double slow = cycles(&d);
    assert_true(slow > 1.1 * free);
    direct_set(&d, "t_rrd", 4);
    direct_set(&d, "t_faw", 400);
    assert_relative(cycles(&d), slow, 0.01);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctas_without_work_take_no_time),
        cmocka_unit_test(the_first_ctas_may_do_all_the_work),
        cmocka_unit_test(units_open_rows_no_faster_than_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
