/* SPDX-License-Identifier: MIT */
/* Does the example give what its README works out by hand, at every fidelity? */
#include "direct.h"
#include "testing.h"

/* 12 requests, 640 B, in windows of 8 at latency 100 and 16 B per cycle: 2 x 100 + 640 / 16;
 * without latency 640 / 16. */
static void known_value_at_all_fidelities(void **state)
{
    (void)state;
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("template"), "trace/example", &err), err);
    for (int f = 0; f < MSW_FIDELITY_COUNT; f++) {
        direct_run(&d, (msw_fidelity)f, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        int cycles = msw_metrics_find(d.mech->metrics, "cycles");
        int slowdown = msw_metrics_find(d.mech->metrics, "slowdown");
        assert_relative(d.metrics[cycles], 240, 1e-12);
        assert_relative(d.metrics[slowdown], 240.0 / 40, 1e-12);
    }
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_value_at_all_fidelities),
    };
    return cmocka_run_group_tests_name("template", tests, NULL, NULL);
}
