/* SPDX-License-Identifier: MIT */
/* Is the limit of a sample the exact one? */
#include "memsweep/explore/limit.h"
#include "testing.h"

/* P(X <= k) by exact fractions: Python's math.comb. 1,000,000 with 996 and 997 wrong, none in
 * 3,000; 5,000 with 400 wrong, at most 30 in 300. */
static void probabilities(void **state)
{
    (void)state;
    assert_near(msw_limit_probability(1000000, 996, 3000, 0), 0.05008754127381698, 1e-9);
    assert_near(msw_limit_probability(1000000, 997, 3000, 0), 0.04993712883921067, 1e-9);
    assert_near(msw_limit_probability(5000, 400, 300, 30), 0.9196989349916717, 1e-11);
    assert_near(msw_limit_probability(10000, 225, 5000, 100), 0.05269807863712274, 1e-10);
    assert_near(msw_limit_probability(10, 4, 5, 0), 6.0 / 252, 1e-15);
}

/* The 996 of docs/models/auto.md; by hand: C(7, 5) = 21 of 252 is above 5 %, C(6, 5) = 6 below. */
static void limits(void **state)
{
    (void)state;
    assert_int_equal(msw_limit_wrong(1000000, 3000, 0, 0.05), 996);
    assert_int_equal(msw_limit_wrong(10, 5, 0, 0.05), 3);
    assert_int_equal(msw_limit_wrong(10000, 5000, 100, 0.05), 225);
    assert_int_equal(msw_limit_wrong(1000, 1000, 3, 0.05), 3);
    assert_int_equal(msw_limit_wrong(1000, 0, 0, 0.05), 1000);
    assert_int_equal(msw_limit_wrong(5, 5, 5, 0.05), 5);
}

/* The limit is the last number that is not refuted, whatever was found. */
static void limit_is_the_last(void **state)
{
    (void)state;
    for (uint64_t all = 1; all <= 60; all += 7)
        for (uint64_t draws = 1; draws <= all; draws += 3)
            for (uint64_t found = 0; found <= draws; found += 2) {
                uint64_t limit = msw_limit_wrong(all, draws, found, 0.05);
                assert_true(limit >= found && limit <= all - (draws - found));
                assert_true(msw_limit_probability(all, limit, draws, found) > 0.05 - 1e-7);
                if (limit < all - (draws - found))
                    assert_true(msw_limit_probability(all, limit + 1, draws, found) <= 0.05);
            }
}

/* None of 10^6: 95 % of them, and one more. */
static void draws(void **state)
{
    (void)state;
    uint64_t none = msw_limit_draws(1000000, 0, 0.05);
    assert_true(none >= 950000 && none <= 950001);
    assert_int_equal(msw_limit_wrong(1000000, none, 0, 0.05), 0);
    assert_int_equal(msw_limit_draws(1000000, 996, 0.05), 2999);
    assert_int_equal(msw_limit_draws(100, 100, 0.05), 0);
}

/* Drawn from a set with a known number of wrong ones, the limit is below it in at most 5 %: counted
 * exactly, over all that can be found. */
static void coverage_is_exact(void **state)
{
    (void)state;
    for (uint64_t wrong = 0; wrong <= 200; wrong += 10) {
        double missed = 0, before = 0;
        for (uint64_t found = 0; found <= 50 && found <= wrong; found++) {
            double now = msw_limit_probability(200, wrong, 50, found);
            if (msw_limit_wrong(200, 50, found, 0.05) < wrong)
                missed += now - before;
            before = now;
        }
        assert_true(missed <= 0.05 + 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities),     cmocka_unit_test(limits),
        cmocka_unit_test(limit_is_the_last), cmocka_unit_test(draws),
        cmocka_unit_test(coverage_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
