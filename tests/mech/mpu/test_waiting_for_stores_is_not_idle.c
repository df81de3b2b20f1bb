/* SPDX-License-Identifier: MIT */
/* Defect 453. Warps that had issued all and waited for their stores counted as idle: no warp was
 * there. What a sub-core waits for until its last warp leaves has a cause. */
#include "direct.h"
#include "testing.h"

extern const msw_mech msw_mech_mpu;

static double metric(const direct *d, const char *name)
{
    return d->metrics[msw_metrics_find(d->mech->metrics, name)];
}

static void stores_are_waited_for(void **state)
{
    (void)state;
    msw_err err = {0};
    direct d;
    assert_ok(direct_open(&d, &msw_mech_mpu, "axpy/n=64Ki", &err), err);
    direct_set(&d, "simulated_cores", 4);
    direct_set(&d, "lsu_cycles", 60);
    direct_run(&d, MSW_FULL, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    if (metric(&d, "idle") > 0.1 * metric(&d, "cycles"))
        fail_msg("idle in %.0f of %.0f cycles", metric(&d, "idle"), metric(&d, "cycles"));
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stores_are_waited_for)};
    return cmocka_run_group_tests_name("waiting for stores", tests, NULL, NULL);
}
