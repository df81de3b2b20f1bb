/* SPDX-License-Identifier: MIT */
/* Defect 241. Walkers took turns, so that with many of them each kept a path of long ago: NCF took
 * 28 % longer with 512 walkers than with 128. Taking the warmest walker, or one that has walked
 * the path, more walkers are not slower, but for the first walk of each that is woken. */
#include "direct.h"
#include "testing.h"

#include "memsweep/sim/walker.h"

static double cycles(direct *d, int walkers, int choice)
{
    direct_set(d, "ptw_count", walkers);
    direct_set(d, "walker_choice", choice);
    direct_run(d, MSW_FULL, 1);
    assert_int_equal(d->answer.status, MSW_OK);
    return d->metrics[0];
}

static void more_walkers_are_not_slower(void **state)
{
    (void)state;
    static const char *const NETWORKS[] = {"ncf/b1", "googlenet/b1"};
    for (int n = 0; n < 2; n++) {
        for (int scoreboard = 0; scoreboard < 2; scoreboard++) {
            direct d;
            msw_err err = {0};
            assert_ok(direct_open(&d, msw_mech_find("neummu"), NETWORKS[n], &err), err);
            direct_set(&d, "scoreboard", scoreboard);
            for (int choice = MSW_WALKER_WARMEST; choice <= MSW_WALKER_SAME_PATH; choice++) {
                double before = cycles(&d, 32, choice);
                for (int walkers = 64; walkers <= 1024; walkers *= 2) {
                    double now = cycles(&d, walkers, choice);
                    assert_true(now <= 1.005 * before);
                    before = now < before ? now : before;
                }
            }
            if (n == 0 && !scoreboard)
                assert_true(cycles(&d, 512, MSW_WALKER_LONGEST_IDLE) >
                            1.25 * cycles(&d, 128, MSW_WALKER_LONGEST_IDLE));
            direct_close(&d);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_walkers_are_not_slower)};
    return cmocka_run_group_tests_name("more walkers", tests, NULL, NULL);
}
