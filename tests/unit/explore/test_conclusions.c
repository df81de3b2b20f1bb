/* SPDX-License-Identifier: MIT */
/* Are draws from weights and shares of the variance what can be worked out by hand? */
#include "testing.h"

#include "memsweep/explore/calibrate.h"

#include <math.h>

/* Steps of 1/4 from 1/8 on: 1/8 and 3/8 lie in the first half, 5/8 and 7/8 in the quarters after
 * it. Steps of 1/3 from just under 1/3 on: 1/3, 2/3, just under 1. */
static void draws_follow_the_weights(void **state)
{
    (void)state;
    const double weights[] = {2, 0, 1, 1, 0}; /* of any sum */
    size_t chosen[4];
    msw_resample(weights, 5, 0.5, 4, chosen);
    const size_t wanted[] = {0, 0, 2, 3};
    for (int k = 0; k < 4; k++)
        assert_int_equal(chosen[k], wanted[k]);
    msw_resample(weights, 5, 0.999999, 3, chosen);
    assert_int_equal(chosen[0], 0);
    assert_int_equal(chosen[1], 2);
    assert_int_equal(chosen[2], 3);
}

/* y = a + b + s with a of 0 and 2, b of 0 and 1, s of 0 and 4 with the weights 3/4 and 1/4:
 * variances 1, 1/4 and 16 * 3/16 = 3. */
static void shares_of_a_sum_are_its_variances(void **state)
{
    (void)state;
    const double values[] = {0, 1, 2, 3, 4, 5, 6, 7}, weights[] = {0.75, 0.25};
    const size_t level[] = {0, 0, 2, 2, 0, 1, 0, 1};
    msw_answers a = {.settings = 2, .points = 4, .factors = 2, .values = values, .level = level};
    double shares[3], largest[2];
    msw_err err = {0};
    assert_int_equal(msw_answers_shares(&a, weights, shares, largest, &err), 0);
    assert_near(shares[0], 1 / 4.25, 1e-12);
    assert_near(shares[1], 0.25 / 4.25, 1e-12);
    assert_near(shares[2], 3 / 4.25, 1e-12);
    assert_near(largest[0], 1, 1e-12);
    assert_near(largest[1], 0, 1e-12);
}

/* In the first setting only a moves, in the second only b, in the third nothing, in the fourth
 * there are no answers. */
static void the_largest_factor_is_each_settings_own(void **state)
{
    (void)state;
    const double values[] = {0, 0, 1, 1, 0, 2, 0, 2, 5, 5, 5, 5, NAN, NAN, NAN, NAN};
    const double weights[] = {0.3, 0.1, 0.4, 0.2};
    const size_t level[] = {0, 0, 2, 2, 0, 1, 0, 1};
    msw_answers a = {.settings = 4, .points = 4, .factors = 2, .values = values, .level = level};
    double shares[3], largest[2];
    msw_err err = {0};
    assert_int_equal(msw_answers_shares(&a, weights, shares, largest, &err), 0);
    assert_near(largest[0], 0.75, 1e-12);
    assert_near(largest[1], 0.25, 1e-12);
    const double alone[] = {0, 0, 1, 0}; /* nothing differs */
    assert_int_equal(msw_answers_shares(&a, alone, shares, largest, &err), 0);
    assert_true(isnan(shares[0]) && isnan(shares[2]) && isnan(largest[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_follow_the_weights),
        cmocka_unit_test(shares_of_a_sum_are_its_variances),
        cmocka_unit_test(the_largest_factor_is_each_settings_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
