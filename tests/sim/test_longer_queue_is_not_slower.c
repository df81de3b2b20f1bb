/* SPDX-License-Identifier: MIT */
/* Defect 240. Misses that waited for a walker walked although their page had come: a longer queue
 * was up to six times slower. With queue_reprobe a longer queue is not slower. */
#include "direct.h"
#include "testing.h"

static double cycles(direct *d, int queue, int reprobe)
{
    direct_set(d, "walk_queue", queue);
    direct_set(d, "queue_reprobe", reprobe);
    direct_run(d, MSW_FULL, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[0];
}

static void a_longer_queue_is_not_slower(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {"ncf/b1", "mobilenet_v2/b1"};
    for (int n = 0; n < 2; n++) {
        direct d;
        msw_err err = {0};
        assert_ok(direct_open(&d, msw_mech_find("neummu"), NETWORKS[n], &err), err);
        direct_set(&d, "ptw_count", 8);
        direct_set(&d, "prmb_slots", 0);
        direct_set(&d, "dma_bytes", 64);
        double none = cycles(&d, 0, 1), before = none;
        for (int queue = 8; queue <= 512; queue *= 4) {
            double now = cycles(&d, queue, 1);
            assert_true(now <= 1.001 * before);
            before = now;
        }
        if (n == 0)
            assert_true(cycles(&d, 512, 0) > 2.5 * none);
        direct_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_longer_queue_is_not_slower)};
    return cmocka_run_group_tests_name("longer queue", tests, NULL, NULL);
}
