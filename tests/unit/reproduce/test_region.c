/* SPDX-License-Identifier: MIT */
/* Do quantiles and extents tell what can be counted by hand? */
#include "testing.h"

#include "memsweep/reproduce/region.h"

static void quantiles_leave_out_what_is_not_there(void **state)
{
    (void)state;
    double values[] = {3, NAN, 1, 2, NAN, 5, 4};
    msw_quantiles q = msw_quantiles_of(values, 7);
    assert_int_equal(q.n, 5);
    assert_near(q.min, 1, 0);
    assert_near(q.low, 1.2, 1e-12); /* 5 % of the way from 1 to 5 in ranks */
    assert_near(q.median, 3, 0);
    assert_near(q.high, 4.8, 1e-12);
    assert_near(q.max, 5, 0);
    double none[] = {NAN};
    q = msw_quantiles_of(none, 1);
    assert_int_equal(q.n, 0);
    assert_true(isnan(q.median));
}

static void an_extent_is_the_range_inside_and_the_share_of_each_half(void **state)
{
    (void)state;
    const double values[] = {8, 1, 7, 2, 6, 3, 5, 4};
    const bool inside[] = {true, false, true, false, true, true, false, false};
    double work[8];
    msw_extent e = msw_extent_of(values, inside, 8, work);
    assert_int_equal(e.inside, 4);
    assert_near(e.min, 3, 0);
    assert_near(e.max, 8, 0);
    assert_near(e.middle, 4.5, 0);
    assert_near(e.below, 0.25, 0);
    assert_near(e.above, 0.75, 0);
}

static void nothing_inside_has_no_range(void **state)
{
    (void)state;
    const double values[] = {1, 1};
    const bool inside[] = {false, false};
    double work[2];
    msw_extent e = msw_extent_of(values, inside, 2, work);
    assert_int_equal(e.inside, 0);
    assert_true(isnan(e.min) && isnan(e.max));
    assert_true(isnan(e.below));
    assert_near(e.above, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_leave_out_what_is_not_there),
        cmocka_unit_test(an_extent_is_the_range_inside_and_the_share_of_each_half),
        cmocka_unit_test(nothing_inside_has_no_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
