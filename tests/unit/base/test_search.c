/* SPDX-License-Identifier: MIT */
/* Does bisection give the place that a walk from the beginning gives? */
#include "memsweep/base/search.h"

#include "memsweep/base/rng.h"
#include "testing.h"

enum { MOST = 40 };

#define CHECK(suffix, type)                                                                        \
    do {                                                                                           \
        type list[MOST];                                                                           \
        for (size_t i = 0; i < count; i++)                                                         \
            list[i] = (type)values[i];                                                             \
        for (int v = -1; v < 25; v++) {                                                            \
            size_t lower = 0, upper = 0;                                                           \
            type value = (type)(v < 0 ? 0 : v);                                                    \
            while (lower < count && list[lower] < value)                                           \
                lower++;                                                                           \
            while (upper < count && list[upper] <= value)                                          \
                upper++;                                                                           \
            assert_int_equal(msw_lower_bound_##suffix(list, count, value), lower);                 \
            assert_int_equal(msw_upper_bound_##suffix(list, count, value), upper);                 \
        }                                                                                          \
    } while (0)

static void bounds_are_those_of_a_walk(void **state)
{
    (void)state;
    msw_rng rng;
    msw_rng_init(&rng, 1, 0);
    for (int round = 0; round < 400; round++) {
        unsigned values[MOST];
        size_t count = (size_t)(msw_rng_u64(&rng) % (MOST + 1));
        for (size_t i = 0; i < count; i++)
            values[i] = (i ? values[i - 1] : 0) + (unsigned)(msw_rng_u64(&rng) % 3);
        CHECK(f64, double);
        CHECK(u64, uint64_t);
        CHECK(i64, int64_t);
        CHECK(u32, uint32_t);
        CHECK(size, size_t);
    }
}

static void extreme_values_have_their_place(void **state)
{
    (void)state;
    const double list[] = {-INFINITY, -1, -0.0, 0.0, 1, INFINITY};
    assert_int_equal(msw_lower_bound_f64(list, 6, 0.0), 2);
    assert_int_equal(msw_upper_bound_f64(list, 6, -0.0), 4);
    assert_int_equal(msw_lower_bound_f64(list, 6, INFINITY), 5);
    assert_int_equal(msw_upper_bound_f64(list, 6, INFINITY), 6);
    const uint64_t most[] = {0, UINT64_MAX};
    assert_int_equal(msw_lower_bound_u64(most, 2, UINT64_MAX), 1);
    assert_int_equal(msw_upper_bound_u64(most, 2, UINT64_MAX), 2);
    const int64_t whole[] = {INT64_MIN, INT64_MAX};
    assert_int_equal(msw_upper_bound_i64(whole, 2, INT64_MIN), 1);
    assert_int_equal(msw_lower_bound_size(NULL, 0, 1), 0);
}

static void any_condition_is_searched_in_any_range(void **state)
{
    (void)state;
    uint64_t at;
    for (uint64_t low = 0; low < 12; low++)
        for (uint64_t high = low; high < 12; high++)
            for (uint64_t turn = 0; turn < 14; turn++) {
                MSW_SEARCH(at, low, high, at < turn);
                assert_int_equal(at, turn < low ? low : turn > high ? high : turn);
            }
    /* The largest number whose square is at most another: the sum of both ends overflows. */
    MSW_SEARCH(at, 0, UINT64_MAX, at <= UINT32_MAX && at * at <= 1000000);
    assert_int_equal(at - 1, 1000);
    MSW_SEARCH(at, UINT64_MAX - 9, UINT64_MAX, at < UINT64_MAX - 3);
    assert_int_equal(at, UINT64_MAX - 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_those_of_a_walk),
        cmocka_unit_test(extreme_values_have_their_place),
        cmocka_unit_test(any_condition_is_searched_in_any_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
