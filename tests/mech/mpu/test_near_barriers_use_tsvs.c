/* SPDX-License-Identifier: MIT */
/* Defect 701. Is what goes over TSVs by the counts also sent in the cycle model? A barrier on the
 * near side was counted as offloaded but took no time on the TSVs: a launch ended before its bytes
 * could have been over them. */
#include "direct.h"
#include "testing.h"

#include "mech/mpu/config.h"

extern const msw_mech msw_mech_mpu;

static void tsvs_are_busy_as_counted(void **state)
{
    (void)state;
    static const char *const WORKLOADS[] = {"upsamp/h=16", "hist/n=16Ki"};
    for (size_t i = 0; i < sizeof WORKLOADS / sizeof *WORKLOADS; i++) {
        msw_err err = {0};
        direct d;
        assert_ok(direct_open(&d, &msw_mech_mpu, WORKLOADS[i], &err), err);
        direct_set(&d, "barrier_side", MPU_AT_NEAR);
        direct_run(&d, MSW_FULL, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        double least = d.metrics[MPU_LEAST_TSV], busy = d.metrics[MPU_TSV_BUSY];
        if (busy < least * (1 - 1e-9))
            fail_msg("%s: TSVs are busy for %g cycles, their bytes take %g", WORKLOADS[i], busy,
                     least);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tsvs_are_busy_as_counted)};
    return cmocka_run_group_tests_name("near barriers", tests, NULL, NULL);
}
