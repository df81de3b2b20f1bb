/* SPDX-License-Identifier: MIT */
/* Defect 454. The closed form knew two cores. It missed who works (of 2048 CTAs 64 do), and of
 * what all ask one core for it took accesses for lines. Is it within a factor of two of the cycle
 * model where it was off by four and more? */
#include "direct.h"
#include "testing.h"

extern const msw_mech msw_mech_mpu;

static double cycles(direct *d, msw_fidelity fidelity)
{
    direct_run(d, fidelity, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[msw_metrics_find(d->mech->metrics, "cycles")];
}

static void compare(const char *workload, const char *param, double value)
{
    msw_err err = {0};
    direct d;
    assert_ok(direct_open(&d, &msw_mech_mpu, workload, &err), err);
    direct_set(&d, param, value);
    double closed = cycles(&d, MSW_ANALYTIC), full = cycles(&d, MSW_FULL);
    print_message("%s: closed %.0f, full %.0f\n", workload, closed, full);
    if (closed > 2 * full || closed < full / 2)
        fail_msg("%s, %s = %g: closed %.0f, full %.0f", workload, param, value, closed, full);
    direct_close(&d);
}

static void work_is_that_of_all_cores(void **state)
{
    (void)state;
    compare("nw/pairs=64", "ctas", 1);
}

static void owners_are_those_of_all_cores(void **state)
{
    (void)state;
    compare("kmeans/natural/n=4Ki", "pending", 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(work_is_that_of_all_cores),
                                       cmocka_unit_test(owners_are_those_of_all_cores)};
    return cmocka_run_group_tests_name("mpu sees all cores", tests, NULL, NULL);
}
